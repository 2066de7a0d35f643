# What a report is drawn with, from npm, pinned by hash: copied into build/report_libraries and from there into the program.
# Archives are kept in $LONGHAUL_DOWNLOADS (default: build/downloads), so that other build trees find them. Without network
# the files are left empty: everything is built, and `longhaul report` says what it lacks.
if(DEFINED ENV{LONGHAUL_DOWNLOADS})
  set(LONGHAUL_DOWNLOADS "$ENV{LONGHAUL_DOWNLOADS}")
else()
  set(LONGHAUL_DOWNLOADS "${PROJECT_SOURCE_DIR}/build/downloads")
endif()
set(LONGHAUL_REPORT_LIBRARIES "${PROJECT_BINARY_DIR}/report_libraries")

function(longhaul_report_library package version sha512 member)
  get_filename_component(file ${member} NAME)
  set(target "${LONGHAUL_REPORT_LIBRARIES}/${file}")
  set(stamp "${LONGHAUL_REPORT_LIBRARIES}/${file}.version")
  set(have "")
  if(EXISTS "${stamp}")
    file(READ "${stamp}" have)
  endif()
  if(have STREQUAL "${package} ${version}")
    return()
  endif()
  set(archive "${LONGHAUL_DOWNLOADS}/${package}-${version}.tgz")
  set(found "")
  if(EXISTS "${archive}")
    file(SHA512 "${archive}" found)
  endif()
  if(NOT found STREQUAL sha512)
    string(RANDOM LENGTH 8 suffix)
    set(part "${archive}.${suffix}")
    message(STATUS "Downloading ${package} ${version} for reports")
    file(DOWNLOAD "https://registry.npmjs.org/${package}/-/${package}-${version}.tgz" "${part}"
      STATUS status TIMEOUT 120 INACTIVITY_TIMEOUT 20)
    if(EXISTS "${part}")
      file(SHA512 "${part}" found)
    endif()
    if(NOT found STREQUAL sha512)
      file(REMOVE "${part}")
      file(WRITE "${target}" "")
      list(GET status 1 reason)
      message(WARNING "${package} ${version} cannot be had from registry.npmjs.org (${reason}, or another SHA-512): this build "
        "makes no reports. Configure again with network, or put ${package}-${version}.tgz into ${LONGHAUL_DOWNLOADS}.")
      return()
    endif()
    file(RENAME "${part}" "${archive}")
  endif()
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${LONGHAUL_REPORT_LIBRARIES}" PATTERNS "${member}" TOUCH)
  file(RENAME "${LONGHAUL_REPORT_LIBRARIES}/${member}" "${target}")
  file(REMOVE_RECURSE "${LONGHAUL_REPORT_LIBRARIES}/package")
  file(WRITE "${stamp}" "${package} ${version}")
endfunction()

# Charts: Apache-2.0. Coastlines (Natural Earth, public domain): ISC.
longhaul_report_library(echarts 5.6.0
  a136d54ec5df2ae121c5fb47a8be71a6b80ba1cd24eee49c030b6bc8281617a84f6052d1c0e50788598718204a3f934f14d903568a4e89ec94a98187f056b790
  package/dist/echarts.min.js)
longhaul_report_library(world-atlas 2.0.2
  2177d5d2ac25297a5c933d458705d5c0a46388884e9d6b6d3ac926e42b7132c8e013f317018447589aa05cea4cf0891c3c1a179f24d4e651477186b90a11b42d
  package/land-110m.json)

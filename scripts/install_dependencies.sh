#!/bin/sh
# Installs the Debian packages that building and testing need, if any is missing. Works as root or with sudo.
set -eu

packages="cmake ninja-build g++ pkg-config git libsimgrid-dev libboost-graph-dev libfmt-dev libyaml-cpp-dev
nlohmann-json3-dev libcli11-dev catch2 libbenchmark-dev clang-format-14 clang-tidy-14 gnuplot-nox
libxml2-utils parallel"

missing=""
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086  # the lists are meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null

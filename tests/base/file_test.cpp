#include "sim/base/file.hpp"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/base/temporary_file.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;

TEST_CASE("a written file reads back and leaves nothing beside it") {
  const Scratch scratch;
  write_text_file(scratch.path("a.txt"), "one\ntwo");
  write_text_file(scratch.path("a.txt"), "three");
  CHECK(read_text_file(scratch.path("a.txt"), 100) == "three");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 1);
}

TEST_CASE("a file that cannot be written leaves nothing behind") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("taken"));
  CHECK_THROWS_AS(write_text_file(scratch.path("taken"), "x"), UserError);
  CHECK_THROWS_AS(write_text_file(scratch.path("missing/a.txt"), "x"), UserError);
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 1);
}

TEST_CASE("unreadable and oversized files are the user's error") {
  const Scratch scratch;
  CHECK_THROWS_WITH(read_text_file(scratch.path("none"), 10), Catch::Contains("cannot open the file"));
  CHECK_THROWS_WITH(read_text_file(scratch.folder(), 10), Catch::Contains("this is a folder"));
  write_text_file(scratch.path("big"), std::string(11, 'x'));
  CHECK_THROWS_WITH(read_text_file(scratch.path("big"), 10), Catch::Contains("too large"));
}

TEST_CASE("files of a set appear together or not at all") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("taken"));
  {
    FileSet files;
    files.add(scratch.path("a.txt"), "a");
    CHECK_FALSE(std::filesystem::exists(scratch.path("a.txt")));
    CHECK_THROWS_WITH(files.add(scratch.path("taken"), "b"), Catch::Contains("a folder has that name"));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 1);
  FileSet files;
  files.add(scratch.path("a.txt"), "a");
  files.add(scratch.path("b.txt"), "b");
  files.publish();
  CHECK(read_text_file(scratch.path("a.txt"), 10) == "a");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 3);
}

TEST_CASE("a new folder that stays empty goes again, with its parents") {
  const Scratch scratch;
  { const Folder folder(scratch.path("a/b/c")); }
  CHECK_FALSE(std::filesystem::exists(scratch.path("a")));
  {
    const Folder folder(scratch.path("a/b/c/"));
    write_text_file(scratch.path("a/b/x.txt"), "x");
  }
  CHECK(std::filesystem::exists(scratch.path("a/b/x.txt")));
  CHECK_FALSE(std::filesystem::exists(scratch.path("a/b/c")));
  CHECK_THROWS_WITH(Folder(scratch.path("a/b/x.txt")), Catch::Contains("cannot create the folder"));
  CHECK_THROWS_WITH(Folder("/proc/nowhere"), Catch::Contains("cannot create the folder"));
}

TEST_CASE("a pipe is refused where it would be waited for, not where it is open") {
  const Scratch scratch;
  REQUIRE(mkfifo(scratch.path("pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_text_file(scratch.path("pipe"), 10), Catch::Contains("this is not a regular file"));
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "text", 4) == 4);
  close(ends[1]);
  CHECK(read_text_file("/dev/fd/" + std::to_string(ends[0]), 10) == "text");
  close(ends[0]);
}

TEST_CASE("a temporary file can be read by its path") {
  const TemporaryFile file("some text");
  CHECK(read_text_file(file.path(), 100) == "some text");
}

#include "sim/base/file.hpp"

#include <filesystem>

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

TEST_CASE("a temporary file can be read by its path") {
  const TemporaryFile file("some text");
  CHECK(read_text_file(file.path(), 100) == "some text");
}

#include "sim/base/utf8.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"

using namespace longhaul;

TEST_CASE("UTF-8 of every length passes") {
  CHECK_NOTHROW(check_utf8("", "f"));
  CHECK_NOTHROW(check_utf8(std::string("a\0b", 3), "f"));
  CHECK_NOTHROW(
      check_utf8("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF", "f"));
}

TEST_CASE("anything else does not, and the place is named") {
  CHECK_THROWS_WITH(check_utf8("a\n\xC3\xA4\xFF", "f"),
                    "f:2:2: this is not UTF-8 (the text may be in another encoding); accepted: UTF-8");
  for (const char* bad : {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                          "\xE4"
                          "bc"})
    CHECK_THROWS_AS(check_utf8(bad, "f"), UserError);
}

#include "sim/description/config.hpp"

#include <catch2/catch.hpp>

using namespace longhaul;

namespace {

Config config(const std::string& text) { return Config::parse(text, "f.yaml"); }

}  // namespace

TEST_CASE("values are read with their type and unit") {
  const Config file = config("a: 3\nb: {c: 67 ms, d: [1, 2]}\ne: true\nf: 0.5\ng: 1.14 Gbps\n");
  CHECK(file.at("a").integer(0, 10) == 3);
  CHECK(file.at("b").at("c").duration() == Seconds(0.067));
  CHECK(file.at("b").at("d").items().size() == 2);
  CHECK(file.at("e").flag());
  CHECK(file.at("f").number(0, 1) == 0.5);
  CHECK(file.at("g").bandwidth() == BytesPerSecond(1.14e9 / 8));
  CHECK_FALSE(file.find("z").has_value());
}

TEST_CASE("every message says where, what, and what would be accepted") {
  const Config file = config("a: x\nb:\n  c: 67\n  d: -1 ms\n  e: [1]\nf: 0 Gbps\ng: nan\nh: maybe\ni: 12\nj:\n");
  CHECK_THROWS_WITH(file.at("a").integer(0, 9),
                    "f.yaml:1:4: a: 'x' is not a whole number; accepted: a whole number from 0 to 9");
  CHECK_THROWS_WITH(file.at("b").at("c").duration(),
                    Catch::StartsWith("f.yaml:3:6: b.c: '67' has no unit (a number alone could mean anything); "
                                      "accepted: a number and one of s, ms"));
  CHECK_THROWS_WITH(file.at("b").at("d").duration(), Catch::StartsWith("f.yaml:4:6: b.d: '-1 ms' is negative"));
  CHECK_THROWS_WITH(file.at("b").at("e").text(), Catch::Contains("b.e: a map or list where one value belongs"));
  CHECK_THROWS_WITH(file.at("f").bandwidth(), Catch::Contains("'0 Gbps' is zero (it must be positive)"));
  CHECK_THROWS_WITH(file.at("g").number(0, 1), Catch::Contains("'nan' is not a finite number"));
  CHECK_THROWS_WITH(file.at("h").flag(), Catch::Contains("'maybe' is neither true nor false"));
  CHECK_THROWS_WITH(file.at("i").integer(0, 9), Catch::Contains("12 is out of range"));
  CHECK_THROWS_WITH(file.at("j").text(), Catch::Contains("j: no value"));
  CHECK_THROWS_WITH(file.at("k"), Catch::Contains("key 'k' is missing"));
  CHECK_THROWS_WITH(file.at("a").at("b"), Catch::Contains("a: not a map"));
  CHECK_THROWS_WITH(file.at("h").choice({"yes", "no"}), "f.yaml:8:4: h: 'maybe' is not known; accepted: yes, no");
}

TEST_CASE("files that are no single YAML map are rejected") {
  CHECK_THROWS_WITH(config(""), "f.yaml:1:1: the file is empty; accepted: a YAML map");
  CHECK_THROWS_WITH(config("# only a comment\n"), Catch::Contains("the file is empty"));
  CHECK_THROWS_WITH(config("- a\n"), Catch::Contains("the top level is not a map"));
  CHECK_THROWS_WITH(config("a: [1\nb: 2\n"), Catch::Contains("the YAML cannot be read"));
  CHECK_THROWS_WITH(config("a: 1\n---\nb: 2\n"), Catch::Contains("a second YAML document"));
  CHECK_THROWS_WITH(config("a: 1\na: 2\n"),
                    "f.yaml:2:1: key 'a' appears twice (the second would hide the first); accepted: each key once");
  CHECK_THROWS_WITH(config("? [a]\n: 1\n"), Catch::Contains("a key is not plain text"));
}

TEST_CASE("a map of many keys is read in a moment") {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "key-" + std::to_string(i) + ": 1\n";
  CHECK(config(many).entries().size() == 200'000);
}

TEST_CASE("overrides that are not UTF-8 are rejected") {
  Config file = config("a: 1\n");
  CHECK_THROWS_WITH(file.override_with("a=\xff"), Catch::Contains("--set:1:3: this is not UTF-8"));
  CHECK_THROWS_WITH(file.override_with_text("a", "\xff", "--a"), Catch::Contains("a:1:1: this is not UTF-8"));
}

TEST_CASE("aliases that multiply without end are stopped") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += (j > 0 ? ", " : "") + last;
    bomb += "]\n";
  }
  CHECK_THROWS_WITH(config(bomb), Catch::Contains("nested too deeply or too large"));
}

TEST_CASE("keys that nobody asked for are rejected, with those that were") {
  const Config file = config("a: 1\nb: {c: 2, typo: 3}\n");
  file.at("a");
  file.at("b").at("c");
  file.find("d");
  CHECK_THROWS_WITH(file.reject_unread(), "f.yaml:2:11: unknown key 'typo' in b (nothing reads it); accepted: c");
  const Config top = config("name: x\nplatfrom: y\n");
  top.at("name");
  top.find("platform");
  CHECK_THROWS_WITH(top.reject_unread(),
                    "f.yaml:2:1: unknown key 'platfrom' (nothing reads it); accepted: name, platform");
}

TEST_CASE("overrides replace, add, and are checked like the file") {
  Config file = config("a: 1\nb: {c: 2}\n");
  file.override_with("b.c=5");
  file.override_with("d.e.f=7 ms");
  file.override_with_text("g", "- not: yaml [", "--g");
  CHECK(file.at("b").at("c").integer(0, 9) == 5);
  CHECK(file.at("d").at("e").at("f").duration() == Seconds(0.007));
  CHECK(file.at("g").text() == "- not: yaml [");
  file.at("a");
  CHECK_NOTHROW(file.reject_unread());
  file.override_with("b.typo=5");
  CHECK_THROWS_WITH(file.reject_unread(), Catch::StartsWith("--set b.typo=5:1:1: unknown key 'typo' in b"));
  CHECK_THROWS_WITH(file.override_with("nonsense"), Catch::Contains("no key=value"));
  CHECK_THROWS_WITH(file.override_with("a.b=1"), Catch::Contains("'a' has no 'b' to set"));
  CHECK_THROWS_WITH(file.override_with("a.=1"), Catch::Contains("'a' has no '' to set"));
  file.override_with("a=");
  CHECK_THROWS_WITH(file.at("a").integer(0, 9), "--set a=: a: no value; accepted: a whole number from 0 to 9");
}

TEST_CASE("overrides reach into lists by number") {
  Config file = config("a: [{b: 1}, {b: 2}]\n");
  file.override_with("a.1.b=5");
  CHECK(file.at("a").items()[1].at("b").integer(0, 9) == 5);
  CHECK(file.at("a").items()[0].at("b").integer(0, 9) == 1);
  CHECK_THROWS_WITH(file.override_with("a.2.b=5"), Catch::Contains("'a' has no '2' to set"));
  CHECK_THROWS_WITH(file.override_with("a.x=5"), Catch::Contains("'a' has no 'x' to set"));
}

TEST_CASE("keys ending in _bytes take a plain count as well as a size") {
  const Config file = config("a_bytes: 8290304\nb_bytes: 0.65 GiB\nc_bytes: -3\n");
  CHECK(file.at("a_bytes").bytes_or_count() == Bytes(8290304));
  CHECK(file.at("b_bytes").bytes_or_count() == Bytes(0.65 * 1073741824));
  CHECK_THROWS_AS(file.at("c_bytes").bytes_or_count(), UserError);
}

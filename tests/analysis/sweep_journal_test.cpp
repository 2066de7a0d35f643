#include "analysis/sweep_journal.hpp"

#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/description/error_of.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

// Four points.
Study example() {
  Study study;
  study.name = study.description = "example";
  study.axes.resize(2);
  study.axes[0].name = "a";
  study.axes[0].values = {{"1", {}}, {"2", {}}};
  study.axes[1].name = "b";
  study.axes[1].values = {{"x", {}}, {"y", {}}};
  study.metrics = {"pflops"};
  return study;
}

StudyRow row(std::size_t point, double value) { return {point, {value}, ""}; }

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t rows_in(const SweepJournal& journal) {
  std::size_t count = 0;
  for (const auto& one : journal.rows())
    if (one) ++count;
  return count;
}

}  // namespace

TEST_CASE("wherever a journal is cut off, what is complete comes back and the rest is written again") {
  const Scratch scratch;
  const Study study = example();
  {
    SweepJournal journal(scratch.path("whole"), study, "f", SweepJournal::Start::anew);
    for (std::size_t i = 0; i < 4; ++i) journal.add(row(i, 0.1 * static_cast<double>(i)));
  }
  const std::string whole = contents(scratch.path("whole"));
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string path = scratch.write("cut", whole.substr(0, length));
    {
      SweepJournal journal(path, study, "f", SweepJournal::Start::resume);
      const auto lines = static_cast<std::size_t>(std::count(whole.begin(), whole.begin() + length, '\n'));
      REQUIRE(rows_in(journal) == (lines > 0 ? lines - 1 : 0));
      for (std::size_t i = 0; i < 4; ++i)
        if (!journal.rows()[i]) journal.add(row(i, 0.1 * static_cast<double>(i)));
    }
    REQUIRE(contents(path) == whole);
  }
}

TEST_CASE("a journal is not overwritten, nor mixed with results of something else") {
  const Scratch scratch;
  const Study study = example();
  const std::string path = scratch.path("journal");
  { const SweepJournal journal(path, study, "f", SweepJournal::Start::anew); }
  CHECK_THAT(error_of([&] { const SweepJournal journal(path, study, "f", SweepJournal::Start::anew); }),
             Contains("has begun here already") && Contains("--resume"));
  CHECK_THAT(error_of([&] { const SweepJournal journal(path, study, "g", SweepJournal::Start::resume); }),
             Contains("results of something else"));
  scratch.write("journal", "no journal\nat all\n");
  CHECK_THAT(error_of([&] { merge_journals({path}); }), Contains("journal:1:1"));
  CHECK_THAT(error_of([&] { const SweepJournal journal("/nowhere/j", study, "f", SweepJournal::Start::anew); }),
             Contains("cannot write the journal"));
}

TEST_CASE("shards join to the whole, in study order") {
  const Scratch scratch;
  const Study study = example();
  std::vector<std::string> paths;
  for (const std::size_t number : {2, 1}) {
    const Shard shard{number, 2};
    paths.push_back(scratch.path(journal_name(shard)));
    SweepJournal journal(paths.back(), study, "f", SweepJournal::Start::anew);
    for (std::size_t i = 4; i-- > 0;)
      if (shard.has(i)) journal.add(row(i, static_cast<double>(i)));
  }
  const StudyResults results = merge_journals(paths);
  REQUIRE(results.rows.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(results.rows[i].point == i);
    CHECK(results.rows[i].values[0] == static_cast<double>(i));
  }
  CHECK_THAT(error_of([&] { merge_journals({paths[0]}); }), Contains("2 of 4 points are missing, point 0 first"));
}

TEST_CASE("journals that disagree, or are of different studies, do not join") {
  const Scratch scratch;
  const Study study = example();
  const auto write = [&](const char* name, const Study& of, double value) {
    SweepJournal journal(scratch.path(name), of, "f", SweepJournal::Start::anew);
    journal.add(row(1, value));
    return scratch.path(name);
  };
  Study other = study;
  other.metrics = {"iteration_seconds"};
  const std::string a = write("a", study, 1);
  CHECK_THAT(error_of([&] {
               merge_journals({a, write("b", study, 2)});
             }),
             Contains("b:2:1") && Contains("point 1 has another result elsewhere"));
  CHECK_THAT(error_of([&] { merge_journals({a, write("c", other, 1)}); }), Contains("another study"));
}

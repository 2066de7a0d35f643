#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "analysis/study_json.hpp"
#include "analysis/sweep_journal.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/app/progress_bar.hpp"
#include "sim/app/study_runs.hpp"
#include "sim/base/file.hpp"
#include "sim/base/parallel.hpp"

namespace longhaul {
namespace {

Shard read_shard(const std::string& text) {
  const auto number = [&](const std::string& digits) {
    const bool whole =
        !digits.empty() && digits.size() <= 6 && digits.find_first_not_of("0123456789") == std::string::npos;
    return whole ? std::stoul(digits) : 0;
  };
  const std::size_t slash = text.find('/');
  Shard shard{number(text.substr(0, slash)), slash == std::string::npos ? 0 : number(text.substr(slash + 1))};
  if (shard.number < 1 || shard.number > shard.of)
    throw UserError({"--shard " + text, 0, 0}, fmt::format("'{}' is no shard", text), "",
                    "NUMBER/OF with 1 <= NUMBER <= OF, as in 2/8");
  return shard;
}

void write_results(const std::string& folder, const StudyResults& results) {
  FileSet files;
  files.add(folder + "/results.csv", results_csv(results));
  files.add(folder + "/results.json", results_json(results));
  files.publish();
}

int finish(const StudyResults& results, bool json) {
  print_text(json ? results_json(results) : results_table(results));
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [](const StudyRow& row) { return !row.error.empty(); });
}

// Runs what is missing among the shard's points, and hands each row to `take` as soon as it is there.
void run_points(const Study& study, const std::vector<StudyPoint>& points, const Shard& shard, std::size_t processes,
                std::vector<std::optional<StudyRow>>& rows, const std::function<void(const StudyRow&)>& take) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (shard.has(i) && !rows[i]) missing.push_back(i);
  ProgressBar bar;
  std::size_t ended = 0;
  parallel_for_each(
      missing, processes == 0 ? processor_count() : processes,
      [&](std::size_t i) { return row_line(study, run_point(study, points[i], i)); },
      [&](std::size_t i, const std::string& line) {
        rows[i] = row_of_line(study, line, {});
        take(*rows[i]);
        bar.show_count("points", ++ended, missing.size());
      });
}

}  // namespace

int sweep_command(const SweepOptions& options) {
  if (!options.out && (options.resume || options.shard))
    throw UserError({options.resume ? "--resume" : "--shard", 0, 0}, "there is no --out", "it works on a folder",
                    "--out DIR");
  const Shard shard = options.shard ? read_shard(*options.shard) : Shard();
  const Study study = read_study(study_path(options.study));
  const std::vector<StudyPoint> points = points_of(study);
  const std::string fingerprint = fingerprint_of(study, points);

  std::optional<Folder> folder;
  std::unique_ptr<SweepJournal> journal;
  std::vector<std::optional<StudyRow>> rows(points.size());
  if (options.out) {
    folder.emplace(*options.out);
    journal =
        std::make_unique<SweepJournal>(*options.out + "/" + journal_name(shard), study, fingerprint,
                                       options.resume ? SweepJournal::Start::resume : SweepJournal::Start::anew);
    rows = journal->rows();
  }
  run_points(study, points, shard, options.jobs, rows, [&](const StudyRow& row) {
    if (journal) journal->add(row);
  });
  if (shard.of > 1) {
    const auto done = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.has_value(); });
    print_text(fmt::format("{}: shard {} of {}, {} of {} points; join by: longhaul merge {}\n", study.name,
                           shard.number, shard.of, done, points.size(), *options.out));
    return 0;
  }
  StudyResults results{study, {}};
  for (std::optional<StudyRow>& row : rows) results.rows.push_back(std::move(*row));
  if (options.out) write_results(*options.out, results);
  return finish(results, options.json);
}

int merge_command(const MergeOptions& options) {
  std::vector<std::string> journals;
  for (const std::string& folder : options.folders) {
    std::error_code problem;
    const std::size_t before = journals.size();
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
      const std::string name = entry.path().filename().string();
      if (name.rfind("points", 0) == 0 && entry.path().extension() == ".jsonl")
        journals.push_back(entry.path().string());
    }
    if (problem)
      throw UserError({folder, 0, 0}, "cannot look into the folder", problem.message(), "a folder of shards");
    if (journals.size() == before)
      throw UserError({folder, 0, 0}, "no shard is here", "there is no points*.jsonl",
                      "a folder that sweeps wrote into");
  }
  std::sort(journals.begin(), journals.end());
  const StudyResults results = merge_journals(journals);
  const std::string out = options.out.value_or(options.folders.front());
  const Folder folder(out);
  write_results(out, results);
  return finish(results, options.json);
}

}  // namespace longhaul

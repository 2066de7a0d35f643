// The program: command line in, exit code out. 0 = done, 1 = a regression case or a point of a study fails, 2 = the user's mistake, 70 =
// ours.
#include <functional>

#include <CLI/CLI.hpp>

#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/base/error.hpp"

namespace {

using namespace longhaul;

constexpr int users_mistake = 2;
constexpr int our_mistake = 70;

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
  command.add_option("scenario", options.scenario, "Scenario file, or the name of a shipped scenario")->required();
  command.add_option("--seed", options.seed, "Seed of everything random, instead of the scenario's");
  command.add_option("--set", options.assignments, "Override one key, as in job.layers=40; repeatable")
      ->allow_extra_args(false);
  command.add_flag("--json", options.json, "Print JSON");
}

void add_timing_option(CLI::App& command, ScenarioOptions& options) {
  command.add_flag("--timing", options.timing, "Show wall-clock times too");
}

void add_scheduler_options(CLI::App& command, ScenarioOptions& options) {
  command.add_option("--scheduler", options.scheduler, "Who places the ranks (see: longhaul list schedulers)");
  command.add_option("--rank-map", options.rank_map, "For --scheduler rank_map: file with the rank of each device");
}

void add_engine_option(CLI::App& command, ScenarioOptions& options) {
  command
      .add_option("--engine", options.engine,
                  "simgrid, fast (as if no link were shared), both, or auto: fast where the run proves it exact")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "simgrid", "fast", "both"}));
}

void add_suite_options(CLI::App& command, SuiteOptions& options) {
  command.add_option("suites", options.suites, "Suite files, or names of shipped suites")->required();
  command.add_flag("--json", options.json, "Print JSON");
  command.add_option("--jobs", options.jobs, "Cases that run at a time; default: one per processor")
      ->check(CLI::Range(1, 1024));
}

int run(int count, char** arguments) {
  CLI::App app("Longhaul simulates the training of foundation models over long-haul networks.", "longhaul");
  app.require_subcommand(1);
  std::function<void()> action;
  int exit_code = 0;
  ScenarioOptions options;

  CLI::App* run = app.add_subcommand("run", "Plan a scenario and simulate one training iteration");
  add_scenario_options(*run, options);
  add_timing_option(*run, options);
  add_scheduler_options(*run, options);
  add_engine_option(*run, options);
  run->add_option("--out", options.out, "Folder for scenario, plan, metrics, timeline and trace");
  run->callback([&] { action = [&] { run_command(options); }; });

  CLI::App* plan = app.add_subcommand("plan", "Plan a scenario without simulating it");
  add_scenario_options(*plan, options);
  add_timing_option(*plan, options);
  add_scheduler_options(*plan, options);
  plan->add_flag("--groups", options.groups, "List every rank and the groups of ranks that work together");
  plan->callback([&] { action = [&] { plan_command(options); }; });

  CLI::App* compare = app.add_subcommand("compare", "Several schedulers on one scenario, side by side");
  add_scenario_options(*compare, options);
  add_engine_option(*compare, options);
  add_timing_option(*compare, options);
  compare->add_option("--schedulers", options.schedulers, "Names, comma-separated; rank_map:FILE places by a file")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false);
  compare->add_option("--out", options.out, "Folder for comparison.json");
  compare->callback([&] { action = [&] { compare_command(options); }; });

  CLI::App* explain = app.add_subcommand("explain", "Why an iteration takes what it takes, and what would help");
  ScenarioOptions explain_options;
  add_scenario_options(*explain, explain_options);
  add_scheduler_options(*explain, explain_options);
  explain
      ->add_option("--schedulers", explain_options.schedulers,
                   "Whose plans compete with it as bandwidth changes; default: random, and megatron where "
                   "replicas are alike")
      ->capture_default_str()
      ->delimiter(',')
      ->allow_extra_args(false);
  explain->add_option("--out", explain_options.out, "Folder for explanation.json");
  explain->callback([&] { action = [&] { explain_command(explain_options); }; });

  SuiteOptions suite_options;
  CLI::App* regress = app.add_subcommand("regress", "Run suites and compare with the values recorded for them");
  add_suite_options(*regress, suite_options);
  regress->add_flag("--record", suite_options.record, "Write new values into suites of group baseline");
  regress->add_option("--svg", suite_options.svg, "File for a plot of simulated against recorded values");
  regress->callback([&] { action = [&] { exit_code = regress_command(suite_options); }; });

  CLI::App* calibrate = app.add_subcommand("calibrate", "Fit parameters to suites of group calibrate");
  add_suite_options(*calibrate, suite_options);
  calibrate->add_option("--fit", suite_options.fit, "Only these of the parameters that the suites name")
      ->delimiter(',')
      ->allow_extra_args(false);
  calibrate->add_option("--evaluations", suite_options.evaluations, "Points to try at most; each runs every case")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  calibrate->callback([&] { action = [&] { calibrate_command(suite_options); }; });

  SweepOptions sweep_options;
  CLI::App* sweep = app.add_subcommand("sweep", "Run a scenario at every point of a study");
  sweep->add_option("study", sweep_options.study, "Study file, or the name of a shipped study")->required();
  sweep->add_option("--jobs", sweep_options.jobs, "Points that run at a time; default: one per processor")
      ->check(CLI::Range(1, 1024));
  sweep->add_option("--out", sweep_options.out, "Folder for the journal and the results");
  sweep->add_flag("--resume", sweep_options.resume, "Go on with a sweep that was stopped");
  sweep->add_option("--shard", sweep_options.shard, "Only part of the points, as in 2/8; join by longhaul merge");
  sweep->add_flag("--json", sweep_options.json, "Print JSON");
  sweep->callback([&] { action = [&] { exit_code = sweep_command(sweep_options); }; });

  MergeOptions merge_options;
  CLI::App* merge = app.add_subcommand("merge", "Join the shards of a sweep");
  merge->add_option("folders", merge_options.folders, "Folders that the shards were written into")->required();
  merge->add_option("--out", merge_options.out, "Folder for the results, instead of the first");
  merge->add_flag("--json", merge_options.json, "Print JSON");
  merge->callback([&] { action = [&] { exit_code = merge_command(merge_options); }; });
  std::string results;
  std::optional<std::string> page;
  std::optional<std::string> pictures;
  CLI::App* report = app.add_subcommand("report", "One HTML page of a folder of results");
  report->add_option("folder", results, "Folder that --out of run, compare, sweep or explain filled")->required();
  CLI::Option* page_option = report->add_option("--out", page, "The page; default: report.html in the folder");
  report->add_option("--svg", pictures, "Instead: a folder for each figure as an SVG file, drawn by gnuplot")
      ->excludes(page_option);
  report->callback(
      [&] { action = [&] { pictures ? pictures_command(results, *pictures) : report_command(results, page); }; });

  std::string what;
  CLI::App* list = app.add_subcommand("list", "What there is to choose from");
  list->add_option("what", what, "One of: " + CLI::detail::join(listable(), ", "))
      ->required()
      ->check(CLI::IsMember(listable()));
  list->callback([&] { action = [&] { list_command(what); }; });

  std::string file;
  CLI::App* validate =
      app.add_subcommand("validate", "Check a scenario, cluster description, SimGrid platform or model");
  validate->add_option("file", file, "File to check")->required();
  validate->callback([&] { action = [&] { validate_command(file); }; });

  std::vector<std::string> descriptions;
  std::optional<std::string> out;
  CLI::App* platform = app.add_subcommand("platform", "Work with platforms");
  platform->require_subcommand(1);
  CLI::App* build = platform->add_subcommand("build", "Make SimGrid platform files of cluster descriptions");
  build->add_option("descriptions", descriptions, "Cluster descriptions (.yaml)")->required();
  build->add_option("--out", out, "Where to write, instead of beside the description");
  build->callback([&] { action = [&] { platform_build_command(descriptions, out); }; });

  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help
    print_error(std::string("longhaul: ") + problem.what() + "; accepted: see longhaul --help");
    return users_mistake;
  }
  action();
  return exit_code;
}

}  // namespace

int main(int count, char** arguments) {
  prepare_streams();
  try {
    const int code = run(count, arguments);
    print_text("");  // whether --help got through
    return code;
  } catch (const UserError& error) {
    print_error(error.what());
    return users_mistake;
  } catch (const std::bad_alloc&) {
    print_error(out_of_memory().what());
    return users_mistake;
  } catch (const std::exception& error) {
    print_error(std::string("longhaul: internal error: ") + error.what());
    return our_mistake;
  }
}

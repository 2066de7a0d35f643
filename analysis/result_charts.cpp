#include "analysis/result_charts.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "analysis/comparison.hpp"
#include "analysis/link_use.hpp"
#include "analysis/rank_correlation.hpp"

namespace longhaul {
namespace {

struct Part {
  const char* name;
  Seconds Breakdown::*seconds;
};
constexpr Part parts[] = {
    {"compute", &Breakdown::compute},
    {"pipeline bubble", &Breakdown::pipeline_bubble},
    {"exposed activation transfer", &Breakdown::exposed_activation_transfer},
    {"exposed gradient sync", &Breakdown::exposed_gradient_sync},
    {"barriers", &Breakdown::barriers},
};

std::vector<std::size_t> by_iteration(const std::vector<RunRecord>& records) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < records.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return records[a].metrics->iteration < records[b].metrics->iteration;
  });
  return order;
}

std::string takes(const RunRecord& record) {
  const LargestPart largest = largest_part(record.metrics->breakdown);
  return fmt::format("{} takes {:.2f} s an iteration, {:.0f} % of it {}", record.scheduler,
                     record.metrics->iteration.value, 100 * (largest.seconds / record.metrics->iteration),
                     largest.name);
}

// Regions x regions, NaN where nothing is known.
Chart matrix_over(const PlatformView& platform) {
  Chart chart;
  chart.kind = ChartKind::matrix;
  chart.x.label = "to";
  chart.categories = region_names(platform);
  for (const std::string& from : chart.categories) {
    Series row;
    row.name = from;
    row.y.assign(chart.categories.size(), std::numeric_limits<double>::quiet_NaN());
    chart.series.push_back(std::move(row));
  }
  return chart;
}

std::string ends_of(const Chart& matrix, const RegionLink& link) {
  return fmt::format("{} to {}", matrix.categories[link.from], matrix.categories[link.to]);
}

// The first links with the least and the most of something, regions themselves left out.
template <class Value>
std::pair<const RegionLink*, const RegionLink*> extremes(const std::vector<RegionLink>& links, Value value) {
  const RegionLink* least = nullptr;
  const RegionLink* most = nullptr;
  for (const RegionLink& link : links) {
    if (link.from == link.to) continue;
    if (least == nullptr || value(link) < value(*least)) least = &link;
    if (most == nullptr || value(link) > value(*most)) most = &link;
  }
  return {least, most};
}

double gbps(const RegionLink& link) { return link.bandwidth.value * 8e-9; }
double milliseconds(const RegionLink& link) { return link.latency.value * 1e3; }

template <class Value>
void fill(Chart& matrix, const std::vector<RegionLink>& links, Value value, const char* unit) {
  for (const RegionLink& link : links) matrix.series[link.from].y[link.to] = value(link);
  const auto [least, most] = extremes(links, value);
  if (least == nullptr) {
    matrix.summary = "All devices stand in one region.";
    return;
  }
  matrix.summary = fmt::format("Between regions from {:.3g} {} ({}) to {:.3g} {} ({}).", value(*least), unit,
                               ends_of(matrix, *least), value(*most), unit, ends_of(matrix, *most));
}

}  // namespace

Chart breakdown_chart(const std::vector<RunRecord>& records) {
  Chart chart;
  chart.id = "breakdown";
  chart.title = "Where the iteration's time goes";
  chart.kind = ChartKind::stacked_bars;
  chart.y.label = "iteration (s)";
  for (const RunRecord& record : records) chart.categories.push_back(record.scheduler);
  for (const Part& part : parts) {
    Series series;
    series.name = part.name;
    for (const RunRecord& record : records) series.y.push_back((record.metrics->breakdown.*part.seconds).value);
    chart.series.push_back(std::move(series));
  }
  const std::vector<std::size_t> order = by_iteration(records);
  chart.summary = takes(records[order.front()]);
  if (records.size() > 1) chart.summary += "; " + takes(records[order.back()]);
  chart.summary += ".";
  return chart;
}

Chart cost_chart(const std::vector<RunRecord>& records) {
  Chart chart;
  chart.id = "cost";
  chart.title = "Cost model against simulation";
  chart.kind = ChartKind::points;
  chart.x.label = "DT-FM's cost of the plan (s)";
  chart.y.label = "simulated iteration (s)";
  Series series;
  series.name = "plans";
  for (const RunRecord& record : records) {
    if (!record.cost) continue;
    series.x.push_back(record.cost->total().value);
    series.y.push_back(record.metrics->iteration.value);
    series.labels.push_back(record.scheduler);
  }
  const std::optional<RankCorrelation> correlation = rank_correlation(series.x, series.y);
  chart.summary = correlation ? fmt::format(
                                    "The cost ranks the {} plans like the simulation with Spearman's rho {:.2f} "
                                    "and Kendall's tau {:.2f} (1 = same order).",
                                    records.size(), correlation->spearman, correlation->kendall)
                              : "Plans too few or too alike to say whether cost and simulation rank them alike.";
  chart.series.push_back(std::move(series));
  return chart;
}

Chart bandwidth_chart(const PlatformView& platform) {
  Chart chart = matrix_over(platform);
  chart.id = "bandwidth";
  chart.title = "Bandwidth between regions";
  chart.y = {"bandwidth (Gbps)", Scale::logarithmic};
  fill(chart, region_links(platform), gbps, "Gbps");
  return chart;
}

Chart latency_chart(const PlatformView& platform) {
  Chart chart = matrix_over(platform);
  chart.id = "latency";
  chart.title = "One-way delay between regions";
  chart.y = {"delay (ms)", Scale::linear};
  fill(chart, region_links(platform), milliseconds, "ms");
  return chart;
}

Chart utilisation_chart(const RunResult& run) {
  Chart chart = matrix_over(run.platform);
  chart.id = "utilisation";
  chart.title = "How much of each link the iteration used";
  chart.y = {"of its capacity (%)", Scale::linear};
  const LinkUse* busiest = nullptr;
  const std::vector<LinkUse> uses = link_uses(run);
  for (const LinkUse& use : uses) {
    chart.series[use.link.from].y[use.link.to] = 100 * use.utilisation;
    if (use.link.from != use.link.to && (busiest == nullptr || use.utilisation > busiest->utilisation))
      busiest = &use;
  }
  chart.summary = busiest == nullptr || busiest->bytes.value == 0
                      ? "Nothing passed between regions."
                      : fmt::format("The busiest link between regions, {}, uses {:.0f} % of its capacity.",
                                    ends_of(chart, busiest->link), 100 * busiest->utilisation);
  return chart;
}

std::vector<Chart> result_charts(const ResultFolder& results) {
  std::vector<Chart> charts;
  std::vector<RunRecord> records = results.comparison;
  if (records.empty() && results.run) records.push_back(results.run->record);
  if (!records.empty()) charts.push_back(breakdown_chart(records));
  if (!results.comparison.empty()) charts.push_back(cost_chart(results.comparison));
  if (results.run) {
    charts.push_back(utilisation_chart(*results.run));
    charts.push_back(bandwidth_chart(results.run->platform));
    charts.push_back(latency_chart(results.run->platform));
  }
  for (const SweptStudy& study : results.studies)
    for (Chart& chart : swept_study_charts(study)) charts.push_back(std::move(chart));
  for (std::size_t i = 0; i < charts.size(); ++i) {  // two studies may have one name
    const std::string id = charts[i].id;
    const auto taken = [&] {
      return std::any_of(charts.begin(), charts.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const Chart& other) { return other.id == charts[i].id; });
    };
    for (int copy = 2; taken(); ++copy) charts[i].id = fmt::format("{}_{}", id, copy);
  }
  return charts;
}

}  // namespace longhaul

#include "analysis/map_gnuplot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/chart_axes.hpp"
#include "analysis/label_places.hpp"
#include "analysis/link_use.hpp"

namespace longhaul {
namespace {

constexpr double width = 820;
constexpr double bend = 0.18;  // of a link's length
constexpr int curve_steps = 24;
constexpr int widths = 6;  // of lines

struct Point {
  double x, y;
};

// Equirectangular: y is latitude, x longitude squeezed so that the middle of the map is undistorted.
struct Window {
  double squeeze = 1;
  Point low{0, 0};
  Point high{1, 1};
  double height() const { return width * (high.y - low.y) / (high.x - low.x); }
  double turn() const { return 360 * squeeze; }
  Point at(double longitude, double latitude) const { return {longitude * squeeze, latitude}; }
};

Window window_of(const std::vector<Place>& places) {
  const auto by_longitude = [](const Place& a, const Place& b) { return a.longitude < b.longitude; };
  const auto by_latitude = [](const Place& a, const Place& b) { return a.latitude < b.latitude; };
  const auto [west, east] = std::minmax_element(places.begin(), places.end(), by_longitude);
  const auto [south, north] = std::minmax_element(places.begin(), places.end(), by_latitude);
  Window window;
  const double middle = (south->latitude + north->latitude) / 2;
  window.squeeze = std::cos(std::clamp(middle, -60.0, 60.0) * std::acos(-1.0) / 180);
  const double margin = std::clamp((east->longitude - west->longitude) / 4, 5.0, 14.0);  // degrees
  window.low = {(west->longitude - margin) * window.squeeze, south->latitude - margin / 1.5};
  window.high = {(east->longitude + margin) * window.squeeze, north->latitude + margin / 1.5};
  const double most = 0.6;  // height to width
  const double least = 0.42;
  const double x = window.high.x - window.low.x;
  const double y = window.high.y - window.low.y;
  const double more_x = std::max(0.0, y / most - x) / 2;
  const double more_y = std::max(0.0, x * least - y) / 2;
  window.low.x -= more_x;
  window.high.x += more_x;
  window.low.y -= more_y;
  window.high.y += more_y;
  return window;
}

// A quadratic curve.
struct Curve {
  Point from, control, to;
  Point at(double t) const {
    const auto mix = [t](double a, double b, double c) {
      return (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
    };
    return {mix(from.x, control.x, to.x), mix(from.y, control.y, to.y)};
  }
};

Curve curve_between(const Point& from, const Point& to) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  return {from, {(from.x + to.x) / 2 - bend * dy, (from.y + to.y) / 2 + bend * dx}, to};
}

// Over the edge of the map, and in again on its other side, where that is shorter.
std::vector<Curve> curves_between(const Point& from, const Point& to, const Window& window) {
  const double turn = window.turn();
  if (std::abs(to.x - from.x) <= turn / 2) return {curve_between(from, to)};
  const double shift = to.x > from.x ? turn : -turn;
  return {curve_between(from, {to.x - shift, to.y}), curve_between({from.x + shift, from.y}, to)};
}

// A link that carried something: utilisation in percent.
struct Tie {
  double utilisation;
  std::vector<Curve> curves;
};

std::vector<Tie> ties_of(const std::vector<LinkUse>& uses, const std::vector<Point>& points, const Window& window) {
  std::vector<Tie> ties;
  for (const LinkUse& use : uses)
    if (use.link.from != use.link.to && use.bytes.value > 0)
      ties.push_back({100 * use.utilisation, curves_between(points[use.link.from], points[use.link.to], window)});
  std::stable_sort(ties.begin(), ties.end(),
                   [](const Tie& a, const Tie& b) { return a.utilisation < b.utilisation; });
  return ties;
}

std::string land_data(const std::vector<Ring>& land, const Window& window) {
  std::string data = "$land << END\n";
  for (const double turn : {-360.0, 0.0, 360.0})
    for (const Ring& ring : land) {
      const auto outside = [&](const std::pair<double, double>& point) {
        const Point at = window.at(point.first + turn, point.second);
        return at.x < window.low.x || at.x > window.high.x || at.y < window.low.y || at.y > window.high.y;
      };
      if (std::all_of(ring.begin(), ring.end(), outside)) continue;
      for (const auto& [longitude, latitude] : ring) {
        const Point at = window.at(longitude + turn, latitude);
        data += fmt::format("{:.3f} {:.3f}\n", at.x, at.y);
      }
      data += "\n";
    }
  return data + "END\n";
}

// The links of one line width, and the heads of arrows a little past their middles.
struct TieData {
  std::string lines;
  std::string heads;
};

TieData data_of(const std::vector<Tie>& ties, double most, int step) {
  TieData data;
  for (const Tie& tie : ties) {
    if (std::min(widths - 1, static_cast<int>(widths * tie.utilisation / most)) != step) continue;
    for (const Curve& curve : tie.curves) {
      for (int i = 0; i <= curve_steps; ++i) {
        const Point at = curve.at(static_cast<double>(i) / curve_steps);
        data.lines += fmt::format("{:.3f} {:.3f} {}\n", at.x, at.y, tie.utilisation);
      }
      data.lines += "\n";
      const Point tail = curve.at(0.57);
      const Point tip = curve.at(0.58);
      data.heads += fmt::format("{:.4f} {:.4f} {:.4f} {:.4f} {}\n", tail.x, tail.y, tip.x - tail.x, tip.y - tail.y,
                                tie.utilisation);
    }
  }
  return data;
}

std::string frame_commands(const Window& window, double most, const Layout& layout) {
  return fmt::format(
             "unset grid\nunset xtics\nunset ytics\nset border 15 lw 0.8 lc rgb '#bbbbbb'\n"
             "set xrange [{}:{}] noextend\nset yrange [{}:{}] noextend\n"
             "set palette defined (0 '#e6c27a', 0.5 '#d55e00', 1 '#5c1010')\n"
             "set colorbox user noborder origin graph {:.5f},0 size graph {:.5f},1\n",
             window.low.x, window.high.x, window.low.y, window.high.y, 1 + 14 / layout.plot_width,
             14 / layout.plot_width) +
         axis_commands("cb", "of the link's capacity used (%)", {0, most, Scale::linear}, 6);
}

Mark pixels_of(const Point& point, const Window& window, const std::string& label) {
  const double pixels = width / (window.high.x - window.low.x);
  return {(point.x - window.low.x) * pixels, (point.y - window.low.y) * pixels, label};
}

// With their names, off the links where there is room.
std::string cities(const std::vector<Place>& places, const std::vector<Point>& points, const std::vector<Tie>& ties,
                   const Window& window, const Layout& layout) {
  std::vector<Mark> marks;
  std::string data = "$regions << END\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    marks.push_back(pixels_of(points[i], window, places[i].label));
    data += fmt::format("{:.3f} {:.3f}\n", points[i].x, points[i].y);
  }
  std::vector<Mark> lines;
  for (const Tie& tie : ties)
    for (const Curve& curve : tie.curves)
      for (int i = 0; i <= 4 * curve_steps; ++i)
        lines.push_back(pixels_of(curve.at(i / (4.0 * curve_steps)), window, ""));
  Layout inside = layout;
  inside.right = 0;
  return label_commands(marks, inside, lines) + data + "END\n";
}

std::string summary_of(const std::vector<LinkUse>& uses, const std::vector<Place>& places) {
  const LinkUse* busiest = nullptr;
  for (const LinkUse& use : uses)
    if (use.link.from != use.link.to && (busiest == nullptr || use.utilisation > busiest->utilisation))
      busiest = &use;
  if (busiest == nullptr || busiest->bytes.value == 0) return "A map of the regions; nothing passed between them.";
  return fmt::format(
      "A map of the regions and the links between them. The busiest link, from {} to {}, uses {:.0f} % of "
      "its capacity.",
      places[busiest->link.from].label, places[busiest->link.to].label, 100 * busiest->utilisation);
}

}  // namespace

std::optional<Drawing> drawing_of_map(const RunResult& run, const std::map<std::string, Place>& places,
                                      const std::vector<Ring>& land) {
  std::vector<Place> regions;
  for (const std::string& name : region_names(run.platform)) {
    const auto place = places.find(name);
    if (place == places.end()) return std::nullopt;
    regions.push_back(place->second);
  }
  if (regions.size() < 2) return std::nullopt;
  const Window window = window_of(regions);
  std::vector<Point> points;
  for (const Place& place : regions) points.push_back(window.at(place.longitude, place.latitude));
  const std::vector<LinkUse> uses = link_uses(run);
  const std::vector<Tie> ties = ties_of(uses, points, window);
  const double most =
      axis_range({ties.empty() ? 1 : ties.back().utilisation}, Scale::linear, RangeKind::from_zero).high;

  Layout layout;
  layout.title = fmt::format("Links between regions, {}, {}", run.record.scenario, run.record.scheduler);
  layout.left = 16;
  layout.plot_width = width;
  layout.plot_height = window.height();
  layout.right = 100;
  layout.below = 8;
  Drawing drawing{
      layout.title, summary_of(uses, regions), script_head(layout) + frame_commands(window, most, layout), {}};
  std::vector<std::string> plots;
  const auto add = [&](const std::string& plot, const std::string& name) {
    plots.push_back(plot);
    drawing.plots.push_back(name);
  };
  if (!land.empty()) {
    drawing.script += land_data(land, window);
    add("$land using 1:2 with filledcurves closed fs solid 1 border lc rgb '#cfcfc8' fc rgb '#eeeeea'", "land");
  }
  for (int step = 0; step < widths; ++step) {
    const TieData data = data_of(ties, most, step);
    if (data.lines.empty()) continue;
    drawing.script +=
        fmt::format("$links_{0} << END\n{1}END\n$heads_{0} << END\n{2}END\n", step, data.lines, data.heads);
    const double line = 1.2 + 3.0 * step / (widths - 1);
    add(fmt::format("$links_{} using 1:2:3 with lines lw {:.2f} lc palette", step, line), "links");
    add(fmt::format(
            "$heads_{} using 1:2:3:4:5 with vectors head filled size screen {:.4f},24 fixed lw 0.6 lc palette", step,
            0.009 + 0.006 * step / (widths - 1)),
        "");
  }
  drawing.script += cities(regions, points, ties, window, layout);
  add("$regions using 1:2 with points pt 7 ps 1.1 lc rgb 'white'", "");
  add("$regions using 1:2 with points pt 7 ps 0.8 lc rgb '#222222'", "regions");
  drawing.script += fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
  return drawing;
}

}  // namespace longhaul

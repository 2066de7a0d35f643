#include "analysis/label_places.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace longhaul {
namespace {

constexpr double mark_radius = 7;
constexpr double half_height = small_font_size * 0.6;

struct Box {
  double left, bottom, right, top;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

// Which end of a label is anchored, how much of its width is left of the anchor, and where the anchor is from the mark.
struct Place {
  const char* anchor;
  double share_left;
  double right, up;

  Box box(const Mark& mark, double width) const {
    const double left = mark.x + right - share_left * width;
    return {left, mark.y + up - half_height, left + width, mark.y + up + half_height};
  }
};

// In the order of preference.
constexpr double away = mark_radius + 2;
constexpr double above = away + half_height;
constexpr Place places[] = {{"left", 0, away, 0},       {"right", 1, -away, 0},    {"center", 0.5, 0, above},
                            {"center", 0.5, 0, -above}, {"left", 0, -away, above}, {"left", 0, -away, -above},
                            {"right", 1, away, above},  {"right", 1, away, -above}};

std::vector<Mark> distinct(const std::vector<Mark>& marks) {
  std::vector<Mark> result;
  for (const Mark& mark : marks) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const Mark& other) {
      return std::abs(other.x - mark.x) < 1 && std::abs(other.y - mark.y) < 1;
    });
    if (same == result.end())
      result.push_back(mark);
    else if (!mark.label.empty())
      same->label += same->label.empty() ? mark.label : ", " + mark.label;
  }
  return result;
}

std::vector<Box> boxes_of(const std::vector<Mark>& marks, double radius) {
  std::vector<Box> boxes;
  for (const Mark& mark : marks)
    boxes.push_back({mark.x - radius, mark.y - radius, mark.x + radius, mark.y + radius});
  return boxes;
}

}  // namespace

std::string label_commands(const std::vector<Mark>& all, const Layout& layout, const std::vector<Mark>& lines) {
  const std::vector<Mark> marks = distinct(all);
  std::vector<Box> taken = boxes_of(marks, mark_radius);
  const std::vector<Box> crossed = boxes_of(lines, 2);
  const auto meets_any = [](const Box& box, const std::vector<Box>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Box& other) { return other.meets(box); });
  };
  const auto is_free = [&](const Box& box) {
    return box.left >= 0 && box.right <= layout.plot_width + layout.right && box.bottom >= 0 &&
           box.top <= layout.plot_height && !meets_any(box, taken);
  };
  std::string script;
  for (const Mark& mark : marks) {
    if (mark.label.empty()) continue;
    const double width = text_width(mark.label, small_font_size);
    std::vector<Place> free;
    std::copy_if(std::begin(places), std::end(places), std::back_inserter(free),
                 [&](const Place& place) { return is_free(place.box(mark, width)); });
    if (free.empty()) continue;
    const auto clear = std::find_if(free.begin(), free.end(),
                                    [&](const Place& place) { return !meets_any(place.box(mark, width), crossed); });
    const Place& place = clear == free.end() ? free.front() : *clear;
    taken.push_back(place.box(mark, width));
    script += fmt::format("set label {} at graph {:.5f},{:.5f} {} font ',{}' front\n", quoted(mark.label),
                          (mark.x + place.right) / layout.plot_width, (mark.y + place.up) / layout.plot_height,
                          place.anchor, small_font_size);
  }
  return script;
}

}  // namespace longhaul

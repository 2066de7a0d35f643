#include "analysis/gnuplot.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/program.hpp"
#include "sim/base/xml_text.hpp"
#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

constexpr double title_font_size = 16;
constexpr double title_line = 22;
constexpr double legend_line = 20;
constexpr double legend_sample = 34;  // left of the name
constexpr double edge = 14;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Puts `text` in place of what stands between the first `from` and the next `to`.
void replace_between(std::string& svg, const std::string& from, const std::string& to, const std::string& text) {
  const std::size_t begin = svg.find(from);
  const std::size_t end = svg.find(to, begin);
  if (begin == std::string::npos || end == std::string::npos)
    throw InternalError("gnuplot's SVG lacks '" + from + "'");
  svg.replace(begin + from.size(), end - begin - from.size(), text);
}

// Words in lines that fit into `width`.
std::vector<std::string> wrapped(const std::string& text, double width, double size) {
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (text_width(line, size) + text_width(word, size) + text_width(" ", size) <= width)
      line.append(" ").append(word);
    else
      lines.push_back(word);
  }
  return lines;
}

// Entries in columns of equal width, filled from top to bottom.
struct Legend {
  std::vector<LegendEntry> entries;
  std::size_t rows = 0;
  double column_width = 0;
};

Legend legend_of(const Layout& layout, double width) {
  Legend legend;
  for (const LegendEntry& entry : layout.legend) {
    if (entry.name.empty()) continue;
    legend.entries.push_back(entry);
    legend.column_width = std::max(legend.column_width, legend_sample + 14 + text_width(entry.name, font_size));
  }
  if (legend.entries.empty()) return legend;
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor((width - 2 * edge) / legend.column_width)));
  legend.rows = (legend.entries.size() + columns - 1) / columns;
  return legend;
}

// `x`, `y`: the left end of its sample, from the upper left corner of a canvas of that size.
std::string legend_entry(const LegendEntry& entry, double x, double y, double width, double height) {
  const auto at = [&](double right, double down) {
    return fmt::format("screen {:.5f},{:.5f}", (x + right) / width, 1 - (y + down) / height);
  };
  std::string script;
  if (entry.sample == Sample::box)
    script += fmt::format("set object rectangle from {} to {} fc rgb '{}' fs solid 1 noborder\n", at(0, 5),
                          at(24, -5), entry.colour);
  if (entry.sample == Sample::line || entry.sample == Sample::marked_line)
    script += fmt::format("set arrow from {} to {} nohead lw 2 lc rgb '{}' dt {}\n", at(0, 0), at(24, 0),
                          entry.colour, entry.dash_type);
  if (entry.sample == Sample::mark || entry.sample == Sample::marked_line)
    script += fmt::format("set label '' at {} point pt {} ps {} lc rgb '{}'\n", at(12, 0), entry.point_type,
                          entry.sample == Sample::mark ? 0.9 : 0.6, entry.colour);
  return script + fmt::format("set label {} at {} left\n", quoted(entry.name), at(legend_sample, 0));
}

ProgramAnswer gnuplot(const std::string& option, const std::string& script) {
  return run_program({"gnuplot", {option}, "gnuplot-nox"}, script);
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "''";
    else
      result += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  }
  return result + "'";
}

std::string quoted_tick(const std::string& text) { return quoted(replaced(text, "%", "%%")); }

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  return shortest(std::stod(fmt::format("{:.{}e}", value, digits - 1)));
}

std::string datum(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

double text_width(const std::string& text, double size) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  const auto characters = text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
  return 0.53 * size * static_cast<double>(characters);
}

std::string colour(std::size_t index) {
  constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
  return colours[index % std::size(colours)];
}

int point_type(std::size_t index) {
  constexpr int types[] = {7, 5, 9, 13, 11, 15};  // circle, square, triangle, diamond, triangle upside down, pentagon
  return types[index % std::size(types)];
}

std::string script_head(const Layout& layout) {
  const double width = layout.left + layout.plot_width + layout.right;
  const std::vector<std::string> title = wrapped(layout.title, width - 2 * edge, title_font_size);
  const double top = edge + title_line * static_cast<double>(title.size()) + 12;
  const Legend legend = legend_of(layout, width);
  const double axis_end = top + layout.plot_height + layout.below;
  const double height =
      axis_end + (legend.rows == 0 ? 0 : 8 + legend_line * static_cast<double>(legend.rows)) + edge / 2;
  const auto screen_y = [&](double y) { return 1 - y / height; };

  std::string script = fmt::format(
      "set terminal svg size {:.0f},{:.0f} fixed font 'sans-serif,{}' noenhanced background rgb 'white'\n"
      "set encoding utf8\n"
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
      width, height, font_size, layout.left / width, (layout.left + layout.plot_width) / width, screen_y(top),
      screen_y(top + layout.plot_height));
  for (std::size_t i = 0; i < title.size(); ++i)
    script += fmt::format("set label {} at screen {:.5f},{:.5f} left font ',{}'\n", quoted(title[i]), edge / width,
                          screen_y(edge + title_line * (static_cast<double>(i) + 0.4)), title_font_size);
  double column = 0;
  double row = 0;
  for (const LegendEntry& entry : legend.entries) {
    script +=
        legend_entry(entry, edge + legend.column_width * column, axis_end + legend_line * (row + 0.9), width, height);
    if (++row < static_cast<double>(legend.rows)) continue;
    row = 0;
    ++column;
  }
  script +=
      "unset key\n"
      "set border 3 lw 1 lc rgb '#444444'\n"
      "set tics nomirror out scale 0.5 textcolor rgb '#222222'\n"
      "set grid back lt 1 lw 0.8 lc rgb '#dddddd'\n"
      "set style fill solid 1 noborder\n";
  return script;
}

void check_gnuplot() { gnuplot("--version", ""); }

std::string svg_of(const Drawing& drawing) {
  const ProgramAnswer answer = gnuplot("-d", drawing.script);  // reads no settings of the user
  std::string svg = answer.out;
  if (answer.exit_code != 0 || svg.find("</svg>") == std::string::npos)
    throw InternalError("gnuplot failed: " + answer.error);
  svg.erase(0, svg.find("<svg"));
  svg.replace(svg.rfind("</svg>"), std::string::npos, "</svg>\n");
  replace_between(svg, "<svg", "\n", " role=\"img\" aria-labelledby=\"title description\"");
  replace_between(svg, "<title", "</title>", " id=\"title\">" + xml_escaped(drawing.title));
  replace_between(svg, "<desc", "</desc>", " id=\"description\">" + xml_escaped(drawing.summary));
  for (std::size_t i = 0; i < drawing.plots.size(); ++i)
    replace_between(svg, fmt::format("<g id=\"gnuplot_plot_{}\" ><title>", i + 1), "</title>",
                    xml_escaped(drawing.plots[i]));
  return svg;
}

}  // namespace longhaul

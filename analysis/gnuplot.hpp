// Pictures drawn by gnuplot (Debian package gnuplot-nox) as SVG: what its scripts have in common.
#pragma once

#include <string>
#include <vector>

namespace longhaul {

enum class Sample { mark, marked_line, line, box };

/// What a legend shows beside a name.
struct LegendEntry {
  std::string name;
  Sample sample = Sample::mark;
  std::string colour;
  int point_type = 7;
  int dash_type = 1;
};

/// Where things are, in pixels. The legend stands below, the title above the plot.
struct Layout {
  double left = 90;  // of the plot: room for what is written beside it
  double plot_width = 600;
  double plot_height = 370;
  double right = 30;
  double below = 60;  // for tick labels and the axis' name
  std::string title;
  std::vector<LegendEntry> legend;  // entries without a name are left out
};

/// A script, and what is told to readers without eyes. Names of `plots` in the order of the script's plot elements;
/// those that are empty get none.
struct Drawing {
  std::string title;
  std::string summary;
  std::string script;
  std::vector<std::string> plots;
};

/// Runs gnuplot. The same drawing gives the same bytes. UserError when gnuplot is not installed.
std::string svg_of(const Drawing& drawing);

/// UserError when gnuplot is not installed: for those that will need it only after long work.
void check_gnuplot();

/// Canvas, fonts, title, margins, legend, grid: begins every script. Elements that it plots get no title.
std::string script_head(const Layout& layout);

/// Text as a gnuplot string in which nothing is special; control characters become blanks.
std::string quoted(const std::string& text);
/// The same where gnuplot expects a number format: names of tick marks.
std::string quoted_tick(const std::string& text);

/// A number as a plain decimal with so many significant digits.
std::string rounded(double value, int digits);
/// As gnuplot data: "NaN" where it is not finite.
std::string datum(double value);

/// What a text takes in pixels, about.
double text_width(const std::string& text, double font_size);

/// Okabe and Ito's palette without its yellow, which colour-blind readers can tell apart and which shows on white; then
/// it begins anew.
std::string colour(std::size_t index);
/// A mark for each index, filled; with `colour`, the first 42 are all different.
int point_type(std::size_t index);

constexpr double font_size = 14;
constexpr double small_font_size = 12;

}  // namespace longhaul

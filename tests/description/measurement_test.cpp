#include "sim/description/measurement.hpp"

#include <catch2/catch.hpp>

#include "tests/description/error_of.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

const std::string head =
    "# source: somebody\n# licence: MIT\n# date: 2022\n# tool: iperf3\n# delay_kind: ping round trip\n"
    "from,to,delay_ms,bandwidth_gbps\n";  // 6 lines

std::string message(const std::string& text) {
  return error_of([&] { parse_measurements(text, "table.csv"); });
}

}  // namespace

TEST_CASE("a measurement table gives its header and its directed rows") {
  const MeasurementTable table = parse_measurements(
      "# source: somebody\n# licence: MIT\n# date: 2022\n# tool: iperf3\n# delay_kind: ping round trip\n"
      "# message_size: 64 MiB\n# note: a: b\nfrom,to,delay_ms,bandwidth_gbps\noregon,virginia,67,0.79\n"
      "virginia,oregon,0,1.15\r\n",
      "table.csv");
  CHECK(table.source == "somebody");
  CHECK(table.delay_kind == "ping round trip");
  CHECK(table.note == "a: b");
  REQUIRE(table.rows.size() == 2);
  REQUIRE(table.find("oregon", "virginia") != nullptr);
  CHECK(table.find("oregon", "virginia")->delay == Seconds(0.067));
  CHECK(table.find("oregon", "virginia")->bandwidth == BytesPerSecond(0.79e9 / 8));
  CHECK(table.find("virginia", "oregon")->delay == Seconds(0));
  CHECK(table.find("oregon", "ohio") == nullptr);
  CHECK(table.mentions("virginia"));
  CHECK_FALSE(table.mentions("ohio"));
}

TEST_CASE("a row of a measurement table that is not as it should be is an error with line and column") {
  CHECK_THAT(message(head + "a,b,1\n"), Contains("table.csv:7:1: 3 fields (a row has 4)"));
  CHECK_THAT(message(head + "a,b,1,2,3\n"), Contains("table.csv:7:1: 5 fields"));
  CHECK_THAT(message(head + "\n"), Contains("table.csv:7:1: 1 fields"));
  CHECK_THAT(message(head + "a,b,x,2\n"), Contains("table.csv:7:5: delay_ms 'x' is not a number"));
  CHECK_THAT(message(head + "a,b,1 ms,2\n"), Contains("table.csv:7:5: delay_ms '1 ms' is not a number"));
  CHECK_THAT(message(head + "a,b,,2\n"), Contains("table.csv:7:5: delay_ms '' is not a number"));
  CHECK_THAT(message(head + "a,b,1,2x\n"), Contains("table.csv:7:7: bandwidth_gbps '2x' is not a number"));
  CHECK_THAT(message(head + "a,b,nan,2\n"), Contains("delay_ms 'nan' is not a number"));
  CHECK_THAT(message(head + "a,b,1,inf\n"), Contains("bandwidth_gbps 'inf' is not a number"));
  CHECK_THAT(message(head + "a,b,1e300,1\n"), Contains("delay_ms '1e300' is out of range"));
  CHECK_THAT(message(head + "a,b,1,1e308\n"), Contains("bandwidth_gbps '1e308' is not a number"));
  CHECK_THAT(message(head + "a,b,-1,2\n"), Contains("table.csv:7:5: delay_ms '-1' is negative"));
  CHECK_THAT(message(head + "a,b,1,-2\n"), Contains("table.csv:7:7: bandwidth_gbps '-2' is negative"));
  CHECK_THAT(message(head + "a,b,1,0\n"), Contains("table.csv:7:7: bandwidth_gbps '0' is zero"));
  CHECK_THAT(message(head + "a,b,1,2\nb,a,1,2\na,b,1,3\n"), Contains("table.csv:9:1: the pair a,b appears twice"));
  CHECK_THAT(message(head + "a,a,1,2\n"), Contains("table.csv:7:3: from and to are both 'a'"));
  CHECK_THAT(message(head + ",b,1,2\n"), Contains("table.csv:7:1: '' cannot name a region"));
  CHECK_THAT(message(head + "a, b,1,2\n"), Contains("table.csv:7:3: ' b' cannot name a region"));
  CHECK_THAT(message(head + "a,b,1,2\nb,a,1,2"), Contains("table.csv:8:8: the last line is cut off"));
}

TEST_CASE("a measurement table must begin with its source and the right columns") {
  CHECK_THAT(message(""), Contains("table.csv:1:1: the file is empty"));
  CHECK_THAT(message(head), Contains("table.csv:7:1: the table has no rows"));
  CHECK_THAT(message("from,to,delay_ms,bandwidth_gbps\na,b,1,2\n"), Contains("header key 'source' is missing"));
  CHECK_THAT(message("# source: x\n"), Contains("table.csv:2:1: the line of columns is missing"));
  CHECK_THAT(message("# source: x\nfrom,to,delay,bandwidth\n"),
             Contains("the columns are 'from,to,delay,bandwidth'"));
  CHECK_THAT(message("# colour: x\n"), Contains("table.csv:1:1: unknown header key 'colour'"));
  CHECK_THAT(message("# source: x\n# source: y\n"), Contains("table.csv:2:1: header key 'source' appears twice"));
  CHECK_THAT(message("# nothing\n"), Contains("'# nothing' is not a header line"));
  CHECK_THAT(error_of([] { read_measurements("missing.csv"); }), Contains("missing.csv: cannot open the file"));
}

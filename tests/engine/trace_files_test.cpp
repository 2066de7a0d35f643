// Platforms that change while they run: trace files beside a SimGrid platform file.
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/engine/simulate.hpp"
#include "tests/description/error_of.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;
using Catch::Contains;

namespace {

const std::string head =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n";

// 500 B from host a to host b over a link of 1 s and 100 B/s; `trace` stands in the file that the attributes name.
Timeline transfer_500(const std::string& host_attribute, const std::string& link_attribute, const std::string& trace,
                      NetworkEquations equations = NetworkEquations::raw) {
  const Scratch scratch;
  scratch.write("trace.txt", trace);
  const std::string xml = head + "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1Gf\" " + host_attribute +
                          "/><host id=\"b\" speed=\"1Gf\"/>\n<link id=\"l\" bandwidth=\"100Bps\" latency=\"1s\" " +
                          link_attribute +
                          "/>\n<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n</zone>\n</platform>\n";
  const Platform platform = load_platform(scratch.write("traced.xml", xml));
  TaskletGraphBuilder builder;
  Tasklet task;
  task.kind = TaskletKind::activation_transfer;
  task.target = DeviceId(1);
  task.bytes = Bytes(500);
  builder.add(task);
  const TaskletGraph graph = builder.build();
  GraphWorkload workload(graph);
  NetworkModel network;
  network.equations = equations;
  return simulate(platform, workload, network);
}

std::string message(const std::string& host_attribute, const std::string& link_attribute, const std::string& trace) {
  return error_of([&] { transfer_500(host_attribute, link_attribute, trace); });
}

}  // namespace

TEST_CASE("a bandwidth file is found beside the platform file and counts") {
  // 200 B in the first 2 s, 300 B at 50 B/s, and the latency.
  CHECK(transfer_500("", "bandwidth_file=\"trace.txt\"", "2.0 50\n").end.value == Approx(2 + 6 + 1).margin(1e-9));
  CHECK_THAT(message("", "bandwidth_file=\"missing.txt\"", ""), Contains("traced.xml") && Contains("missing.txt"));
}

TEST_CASE("what a trace file must not do is refused, with the moment it does it") {
  CHECK_THAT(message("state_file=\"trace.txt\"", "", "2.0 0\n"), Contains("host 'a' goes down (at 2.0"));
  CHECK_THAT(message("availability_file=\"trace.txt\"", "", "2.0 0.5\n"),
             Contains("host 'a' changes its speed (at 2.0"));
  CHECK_THAT(message("", "state_file=\"trace.txt\"", "2.0 0\n"), Contains("link 'l' goes down (at 2.0"));
  CHECK_THAT(message("", "bandwidth_file=\"trace.txt\"", "2.0 0\n"), Contains("bandwidth of link 'l' falls to 0"));
  CHECK_THAT(message("", "latency_file=\"trace.txt\"", "2.0 3\n"), Contains("link 'l' changes its latency"));
  // It holds what it must until everything is through, or does nothing at all.
  CHECK(transfer_500("state_file=\"trace.txt\"", "", "20.0 0\n").end.value == Approx(6).margin(1e-9));
  CHECK(transfer_500("availability_file=\"trace.txt\"", "", "0 1\n").end.value == Approx(6).margin(1e-9));
}

TEST_CASE("a bandwidth that changes without end while nothing finishes is refused") {
  CHECK_THAT(message("", "bandwidth_file=\"trace.txt\"", "0.000001 100\n0.000002 101\nPERIODICITY 0.000003\n"),
             Contains("the bandwidth of link 'l' changes on and on (nothing finishes meanwhile"));
}

TEST_CASE("latencies of Vivaldi coordinates are refused where they would be paid twice") {
  const Platform platform = load_xml(
      head +
      "<zone id=\"v\" routing=\"Vivaldi\"><peer id=\"a\" coordinates=\"0 0 0\" speed=\"1Gf\" bw_in=\"1Gbps\" "
      "bw_out=\"1Gbps\"/><peer id=\"b\" coordinates=\"25 0 0\" speed=\"1Gf\" bw_in=\"1Gbps\" "
      "bw_out=\"1Gbps\"/></zone>\n"
      "</platform>\n");
  CHECK(platform.view.path(DeviceId(0), DeviceId(1)).latency.value == Approx(0.025));
  TaskletGraphBuilder builder;
  Tasklet task;
  task.kind = TaskletKind::activation_transfer;
  task.target = DeviceId(1);
  task.bytes = Bytes(125e6);
  builder.add(task);
  const TaskletGraph graph = builder.build();
  GraphWorkload raw(graph);
  CHECK_THAT(error_of([&] { simulate(platform, raw, {}); }),
             Contains("the route from 'a' to 'b' has a latency that is not of its links"));
  NetworkModel network;
  network.equations = NetworkEquations::cm02;
  GraphWorkload cm02(graph);
  CHECK(simulate(platform, cm02, network).end.value == Approx(1.025).margin(1e-6));
}

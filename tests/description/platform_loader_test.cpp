#include "sim/description/platform_loader.hpp"

#include <catch2/catch.hpp>

#include "tests/description/error_of.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

const std::string opening =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n";

// Two hosts, a link each way; the parts that tests replace stand in it once.
const std::string good = opening +
                         "<zone id=\"z\" routing=\"DijkstraCache\">\n"
                         "<host id=\"a\" speed=\"125Tf\"><prop id=\"memory\" value=\"16GB\"/></host>\n"
                         "<host id=\"b\" speed=\"1Gf\"/>\n"
                         "<link id=\"there\" bandwidth=\"2Gbps\" latency=\"67ms\"/>\n"
                         "<link id=\"back\" bandwidth=\"1Gbps\" latency=\"5ms\"/>\n"
                         "<route src=\"a\" dst=\"b\" symmetrical=\"NO\"><link_ctn id=\"there\"/></route>\n"
                         "<route src=\"b\" dst=\"a\" symmetrical=\"NO\"><link_ctn id=\"back\"/></route>\n"
                         "</zone>\n</platform>\n";

std::string with(const std::string& part, const std::string& replacement) {
  std::string text = good;
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), replacement);
}

Platform load_text(const std::string& text) {
  const Scratch scratch;
  return load_platform(scratch.write("user.xml", text));
}

// One line that names the user's file and shows nothing of SimGrid's insides.
std::string message(const std::string& text) {
  const std::string line = error_of([&] { load_text(text); });
  CHECK_THAT(line, Contains("user.xml") && !Contains("Backtrace") && !Contains("/proc/") && !Contains("src/"));
  CHECK(line.find('\n') == std::string::npos);
  return line;
}

}  // namespace

TEST_CASE("a plain SimGrid file is a platform: what it does not say has defaults") {
  const PlatformView view = load_text(good).view;
  CHECK(view.name() == "z");
  REQUIRE(view.size() == 2);
  const Device& a = view.device(DeviceId(0));
  CHECK(a.name == "a");
  CHECK(a.type == "unknown");
  CHECK(a.region == "z");
  CHECK(a.machine == "a");
  CHECK(a.memory == Bytes(16e9));
  CHECK(a.peak == FlopsPerSecond(125e12));
  CHECK(view.device(DeviceId(1)).memory == Bytes(0));
  CHECK(view.path(DeviceId(0), DeviceId(1)).latency == Seconds(0.067));
  CHECK(view.path(DeviceId(0), DeviceId(1)).bandwidth == BytesPerSecond(2e9 / 8));
  CHECK(view.path(DeviceId(1), DeviceId(0)).latency == Seconds(0.005));
  CHECK(view.path(DeviceId(1), DeviceId(0)).bandwidth == BytesPerSecond(1e9 / 8));
}

TEST_CASE("devices stand in document order, memory may be a number of bytes") {
  std::string text = opening + "<zone id=\"z\" routing=\"Floyd\">\n";
  const std::vector<std::string> names{"q", "b", "z9", "a", "m", "c", "x", "k"};
  for (const std::string& name : names)
    text += "<host id=\"" + name + "\" speed=\"1Gf\"><prop id=\"memory\" value=\"1000\"/></host>\n";
  text += "<link id=\"l\" bandwidth=\"1Gbps\" latency=\"1ms\"/>\n";
  for (const std::string& name : names)
    if (name != "q") text += "<route src=\"q\" dst=\"" + name + "\"><link_ctn id=\"l\"/></route>\n";
  const PlatformView view = load_text(text + "</zone></platform>\n").view;
  std::vector<std::string> seen;
  for (const Device& device : view.devices()) seen.push_back(device.name);
  CHECK(seen == names);
  CHECK(view.device(DeviceId(3)).memory == Bytes(1000));
  CHECK(view.path(DeviceId(3), DeviceId(4)).latency == Seconds(0.002));
}

TEST_CASE("SimGrid's own cluster tag works, and is bounded") {
  const auto cluster = [](const std::string& radical) {
    return opening + "<zone id=\"z\" routing=\"Full\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"" +
           radical + "\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1ms\"/></zone></platform>\n";
  };
  const PlatformView view = load_text(cluster("0-3")).view;
  CHECK(view.size() == 4);
  CHECK(view.device(DeviceId(2)).region == "c");
  CHECK_THAT(message(cluster("0-65536")), Contains("more than 65536 hosts"));
}

TEST_CASE("a file that is not XML of SimGrid's format is an error, with its line where SimGrid names one") {
  CHECK_THAT(message(""), Contains("user.xml:1:1: the file is empty"));
  CHECK_THAT(message(" \n"), Contains("the file is empty"));
  CHECK_THAT(message("hello"), Contains("no <platform> in the file"));
  CHECK_THAT(message(std::string("\177ELF\0\0<platform", 15)), Contains("this is not text"));
  CHECK_THAT(message("print('<platform')"), Contains("user.xml:1:1: not a usable platform: Invalid XML"));
  CHECK_THAT(message(good.substr(0, 260)), Contains("user.xml:7:1: not a usable platform: Invalid XML"));
  CHECK_THAT(message(good.substr(0, good.size() - 20)), Contains("Invalid XML"));
  CHECK_THAT(message(good + "x"), Contains("text after the end of the platform"));
  CHECK_THAT(message(with("simgrid.dtd", "other.dtd")), Contains("user.xml:2:1: ") && Contains("Bad declaration"));
  CHECK_THAT(message(with("\"4.1\"", "\"3\"")), Contains("user.xml:3:1: ") && Contains("TOO OLD"));
  CHECK_THAT(message(with("\"4.1\"", "\"9\"")), Contains("FROM THE FUTURE"));
  CHECK_THAT(message(with(" version=\"4.1\"", "")), Contains("ancient XML file"));
  CHECK_THAT(message(with("<link id=\"there\"", "<lynx id=\"there\"")),
             Contains("user.xml:7:1: ") && Contains("Unexpected"));
  CHECK_THAT(message(with("latency=\"67ms\"", "delay=\"67ms\"")), Contains("Bad attribute `delay'"));
  CHECK_THAT(message(with("DijkstraCache", "Magic")), Contains("Not a valid model"));
}

TEST_CASE("hosts that cannot compute are errors") {
  CHECK_THAT(message(with(" speed=\"1Gf\"", "")), Contains("user.xml:6:1: ") && Contains("`speed' not set"));
  CHECK_THAT(message(with("1Gf", "0f")), Contains("host 'b' has a speed of 0 FLOP/s"));
  CHECK_THAT(message(with("1Gf", "-1Gf")), Contains("host 'b' has a speed of -1000000000 FLOP/s"));
  CHECK_THAT(message(with("1Gf", "nanf")), Contains("host 'b' has a speed of nan FLOP/s"));
  CHECK_THAT(message(with("1Gf", "1e-300f")), Contains("host 'b' has a speed of 1e-300 FLOP/s"));
  CHECK_THAT(message(with("1Gf", "fast")), Contains("user.xml:6:1: ") && Contains("cannot parse number"));
  CHECK_THAT(message(with("16GB", "abc")), Contains("property memory of host 'a' is 'abc' (not a positive size)"));
  CHECK_THAT(message(with("16GB", "-5GB")), Contains("property memory of host 'a' is '-5GB'"));
  CHECK_THAT(message(with("id=\"b\"", "id=\"a\"")), Contains("second host named 'a'"));
  CHECK_THAT(message(opening + "<zone id=\"z\" routing=\"Full\"></zone></platform>\n"), Contains("no host"));
  CHECK_THAT(message(opening + "</platform>\n"), Contains("SimGrid crashed on it"));
}

TEST_CASE("links that cannot carry anything are errors") {
  CHECK_THAT(message(with("2Gbps", "0bps")), Contains("link 'there' has a bandwidth of 0 B/s"));
  CHECK_THAT(message(with("2Gbps", "-2Gbps")), Contains("link 'there' has a bandwidth of -250000000 B/s"));
  CHECK_THAT(message(with("2Gbps", "nanbps")), Contains("link 'there' has a bandwidth of nan B/s"));
  CHECK_THAT(message(with("2Gbps", "2Qbps")), Contains("user.xml:7:1: ") && Contains("unknown unit: Qbps"));
  CHECK_THAT(message(with("67ms", "-1ms")), Contains("link 'there' has a latency of -0.001 s"));
  CHECK_THAT(message(with("67ms", "nans")), Contains("link 'there' has a latency of nan s"));
  CHECK_THAT(message(with("67ms", "1e300s")), Contains("link 'there' has a latency of 1e+300 s"));
  CHECK_THAT(message(with("2Gbps", "1e-300Bps")), Contains("link 'there' has a bandwidth of 1e-300 B/s"));
}

TEST_CASE("wireless links are refused") {
  CHECK_THAT(message(with("latency=\"67ms\"", "latency=\"67ms\" sharing_policy=\"WIFI\"")),
             Contains("link 'there' is a wireless one"));
}

TEST_CASE("a link that stands twice in a route carries half, unless every flow has it alone") {
  const auto bandwidth = [](const std::string& policy) {
    std::string text = with("<link_ctn id=\"there\"/>", "<link_ctn id=\"there\"/><link_ctn id=\"there\"/>");
    text.replace(text.find("latency=\"67ms\""), 0, "sharing_policy=\"" + policy + "\" ");
    return load_text(text).view.path(DeviceId(0), DeviceId(1)).bandwidth;
  };
  CHECK(bandwidth("SHARED") == BytesPerSecond(1e9 / 8));
  CHECK(bandwidth("FATPIPE") == BytesPerSecond(2e9 / 8));
}

TEST_CASE("two hosts without a route between them are an error, even where SimGrid would search for ever") {
  const std::string route = "<route src=\"b\" dst=\"a\" symmetrical=\"NO\"><link_ctn id=\"back\"/></route>\n";
  CHECK_THAT(message(with(route, "")), Contains("no route from 'b' to 'a'"));
  CHECK_THAT(
      message(opening +
              "<zone id=\"z\" routing=\"Floyd\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/></zone>"
              "</platform>\n"),
      Contains("No route from 'a' to 'b'"));
  CHECK_THAT(
      message(opening +
              "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/></zone>"
              "</platform>\n"),
      Contains("no route from 'a' to 'b'"));
  CHECK_THAT(message(with(route, route + route)), Contains("SimGrid crashed on it"));
  CHECK_THAT(message(with("<link_ctn id=\"back\"/>", "")), Contains("Empty route (between b and a)"));
  CHECK_THAT(message(with("<link_ctn id=\"back\"/>", "<link_ctn id=\"far\"/>")), Contains("Link not found: far"));
  CHECK_THAT(message(with("src=\"b\"", "src=\"c\"")), Contains("user.xml:10:1: ") && Contains("src='c'"));
}

TEST_CASE("a platform is read from .yaml or .xml only") {
  CHECK_THAT(error_of([] { load_platform("missing.xml"); }), Contains("missing.xml: cannot open the file"));
  CHECK_THAT(error_of([] { load_platform("missing.yaml"); }), Contains("missing.yaml: cannot open the file"));
  CHECK_THAT(error_of([] { load_platform("evil.so"); }), Contains("evil.so: the extension '.so'"));
}

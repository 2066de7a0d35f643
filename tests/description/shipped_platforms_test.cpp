// The platforms that come with the project: what they were made from, and their figures.
#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/base/file.hpp"
#include "sim/description/data_folder.hpp"
#include "sim/description/platform_loader.hpp"
#include "sim/description/platform_xml.hpp"
#include "tests/description/routes.hpp"

using namespace longhaul;

namespace {

std::string file(const std::string& name) { return std::string(LONGHAUL_SOURCE_DIR) + "/platforms/" + name; }

std::vector<std::string> shipped() {
  std::vector<std::string> names = data_names("platforms", ".yaml");
  names.erase(std::remove(names.begin(), names.end(), "device_types"), names.end());
  return names;
}

struct Expected {
  const char* platform;
  std::size_t from, to;
  const char* names;  // of the two devices
  double milliseconds, gigabits;
};

}  // namespace

TEST_CASE("the shipped XML is exactly what the shipped descriptions and measurements give") {
  CHECK(shipped() == data_names("platforms", ".xml"));
  CHECK(shipped().size() == 14);
  for (const std::string& name : shipped()) {
    INFO(name << ": if the description changed, run `longhaul platform build`");
    CHECK((read_text_file(file(name + ".xml"), 1U << 24U) == platform_xml(read_cluster(file(name + ".yaml")))));
  }
}

TEST_CASE("every shipped platform is named like its file and has its number of devices") {
  for (const std::string& name : shipped()) {
    const PlatformView view = load_platform(file(name + ".xml")).view;
    INFO(name);
    CHECK(view.name() == name);
    CHECK(view.size() == (name == "two_sites"              ? 4U
                          : name == "mixed_two_cities"     ? 32U
                          : name == "two_fabrics"          ? 48U
                          : name == "ten_cities_realistic" ? 80U
                                                           : 64U));
  }
}

TEST_CASE("paths of the shipped platforms have the published figures, to the last bit") {
  const std::vector<Expected> expected{
      {"data_center", 0, 7, "aws-0-gpu0 aws-0-gpu7", 0, 1200},
      {"data_center", 7, 8, "aws-0-gpu7 aws-1-gpu0", 0.1, 25},
      {"data_center_paper", 0, 1, "aws-0-gpu0 aws-0-gpu1", 0, 100},
      {"data_center_paper", 7, 8, "aws-0-gpu7 aws-1-gpu0", 0, 3.125},
      {"spot", 0, 1, "aws-0 aws-1", 0.1, 10},
      {"spot", 4, 7, "aws-4-gpu0 aws-4-gpu3", 0, 1200},
      {"spot", 7, 8, "aws-4-gpu3 aws-5", 0.1, 10},
      {"spot_paper", 0, 3, "aws-0-gpu0 aws-0-gpu3", 0, 100},
      {"spot_paper", 31, 32, "aws-7-gpu3 aws-8", 0, 1.25},
      {"spot_paper", 32, 63, "aws-8 aws-39", 0, 1.25},
      {"mixed_two_cities", 0, 7, "virginia-0-gpu0 virginia-0-gpu7", 0.02, 1840},
      {"mixed_two_cities", 0, 16, "virginia-0-gpu0 oregon-0-gpu0", 34.136, 4.352},
      {"mixed_two_cities", 16, 20, "oregon-0-gpu0 oregon-1-gpu0", 0.1, 10},
      {"two_universities", 0, 31, "ohio-0 ohio-31", 1, 5},
      {"two_universities", 0, 32, "ohio-0 virginia-0", 11, 1.12},
      {"two_universities", 63, 5, "virginia-31 ohio-5", 11, 1.12},
      {"four_regions", 0, 15, "virginia-0 virginia-15", 10, 2},
      {"four_regions", 0, 16, "virginia-0 oregon-0", 67, 1.15},
      {"four_regions", 32, 0, "california-0 virginia-0", 59, 1.05},
      {"four_regions", 16, 32, "oregon-0 california-0", 12, 1.25},
      {"four_regions", 63, 47, "ohio-15 california-15", 52, 1.02},
      {"four_regions_paper", 0, 15, "virginia-0 virginia-15", 5, 2},
      {"four_regions_paper", 48, 16, "ohio-0 oregon-0", 49, 1.1},
      {"eight_cities", 0, 7, "oregon-0 oregon-7", 10, 2},
      {"eight_cities", 0, 8, "oregon-0 virginia-0", 67, 0.79},
      {"eight_cities", 8, 0, "virginia-0 oregon-0", 67, 0.79},
      {"eight_cities", 63, 24, "ireland-7 tokyo-0", 199, 0.465},
      {"eight_cities", 40, 48, "london-0 frankfurt-0", 14, 1.14},
      {"eight_cities_paper", 0, 7, "oregon-0 oregon-7", 5, 2},
      {"eight_cities_paper", 16, 56, "ohio-0 ireland-0", 77, 1.14},
      {"ten_cities_realistic", 0, 1, "oregon-0 oregon-1", 0.1, 10},
      {"ten_cities_realistic", 0, 8, "oregon-0 virginia-0", 33.5, 1.15},
      {"ten_cities_realistic", 8, 0, "virginia-0 oregon-0", 33.5, 0.79},
      {"ten_cities_realistic", 24, 64, "tokyo-0 frankfurt-0", 111.5, 0.212},
      {"ten_cities_realistic", 64, 24, "frankfurt-0 tokyo-0", 111.5, 0.36},
      {"ten_cities_realistic", 79, 16, "ireland-7 ohio-0", 38.5, 1.14},
      {"common_job", 0, 63, "anywhere-0 anywhere-63", 50, 1},
      {"two_sites", 0, 1, "north-0-gpu0 north-0-gpu1", 0, 2400},
      {"two_sites", 1, 2, "north-0-gpu1 south-0-gpu0", 10, 1},
  };
  std::string name;
  PlatformView view;
  for (const Expected& e : expected) {
    if (name != e.platform) view = load_platform(file((name = e.platform) + ".xml")).view;
    const DeviceId from(e.from), to(e.to);
    INFO(e.platform << " " << e.names);
    CHECK(view.device(from).name + " " + view.device(to).name == e.names);
    CHECK(view.path(from, to).latency == Seconds(e.milliseconds / 1000));
    CHECK(view.path(from, to).bandwidth == BytesPerSecond(e.gigabits * (1e9 / 8)));
  }
}

TEST_CASE("DT-FM's platforms are made of 64 V100") {
  const PlatformView view = load_platform(file("eight_cities.yaml")).view;
  for (const Device& device : view.devices()) {
    CHECK(device.type == "V100-SXM2-16GB");
    CHECK(device.peak == FlopsPerSecond(125e12));
    CHECK(device.memory == Bytes(16e9));
  }
  CHECK(view.path(DeviceId(0), DeviceId(8)).latency == Seconds(0.067));
  CHECK(view.path(DeviceId(0), DeviceId(8)).bandwidth == BytesPerSecond(0.79e9 / 8));
}

TEST_CASE(
    "on DT-FM's testbed a sender's flows of one class share its limiter, on the paper's platforms nothing is "
    "shared") {
  const std::string testbed = read_text_file(file("two_universities.xml"), 1U << 24U);
  const auto far = route_links(testbed, "ohio-0", "virginia-0");
  CHECK(far == std::vector<std::string>{"ohio-0-limit-11ms-1.12Gbps", "ohio-0-nic-up", "virginia-0-nic-down"});
  CHECK(route_links(testbed, "ohio-0", "virginia-31")[0] == far[0]);
  CHECK(route_links(testbed, "ohio-0", "ohio-1")[0] == "ohio-0-limit-1ms-5Gbps");
  CHECK(route_links(testbed, "ohio-1", "virginia-0")[0] == "ohio-1-limit-11ms-1.12Gbps");
  const std::string paper = read_text_file(file("eight_cities_paper.xml"), 1U << 24U);
  CHECK(route_links(paper, "oregon-0", "tokyo-3") ==
        std::vector<std::string>{"oregon:tokyo*", "unlimited*", "unlimited*"});
}

TEST_CASE("the GPUs of a machine share its NIC") {
  const std::string xml = read_text_file(file("spot.xml"), 1U << 24U);
  const std::vector<std::string> links{"aws-4-nic-up", "aws-9-nic-down", "aws:aws*"};
  CHECK(route_links(xml, "aws-4-gpu0", "aws-9-gpu3") == links);
  CHECK(route_links(xml, "aws-4-gpu3", "aws-9-gpu0") == links);
}

#include "sim/engine/simulation.hpp"

#include <functional>
#include <memory>
#include <unordered_map>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include "sim/base/child_process.hpp"
#include "sim/base/error.hpp"
#include "sim/base/temporary_file.hpp"
#include "sim/engine/stuck_workload.hpp"
#include "sim/workload/streams.hpp"
#include "sim/workload/transport.hpp"

namespace longhaul {
namespace {

namespace s4u = simgrid::s4u;

constexpr double least_bandwidth = 0.1;  // B/s; SimGrid takes less for nothing at all
constexpr int most_idle_changes = 1'000'000;
constexpr const char* constant = "trace files that change bandwidths only, never to zero";

// SimGrid's settings for the equations of the scenario. The command line is the one place where all of them can be
// set.
std::vector<std::string> simgrid_arguments(NetworkEquations equations) {
  std::vector<std::string> arguments{"longhaul", "--log=root.threshold:critical"};
  switch (equations) {
    case NetworkEquations::raw:
    case NetworkEquations::cm02:
      arguments.insert(arguments.end(), {"--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0"});
      break;
    case NetworkEquations::lv08:
      arguments.emplace_back("--cfg=network/model:LV08");
      break;
  }
  // Precision: transfers that end within it of each other end together, the later ones too early; SimGrid's default is 10 us.
  for (const char* setting :
       {"network/crosstraffic:0", "surf/precision:1e-10", "contexts/stack-size:32", "contexts/guard-size:0"})
    arguments.push_back(std::string("--cfg=") + setting);
  return arguments;
}

// Carries transfers where there are many devices. SimGrid keeps host-to-host transfers in one list, from which each leaves
// by a search through all of it; those of an actor stand in a list of its own. So every device gets an actor that sends, one
// message at a time (its send stream sees to that), and one that receives. On few devices it would cost more than it saves.
class Porters {
 public:
  static constexpr std::size_t worthwhile_devices = 2048;

  Porters(const std::vector<s4u::Host*>& hosts, std::function<void(TaskletId)> delivered)
      : delivered_(std::move(delivered)), orders_(hosts.size()) {
    for (std::size_t device = 0; device < hosts.size(); ++device) {
      s4u::Mailbox* box = s4u::Mailbox::by_name(hosts[device]->get_name());
      boxes_.push_back(box);
      senders_.push_back(s4u::Actor::create("sender", hosts[device], [this, device] { send(device); }));
      s4u::Actor::create("receiver", hosts[device], [box] {
        while (true) box->get<Order>();
      });
    }
  }

  void carry(TaskletId id, const Tasklet& task, std::uint64_t bytes) {
    Order& order = orders_[task.device.value];
    require(!order.given, "a device sends two messages at a time");
    order = {true, id, task.target, bytes};
    senders_[task.device.value]->resume();
  }

 private:
  struct Order {
    bool given = false;
    TaskletId id;
    DeviceId target;
    std::uint64_t bytes = 0;
  };

  // What follows a delivery is done in SimGrid's main context, where errors may be thrown.
  void send(std::size_t device) {
    Order& order = orders_[device];
    while (true) {
      while (!order.given) s4u::this_actor::suspend();
      boxes_[order.target.value]->put(&order, order.bytes);
      order.given = false;
      simgrid::kernel::timer::Timer::set(s4u::Engine::get_clock(), [this, id = order.id] { delivered_(id); });
    }
  }

  std::function<void(TaskletId)> delivered_;
  std::vector<Order> orders_;  // by device
  std::vector<s4u::Mailbox*> boxes_;
  std::vector<s4u::ActorPtr> senders_;
};

// Thrown where nothing is left to happen and only actors wait.
struct AllQuiet {};

class Simulation {
 public:
  Simulation(const Platform& platform, Workload& workload, const NetworkModel& network)
      : platform_(platform),
        workload_(workload),
        network_(network),
        transport_(platform.view, network),
        streams_(platform.view.size()) {}

  std::vector<Span> run() {
    std::vector<std::string> arguments = simgrid_arguments(network_.equations);
    std::vector<char*> raw_arguments;
    for (std::string& argument : arguments) raw_arguments.push_back(argument.data());
    int count = static_cast<int>(raw_arguments.size());
    raw_arguments.push_back(nullptr);
    s4u::Engine& engine = *new s4u::Engine(&count, raw_arguments.data());
    const TemporaryFile xml(platform_.xml);
    go_beside(platform_.file);
    engine.load_platform(xml.path());
    engine.seal_platform();
    for (const Device& device : platform_.view.devices()) hosts_.push_back(engine.host_by_name(device.name));
    if (network_.equations == NetworkEquations::raw) take_over_latencies(engine);
    watch_platform();

    s4u::Activity::on_completion_cb([this](const s4u::Activity& activity) { on_transferred(activity); });
    if (hosts_.size() >= Porters::worthwhile_devices) hire_porters();
    at(0, [this] { admit(workload_.start()); });
    try {
      engine.run();
    } catch (const AllQuiet&) {
    }
    check_complete();
    if (network_.equations == NetworkEquations::raw) check_latencies(engine);
    return std::move(spans_);
  }

 private:
  void hire_porters() {
    porters_ = std::make_unique<Porters>(hosts_, [this](TaskletId id) { on_delivered(id); });
    s4u::Engine::on_deadlock_cb([] { throw AllQuiet(); });
  }

  static double now() { return s4u::Engine::get_clock(); }

  template <class Action>
  void at(double date, Action action) {
    simgrid::kernel::timer::Timer::set(date, action);
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& why, const std::string& accepted) const {
    throw UserError({platform_.file, 0, 0}, what, why, accepted);
  }

  // With raw equations the latency passes after the bytes, without holding a stream: it is a timer of ours.
  void take_over_latencies(const s4u::Engine& engine) const {
    for (s4u::Link* link : engine.get_all_links()) link->set_latency(0);
    // What is left comes from Vivaldi coordinates, whose distances vanish between no two hosts if not between neighbours.
    for (std::size_t i = 1; i < hosts_.size(); ++i) {
      std::vector<s4u::Link*> links;
      double rest = 0;
      hosts_[i - 1]->route_to(hosts_[i], links, &rest);
      if (rest > 0)
        refuse("the route from '" + hosts_[i - 1]->get_name() + "' to '" + hosts_[i]->get_name() +
                   "' has a latency that is not of its links",
               "network.model raw pays latencies after the bytes",
               "latencies on links, or network.model cm02 or lv08");
    }
  }

  void check_latencies(const s4u::Engine& engine) const {
    for (const s4u::Link* link : engine.get_all_links())
      if (link->get_latency() != 0)
        refuse("link '" + link->get_name() + "' changes its latency", "network.model raw takes it to be constant",
               "no latency_file, or network.model cm02 or lv08");
  }

  // What trace files do to the platform while it runs. Only bandwidths may change: computations are timers of ours, and
  // there are no faults.
  void watch_platform() {
    s4u::Host::on_speed_change_cb([this](const s4u::Host& host) {
      if (host.get_available_speed() != 1)
        refuse("host '" + host.get_name() + "' changes its speed", at_now(), constant);
    });
    s4u::Host::on_state_change_cb([this](const s4u::Host& host) {
      if (!host.is_on()) refuse("host '" + host.get_name() + "' goes down", at_now(), constant);
    });
    s4u::Link::on_state_change_cb([this](const s4u::Link& link) {
      if (!link.is_on()) refuse("link '" + link.get_name() + "' goes down", at_now(), constant);
    });
    s4u::Link::on_bandwidth_change_cb([this](const s4u::Link& link) {
      if (!(link.get_bandwidth() >= least_bandwidth))
        refuse("the bandwidth of link '" + link.get_name() + "' falls to " + std::to_string(link.get_bandwidth()) +
                   " B/s",
               at_now(), constant);
      if (++idle_changes_ > most_idle_changes)
        refuse("the bandwidth of link '" + link.get_name() + "' changes on and on",
               "nothing finishes meanwhile, " + at_now(), "a slower bandwidth_file");
    });
  }

  static std::string at_now() { return "at " + std::to_string(now()) + " s"; }

  const Tasklet& tasklet(TaskletId id) const { return workload_.tasklets()[id.value]; }

  Span& span(TaskletId id) {
    if (id.value >= spans_.size()) spans_.resize(workload_.tasklets().size(), unfinished);
    return spans_[id.value];
  }

  void admit(const std::vector<TaskletId>& ready) {
    for (const TaskletId id : ready) {
      const Tasklet& task = tasklet(id);
      if (task.kind == TaskletKind::barrier_message) {
        start_barrier_message(id, task);
      } else if (streams_.enqueue(id, workload_.tasklets())) {
        start(id, task);
      }
    }
  }

  void start(TaskletId id, const Tasklet& task) {
    span(id).start = Seconds(now());
    if (is_transfer(task.kind)) {
      start_transfer(id, task);
    } else {
      const Seconds duration = task.compute + task.handling;
      at(now() + duration.value, [this, id] {
        release(id);
        finish(id);
      });
    }
  }

  void start_barrier_message(TaskletId id, const Tasklet& task) {
    span(id).start = span(id).released = Seconds(now());
    at(now() + transport_.barrier_latency(task).value, [this, id] { finish(id); });
  }

  void start_transfer(TaskletId id, const Tasklet& task) {
    if (porters_) {
      porters_->carry(id, task, transport_.wire_bytes(task));
      return;
    }
    s4u::CommPtr transfer = s4u::Comm::sendto_init();
    transfer->set_payload_size(transport_.wire_bytes(task));
    in_flight_.emplace(transfer.get(), Transfer{id, transfer});
    // SimGrid starts it as soon as it knows both hosts.
    transfer->set_source(hosts_[task.device.value])->set_destination(hosts_[task.target.value]);
  }

  void on_transferred(const s4u::Activity& activity) {
    if (porters_) return;
    const auto found = in_flight_.find(&activity);
    require(found != in_flight_.end(), "SimGrid completed a transfer that nobody started");
    const TaskletId id = found->second.id;
    // SimGrid still uses the activity while it calls us: let go of it only later.
    completed_ = std::move(found->second.activity);
    in_flight_.erase(found);
    on_delivered(id);
  }

  // The bytes have arrived. SimGrid 3.32 ignores the rate of a transfer between hosts, so the window's limit is ours.
  void on_delivered(TaskletId id) {
    const double through = span(id).start.value + transport_.shortest_by_window(tasklet(id)).value;
    if (through > now()) {
      at(through, [this, id] { on_sent(id); });
    } else {
      on_sent(id);
    }
  }

  void on_sent(TaskletId id) {
    release(id);
    if (network_.equations == NetworkEquations::raw) {
      const Seconds on_wire = span(id).released - span(id).start;
      const Seconds rest = transport_.latency(tasklet(id)) + transport_.hand_over(tasklet(id), on_wire);
      at(now() + rest.value, [this, id] { finish(id); });
    } else {
      finish(id);
    }
  }

  void release(TaskletId id) {
    span(id).released = Seconds(now());
    for (const TaskletId next : streams_.release(id, workload_.tasklets())) start(next, tasklet(next));
  }

  void finish(TaskletId id) {
    span(id).finish = Seconds(now());
    ++finished_;
    idle_changes_ = 0;
    const std::size_t total = workload_.total();
    if (finished_ % (total / 100 + 1) == 0)
      report_progress(static_cast<double>(finished_) / static_cast<double>(total));
    admit(workload_.on_finished(id, Seconds(now())));
  }

  void check_complete() const {
    if (finished_ < workload_.total()) throw stuck_workload(workload_, spans_);
  }

  struct Transfer {
    TaskletId id;
    s4u::ActivityPtr activity;  // released before its completion it would crash SimGrid
  };
  static constexpr Span unfinished{Seconds(-1), Seconds(-1), Seconds(-1)};

  const Platform& platform_;
  Workload& workload_;
  const NetworkModel& network_;
  Transport transport_;
  Streams streams_;
  std::vector<s4u::Host*> hosts_;  // by device
  std::unordered_map<const s4u::Activity*, Transfer> in_flight_;
  s4u::ActivityPtr completed_;
  std::unique_ptr<Porters> porters_;  // none where devices are few
  std::vector<Span> spans_;
  std::size_t finished_ = 0;
  int idle_changes_ = 0;  // of bandwidths since the last tasklet finished
};

}  // namespace

std::vector<Span> run_simulation(const Platform& platform, Workload& workload, const NetworkModel& network) {
  // Neither it nor the engine is ever destroyed: where an error ends the run, SimGrid crashes on activities that go
  // while they are under way. The process ends with the simulation.
  return (new Simulation(platform, workload, network))->run();
}

}  // namespace longhaul

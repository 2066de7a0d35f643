#include "sim/description/model.hpp"

#include <catch2/catch.hpp>

#include "sim/description/job.hpp"

using namespace longhaul;

TEST_CASE("a layer of GPT has 12 h^2 + 13 h parameters and 24 s h^2 (1 + s / 6h) FLOP forward") {
  const Model model = find_model("gpt3_xl_dtfm", {});
  CHECK(parameters_per_layer(model) == 50358272);
  const double h = 2048;
  const double s = 2048;
  CHECK(layer_forward_flops(model).value == Approx(24 * s * h * h * (1 + s / (6 * h))).epsilon(1e-12));
  CHECK(layer_forward_flops(model).value == Approx(0.24052e12).epsilon(1e-4));
}

TEST_CASE("a layer of Llama has the parameters that its authors' checkpoints have") {
  CHECK(parameters_per_layer(find_model("llama2_7b", {})) == 202383360);
  CHECK(total_parameters(find_model("llama2_7b", {})) == Approx(6.738e9).epsilon(1e-3));
  CHECK(total_parameters(find_model("llama2_13b", {})) == Approx(13.016e9).epsilon(1e-3));
  CHECK(total_parameters(find_model("llama2_70b", {})) == Approx(68.977e9).epsilon(1e-3));
}

TEST_CASE("the GPT-3 family has the sizes of its names") {
  // The head is counted as weights of its own (pipeline stages do not share them), so totals lie above the names.
  const auto billions = [](const char* name) { return total_parameters(find_model(name, {})) / 1e9; };
  CHECK(billions("gpt3_1.3b") == Approx(1.42).epsilon(0.01));
  CHECK(billions("gpt3_2.7b") == Approx(2.79).epsilon(0.01));
  CHECK(billions("gpt3_6.7b") == Approx(6.87).epsilon(0.01));
  CHECK(billions("gpt3_13b") == Approx(13.12).epsilon(0.01));
  CHECK(billions("gpt3_175b") == Approx(175.2).epsilon(0.01));
  CHECK(billions("bert_large") == Approx(0.365).epsilon(0.01));
}

TEST_CASE("DT-FM's stages have the gradient bytes of the real modules") {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  const auto gradients = [&](std::size_t layers) {
    const std::vector<StageLoad> loads = stage_loads(job, std::vector<std::size_t>(8, layers));
    return std::vector<double>{loads[0].gradient.value, loads[3].gradient.value, loads[7].gradient.value};
  };
  CHECK(gradients(3) == std::vector<double>{429305856, 302149632, 310550532});
  CHECK(gradients(4) == std::vector<double>{530022400, 402866176, 411267076});
  CHECK(gradients(5) == std::vector<double>{630738944, 503582720, 511983620});
}

TEST_CASE("an iteration of DT-FM has the FLOP that its authors count") {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  CHECK(iteration_flops(job, 1024).value == Approx(23.644e15).epsilon(1e-4));
  CHECK(iteration_flops(job, 4096).value == Approx(94.576e15).epsilon(1e-4));
  job.model.layers = 40;
  CHECK(iteration_flops(job, 1024).value == Approx(39.407e15).epsilon(1e-4));
  job.recompute = Recompute::none;
  CHECK(iteration_flops(job, 1024).value == Approx(39.407e15 * 3 / 4).epsilon(1e-4));
}

TEST_CASE("recomputation adds a forward to the backward, activations have b s h values") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  job.micro_batch = 4;
  const StageLoad with = stage_loads(job, {12, 12})[0];
  job.recompute = Recompute::none;
  const StageLoad without = stage_loads(job, {12, 12})[0];
  CHECK(with.backward.value == Approx(3 * with.forward.value));
  CHECK(without.backward.value == Approx(2 * without.forward.value));
  CHECK(with.activation == Bytes(4.0 * 2048 * 2048 * 2));
  const StageLoad last = stage_loads(job, {12, 12})[1];
  CHECK(last.forward.value - without.forward.value == Approx(2.0 * 4 * 2048 * 2048 * 51200).epsilon(1e-9));
}

TEST_CASE("selective recomputation adds 4 s^2 h of each layer to backward, and to the iteration") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  job.recompute = Recompute::none;
  const Flops backward = stage_loads(job, {24})[0].backward;
  const Flops iteration = iteration_flops(job, 8);
  job.recompute = Recompute::selective;
  const double repeated = 24 * 4.0 * 2048 * 2048 * 2048;
  CHECK((stage_loads(job, {24})[0].backward - backward).value == Approx(repeated));
  CHECK((iteration_flops(job, 8) - iteration).value == Approx(8 * repeated));
}

TEST_CASE("layers are split evenly, none lost") {
  CHECK(even_layers(24, 8) == std::vector<std::size_t>(8, 3));
  CHECK(even_layers(10, 4) == std::vector<std::size_t>{2, 3, 2, 3});
  CHECK(even_layers(3, 3) == std::vector<std::size_t>{1, 1, 1});
}

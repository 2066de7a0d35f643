#include "sim/description/model.hpp"

#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

constexpr std::int64_t largest = 1'000'000'000;

double square(std::int64_t value) { return static_cast<double>(value) * static_cast<double>(value); }

// Weights of the matrices of one layer, without biases and norms, with so many of its experts.
double matrix_weights(const Model& model, std::int64_t experts) {
  const double key_value_share = static_cast<double>(model.key_value_heads) / static_cast<double>(model.heads);
  const double attention = square(model.hidden) * (2 + 2 * key_value_share);
  const double feed_forward = static_cast<double>(model.hidden) * static_cast<double>(model.feed_forward);
  const double router =
      model.experts > 1 ? static_cast<double>(model.hidden) * static_cast<double>(model.experts) : 0;
  return attention + (model.gated ? 3 : 2) * feed_forward * static_cast<double>(experts) + router;
}

// Those that a token passes.
double active_weights(const Model& model) { return matrix_weights(model, model.experts_per_token); }

double feed_forward_biases(const Model& model) {
  if (!model.biases) return 0;
  return static_cast<double>(model.feed_forward) * (model.gated ? 2 : 1) + static_cast<double>(model.hidden);
}

Head head_of(const std::string& name) {
  if (name == "classifier") return Head::classifier;
  return name == "language_model" ? Head::language_model : Head::none;
}

}  // namespace

Model read_model(const Config& config) {
  Model model;
  model.name = config.at("name").text();
  model.source = config.at("source").text();
  model.hidden = config.at("hidden").integer(1, largest);
  model.heads = config.at("heads").integer(1, largest);
  if (model.hidden % model.heads != 0)
    throw config.at("heads").error("the heads do not divide the hidden size", "", "a divisor of hidden");
  const auto key_value_heads = config.find("key_value_heads");
  model.key_value_heads = key_value_heads ? key_value_heads->integer(1, model.heads) : model.heads;
  model.feed_forward = config.at("feed_forward").integer(1, largest);
  model.gated = config.at("gated").flag();
  if (const auto experts = config.find("experts")) model.experts = experts->integer(2, 100'000);
  if (const auto picked = config.find("experts_per_token")) {
    if (model.experts == 1) throw picked->error("no experts beside it", "there is nothing to pick", "experts: COUNT");
    model.experts_per_token = picked->integer(1, model.experts);
  }
  model.biases = config.at("biases").flag();
  model.layers = config.at("layers").integer(1, 100'000);
  model.sequence = config.at("sequence").integer(1, largest);
  model.vocabulary = config.at("vocabulary").integer(0, largest);
  model.positions = config.at("positions").integer(0, largest);
  model.head = head_of(config.at("head").choice({"none", "classifier", "language_model"}));
  const auto classes = config.find("classes");
  if (model.head == Head::classifier)
    model.classes = config.at("classes").integer(1, largest);
  else if (classes)
    throw classes->error("only a classifier has classes", "", "this key with head: classifier");
  return model;
}

std::vector<std::string> model_names() { return data_names("scenarios/models", ".yaml"); }

Model find_model(const std::string& name, const Location& where) {
  const Config config = Config::read_file(data_file("scenarios/models", name, ".yaml", where));
  Model model = read_model(config);
  config.reject_unread();
  return model;
}

double parameters_per_layer(const Model& model) {
  const auto hidden = static_cast<double>(model.hidden);
  if (!model.biases) return matrix_weights(model, model.experts) + 2 * hidden;
  const double key_value_share = static_cast<double>(model.key_value_heads) / static_cast<double>(model.heads);
  const double attention_biases = hidden * (2 + 2 * key_value_share);
  return matrix_weights(model, model.experts) + attention_biases +
         feed_forward_biases(model) * static_cast<double>(model.experts) + 4 * hidden;
}

double expert_parameters_per_layer(const Model& model) {
  if (model.experts == 1) return 0;
  const double weights =
      (model.gated ? 3 : 2) * static_cast<double>(model.hidden) * static_cast<double>(model.feed_forward);
  return (weights + feed_forward_biases(model)) * static_cast<double>(model.experts);
}

double embedding_parameters(const Model& model) {
  return static_cast<double>(model.hidden) * static_cast<double>(model.vocabulary + model.positions);
}

double head_parameters(const Model& model) {
  const auto hidden = static_cast<double>(model.hidden);
  switch (model.head) {
    case Head::none:
      return 0;
    case Head::classifier:
      return hidden * hidden + hidden + (hidden + 1) * static_cast<double>(model.classes);
    case Head::language_model:
      return hidden * static_cast<double>(model.vocabulary);
  }
  return 0;
}

double total_parameters(const Model& model) {
  return parameters_per_layer(model) * static_cast<double>(model.layers) + embedding_parameters(model) +
         head_parameters(model);
}

Flops layer_forward_flops(const Model& model) {
  const auto tokens = static_cast<double>(model.sequence);
  return Flops(2 * tokens * active_weights(model) + 4 * tokens * tokens * static_cast<double>(model.hidden));
}

Flops layer_weight_gradient_flops(const Model& model) {
  return Flops(2 * static_cast<double>(model.sequence) * active_weights(model));
}

Flops attention_forward_flops(const Model& model) {
  const auto tokens = static_cast<double>(model.sequence);
  return Flops(4 * tokens * tokens * static_cast<double>(model.hidden));
}

Flops head_forward_flops(const Model& model) {
  if (model.head == Head::classifier) return Flops(2 * head_parameters(model));  // the first token only
  return Flops(2 * static_cast<double>(model.sequence) * head_parameters(model));
}

}  // namespace longhaul

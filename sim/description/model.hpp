// A transformer as data, and the counts that follow from its shape. All counts are for one training sequence or
// parameter set, independent of how the model is split over devices.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

/// What follows the last layer.
enum class Head {
  none,
  classifier,      // hidden x hidden pooler and a linear layer to `classes` (on the first token)
  language_model,  // logits over the vocabulary, weights of their own on the last stage
};

/// Shape of a decoder or encoder stack. All sizes are counts.
struct Model {
  std::string name;
  std::string source;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t key_value_heads = 0;    // = heads unless grouped-query attention
  std::int64_t feed_forward = 0;       // inner width
  bool gated = false;                  // three feed-forward matrices (SwiGLU) instead of two
  std::int64_t experts = 1;            // feed-forward parts of a layer, of which a router picks; 1 = a dense model
  std::int64_t experts_per_token = 1;  // that it picks
  bool biases = true;  // of linear layers; with biases come layer norms of two vectors, without RMS norms of one
  std::int64_t layers = 0;
  std::int64_t sequence = 0;  // tokens
  std::int64_t vocabulary = 0;
  std::int64_t positions = 0;  // learned position embeddings, 0 = none (rotary)
  Head head = Head::language_model;
  std::int64_t classes = 0;  // of the classifier
};

/// Reads a model. Keys are described in scenarios/README.md.
Model read_model(const Config& config);

/// The model of that name in the data folder, scenarios/models/NAME.yaml. UserError (at `where`) lists those there
/// are.
Model find_model(const std::string& name, const Location& where);
std::vector<std::string> model_names();

/// Parameters of one layer. With biases: attention 4 h^2 + 4 h, feed-forward 2 h f + f + h, two norms 4 h, that is
/// 12 h^2 + 13 h for f = 4 h (arXiv 2104.04473 section 5.1). Without: h^2 (2 + 2 k/a) + 3 h f (gated) + 2 h. With experts the
/// feed-forward part stands there once for each, beside a router of h x experts (arXiv 2101.03961).
double parameters_per_layer(const Model& model);
/// Of these, those of all its experts; 0 in a dense model.
double expert_parameters_per_layer(const Model& model);
/// Token and position embeddings, on the first stage.
double embedding_parameters(const Model& model);
/// The head, on the last stage.
double head_parameters(const Model& model);
double total_parameters(const Model& model);

/// FLOP of one layer forward for one sequence: 2 s per matrix weight, and 4 s^2 h for scores and their weighted sum.
/// For f = 4 h and a = k: 24 s h^2 (1 + s / (6 h)) (arXiv 2104.04473 appendix). Backward is twice that; full
/// recomputation adds one forward. Of experts, those count that a token passes.
Flops layer_forward_flops(const Model& model);
/// FLOP of the gradients of one layer's weights for one sequence, part of its backward: 2 s per matrix weight, for f = 4 h and
/// a = k 24 s h^2 (arXiv 2401.10241 table 1).
Flops layer_weight_gradient_flops(const Model& model);
/// Of the forward, what selective recomputation runs again: 4 s^2 h of scores and their weighted sum.
Flops attention_forward_flops(const Model& model);
/// FLOP of the head forward for one sequence.
Flops head_forward_flops(const Model& model);

}  // namespace longhaul

#include "sim/workload/tasklet.hpp"

namespace longhaul {

const char* name_of(TaskletKind kind) {
  switch (kind) {
    case TaskletKind::forward:
      return "forward";
    case TaskletKind::backward:
      return "backward";
    case TaskletKind::weight_gradient:
      return "weight_gradient";
    case TaskletKind::weight_update:
      return "weight_update";
    case TaskletKind::reduction:
      return "reduction";
    case TaskletKind::activation_transfer:
      return "activation_transfer";
    case TaskletKind::gradient_transfer:
      return "gradient_transfer";
    case TaskletKind::gradient_exchange:
      return "gradient_exchange";
    case TaskletKind::parameter_transfer:
      return "parameter_transfer";
    case TaskletKind::tensor_transfer:
      return "tensor_transfer";
    case TaskletKind::expert_transfer:
      return "expert_transfer";
    case TaskletKind::context_transfer:
      return "context_transfer";
    case TaskletKind::barrier_message:
      return "barrier_message";
    case TaskletKind::barrier:
      return "barrier";
  }
  return "";
}

}  // namespace longhaul

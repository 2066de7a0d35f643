// Tried plans as text: what a search in a child process sends back.
#pragma once

#include <string>

#include "scheduler/placement_climb.hpp"

namespace longhaul {

/// All that searches by simulation change of a plan, and its seconds.
std::string text_of(const TriedPlan& tried);

/// `base` with what the text says.
TriedPlan tried_of(const Plan& base, const std::string& text);

}  // namespace longhaul

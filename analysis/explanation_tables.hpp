// The tables of an explanation, for people.
#pragma once

#include <string>

#include "analysis/explanation.hpp"

namespace longhaul {

/// A target in words: `A->A` is "inside A", `nics` "network cards".
std::string words_for(const std::string& target);

std::string path_tables(const Explanation& explanation);
std::string slack_tables(const Explanation& explanation);
/// Links, regions and the rest in tables of their own, of links and regions those that change most. A header per table.
std::string sensitivity_tables(const std::vector<Sensitivity>& sensitivities, Seconds iteration);
std::string crossover_table(const Crossovers& crossovers, const std::vector<std::string>& plans);

}  // namespace longhaul

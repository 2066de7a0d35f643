// Where the project's own data lies: models, device types, scenarios.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace longhaul {

/// The folder that holds `platforms` and `scenarios`: $LONGHAUL_DATA if set, else the source tree the program was
/// built from.
std::string data_folder();

/// Names of the files with that extension in a subfolder, without it, sorted.
std::vector<std::string> data_names(const std::string& subfolder, const std::string& extension);

/// The path of NAME+extension in a subfolder. UserError at `where`, listing the names, if there is none.
std::string data_file(const std::string& subfolder, const std::string& name, const std::string& extension,
                      const Location& where);

}  // namespace longhaul

// Columns of text that line up.
#pragma once

#include <string>
#include <vector>

namespace longhaul {

enum class Align { left, right };

/// `rows` under `header`, two spaces between columns, no trailing spaces. Every row has as many cells as the header.
std::string text_table(const std::vector<std::string>& header, const std::vector<Align>& alignment,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace longhaul

// Text is UTF-8, or it is no text: JSON and YAML that leave the program must be readable by others.
#pragma once

#include <string>
#include <string_view>

namespace longhaul {

/// Throws UserError, with line and column in `file`, unless `text` is valid UTF-8 (RFC 3629).
void check_utf8(std::string_view text, const std::string& file);

}  // namespace longhaul

// Text inside XML.
#pragma once

#include <string>

namespace longhaul {

/// `text` as it may stand in XML content and in double-quoted attributes; control characters become blanks.
std::string xml_escaped(const std::string& text);

}  // namespace longhaul

// Compares the text of a file as the host sees it with the text as the device sees it.
#pragma once
#include <cstddef>
#include <vector>

#include "frontend/rewrite/token.hpp"

namespace heddle::frontend {

// Tokens of the host's text in place of tokens of the device's; either range may be empty.
struct difference {
  token_range host;
  token_range device;
};

// Whole lines of the source that differ, in order.
std::vector<difference> compare(const token_list& host, const token_list& device);

}  // namespace heddle::frontend

// Finds the text that every CUDA file begins with: the headers that nvcc includes implicitly.
//
// Reading them takes g++ longer than most files' own text. They are the same for all files with the
// same options, so the driver compiles them once, and g++ loads the result.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::frontend {

struct text_parts {
  std::string_view head;     // names the file and its folder
  std::string_view prelude;  // what the preprocessor made of the implicit includes
  std::string_view rest;     // the file itself
};

// Splits preprocessed text, before or after it was rewritten. Returns nullopt if the text does not
// have g++'s form.
std::optional<text_parts> split_at_prelude(std::string_view text);

// The same text, with a precompiled header in place of the prelude.
std::string with_precompiled(const text_parts& text, const std::filesystem::path& header);

}  // namespace heddle::frontend

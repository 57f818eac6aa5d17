// Formats lines, lanes and memory as parts of sentences and table rows.
#pragma once
#include <array>
#include <string>

#include "report/check/found.hpp"

namespace heddle_report {

// "shared `partial`", "`bins`", "dynamic shared memory"; empty if nothing is known.
std::string name_of(const found_memory& memory);

// "byte 4 of the 64 in `bins`, allocated at main.cu:8"; empty if nothing is known.
std::string words_of(const found_memory& memory);

// "kernel `count`, block 0, warp 1, lane 3 = thread 35"; "the host".
std::string words_of_lane(const found_place& place, bool names_kernel);

// Relative to the current folder if the file is below it.
std::string short_path(const std::string& file);

// `main.cu:8`
std::string words_of(const source_place& at);

// "(1,0,0)", or "1" if the other two are 0.
std::string index_words(const std::array<unsigned, 3>& index);

}  // namespace heddle_report

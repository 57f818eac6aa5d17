// Parses and checks the command line of `heddle cluster`.
#pragma once
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cluster/cluster_frames.hpp"

namespace heddle::cli {

// Invalid arguments; the message refers to `heddle cluster --help`.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct cluster_request {
  cluster_options options;
  bool asks_help = false;
};

[[nodiscard]] std::string_view cluster_help();

// Throws usage_error, CLI::ParseError.
[[nodiscard]] cluster_request parse_cluster_command_line(const std::vector<std::string>& arguments);

// Throws usage_error for options that the MPI program does not support.
void expect_supported_over_ranks(const cluster_options& options);

// The name of a cloud's output.
[[nodiscard]] std::string name_for(const std::string& pattern, const std::string& cloud);

// Where the summary is printed: standard error if an output goes to standard output.
[[nodiscard]] std::FILE* summary_stream(const cluster_options& options);

// Checks the names of the outputs before any work is done.
//   throws   usage_error, cloud::error, files::write_error
void check_outputs(const cluster_options& options);

}  // namespace heddle::cli

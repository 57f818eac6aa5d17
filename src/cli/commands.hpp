// The commands of the `heddle` binary, one file each.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::cli {

// Each takes the arguments after its name and returns the exit code of the process.
int run_command(const std::vector<std::string>& words);
int cc_command(const std::vector<std::string>& words);
int check_command(const std::vector<std::string>& words);
int cluster_command(const std::vector<std::string>& words);
int profile_command(const std::vector<std::string>& words);
int doctor_command(const std::vector<std::string>& words);
int tour_command(const std::vector<std::string>& words);
int explain_command(const std::vector<std::string>& words);
int version_command();

// The folder of the pages about defects, such as `race.md`.
std::filesystem::path folder_of_pages();

}  // namespace heddle::cli

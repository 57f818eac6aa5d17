// The commands of the `heddle` binary, one file each.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::cli {

// Each takes the arguments after its name and returns the exit code of the process.
int run_command(const std::vector<std::string>& arguments);
int cc_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int cluster_command(const std::vector<std::string>& arguments);
int profile_command(const std::vector<std::string>& arguments);
int doctor_command(const std::vector<std::string>& arguments);
int tour_command(const std::vector<std::string>& arguments);
int explain_command(const std::vector<std::string>& arguments);
int version_command();

// The folder of the pages about defects, such as `race.md`.
std::filesystem::path folder_of_pages();

}  // namespace heddle::cli

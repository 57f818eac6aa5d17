// heddle::host::check in a program that was not built with `--check`.
#include <gtest/gtest.h>
#include <heddle_check/check.hpp>

#include <stdexcept>
#include <string>

namespace {

TEST(check, says_how_to_build_a_program_that_can_be_checked) {
  try {
    static_cast<void>(heddle::host::check([] {}));
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("heddle cc --check"), std::string::npos)
        << refused.what();
  }
}

}  // namespace

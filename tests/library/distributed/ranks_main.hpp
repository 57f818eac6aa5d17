// main() of the tests that mpirun starts: all ranks run the same tests, and each reports failures.
#pragma once
#include <gtest/gtest.h>

#include <heddle/distributed/run_ranks.hpp>

#include <memory>

namespace heddle_test {

// The ranks of this run. A test does all collective work first and checks afterwards, because the
// other ranks would wait for a rank that leaves a test early.
inline heddle::distributed::communicator*& ranks_of_run() {
  static heddle::distributed::communicator* ranks = nullptr;
  return ranks;
}
inline heddle::distributed::communicator& ranks() { return *ranks_of_run(); }

inline int run_tests_on_ranks(int argc, char** argv) {
  return heddle::distributed::run_ranks(&argc, &argv, [&](heddle::distributed::communicator& all) {
    testing::InitGoogleTest(&argc, argv);
    ranks_of_run() = &all;
    if (all.rank() != 0) {
      // The first rank prints the progress, the others only their failures.
      auto& listeners = testing::UnitTest::GetInstance()->listeners();
      delete listeners.Release(listeners.default_result_printer());
      class failures : public testing::EmptyTestEventListener {
        void OnTestPartResult(const testing::TestPartResult& result) override {
          if (!result.failed()) return;
          std::fprintf(stderr, "rank %d: %s:%d: %s\n", ranks().rank(), result.file_name(),
                       result.line_number(), result.message());
        }
      };
      listeners.Append(new failures);
    }
    return RUN_ALL_TESTS();
  });
}

}  // namespace heddle_test

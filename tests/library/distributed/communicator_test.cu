// All exchanges between ranks, and the counters for their traffic.
#include <heddle/distributed/communicator.hpp>

#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "distributed/ranks_main.hpp"
#include "support/samples.cuh"

namespace {

using heddle::distributed::communicator;
using heddle::distributed::lists;
using heddle_test::ranks;

struct record {
  int rank;
  char name[5];
};

TEST(distributed_communicator, gathers_a_value_from_each_rank_in_order) {
  const int rank = ranks().rank();
  const auto all = ranks().all_gather(record{rank, {'r', 'a', 'n', 'k', char('0' + rank)}});
  ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks().size()));
  for (int i = 0; i < ranks().size(); ++i) {
    EXPECT_EQ(all[i].rank, i);
    EXPECT_EQ(all[i].name[4], '0' + i);
  }
}

TEST(distributed_communicator, gathers_lists_of_any_lengths) {
  // The first rank has none, later ranks have more and more.
  const std::vector<int> mine(7 * ranks().rank(), ranks().rank());
  const auto all = ranks().all_gather_lists<int>(mine);
  for (int i = 0; i < ranks().size(); ++i) {
    EXPECT_EQ(std::vector<int>(all[i].begin(), all[i].end()), std::vector<int>(7 * i, i));
  }
}

TEST(distributed_communicator, broadcasts_from_every_rank) {
  std::vector<int> heard;
  for (int root = 0; root < ranks().size(); ++root) {
    heard.push_back(ranks().broadcast(100 * ranks().rank() + root, root));
  }
  for (int root = 0; root < ranks().size(); ++root) EXPECT_EQ(heard[root], 101 * root);
}

TEST(distributed_communicator, reduces_and_scans_in_the_order_of_ranks) {
  struct word {
    char text[8];
    int length;
  };
  // Concatenating words does not commute.
  const auto join = [](word a, const word& b) {
    for (int i = 0; i < b.length; ++i) a.text[a.length++] = b.text[i];
    return a;
  };
  const word mine{{static_cast<char>('a' + ranks().rank())}, 1};
  const word all = ranks().all_reduce(mine, join);
  const word before = ranks().exclusive_scan(mine, join, word{{}, 0});
  const std::string alphabet = "abcdefgh";
  EXPECT_EQ(std::string(all.text, all.length), alphabet.substr(0, ranks().size()));
  EXPECT_EQ(std::string(before.text, before.length), alphabet.substr(0, ranks().rank()));
}

template <typename Word>
void expect_sums(int count, std::uint64_t seed) {
  std::vector<Word> numbers(count), expected(count, 0);
  for (int rank = 0; rank < ranks().size(); ++rank) {
    for (int i = 0; i < count; ++i) {
      const auto number = heddle_test::sample<Word>(seed, std::uint64_t(rank) * count + i);
      expected[i] = static_cast<Word>(std::uint64_t(expected[i]) + std::uint64_t(number));
      if (rank == ranks().rank()) numbers[i] = number;
    }
  }
  ranks().all_sum(std::span(numbers));
  EXPECT_EQ(numbers, expected) << count << " numbers";
}

TEST(distributed_communicator, adds_up_numbers_that_wrap_around) {
  const std::uint64_t seed = ranks().broadcast(heddle_test::seed(), 0);
  SCOPED_TRACE("HEDDLE_SEED=" + std::to_string(seed));
  for (const int count : {0, 1, 2, 5, 1000, 70000}) {
    expect_sums<std::int32_t>(count, seed);
    expect_sums<std::uint64_t>(count, seed);
  }
}

// Each round draws who sends how much to whom; most ranks have nothing for each other.
std::vector<std::int64_t> drawn(std::uint64_t seed, int round, int from, int to, int ranks) {
  const auto bits =
      heddle_test::sample_bits(seed, (std::uint64_t(round) * ranks + from) * ranks + to);
  const int length = bits % 3 != 0                            ? 0
                     : static_cast<int>(bits >> 32) % 50 == 0 ? 20000
                                                              : bits / 3 % 9;
  std::vector<std::int64_t> list(length);
  std::iota(list.begin(), list.end(), static_cast<std::int64_t>(bits >> 1));
  return list;
}

TEST(distributed_communicator, carries_lists_from_any_rank_to_any_other) {
  const int size = ranks().size(), rank = ranks().rank();
  const std::uint64_t seed = ranks().broadcast(heddle_test::seed(), 0);
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<std::int64_t>> outgoing;
    for (int to = 0; to < size; ++to) outgoing.push_back(drawn(seed, round, rank, to, size));
    const auto incoming = ranks().all_to_all(lists<std::int64_t>(outgoing));
    for (int from = 0; from < size; ++from) {
      const auto expected = drawn(seed, round, from, rank, size);
      wrong += std::vector<std::int64_t>(incoming[from].begin(), incoming[from].end()) != expected;
    }
  }
  EXPECT_EQ(wrong, 0) << "HEDDLE_SEED=" << seed;
}

TEST(distributed_communicator, works_while_lists_are_in_flight) {
  std::vector<std::vector<int>> outgoing(ranks().size(), std::vector<int>(1000, ranks().rank()));
  bool has_worked = false;
  const auto incoming = ranks().all_to_all(lists<int>(outgoing), [&] { has_worked = true; });
  EXPECT_TRUE(has_worked);
  for (int i = 0; i < ranks().size(); ++i) EXPECT_EQ(incoming[i][999], i);
}

TEST(distributed_communicator, counts_what_it_sends) {
  const int size = ranks().size();
  const auto steps = static_cast<std::int64_t>(std::bit_width(static_cast<unsigned>(size - 1)));
  ranks().forget_sent();
  static_cast<void>(ranks().all_gather(std::int64_t{1}));
  EXPECT_EQ(ranks().sent().messages, steps);
  EXPECT_EQ(ranks().sent().bytes, 8 * (size - 1));
  // Every rank sends three numbers to the next rank, and one to itself, which is not a message.
  std::vector<std::vector<int>> outgoing(size);
  outgoing[ranks().rank()].assign(1, 0);
  if (size > 1) outgoing[(ranks().rank() + 1) % size].assign(3, 0);
  ranks().forget_sent();
  static_cast<void>(ranks().all_to_all(lists<int>(outgoing)));
  EXPECT_EQ(ranks().sent().messages, size > 1 ? 1 : 0);
  EXPECT_EQ(ranks().sent().bytes, size > 1 ? 12 : 0);
}

TEST(distributed_communicator, leaves_the_callers_messages_alone) {
  // An exchange does not take a message of the caller's with the same tag, from any rank.
  const int next = (ranks().rank() + 1) % ranks().size();
  for (const int tag : {1, 2, 3}) {
    int number = tag, heard = 0;
    MPI_Request request;
    MPI_Isend(&number, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &request);
    const auto all = ranks().all_to_all(
        lists<int>(std::vector<std::vector<int>>(ranks().size(), std::vector<int>(1, 7))));
    EXPECT_EQ(all.values(), std::vector<int>(ranks().size(), 7));
    MPI_Recv(&heard, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(heard, tag);
  }
}

TEST(distributed_communicator, refuses_too_few_lists) {
  EXPECT_THROW(static_cast<void>(ranks().all_to_all(lists<int>())), heddle::error);
}

TEST(distributed_communicator, reports_rank_and_call_of_an_error_and_throws_from_then_on) {
  communicator alone(MPI_COMM_SELF);
  try {
    static_cast<void>(alone.broadcast(1, 5));  // MPI refuses a root that does not exist
    FAIL() << "nothing is thrown";
  } catch (const heddle::distributed::rank_error& thrown) {
    EXPECT_EQ(thrown.rank(), 0);
    EXPECT_EQ(thrown.call(), "broadcast");
    EXPECT_NE(std::string(thrown.what()).find("rank 0 of 1: broadcast: MPI_ERR_ROOT"),
              std::string::npos)
        << thrown.what();
  }
  EXPECT_THROW(alone.barrier(), heddle::distributed::rank_error);
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }

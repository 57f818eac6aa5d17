// A program whose second rank is lost in the middle of an MPI call: killed, stopped or by an
// exception. Usage: lost_rank WAY CALL NUMBER; the rank is lost at the NUMBER-th call of CALL.
#include <heddle/distributed/on_devices.hpp>
#include <heddle/distributed/run_ranks.hpp>
#include <heddle/distributed/scan.cuh>
#include <heddle/distributed/sum.cuh>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "support/on_device.cuh"

namespace {

std::string lost_way, lost_call;
int lost_number = 0;

// Called by the wrappers of the MPI functions below, after MPI's own function has returned.
void come_by(const char* call) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 1 || lost_call != call || --lost_number != 0) return;
  if (lost_way == "killed") raise(SIGKILL);
  if (lost_way == "stopped") raise(SIGSTOP);
  if (lost_way == "throws") throw heddle::error("rank 1 has had enough");
}

}  // namespace

// MPI's profiling interface: our functions are called in place of its own, which are PMPI_….
extern "C" {
int MPI_Comm_idup(MPI_Comm ranks, MPI_Comm* copy, MPI_Request* request) {
  const int code = PMPI_Comm_idup(ranks, copy, request);
  come_by("MPI_Comm_idup");
  return code;
}
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,
              MPI_Request* request) {
  const int code = PMPI_Isend(buffer, count, type, to, tag, ranks, request);
  come_by("MPI_Isend");
  return code;
}
int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,
               MPI_Request* request) {
  const int code = PMPI_Issend(buffer, count, type, to, tag, ranks, request);
  come_by("MPI_Issend");
  return code;
}
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
              MPI_Request* request) {
  const int code = PMPI_Irecv(buffer, count, type, from, tag, ranks, request);
  come_by("MPI_Irecv");
  return code;
}
int MPI_Ibarrier(MPI_Comm ranks, MPI_Request* request) {
  come_by("MPI_Ibarrier");
  return PMPI_Ibarrier(ranks, request);
}
int MPI_Finalize() {
  come_by("MPI_Finalize");
  return PMPI_Finalize();
}
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  lost_way = argv[1];
  lost_call = argv[2];
  lost_number = std::atoi(argv[3]);
  using namespace heddle::distributed;
  return run_ranks(&argc, &argv, [](communicator& ranks) {
    heddle::device::workspace work;
    const heddle_test::device_array<double> input(std::vector<double>(1000, 0.5)), output(1000),
        result(1);
    // Isend and Irecv 1 and 2 of three ranks
    inclusive_scan(ranks, work, static_cast<const double*>(input.data()), output.data(), 1000);
    come_by("local_work");
    // Isend 3 and 4
    sum(ranks, work, input.data(), 1000, result.data());
    // Isend and Irecv 5
    reproducible_sum(ranks, work, input.data(), 1000, result.data());
    // Issend 1 and 2, Ibarrier 1
    const std::vector<std::vector<int>> outgoing(static_cast<std::size_t>(ranks.size()), {1, 2});
    static_cast<void>(ranks.all_to_all(lists<int>(outgoing)));
    come_by("the_end");
    return 0;
  });
}

// Events and memory pools of two processes. Each test forks both before either uses the runtime.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace {

// A process that finds something else ends with 1, and its message is in the test's output.
void expect(bool is_as_expected, const char* what, int line) {
  if (is_as_expected) return;
  std::fprintf(stderr, "line %d: expected %s (last error: %s)\n", line, what,
               cudaGetErrorName(cudaPeekAtLastError()));
  std::_Exit(1);
}
#define EXPECT_HERE(condition) expect((condition), #condition, __LINE__)
#define EXPECT_RESULT(wanted, call) EXPECT_HERE((call) == (wanted))
#define SUCCEED_AT(call) EXPECT_RESULT(cudaSuccess, call)

// One end of a connection between the two processes.
class peer {
 public:
  explicit peer(int socket) : socket_(socket) {}

  template <typename T>
  void send(const T& value) const {
    EXPECT_HERE(write(socket_, &value, sizeof value) == sizeof value);
  }
  template <typename T>
  T receive() const {
    T value;
    EXPECT_HERE(read(socket_, &value, sizeof value) == sizeof value);
    return value;
  }

  void send_file(int file) const {
    message one;
    cmsghdr* const control = CMSG_FIRSTHDR(&one.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(control), &file, sizeof file);
    EXPECT_HERE(sendmsg(socket_, &one.header, 0) == 1);
  }
  int receive_file() const {
    message one;
    EXPECT_HERE(recvmsg(socket_, &one.header, 0) == 1);
    int file = -1;
    std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&one.header)), sizeof file);
    return file;
  }

 private:
  struct message {
    char byte = 0;
    iovec content{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{nullptr, 0, &content, 1, control.data(), control.size(), 0};
  };

  const int socket_;
};

using program = std::function<void(const peer&)>;

void run_two_processes(const program& first, const program& second) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const program* const programs[] = {&first, &second};
  pid_t children[2];
  for (int i = 0; i < 2; ++i) {
    children[i] = fork();
    if (children[i] != 0) continue;
    close(sockets[1 - i]);
    (*programs[i])(peer(sockets[i]));
    std::_Exit(0);
  }
  for (const int socket : sockets) close(socket);
  for (int i = 0; i < 2; ++i) {
    int status = -1;
    ASSERT_EQ(waitpid(children[i], &status, 0), children[i]);
    EXPECT_EQ(status, 0) << "process " << i;
  }
}

constexpr std::size_t bytes = 4096;

int* memory_of_handle(const cudaIpcMemHandle_t& handle) {
  void* memory = nullptr;
  SUCCEED_AT(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess));
  return static_cast<int*>(memory);
}

unsigned char first_byte(const void* memory, cudaStream_t stream) {
  unsigned char value = 0;
  SUCCEED_AT(cudaMemcpyAsync(&value, memory, 1, cudaMemcpyDeviceToHost, stream));
  SUCCEED_AT(cudaStreamSynchronize(stream));
  return value;
}

TEST(events_of_two_processes, order_a_stream_after_the_other_process) {
  run_two_processes(
      [](const peer& other) {
        void* memory = nullptr;
        cudaEvent_t event;
        cudaStream_t stream;
        SUCCEED_AT(cudaMalloc(&memory, bytes));
        SUCCEED_AT(cudaMemset(memory, 1, bytes));
        SUCCEED_AT(cudaStreamCreate(&stream));
        SUCCEED_AT(
            cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
        cudaIpcMemHandle_t memory_handle;
        cudaIpcEventHandle_t event_handle;
        SUCCEED_AT(cudaIpcGetMemHandle(&memory_handle, memory));
        SUCCEED_AT(cudaIpcGetEventHandle(&event_handle, event));
        // The stream does not go on until the other process has seen that it has not.
        SUCCEED_AT(cudaLaunchHostFunc(
            stream, [](void* to) { static_cast<const peer*>(to)->receive<char>(); },
            const_cast<peer*>(&other)));
        SUCCEED_AT(cudaMemsetAsync(memory, 7, bytes, stream));
        SUCCEED_AT(cudaEventRecord(event, stream));
        other.send(memory_handle);
        other.send(event_handle);
        SUCCEED_AT(cudaEventSynchronize(event));
        // Now the other process records the same event.
        other.send('a');
        EXPECT_HERE(other.receive<char>() == 'b');
        SUCCEED_AT(cudaStreamWaitEvent(stream, event, 0));
        EXPECT_HERE(first_byte(memory, stream) == 9);
        SUCCEED_AT(cudaEventQuery(event));
        other.send('c');
        SUCCEED_AT(cudaEventDestroy(event));
        EXPECT_HERE(other.receive<char>() == 'd');
        SUCCEED_AT(cudaFree(memory));
      },
      [](const peer& other) {
        int* const memory = memory_of_handle(other.receive<cudaIpcMemHandle_t>());
        cudaEvent_t event;
        cudaStream_t stream;
        SUCCEED_AT(cudaIpcOpenEventHandle(&event, other.receive<cudaIpcEventHandle_t>()));
        SUCCEED_AT(cudaStreamCreate(&stream));
        EXPECT_RESULT(cudaErrorNotReady, cudaEventQuery(event));
        SUCCEED_AT(cudaStreamWaitEvent(stream, event, 0));
        void* pinned = nullptr;  // a copy to pageable memory would wait
        SUCCEED_AT(cudaMallocHost(&pinned, 1));
        SUCCEED_AT(cudaMemcpyAsync(pinned, memory, 1, cudaMemcpyDeviceToHost, stream));
        EXPECT_RESULT(cudaErrorNotReady, cudaStreamQuery(stream));
        other.send('x');
        SUCCEED_AT(cudaStreamSynchronize(stream));
        EXPECT_HERE(*static_cast<unsigned char*>(pinned) == 7);
        SUCCEED_AT(cudaFreeHost(pinned));
        SUCCEED_AT(cudaEventQuery(event));
        SUCCEED_AT(cudaEventSynchronize(event));
        EXPECT_HERE(other.receive<char>() == 'a');
        SUCCEED_AT(cudaMemsetAsync(memory, 9, bytes, stream));
        SUCCEED_AT(cudaEventRecord(event, stream));
        other.send('b');
        EXPECT_HERE(other.receive<char>() == 'c');
        SUCCEED_AT(cudaStreamSynchronize(stream));
        SUCCEED_AT(cudaEventDestroy(event));
        SUCCEED_AT(cudaIpcCloseMemHandle(memory));
        other.send('d');
      });
}

TEST(events_of_two_processes, must_be_created_for_it) {
  run_two_processes(
      [](const peer&) {
        cudaEvent_t event;
        cudaIpcEventHandle_t handle{};
        EXPECT_RESULT(cudaErrorInvalidValue,
                      cudaEventCreateWithFlags(&event, cudaEventInterprocess));
        SUCCEED_AT(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        EXPECT_RESULT(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, event));
        EXPECT_RESULT(cudaErrorInvalidValue, cudaIpcGetEventHandle(nullptr, event));
        EXPECT_RESULT(cudaErrorInvalidValue, cudaIpcOpenEventHandle(&event, handle));
      },
      [](const peer&) {});
}

cudaMemPool_t exportable_pool() {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  wanted.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  SUCCEED_AT(cudaMemPoolCreate(&pool, &wanted));
  return pool;
}

TEST(pools_of_two_processes, share_their_allocations) {
  run_two_processes(
      [](const peer& other) {
        const cudaMemPool_t pool = exportable_pool();
        int file = -1;
        SUCCEED_AT(cudaMemPoolExportToShareableHandle(&file, pool,
                                                      cudaMemHandleTypePosixFileDescriptor, 0));
        other.send_file(file);
        close(file);
        void* memory[2];
        for (int i = 0; i < 2; ++i) {
          SUCCEED_AT(cudaMallocFromPoolAsync(&memory[i], bytes, pool, nullptr));
          SUCCEED_AT(cudaMemsetAsync(memory[i], 3 + i, bytes, nullptr));
          cudaMemPoolPtrExportData data;
          SUCCEED_AT(cudaMemPoolExportPointer(&data, memory[i]));
          other.send(data);
        }
        EXPECT_HERE(other.receive<char>() == 'f');
        EXPECT_HERE(first_byte(memory[0], nullptr) == 5);
        EXPECT_HERE(first_byte(memory[1], nullptr) == 4);
        for (void* const one : memory) SUCCEED_AT(cudaFreeAsync(one, nullptr));
        SUCCEED_AT(cudaMemPoolDestroy(pool));
      },
      [](const peer& other) {
        const int file = other.receive_file();
        cudaMemPool_t pool;
        SUCCEED_AT(cudaMemPoolImportFromShareableHandle(
            &pool, reinterpret_cast<void*>(static_cast<std::intptr_t>(file)),
            cudaMemHandleTypePosixFileDescriptor, 0));
        close(file);
        void* memory[2];
        for (void*& one : memory) {
          auto data = other.receive<cudaMemPoolPtrExportData>();
          SUCCEED_AT(cudaMemPoolImportPointer(&one, pool, &data));
        }
        EXPECT_HERE(first_byte(memory[0], nullptr) == 3);
        EXPECT_HERE(first_byte(memory[1], nullptr) == 4);
        std::uint64_t used = 0;
        SUCCEED_AT(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
        EXPECT_HERE(used == 2 * bytes);
        void* refused = nullptr;
        EXPECT_RESULT(cudaErrorInvalidValue,
                      cudaMallocFromPoolAsync(&refused, bytes, pool, nullptr));
        EXPECT_RESULT(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, pool));
        SUCCEED_AT(cudaMemset(memory[0], 5, bytes));
        SUCCEED_AT(cudaFreeAsync(memory[0], nullptr));
        SUCCEED_AT(cudaFree(memory[1]));
        SUCCEED_AT(cudaMemPoolDestroy(pool));
        other.send('f');
      });
}

TEST(pools_of_two_processes, must_be_created_for_it) {
  run_two_processes(
      [](const peer&) {
        int file = -1;
        cudaMemPool_t own;
        SUCCEED_AT(cudaDeviceGetDefaultMemPool(&own, 0));
        constexpr auto type = cudaMemHandleTypePosixFileDescriptor;
        EXPECT_RESULT(cudaErrorInvalidValue,
                      cudaMemPoolExportToShareableHandle(&file, own, type, 0));
        const cudaMemPool_t pool = exportable_pool();
        EXPECT_RESULT(cudaErrorInvalidValue,
                      cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypeFabric, 0));
        cudaMemPoolPtrExportData data{};
        void* memory = nullptr;
        SUCCEED_AT(cudaMallocAsync(&memory, bytes, nullptr));
        EXPECT_RESULT(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, memory));
        void* imported = nullptr;
        EXPECT_RESULT(cudaErrorInvalidValue, cudaMemPoolImportPointer(&imported, pool, &data));
        cudaMemPool_t none;
        EXPECT_RESULT(cudaErrorInvalidValue,
                      cudaMemPoolImportFromShareableHandle(
                          &none, reinterpret_cast<void*>(std::intptr_t{-1}), type, 0));
      },
      [](const peer&) {});
}

}  // namespace

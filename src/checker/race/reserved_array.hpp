// A huge array of zeros that takes memory only where it is touched.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace heddle_checker {

template <typename T>
class reserved_array {
  static_assert(std::is_trivially_copyable_v<T>, "fresh elements are zeros that nobody constructs");

 public:
  explicit reserved_array(std::size_t count) : count_(count) {
    if (count == 0) return;
    void* const base = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(base);
    madvise(base, count * sizeof(T), MADV_HUGEPAGE);
  }
  ~reserved_array() {
    if (data_ != nullptr) munmap(data_, count_ * sizeof(T));
  }
  reserved_array(const reserved_array&) = delete;
  reserved_array& operator=(const reserved_array&) = delete;

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return count_; }

  // Sets elements to zero; many of them by giving their pages back.
  void clear(std::size_t first, std::size_t count) {
    constexpr std::uintptr_t page = std::size_t{1} << 16;  // a multiple of every system's page size
    constexpr std::size_t worth_giving_back = std::size_t{1} << 20;
    if (count == 0) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(data_ + first);
    const auto end = reinterpret_cast<std::uintptr_t>(data_ + first + count);
    if (end - begin < worth_giving_back) {
      std::memset(static_cast<void*>(data_ + first), 0, end - begin);
      return;
    }
    const std::uintptr_t inner_begin = (begin + page - 1) / page * page;
    const std::uintptr_t inner_end = end / page * page;
    std::memset(static_cast<void*>(data_ + first), 0, inner_begin - begin);
    std::memset(reinterpret_cast<void*>(inner_end), 0, end - inner_end);
    madvise(reinterpret_cast<void*>(inner_begin), inner_end - inner_begin, MADV_DONTNEED);
  }
  void clear() {
    if (data_ != nullptr) madvise(data_, count_ * sizeof(T), MADV_DONTNEED);
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace heddle_checker

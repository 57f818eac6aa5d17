// Fields that the watchdog reads from another thread. Their owner writes them with relaxed stores,
// which cost as much as plain ones.
#pragma once
#include <type_traits>

namespace heddle_host {

template <typename T>
void publish(T& field, std::type_identity_t<T> value) {
  __atomic_store_n(&field, value, __ATOMIC_RELAXED);
}

// Two fields that are read one after the other may belong to different moments.
template <typename T>
T peek(const T& field) {
  return __atomic_load_n(&field, __ATOMIC_RELAXED);
}

// For a pointer to an object that the reader looks at: it sees the object as it was made.
template <typename T>
void publish_object(T*& field, std::type_identity_t<T>* object) {
  __atomic_store_n(&field, object, __ATOMIC_RELEASE);
}
template <typename T>
T* peek_object(T* const& field) {
  return __atomic_load_n(&field, __ATOMIC_ACQUIRE);
}

}  // namespace heddle_host

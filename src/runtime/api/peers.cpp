// The host API for peer access. It always works, because all devices share one memory; these calls
// only record what the program has enabled.
#include <mutex>
#include <set>
#include <utility>

#include <cuda_runtime_api.h>
#include <heddle_host/devices.hpp>

#include "api/call.hpp"
#include "api/peers.hpp"

namespace heddle_host::api {
namespace {

struct peer_table {
  std::mutex mutex;
  std::set<std::pair<int, int>> enabled;  // a device, and the peer that it may access
};

peer_table& peers() {
  static peer_table& only = *new peer_table;
  return only;
}

}  // namespace

bool can_access_peer(int device, int peer) { return device != peer; }

void forget_peers(int device) {
  const std::lock_guard lock(peers().mutex);
  std::erase_if(peers().enabled, [&](const auto& pair) { return pair.first == device; });
}

}  // namespace heddle_host::api

using namespace heddle_host;
using api::peers;
using api::query;

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return query([&] {
    if (can_access == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device) || !is_device(peer)) return cudaErrorInvalidDevice;
    *can_access = api::can_access_peer(device, peer);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return query([&] {
    if (!is_device(peer) || peer == current_device()) return cudaErrorInvalidDevice;
    if (flags != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(peers().mutex);
    const bool is_new = peers().enabled.emplace(current_device(), peer).second;
    return is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return query([&] {
    if (!is_device(peer)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(peers().mutex);
    const bool was_enabled = peers().enabled.erase({current_device(), peer}) != 0;
    return was_enabled ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
  return query([&] {
    if (!is_device(source) || !is_device(destination) || source == destination) {
      return cudaErrorInvalidDevice;
    }
    if (value == nullptr) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank:
        *value = 0;
        return cudaSuccess;
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
      case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = 1;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

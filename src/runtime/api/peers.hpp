// Which devices may access each other's memory.
#pragma once

namespace heddle_host::api {

// A device is not its own peer.
bool can_access_peer(int device, int peer);
// Disables all peer access that the device has enabled.
void forget_peers(int device);

}  // namespace heddle_host::api

// The properties of the devices, which differ only in their UUIDs and PCI addresses.
#pragma once
#include <string>

#include <driver_types.h>

namespace heddle_host::api {

cudaDeviceProp describe_device(int device);
// Returns false if CUDA has no such attribute.
bool read_attribute(int& value, cudaDeviceAttr attribute, int device);

// The address on the PCI bus, such as `0000:00:00.0`.
std::string bus_id(int device);
// The device at this address; -1 if there is none.
int device_at(const char* identifier);

}  // namespace heddle_host::api

// Delivers findings to the listener.
#pragma once
#include <heddle_host/finding.hpp>
#include <heddle_host/observer.hpp>

namespace heddle_host {

void deliver(const finding& what);

}  // namespace heddle_host

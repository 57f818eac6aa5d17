// The name of a type at run time, if the program is built with RTTI.
#pragma once
#include <typeinfo>

namespace heddle_host {

template <typename T>
const char* type_name() {
#if defined(__cpp_rtti) || defined(__GXX_RTTI)
  return typeid(T).name();
#else
  return "";
#endif
}

}  // namespace heddle_host

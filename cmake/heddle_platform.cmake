# Refuses systems and processors that heddle does not run on.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "heddle runs on Linux; this system is ${CMAKE_SYSTEM_NAME}.")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64|aarch64|arm64)$")
  message(FATAL_ERROR
    "heddle runs on x86-64 and aarch64 processors; this one is ${CMAKE_SYSTEM_PROCESSOR}.")
endif()

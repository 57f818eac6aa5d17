# Writes OUTPUT, a C++ file that defines what HEADER declares in NAMESPACE: a string view of the file's text for each
# NAME=FILE in TEXTS, separated by |. Without a file the text is empty.
set(code "#include \"${HEADER}\"\n\n")
# The C++ standard only guarantees literals of 65,536 bytes; all compilers that build heddle take more.
string(APPEND code "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace ${NAMESPACE} {\n")
string(REPLACE "|" ";" TEXTS "${TEXTS}")
foreach(text IN LISTS TEXTS)
  string(REGEX MATCH "^([^=]*)=(.*)$" matched "${text}")
  set(name "${CMAKE_MATCH_1}")
  set(content "")
  if(CMAKE_MATCH_2)
    file(READ "${CMAKE_MATCH_2}" content)
  endif()
  string(APPEND code "const std::string_view ${name} = R\"heddle_text(${content})heddle_text\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${code}}  // namespace ${NAMESPACE}\n")

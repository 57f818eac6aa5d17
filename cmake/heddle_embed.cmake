# Writes OUTPUT, a C++ file that defines what HEADER declares in NAMESPACE: for each NAME=FILE of
# TEXTS, with | between them, a string view of the file's text. Of no file the text is empty.
set(code "#include \"${HEADER}\"\n\n")
# A compiler need not take literals of more than 65,536 bytes; all that build heddle do.
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

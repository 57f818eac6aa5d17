# Writes OUTPUT, a C++ file with the texts of viewer.html, viewer.css and viewer.js of FOLDER.
set(text "#include \"cloud/viewer_files.hpp\"\n\nnamespace heddle::cloud {\n")
foreach(kind IN ITEMS html css js)
  file(READ "${FOLDER}/viewer.${kind}" content)
  string(APPEND text "const std::string_view viewer_${kind} = R\"heddle_viewer(${content})heddle_viewer\";\n")
endforeach()
string(APPEND text "}  // namespace heddle::cloud\n")
file(WRITE "${OUTPUT}" "${text}")

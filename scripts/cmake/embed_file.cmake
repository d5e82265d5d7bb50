# cmake -DFILES=a;b -DPREFIX=fz_page_ -DHEADER=path.h -DOUT=FILE.c -P embed_file.cmake
# Turns files into constants: fz_page_NAME[] and fz_page_NAME_length, NAME being the file's with dots as underscores.
cmake_minimum_required(VERSION 3.25)
string(REPEAT "." 80 sixteen) # 16 bytes, written as 0x00,
file(WRITE ${OUT} "/* Made by scripts/cmake/embed_file.cmake: do not edit. */\n#include \"${HEADER}\"\n")
foreach(path IN LISTS FILES)
  get_filename_component(file "${path}" NAME)
  string(REPLACE "." "_" name "${file}")
  file(READ "${path}" hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(${sixteen})" "\\1\n" bytes "${bytes}")
  file(APPEND ${OUT} "\nconst unsigned char ${PREFIX}${name}[] = {\n${bytes}0};\nconst size_t ${PREFIX}${name}_length = ${length};\n")
endforeach()

# cmake -DLIST=FILE -DOUT=FILE.c -P embed.cmake
# Turns data files into constant bytes of a C file. Each line of LIST is "KIND NAME PATH", sorted. The tables
# that it fills are declared in workloads/bundled_data.h.
cmake_minimum_required(VERSION 3.25)

set(kinds CLUSTER MODEL TRACE PROFILE MIX)
string(REPEAT "." 80 sixteen) # 16 bytes, written as 0x00,
foreach(kind IN LISTS kinds)
  set(${kind}_count 0)
endforeach()
set(n 0)
file(WRITE ${OUT} "/* Made by scripts/cmake/embed.cmake: do not edit. */\n#include \"workloads/bundled_data.h\"\n")
file(STRINGS ${LIST} lines)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([A-Z]+) ([^ ]+) (.+)$" matched "${line}")
  set(kind ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(path "${CMAKE_MATCH_3}")
  get_filename_component(file "${path}" NAME)
  file(READ "${path}" hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(${sixteen})" "\\1\n" bytes "${bytes}")
  file(APPEND ${OUT} "\nstatic const unsigned char bytes_${n}[] = {\n${bytes}0};\n")
  string(APPEND ${kind}_files "    {\"${name}\", \"${file}\", (const char *)bytes_${n}, ${length}},\n")
  string(APPEND ${kind}_names "\"${name}\", ")
  math(EXPR ${kind}_count "${${kind}_count} + 1")
  math(EXPR n "${n} + 1")
endforeach()

foreach(kind IN LISTS kinds)
  file(APPEND ${OUT}
    "\nstatic const fz_bundled files_${kind}[] = {\n${${kind}_files}    {NULL, NULL, NULL, 0}};\n"
    "static const char *const names_${kind}[] = {${${kind}_names}NULL};\n")
  string(APPEND tables "    {files_${kind}, names_${kind}, ${${kind}_count}},\n")
endforeach()
file(APPEND ${OUT} "\nconst fz_bundled_table fz_bundled_tables[FZ_BUNDLED_KINDS] = {\n${tables}};\n")

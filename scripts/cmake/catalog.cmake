# cmake -DCSV=gpus/catalog.csv -DOUT=FILE.c -P catalog.cmake
# Turns the GPU catalog into constant C tables, declared in workloads/catalog_data.h. The file uses plain CSV:
# no quotes, no brackets, no semicolons; lines that start with # are comments; the first other line names the
# columns. A cell that is no number where a number belongs stops the build with the GPU's name.
cmake_minimum_required(VERSION 3.25)

function(row_split line out) # a line to a list; empty cells stay
  if(line MATCHES "[]\"\\;[]")
    message(FATAL_ERROR "${CSV}: quotes, brackets and semicolons are not allowed: ${line}")
  endif()
  string(REPLACE "," ";" cells "${line}")
  set(${out} "${cells}" PARENT_SCOPE)
endfunction()

function(number column out) # the cell as a C constant of type double; empty is 0
  set(value "${${column}}")
  if(value STREQUAL "")
    set(value 0)
  elseif(NOT value MATCHES "^[0-9]+(\\.[0-9]+)?$")
    message(FATAL_ERROR "${CSV}: ${name}: ${column} is '${value}', not a number")
  endif()
  set(${out} ${value} PARENT_SCOPE)
endfunction()

function(usable_bytes out) # what jobs may use; 98.5 % of the total where CUDA's figure is not known
  number(mem_usable_mib usable)
  number(mem_total_mib total)
  if(usable EQUAL 0)
    math(EXPR bytes "${total} * 1048576 * 985 / 1000")
  else()
    math(EXPR bytes "${usable} * 1048576")
  endif()
  set(${out} ${bytes} PARENT_SCOPE)
endfunction()

set(columns "")
set(gpus "")
set(names "")
set(owners "")
set(n_gpus 0)
set(n_names 0)
file(STRINGS ${CSV} lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  row_split("${line}" cells)
  if(NOT columns)
    set(columns ${cells})
    continue()
  endif()
  list(LENGTH columns expected)
  list(LENGTH cells found)
  if(NOT expected EQUAL found)
    message(FATAL_ERROR "${CSV}: ${found} cells, expected ${expected}: ${line}")
  endif()
  foreach(column cell IN ZIP_LISTS columns cells)
    set(${column} "${cell}")
  endforeach()

  usable_bytes(bytes)
  set(figures "")
  foreach(column compute_capability fp16_measured_tflops bf16_measured_tflops fp16_peak_tflops fp32_peak_tflops)
    number(${column} value)
    list(APPEND figures ${value})
  endforeach()
  list(JOIN figures ", " figures)
  number(mem_nominal_gb nominal)
  number(mem_bw_gb_per_s bandwidth)
  number(price_usd_per_h price)
  string(APPEND gpus "    {\"${name}\", \"${aliases}\", ${nominal}, UINT64_C(${bytes}), {${figures}},\n"
                     "     ${bandwidth} * 1e9, ${price}, \"${source}\"},\n")

  string(REPLACE "|" ";" all "${name}|${aliases}")
  foreach(one IN LISTS all)
    if(NOT one STREQUAL "")
      string(APPEND names "    \"${one}\",\n")
      string(APPEND owners "${n_gpus},\n")
      math(EXPR n_names "${n_names} + 1")
    endif()
  endforeach()
  math(EXPR n_gpus "${n_gpus} + 1")
endforeach()

file(WRITE ${OUT} "/* Made by scripts/cmake/catalog.cmake: do not edit. */\n"
  "#include \"workloads/catalog_data.h\"\n\n"
  "const fz_catalog_gpu fz_catalog_gpus[] = {\n${gpus}};\nconst uint32_t fz_catalog_n_gpus = ${n_gpus};\n\n"
  "const char *const fz_catalog_names[] = {\n${names}};\n"
  "const uint32_t fz_catalog_name_gpu[] = {\n${owners}};\nconst uint32_t fz_catalog_n_names = ${n_names};\n")

# Language level, warnings and sanitizers, for every target alike.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(FZ_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wformat=2 -Wundef
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings
  -Wvla -Wnull-dereference -Wimplicit-fallthrough)

# Results must not depend on the optimisation level: no fused multiply-add, no fast-math.
set(FZ_COMPILE_OPTIONS ${FZ_WARNINGS} -ffp-contract=off -fno-common)
if(FZ_WERROR)
  list(APPEND FZ_COMPILE_OPTIONS -Werror)
endif()
if(FZ_SANITIZE)
  list(APPEND FZ_COMPILE_OPTIONS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=address,undefined)
endif()

# fz_add_library(NAME source...): a static library of this project, include root at the top level.
function(fz_add_library name)
  add_library(${name} STATIC ${ARGN})
  fz_target(${name})
endfunction()

function(fz_target name)
  target_compile_options(${name} PRIVATE ${FZ_COMPILE_OPTIONS})
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
endfunction()

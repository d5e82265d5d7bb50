include("${CMAKE_CURRENT_LIST_DIR}/frenzy-targets.cmake")
# The header of policies comes with the program.
include("${CMAKE_CURRENT_LIST_DIR}/frenzy-sched-targets.cmake" OPTIONAL RESULT_VARIABLE frenzy_sched_FOUND)
foreach(component IN LISTS frenzy_FIND_COMPONENTS)
  if(NOT TARGET frenzy::${component} AND frenzy_FIND_REQUIRED_${component})
    set(frenzy_FOUND FALSE)
    set(frenzy_NOT_FOUND_MESSAGE "frenzy::${component} is not installed here; sched comes with the program frenzy")
  endif()
endforeach()

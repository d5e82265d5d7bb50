include("${CMAKE_CURRENT_LIST_DIR}/frenzy-targets.cmake")

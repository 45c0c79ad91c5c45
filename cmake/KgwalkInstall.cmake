# Install and export: find_package(kgwalk) gives kgwalk::runtime, kgwalk::graph, ... to other projects, and kgwalk::c,
# the interface for C. Components: program, library (what programs load), development (what they are built with).
include(CMakePackageConfigHelpers)

get_property(kgwalk_libraries GLOBAL PROPERTY KGWALK_LIBRARIES)
install(TARGETS ${kgwalk_libraries} EXPORT kgwalkTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# What users include; all other headers are private.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kgwalk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
set(kgwalk_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kgwalk)
install(EXPORT kgwalkTargets NAMESPACE kgwalk:: DESTINATION ${kgwalk_cmake_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/kgwalkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/kgwalkConfig.cmake INSTALL_DESTINATION ${kgwalk_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kgwalkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kgwalkConfig.cmake ${PROJECT_BINARY_DIR}/kgwalkConfigVersion.cmake
        DESTINATION ${kgwalk_cmake_dir} COMPONENT development)

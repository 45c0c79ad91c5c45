# Packages for Debian 12 by CPack: kgwalk (the program), libkgwalk0 (the interface for C), libkgwalk-dev (what C and C++
# are built with) and, where the Python module is built, python3-kgwalk. scripts/release.sh makes them, scripts/check_packages.sh tries them in a fresh Debian.
set(KGWALK_PACKAGE_CONTACT "kgwalk maintainers <kgwalk@kgwalk.invalid>" CACHE STRING "Maintainer of the packages")

set(debian ${PROJECT_SOURCE_DIR}/cmake/debian)
set(made ${PROJECT_BINARY_DIR}/debian)

# The moment that all files and the changelog bear: the commit's, unless SOURCE_DATE_EPOCH says another one.
set(kgwalk_epoch "$ENV{SOURCE_DATE_EPOCH}")
if(kgwalk_epoch STREQUAL "")
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE kgwalk_epoch
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(kgwalk_epoch STREQUAL "")
  set(kgwalk_epoch 1767225600)  # no repository: the first day of 2026
endif()
execute_process(COMMAND date --utc -R -d @${kgwalk_epoch} OUTPUT_VARIABLE kgwalk_date OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "20[0-9][0-9]" kgwalk_year "${kgwalk_date}")

# What every package has beside its files: license, both changelogs, packed as Debian wants them.
configure_file(${debian}/copyright.in ${made}/copyright @ONLY)
configure_file(${debian}/changelog.in ${made}/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${made}/changelog COPYONLY)
foreach(name changelog changelog.Debian)
  execute_process(COMMAND gzip --best --no-name --force --keep ${made}/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(components_and_packages program/kgwalk library/libkgwalk0 development/libkgwalk-dev)
if(KGWALK_BUILD_PYTHON)
  list(APPEND components_and_packages python/python3-kgwalk)
endif()
foreach(component_and_package IN LISTS components_and_packages)
  get_filename_component(component ${component_and_package} DIRECTORY)
  get_filename_component(package ${component_and_package} NAME)
  set(aside "")
  if(component STREQUAL python)
    set(aside EXCLUDE_FROM_ALL)
  endif()
  install(FILES ${made}/copyright ${made}/changelog.gz ${made}/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} ${aside})
  if(EXISTS ${debian}/${package}.lintian-overrides)
    install(FILES ${debian}/${package}.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
            RENAME ${package} COMPONENT ${component})
  endif()
endforeach()

# The unit of examples/serve for a program below /usr. It is not started by itself: it needs a model.
file(READ ${PROJECT_SOURCE_DIR}/examples/serve/kgwalk.service unit)
string(REPLACE /usr/local/bin/kgwalk /usr/bin/kgwalk unit "${unit}")
string(REGEX REPLACE "^# [^\n]*\n# [^\n]*\n"
  "# The model's file is /etc/kgwalk/model.json: docs/guides/packages.md of the sources tells what stands in it.\n" unit "${unit}")
file(CONFIGURE OUTPUT ${made}/kgwalk.service CONTENT "${unit}" @ONLY)
install(FILES ${made}/kgwalk.service DESTINATION lib/systemd/system COMPONENT program)

# The same program and library for processors that can do more, as scripts/release.sh has laid them there: the front
# chooses among programs (cli/front/processor_levels.h), the C library among libraries.
set(levels ${PROJECT_BINARY_DIR}/levels)
install(DIRECTORY ${levels}/program/ DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/kgwalk USE_SOURCE_PERMISSIONS
        COMPONENT program OPTIONAL)
install(DIRECTORY ${levels}/library/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps COMPONENT library OPTIONAL)

# Development packages that the static libraries are linked with: the part "libraries" of the one list.
file(STRINGS ${PROJECT_SOURCE_DIR}/packages.txt lines)
set(libraries "")
set(inside FALSE)
foreach(line IN LISTS lines)
  if(line MATCHES "^# libraries")
    set(inside TRUE)
  elseif(line MATCHES "^#")
    set(inside FALSE)
  elseif(inside AND line MATCHES "-dev$" AND NOT line MATCHES "edit|cli11|protozero")
    list(APPEND libraries ${line})
  endif()
endforeach()
list(JOIN libraries ", " libraries)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kgwalk)
set(CPACK_PACKAGE_VENDOR kgwalk)
set(CPACK_PACKAGE_CONTACT "${KGWALK_PACKAGE_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${debian}/set_times.cmake)
set(CPACK_KGWALK_EPOCH ${kgwalk_epoch})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# describe(COMPONENT SYNOPSIS WHAT): lines of at most 80 columns; CPack puts the space before each.
function(describe component synopsis what)
  set(CPACK_DEBIAN_${component}_DESCRIPTION "${synopsis}
Files of a knowledge graph become a database and a model that hears questions,
answers them from the graph, and plans where a dialogue may turn to next.
.
${what}" PARENT_SCOPE)
endfunction()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME kgwalk)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# The flavor of BLAS that shares its threads with ours; any other would do, thirty times slower or against it.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS libopenblas0-openmp)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS graphviz)
describe(PROGRAM "reasoning over a knowledge graph in a dialogue"
  "This package has the command line and the server.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libkgwalk0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS libopenblas0-openmp)
# What dpkg-shlibdeps makes of a program that names the library.
file(WRITE ${made}/shlibs "libkgwalk 0 libkgwalk0 (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${debian}/triggers;${made}/shlibs")
describe(LIBRARY "reasoning over a knowledge graph (library)"
  "This package has the library that programs in C, and in languages that call C,
load.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libkgwalk-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libkgwalk0 (= ${PROJECT_VERSION}-1), ${libraries}")
describe(DEVELOPMENT "reasoning over a knowledge graph (headers, static libraries)"
  "This package has what programs in C, by pkg-config, and C++, by CMake, are
built with.")

if(KGWALK_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-kgwalk)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # A module is compiled for one version of Python.
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libopenblas0-openmp, python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next}~), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${debian}/python/postinst;${debian}/python/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
  describe(PYTHON "reasoning over a knowledge graph (Python module)"
    "This package has the module kgwalk for Python 3, with its types.")
endif()

include(CPack)

# What every folder's CMakeLists.txt uses: one function a kind of target, so that flags live in one place.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(KGWALK_CCACHE ccache)
if(KGWALK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers and ccache agree only with these sloppiness settings.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${KGWALK_CCACHE})
endif()

if(KGWALK_WITH_TORCH)
  # Before RocksDB: both look for gflags, and only in this order do their settings for it agree.
  find_package(Torch REQUIRED)
  find_package(CLI11 REQUIRED)
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(RocksDB REQUIRED)
find_package(Boost REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(BLAS REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
# What graph/ingest reads: RDF, GraphML and packed files.
pkg_check_modules(SERD REQUIRED IMPORTED_TARGET serd-0)
pkg_check_modules(RAPTOR REQUIRED IMPORTED_TARGET raptor2)
pkg_check_modules(LIBXML REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)  # for runtime/http
if(KGWALK_WITH_TORCH)  # for seq2seq
  pkg_check_modules(SNDFILE REQUIRED IMPORTED_TARGET sndfile)
  pkg_check_modules(SAMPLERATE REQUIRED IMPORTED_TARGET samplerate)
  pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)  # for cli
endif()
if(KGWALK_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(KGWALK_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

# Flags of our own code only; packages are taken as system includes.
add_library(kgwalk_flags INTERFACE)
target_compile_features(kgwalk_flags INTERFACE cxx_std_20)
target_compile_options(kgwalk_flags INTERFACE
  # -Wno-psabi: wide vectors are passed otherwise where the processor lacks their registers; ours stay in inline functions.
  $<BUILD_INTERFACE:-Wall -Wextra -Wshadow -Werror -Wno-psabi>
  # Torch's macros are not pedantic. The flag must not differ between the precompiled header and its users.
  $<BUILD_INTERFACE:$<$<NOT:$<BOOL:$<TARGET_PROPERTY:KGWALK_TORCH>>>:-Wpedantic>>
  $<BUILD_INTERFACE:$<$<CONFIG:Release>:-O3>>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns wrongly about std::string + (its bug 105651).
  target_compile_options(kgwalk_flags INTERFACE $<BUILD_INTERFACE:-Wno-restrict>)
endif()
if(KGWALK_LEVEL)
  target_compile_options(kgwalk_flags INTERFACE $<BUILD_INTERFACE:-march=${KGWALK_LEVEL}>)
elseif(KGWALK_NATIVE)
  target_compile_options(kgwalk_flags INTERFACE $<BUILD_INTERFACE:-march=native>)
endif()
if(KGWALK_SANITIZE)
  target_compile_options(kgwalk_flags INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${KGWALK_SANITIZE} -fno-omit-frame-pointer -Wno-error>)
  target_link_options(kgwalk_flags INTERFACE $<BUILD_INTERFACE:-fsanitize=${KGWALK_SANITIZE}>)
endif()

# After the flags above: tests are compiled in half the time without most optimization, and what they measure and train
# lies in the libraries.
add_library(kgwalk_test_flags INTERFACE)
# GCC 12 sees uninitialized values that are none in LibTorch's headers at that level.
target_compile_options(kgwalk_test_flags INTERFACE $<$<CONFIG:Release>:-Og> -Wno-maybe-uninitialized)

# LibTorch as a system include, so that its headers do not trip our warnings; torch_cpu is what we link.
if(KGWALK_WITH_TORCH)
  add_library(kgwalk_torch INTERFACE)
  target_include_directories(kgwalk_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(kgwalk_torch INTERFACE torch)
endif()

# The one precompiled torch header: built once, shared by every target that says TORCH.
function(kgwalk_share_torch_pch target)
  if(NOT TARGET kgwalk_torch_pch)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/torch_pch.cc CONTENT "// Carrier of the precompiled torch header.\n")
    add_library(kgwalk_torch_pch OBJECT ${PROJECT_BINARY_DIR}/torch_pch.cc)
    # -fPIC everywhere instead of CMake's -fPIE for executables: the header is usable only under the same flags.
    set_target_properties(kgwalk_torch_pch PROPERTIES KGWALK_TORCH ON)
    target_link_libraries(kgwalk_torch_pch PRIVATE kgwalk_flags kgwalk_torch OpenMP::OpenMP_CXX)
    target_precompile_headers(kgwalk_torch_pch PRIVATE ${PROJECT_SOURCE_DIR}/runtime/tensor/torch.h)
  endif()
  set_target_properties(${target} PROPERTIES KGWALK_TORCH ON)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM kgwalk_torch_pch)
endfunction()

# With KGWALK_UNITY the sources of a target are compiled twelve at a time: what their headers cost is paid once.
# A source whose local names clash with those of its neighbors is named with SKIP_UNITY_BUILD_INCLUSION.
function(kgwalk_unity target)
  if(KGWALK_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
endfunction()

# kgwalk_library(NAME SOURCES ... [DEPS public...] [PRIVATE_DEPS ...] [TORCH])
# Makes target kgwalk_NAME with alias kgwalk::NAME. TORCH: sources include torch (PCH, flags, linking).
function(kgwalk_library name)
  cmake_parse_arguments(ARG "TORCH" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(kgwalk_${name} STATIC ${ARG_SOURCES})  # rooms add theirs
  add_library(kgwalk::${name} ALIAS kgwalk_${name})
  set_target_properties(kgwalk_${name} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME kgwalk_${name})
  target_compile_features(kgwalk_${name} PUBLIC cxx_std_20)  # installed headers need it too
  target_include_directories(kgwalk_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(kgwalk_${name} PUBLIC ${ARG_DEPS}
                        PRIVATE $<BUILD_INTERFACE:kgwalk_flags> OpenMP::OpenMP_CXX ${ARG_PRIVATE_DEPS})
  if(ARG_TORCH)
    target_link_libraries(kgwalk_${name} PUBLIC $<BUILD_INTERFACE:kgwalk_torch> $<INSTALL_INTERFACE:torch>)
    kgwalk_share_torch_pch(kgwalk_${name})
  endif()
  kgwalk_unity(kgwalk_${name})
  set_property(GLOBAL APPEND PROPERTY KGWALK_LIBRARIES kgwalk_${name})
endfunction()

# kgwalk_room(FOLDER SOURCES...): the sources of one room, this folder, of the library kgwalk_FOLDER.
function(kgwalk_room folder)
  target_sources(kgwalk_${folder} PRIVATE ${ARGN})
endfunction()

# kgwalk_presets(OUTPUT FOLDER NAMES...): FOLDER/presets/NAME.json compiled in as kgwalk::FOLDER::kPresets
# (runtime/presets.h). OUTPUT is the name of the variable that takes the source file made.
function(kgwalk_presets output folder)
  set(cases "")
  foreach(name ${ARGN})
    set(file ${PROJECT_SOURCE_DIR}/${folder}/presets/${name}.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND cases "    {\"${name}\", R\"json(${text})json\"},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/presets_of_${folder}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT [[
#include "runtime/presets.h"

namespace kgwalk::@folder@ {
namespace {
constexpr Preset kTable[] = {
@cases@};
}  // namespace
extern const std::span<const Preset> kPresets;
constinit const std::span<const Preset> kPresets{kTable};
}  // namespace kgwalk::@folder@
]] @ONLY)
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  set(${output} ${source} PARENT_SCOPE)
endfunction()

# kgwalk_text(OUTPUT FILE NAMESPACE CONSTANT): data/FILE compiled in as the std::string_view kgwalk::CONSTANT, or
# kgwalk::NAMESPACE::CONSTANT where NAMESPACE is not empty. OUTPUT takes the source file made.
function(kgwalk_text output path namespace constant)
  set(file ${PROJECT_SOURCE_DIR}/data/${path})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  # A string literal may be too long for a compiler: one a few lines, which the compiler joins.
  string(REGEX REPLACE "(([^\n]*\n)([^\n]*\n)([^\n]*\n)([^\n]*\n)([^\n]*\n)([^\n]*\n)([^\n]*\n)([^\n]*\n))"
    "\\1)words\" R\"words(" text "${text}")
  set(scope kgwalk)
  if(namespace)
    set(scope kgwalk::${namespace})
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/builtin_${constant}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT [[
#include <string_view>

namespace @scope@ {
extern const std::string_view @constant@;
// Its length is that of the array: counting it while compiling has a limit.
static constexpr char @constant@Text[] = R"words(@text@)words";
constinit const std::string_view @constant@{@constant@Text, sizeof(@constant@Text) - 1};
}  // namespace @scope@
]] @ONLY)
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  set(${output} ${source} PARENT_SCOPE)
endfunction()

# kgwalk_bytes(OUTPUT FILE NAMESPACE CONSTANT): data/FILE compiled in as it is, as the std::string_view
# kgwalk::NAMESPACE::CONSTANT, at an address that is a multiple of 64. OUTPUT takes the source file made.
function(kgwalk_bytes output path namespace constant)
  set(file ${PROJECT_SOURCE_DIR}/data/${path})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/builtin_${constant}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT [[
#include <string_view>

// The assembler reads the file: a literal of millions of bytes takes a compiler minutes.
asm(".pushsection .rodata\n"
    ".balign 64\n"
    "kgwalk_@namespace@_@constant@_begin:\n"
    ".incbin \"@file@\"\n"
    "kgwalk_@namespace@_@constant@_end:\n"
    ".popsection\n");
extern "C" {
extern const char kgwalk_@namespace@_@constant@_begin[] __attribute__((visibility("hidden")));
extern const char kgwalk_@namespace@_@constant@_end[] __attribute__((visibility("hidden")));
}

namespace kgwalk::@namespace@ {
extern const std::string_view @constant@;
const std::string_view @constant@{
    kgwalk_@namespace@_@constant@_begin,
    static_cast<std::size_t>(kgwalk_@namespace@_@constant@_end - kgwalk_@namespace@_@constant@_begin)};
}  // namespace kgwalk::@namespace@
]] @ONLY)
  # Properties of a source hold in the folders that are named: a room's belong to the library above it.
  set_source_files_properties(${source} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/.. PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS ${file})
  set(${output} ${source} PARENT_SCOPE)
endfunction()

# What `kgwalk` sets for itself (runtime/processor_levels.h): OpenBLAS may not know a processor that is newer than it.
set(kgwalk_blas_kernels "")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo kgwalk_flags_line REGEX "^flags" LIMIT_COUNT 1)
  if(kgwalk_flags_line MATCHES " avx512bw .*avx512vl ")
    set(kgwalk_blas_kernels ";OPENBLAS_CORETYPE=SKYLAKEX")
  elseif(kgwalk_flags_line MATCHES " avx2 ")
    set(kgwalk_blas_kernels ";OPENBLAS_CORETYPE=HASWELL")
  endif()
endif()

# kgwalk_test(NAME SOURCES ... DEPS ... [LABELS fast|slow|data ...] [TORCH]): a GoogleTest program.
function(kgwalk_test name)
  cmake_parse_arguments(ARG "TORCH" "" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE kgwalk_flags kgwalk_test_flags OpenMP::OpenMP_CXX ${ARG_DEPS} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE KGWALK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(ARG_TORCH)
    target_link_libraries(${name} PRIVATE kgwalk_torch)
    kgwalk_share_torch_pch(${name})
  endif()
  kgwalk_unity(${name})
  if(NOT ARG_LABELS)
    set(ARG_LABELS fast)
  endif()
  # One entry a program, not a case: a program that links libtorch costs 0.4 s to start.
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 900
    ENVIRONMENT "OMP_NUM_THREADS=1;OPENBLAS_NUM_THREADS=1${kgwalk_blas_kernels}")
endfunction()

# kgwalk_bench(NAME SOURCES ... DEPS ... [TORCH]): a Google Benchmark program.
function(kgwalk_bench name)
  cmake_parse_arguments(ARG "TORCH" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE kgwalk_flags OpenMP::OpenMP_CXX ${ARG_DEPS} benchmark::benchmark)
  if(ARG_TORCH)
    target_link_libraries(${name} PRIVATE kgwalk_torch)
    kgwalk_share_torch_pch(${name})
  endif()
endfunction()

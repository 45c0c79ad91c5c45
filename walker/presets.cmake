# Presets are compiled in, so that the program needs no files beside it.
set(kgwalk_walker_presets paper default tiny best stage2 stage2_tiny)
set(kgwalk_walker_preset_cases "")
foreach(name ${kgwalk_walker_presets})
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/presets/${name}.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(APPEND kgwalk_walker_preset_cases "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/presets.cc CONTENT [[
#include "walker/config.h"

#include <utility>

namespace kgwalk::walker::detail {
extern const std::pair<const char*, const char*> kPresets[] = {
@kgwalk_walker_preset_cases@};
extern const int kNumPresets = sizeof(kPresets) / sizeof(kPresets[0]);
}  // namespace kgwalk::walker::detail
]] @ONLY)

# Presets of rl/presets, compiled in, so that the program needs no files beside it. One line a preset.
set(kgwalk_rl_presets
    a2c_default
    a2c_natural
    a2c_tiny
    simulator_default
    simulator_tiny)
set(kgwalk_rl_preset_cases "")
foreach(name ${kgwalk_rl_presets})
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/presets/${name}.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(APPEND kgwalk_rl_preset_cases "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/preset_table.cc CONTENT [[
#include <utility>

namespace kgwalk::rl::detail {
extern const std::pair<const char*, const char*> kPresets[] = {
@kgwalk_rl_preset_cases@};
extern const int kNumPresets = sizeof(kPresets) / sizeof(kPresets[0]);
}  // namespace kgwalk::rl::detail
]] @ONLY)

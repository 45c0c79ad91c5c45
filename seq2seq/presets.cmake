# Presets of seq2seq/presets, compiled in, so that the program needs no files beside it. One line a preset.
set(kgwalk_seq2seq_presets
    lm_ght
    lm_hiformer
    lm_plain
    lm_tiny
    mt_best
    mt_d_tasa
    mt_ght
    mt_ght_ps
    mt_gtrans
    mt_hiformer_concat
    mt_hiformer_sum
    mt_plain
    mt_r_tasa
    mt_tiny)
set(kgwalk_seq2seq_preset_cases "")
foreach(name ${kgwalk_seq2seq_presets})
  set(file ${CMAKE_CURRENT_LIST_DIR}/presets/${name}.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(APPEND kgwalk_seq2seq_preset_cases "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/preset_table.cc CONTENT [[
#include <utility>

namespace kgwalk::seq2seq::detail {
extern const std::pair<const char*, const char*> kPresets[] = {
@kgwalk_seq2seq_preset_cases@};
extern const int kNumPresets = sizeof(kPresets) / sizeof(kPresets[0]);
}  // namespace kgwalk::seq2seq::detail
]] @ONLY)

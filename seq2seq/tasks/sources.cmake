# Sequence tasks and what they need: models, metrics, search and losses.
include(presets.cmake)
list(APPEND kgwalk_seq2seq_sources
     kernels/projection_loss.cc
     models/adaptive.cc models/encoder_decoder.cc models/encoder_decoder_import.cc models/language_model.cc
     metrics/bleu.cc metrics/porter.cc metrics/rouge.cc metrics/words.cc
     search/token_search.cc
     tasks/batching.cc tasks/language_run.cc tasks/language_task.cc tasks/line_stream.cc tasks/model_folder.cc tasks/parallel_text.cc
     tasks/pillars.cc tasks/translation_config.cc
     tasks/translation_eval.cc tasks/translation_plots.cc tasks/translation_task.cc tasks/translation_run.cc tasks/translator.cc tasks/word_vocabulary.cc
     ${CMAKE_CURRENT_BINARY_DIR}/preset_table.cc)
set_source_files_properties(metrics/bleu.cc metrics/porter.cc metrics/rouge.cc metrics/words.cc tasks/line_stream.cc
                            tasks/parallel_text.cc tasks/word_vocabulary.cc ${CMAKE_CURRENT_BINARY_DIR}/preset_table.cc
                            PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

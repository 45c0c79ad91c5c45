# Sequence tasks and what they need: models, metrics, search and losses.
kgwalk_presets(kgwalk_seq2seq_presets seq2seq
               lm_ght lm_hiformer lm_plain lm_tiny
               mt_best mt_d_tasa mt_ght mt_ght_ps mt_gtrans mt_hiformer_concat mt_hiformer_sum mt_plain mt_r_tasa mt_tiny)
list(APPEND kgwalk_seq2seq_sources
     kernels/projection_loss.cc
     models/adaptive.cc models/encoder_decoder.cc models/encoder_decoder_import.cc models/language_model.cc
     metrics/bleu.cc metrics/porter.cc metrics/rouge.cc metrics/words.cc
     search/token_search.cc
     tasks/batching.cc tasks/language_run.cc tasks/language_task.cc tasks/line_stream.cc tasks/model_folder.cc
     tasks/parallel_text.cc tasks/pillars.cc tasks/translation_config.cc tasks/translation_eval.cc
     tasks/translation_plots.cc tasks/translation_run.cc tasks/translation_task.cc tasks/translator.cc
     tasks/word_vocabulary.cc
     ${kgwalk_seq2seq_presets})
set_source_files_properties(metrics/bleu.cc metrics/porter.cc metrics/rouge.cc metrics/words.cc tasks/line_stream.cc
                            tasks/parallel_text.cc tasks/word_vocabulary.cc
                            PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

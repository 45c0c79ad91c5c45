# Sequence tasks and what they need: models, metrics, search and losses.
kgwalk_presets(kgwalk_seq2seq_presets seq2seq
               asr_chiformer asr_conformer asr_ctc asr_d_tasa asr_d_tasa_conformer asr_digits asr_plain asr_r_tasa
               asr_r_tasa_conformer asr_streaming asr_tiny
               lm_ght lm_ght_ps lm_hiformer lm_plain lm_tiny
               mt_best mt_d_tasa mt_ght mt_ght_ps mt_gtrans mt_hiformer_concat mt_hiformer_sum mt_plain mt_r_tasa mt_tiny
               slu_emotion slu_glob_avr slu_glob_cls slu_intent slu_pad_glob slu_pad_joint slu_pad_slocal
               slu_pad_slocal_even slu_pad_slocal_fixed slu_pad_tlocal slu_pretrain slu_slocal slu_slot_values
               slu_slots slu_text slu_tlocal slu_tlocal_idf
               summarize_copy summarize_ght summarize_ght_ps summarize_plain summarize_tiny)
list(APPEND kgwalk_seq2seq_sources
     kernels/projection_loss.cc
     models/adaptive.cc models/encoder_decoder.cc models/encoder_decoder_import.cc models/language_model.cc
     models/pointer_generator.cc
     metrics/bleu.cc metrics/porter.cc metrics/rouge.cc metrics/words.cc
     search/token_search.cc
     tasks/batching.cc tasks/decoding.cc tasks/grouped_net.cc tasks/model_folder.cc tasks/pair_task.cc
     tasks/pieces.cc tasks/presets.cc tasks/snapshots.cc tasks/teaching.cc tasks/text_lines.cc tasks/word_vocabulary.cc
     tasks/language/likelihood.cc tasks/language/run.cc tasks/language/task.cc
     tasks/summary/coder.cc tasks/summary/dialogue.cc tasks/summary/eval.cc tasks/summary/run.cc
     tasks/summary/summarizer.cc tasks/summary/task.cc
     tasks/translation/eval.cc tasks/translation/parallel_text.cc
     tasks/translation/pillars.cc tasks/translation/plots.cc tasks/translation/run.cc
     tasks/translation/task.cc tasks/translation/translator.cc
     ${kgwalk_seq2seq_presets})
include(tasks/recognition/sources.cmake)
set_source_files_properties(metrics/bleu.cc metrics/porter.cc metrics/rouge.cc metrics/words.cc
                            tasks/language/likelihood.cc tasks/pieces.cc tasks/presets.cc tasks/summary/coder.cc tasks/summary/dialogue.cc
                            tasks/text_lines.cc tasks/translation/parallel_text.cc
                            tasks/word_vocabulary.cc
                            PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

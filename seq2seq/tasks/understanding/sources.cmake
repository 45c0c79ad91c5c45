# Spoken language understanding: its encoders, PAD and the tasks.
list(APPEND kgwalk_seq2seq_sources
     attention/significance.cc
     models/bert.cc models/token_encoder.cc models/wav2vec2.cc models/wav2vec2_io.cc models/weight_file.cc
     tasks/masked_language.cc
     tasks/understanding/alignment.cc tasks/understanding/distillation.cc tasks/understanding/encoded_speech.cc
     tasks/understanding/head.cc tasks/understanding/manifest.cc tasks/understanding/significance_svg.cc
     tasks/understanding/spans.cc tasks/understanding/speech_batch.cc tasks/understanding/speech_pretraining.cc
     tasks/understanding/teacher.cc tasks/understanding/text_pretraining.cc tasks/understanding/training.cc
     tasks/understanding/understander.cc)
set_source_files_properties(tasks/understanding/manifest.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

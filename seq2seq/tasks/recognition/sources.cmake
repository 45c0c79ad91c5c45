# Speech recognition: model, decoding, metrics, task.
list(APPEND kgwalk_seq2seq_sources
     metrics/edits.cc models/recognizer.cc models/subsampling.cc search/ctc.cc search/joint_ctc.cc
     tasks/recognition/config.cc tasks/recognition/eval.cc tasks/recognition/run.cc
     tasks/recognition/speech_data.cc tasks/recognition/stream.cc tasks/recognition/task.cc
     tasks/recognition/transcriber.cc tasks/recognition/unit_language.cc tasks/recognition/units.cc)
set_source_files_properties(metrics/edits.cc search/ctc.cc tasks/recognition/units.cc
                            PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

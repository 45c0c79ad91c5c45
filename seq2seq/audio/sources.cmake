# Sound files (no torch in them) and acoustic features.
list(APPEND kgwalk_seq2seq_sources audio/features.cc audio/pitch.cc audio/sound.cc audio/spec_augment.cc)
list(APPEND kgwalk_seq2seq_private_deps PkgConfig::SNDFILE PkgConfig::SAMPLERATE)
set_source_files_properties(audio/pitch.cc audio/sound.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

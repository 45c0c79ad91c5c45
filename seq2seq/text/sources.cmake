# Tokenizers: no torch.
list(APPEND kgwalk_seq2seq_sources
     text/albert_tokenizer.cc
     text/charsmap.cc
     text/piece_trie.cc
     text/protobuf.cc
     text/sentencepiece.cc
     text/sentencepiece_model.cc
     text/sentencepiece_normalizer.cc
     text/sentencepiece_segment.cc
     text/spm_train.cc
     text/tokenizer.cc
     text/unicode_text.cc
     text/wordpiece.cc)
list(APPEND kgwalk_seq2seq_private_deps PkgConfig::UTF8PROC)
# No torch in them: without its precompiled header they compile in a fraction of the time.
file(RELATIVE_PATH kgwalk_text_folder ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_LIST_DIR})
foreach(source ${kgwalk_seq2seq_sources})
  if(source MATCHES "^${kgwalk_text_folder}/")
    set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endforeach()

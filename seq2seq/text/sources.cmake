# Tokenisers: no torch.
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

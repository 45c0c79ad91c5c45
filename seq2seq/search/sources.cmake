# The one beam search, part of kgwalk::seq2seq.
set(KGWALK_SEQ2SEQ_SEARCH_SOURCES search/beam_search.cc)
list(APPEND kgwalk_seq2seq_sources ${KGWALK_SEQ2SEQ_SEARCH_SOURCES})

# Training and beam steps of the attention core beside the same network in eager LibTorch.
kgwalk_bench(seq2seq_bench TORCH SOURCES seq2seq_bench.cc DEPS kgwalk::seq2seq)
# What each option of the core costs in training, and what removed heads save in decoding.
kgwalk_bench(seq2seq_options_bench TORCH SOURCES seq2seq_options_bench.cc DEPS kgwalk::seq2seq)
# Training and decoding of a small translator; bench/translation_peer.py is its peer.
kgwalk_bench(translation_bench TORCH SOURCES translation_bench.cc DEPS kgwalk::seq2seq)
# Decoding with weights that bench/peers/decoding.py gives to CTranslate2.
kgwalk_bench(decoding_bench TORCH SOURCES decoding_bench.cc DEPS kgwalk::seq2seq)

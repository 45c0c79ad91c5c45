# Training and beam steps of the attention core beside the same network in eager LibTorch.
kgwalk_bench(seq2seq_bench TORCH SOURCES seq2seq_bench.cc DEPS kgwalk::seq2seq)
# What each option of the core costs in training, and what removed heads save in decoding.
kgwalk_bench(seq2seq_options_bench TORCH SOURCES seq2seq_options_bench.cc DEPS kgwalk::seq2seq)

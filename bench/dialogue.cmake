# Sentences a second of a text encoder; scripts/bench_text_encoder.py runs it beside onnxruntime and python3-torch.
kgwalk_bench(text_encoder_bench SOURCES text_encoder_bench.cc TORCH DEPS kgwalk::dialogue)

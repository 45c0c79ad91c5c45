kgwalk_bench(forms_bench SOURCES forms_bench.cc DEPS kgwalk::forms)

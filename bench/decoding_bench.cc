// Decodes with random weights of Transformer-tiny and -base for bench/peers/decoding.py, which decodes with
// the same weights by CTranslate2 in turn.
//
//   decoding_bench FOLDER    writes FOLDER/tiny.safetensors and FOLDER/base.safetensors, then answers
//   standard input
//
// A line asks "SIZE BITS BEAM ROWS LENGTH END_BIAS": sentences of random pieces drawn with the seed LENGTH,
// the end allowed after LENGTH - 1 pieces, or from the first on when END_BIAS, which is added to its score,
// is not 0. The answer is a line of the seconds of one run and a line for each source and for what was
// written, in turn.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include "runtime/memory.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/kernels/quantize.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kStart = 2, kEnd = 3;

struct Size {
  int layers, width, heads, ffn_width;
  std::int64_t pieces;
};
const std::map<std::string, Size> kSizes{{"tiny", {4, 128, 4, 256, 6000}},
                                         {"base", {6, 512, 8, 2048, 32000}}};

EncoderDecoder model_of(const std::string& name) {
  const Size& size = kSizes.at(name);
  torch::manual_seed(1);
  EncoderDecoderOptions options;
  options.output_bias = true;
  for (StackOptions* stack : {&options.encoder, &options.decoder}) {
    stack->layers = size.layers;
    stack->width = size.width;
    stack->heads = size.heads;
    stack->ffn_width = size.ffn_width;
    stack->activation = "relu";
    stack->norm = "post";
  }
  EncoderDecoder model(options, size.pieces);
  model->eval();
  return model;
}

struct Request {
  std::string size;
  int bits = 32, beam = 1, rows = 1, length = 16;
  float end_bias = 0;
};

// Models are made once: packing weights is no part of a run.
EncoderDecoder& model_for(const Request& request) {
  static std::map<std::tuple<std::string, int, float>, EncoderDecoder> models;
  const std::tuple key(request.size, request.bits, request.end_bias);
  const auto found = models.find(key);
  if (found != models.end()) return found->second;
  EncoderDecoder model = model_of(request.size);
  model->output->bias.zero_();
  model->output->bias[kEnd] = request.end_bias;
  if (request.bits == 8) quantize_linears(*model);
  return models.emplace(key, model).first->second;
}

void print(const std::int64_t* pieces, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::printf(i == 0 ? "%lld" : " %lld", static_cast<long long>(pieces[i]));
  std::printf("\n");
}

void answer(const Request& request) {
  EncoderDecoder& model = model_for(request);
  torch::manual_seed(static_cast<std::uint64_t>(request.length));
  const torch::Tensor source =
      torch::randint(4, model->vocabulary(), {request.rows, request.length}, torch::kInt64);
  TokenSearchOptions options;
  options.beam = request.beam;
  options.length_penalty = 0;
  // The end is one of the LENGTH steps.
  options.min_pieces = request.end_bias != 0 ? 0 : request.length - 1;
  const TokenSearchTask task{
      kStart, kEnd, {}, std::vector<int>(static_cast<std::size_t>(request.rows), request.length - 1)};
  const auto begin = std::chrono::steady_clock::now();
  DecoderState decoder = model->start(model->encode(source, {}));
  const auto found =
      search_tokens(task, options, [&](const torch::Tensor& pieces, const torch::Tensor& parents) {
        if (decoder.length > 0) decoder.reorder(parents);
        return model->step(pieces, decoder);
      });
  std::printf("%.9f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  for (std::size_t i = 0; i < found.size(); ++i) {
    print(source.data_ptr<std::int64_t>() + i * static_cast<std::size_t>(request.length),
          static_cast<std::size_t>(request.length));
    print(found[i][0].pieces.data(), found[i][0].pieces.size());
  }
  std::fflush(stdout);
}

int run(const std::filesystem::path& folder) {
  keep_freed_memory();  // as the program does
  set_torch_threads(1);
  const torch::NoGradGuard no_grad;
  for (const auto& [name, size] : kSizes)
    write_tensors(folder / (name + ".safetensors"), state_of(*model_of(name)));
  std::printf("ready\n");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    Request request;
    std::istringstream words(line);
    words >> request.size >> request.bits >> request.beam >> request.rows >> request.length >>
        request.end_bias;
    if (!words || !kSizes.contains(request.size)) {
      std::fprintf(stderr, "decoding_bench: cannot read \"%s\"\n", line.c_str());
      return 2;
    }
    answer(request);
  }
  return 0;
}

}  // namespace
}  // namespace kgwalk::seq2seq

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: decoding_bench FOLDER, see bench/peers/decoding.py\n");
    return 2;
  }
  return kgwalk::seq2seq::run(argv[1]);
}

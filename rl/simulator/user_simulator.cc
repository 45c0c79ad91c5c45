#include "rl/simulator/user_simulator.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/tensor/tensor_io.h"

namespace kgwalk::rl {

using torch::Tensor;

namespace {

// Situations spoken at once: enough rows for the matrix products, few enough to stay in the cache.
constexpr std::size_t kRowsAtOnce = 128;

int end_of(const seq2seq::SentencePiece& vocabulary) {
  const auto id = vocabulary.find(kEndPiece);
  if (!id)
    throw FormatError("the simulator's vocabulary has no piece '" + std::string(kEndPiece) +
                      "'; train the simulator again");
  return *id;
}

walker::InputSizes sizes_of(const SimulatorResources& resources) {
  return {resources.text->width(), resources.text->max_tokens(), 0};
}

Tensor int64_of(const std::vector<std::int64_t>& values) {
  return torch::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64);
}

}  // namespace

struct SimulatedUser::Row {
  const walker::Example* situation = nullptr;
  Random random{0};
  std::vector<int> pieces;
  bool ended = false;
};

SimulatedUser::SimulatedUser(const SimulatorConfig& config, SimulatorResources resources)
    : config_(config),
      resources_(std::move(resources)),
      end_(end_of(*resources_.vocabulary)),
      inputs_(config.sources(), *resources_.graph, *resources_.text, nullptr),
      sampler_(sampler()),
      net_(config, resources_.tables, sizes_of(resources_), resources_.vocabulary->size()) {
  net_->eval();
}

PieceSampler SimulatedUser::sampler() const {
  const seq2seq::SentencePiece& vocabulary = *resources_.vocabulary;
  std::vector<bool> never(static_cast<std::size_t>(vocabulary.size()));
  for (int id = 0; id < vocabulary.size(); ++id)
    never[static_cast<std::size_t>(id)] =
        id != end_ && (vocabulary.is_control(id) || id == vocabulary.special().unk);
  return PieceSampler(config_.speech, std::move(never));
}

void SimulatedUser::set_speech(const SpeechConfig& speech) {
  SimulatorConfig changed = config_;
  changed.speech = speech;
  validate(changed, "simulator configuration");
  config_ = changed;
  sampler_ = sampler();
}

walker::Context SimulatedUser::heard(const walker::Example& situation) const {
  walker::Context own;
  for (std::size_t i = situation.context.size(); i-- > 0;) {
    if (situation.context[i].speaker == graph::Speaker::kUser) own.push_back(situation.context[i]);
    if (own.size() == static_cast<std::size_t>(config_.utterances)) break;
  }
  std::reverse(own.begin(), own.end());
  return own;
}

SpeechInputs SimulatedUser::inputs(std::span<const walker::Example* const> situations) const {
  // The window counts utterances of the user, not of both.
  std::vector<walker::Example> own(situations.size());
  std::vector<const walker::Example*> pointers;
  std::vector<std::vector<int>> names(situations.size());
  std::size_t longest = 0;
  for (std::size_t i = 0; i < situations.size(); ++i) {
    own[i].context = heard(*situations[i]);
    own[i].walked = situations[i]->walked;
    own[i].start = situations[i]->start;
    pointers.push_back(&own[i]);
    if (!config_.vertex_name) continue;
    names[i] = resources_.vocabulary->encode(dialogue::plain_name(graph().entity_name(own[i].start))).ids;
    names[i].resize(std::min(names[i].size(), static_cast<std::size_t>(config_.max_name_pieces)));
    longest = std::max(longest, names[i].size());
  }
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(names.size()),
                                        static_cast<std::int64_t>(longest)};
  SpeechInputs in{inputs_.build(pointers), torch::zeros(shape, torch::kInt64),
                  torch::zeros(shape, torch::kBool)};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::copy(names[i].begin(), names[i].end(), in.names.data_ptr<std::int64_t>() + i * longest);
    std::fill_n(in.name_keep.data_ptr<bool>() + i * longest, names[i].size(), true);
  }
  return in;
}

// Draws the next piece of every row that has not ended; logits [N, V].
void SimulatedUser::draw(const Tensor& logits, std::span<Row*> rows) const {
  const Tensor values = logits.contiguous();
  const auto width = static_cast<std::size_t>(values.size(1));
  const float* data = values.data_ptr<float>();
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row& row = *rows[r];
    if (row.ended) continue;
    const int piece = sampler_.draw({data + r * width, width}, row.pieces.empty() ? end_ : -1, row.random);
    row.ended = piece == end_;
    if (!row.ended) row.pieces.push_back(piece);
  }
}

void SimulatedUser::say(std::span<Row> rows) const {
  std::vector<const walker::Example*> situations;
  std::vector<Row*> live;
  for (Row& row : rows) {
    situations.push_back(row.situation);
    live.push_back(&row);
  }
  seq2seq::DecoderState state;
  draw(net_->logits(net_->start(inputs(situations), state)), live);
  for (int said = 1; said < config_.speech.max_pieces; ++said) {
    std::vector<std::int64_t> kept, pieces;
    for (std::size_t r = 0; r < live.size(); ++r)
      if (!live[r]->ended) kept.push_back(static_cast<std::int64_t>(r));
    if (kept.empty()) return;
    // Letting go copies what is kept: not for a few rows.
    if (live.size() - kept.size() > live.size() / 8) {
      state.select_examples(int64_of(kept));
      std::erase_if(live, [](const Row* row) { return row->ended; });
    }
    for (const Row* row : live) pieces.push_back(row->pieces.back());
    draw(net_->logits(net_->extend(int64_of(pieces), said - 1, state)), live);
  }
}

// An utterance that was cut ends with its last whole sentence, when it has one.
std::string SimulatedUser::text_of(const Row& row) const {
  std::string text = resources_.vocabulary->decode(row.pieces);
  if (row.ended) return text;
  const std::size_t end = text.find_last_of(".!?");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::vector<std::string> SimulatedUser::speak(std::span<const walker::Example* const> situations,
                                              Random& random) const {
  const torch::NoGradGuard no_grad;
  std::vector<Row> rows;
  for (const walker::Example* situation : situations) {
    rows.push_back({situation, Random(random.next()), {}, false});
    rows.back().pieces.reserve(static_cast<std::size_t>(config_.speech.max_pieces));
  }
  for (std::size_t begin = 0; begin < rows.size(); begin += kRowsAtOnce)
    say(std::span(rows).subspan(begin, std::min(kRowsAtOnce, rows.size() - begin)));
  std::vector<std::string> said;
  for (const Row& row : rows) said.push_back(text_of(row));
  return said;
}

std::string SimulatedUser::checksum() const {
  const nlohmann::json sorted = to_json_of(config_);  // the order of keys is no property of the simulator
  return checksum_of("simulated user 2\n" + kgwalk::checksum_of(state_of(*net_)) + "\n" +
                     resources_.vocabulary->checksum() + "\n" + resources_.text->checksum() + "\n" +
                     resources_.tables.checksum + "\n" + sorted.dump());
}

}  // namespace kgwalk::rl

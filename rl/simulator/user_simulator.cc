#include "rl/simulator/user_simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/tasks/decoding.h"

namespace kgwalk::rl {

using torch::Tensor;

namespace {

// Situations spoken at once: enough rows for the matrix products, few enough to stay in the cache.
constexpr std::size_t kRowsAtOnce = 64;

}  // namespace

struct SimulatedUser::Row {
  const walker::Example* situation = nullptr;
  Random random{0};
  seq2seq::Dialogue dialogue = {};
  seq2seq::DialoguePieces source = {};
  std::vector<std::int64_t> pieces = {};
  bool ended = false;
  bool stuck = false;  // nothing may follow: the utterance may not be said
  std::optional<Utterance> said = {};
};

SimulatedUser::SimulatedUser(SimulatorConfig config, SimulatorResources resources,
                             seq2seq::PointerGenerator model)
    : config_(std::move(config)),
      resources_(std::move(resources)),
      source_(config_, *resources_.graph, resources_.ordinary),
      coder_(*resources_.vocabulary, config_.vocabulary, config_.model.speakers),
      forbidden_(*resources_.graph, resources_.ordinary),
      bounds_(*resources_.vocabulary),
      capitals_(*resources_.vocabulary),
      wordings_(resources_.graph),
      sampler_(sampler()),
      model_(std::move(model)) {
  seq2seq::check_vocabulary(*resources_.vocabulary, model_->transformer->vocabulary());
  model_->eval();
}

PieceSampler SimulatedUser::sampler() const {
  const seq2seq::SentencePiece& vocabulary = *resources_.vocabulary;
  std::vector<bool> never(static_cast<std::size_t>(vocabulary.size()));
  for (int id = 0; id < vocabulary.size(); ++id)
    never[static_cast<std::size_t>(id)] = vocabulary.is_control(id) || id == vocabulary.special().unk;
  never[static_cast<std::size_t>(vocabulary.id_of(seq2seq::kEndPiece))] = false;
  for (int speaker = 1; speaker <= config_.model.speakers; ++speaker)
    never[static_cast<std::size_t>(coder_.name(speaker))] = false;
  return PieceSampler(config_.speech, std::move(never));
}

void SimulatedUser::set_speech(const SpeechConfig& speech) {
  SimulatorConfig changed = config_;
  changed.speech = speech;
  validate(changed, "simulator configuration");
  config_ = changed;
  sampler_ = sampler();
}

seq2seq::SummaryData SimulatedUser::encode(std::span<const UserTurn> turns) const {
  seq2seq::SummaryData data;
  for (const UserTurn& turn : turns)
    seq2seq::add_pair(coder_, source_.read(turn.situation, {turn.unspoken, turn.swapped}), turn.text,
                      static_cast<std::size_t>(config_.model.transformer.max_length), data);
  return data;
}

dialogue::GuardedMessage SimulatedUser::guarded(const Row& row) const {
  std::vector<std::string> allowed = source_.allowed(*row.situation);
  // What apostrophes leave of "that's" and "I'm" names no film.
  for (const char* ending : {"s", "m", "t", "d", "ll", "re", "ve"}) allowed.emplace_back(ending);
  dialogue::GuardedMessage message{dialogue::AllowedNames(allowed), {}, {}, {}, &row.source};
  for (std::size_t i = 0; i < row.dialogue.speakers.size(); ++i) {
    message.names.push_back(dialogue::guarded_words(row.dialogue.speakers[i]));
    message.pieces.push_back(coder_.name(static_cast<int>(i) + 1));
  }
  return message;
}

// Draws the next piece of every row that has not ended; log_probs [N, V + E]. Surfaces that are in no
// vocabulary are not said.
void SimulatedUser::draw_pieces(const Tensor& log_probs, std::span<Row*> rows,
                                const dialogue::NameGuard* guard) const {
  const Tensor values = on_processor(log_probs);
  const auto width = static_cast<std::size_t>(values.size(1)),
             words = static_cast<std::size_t>(resources_.vocabulary->size());
  auto* data = values.data_ptr<float>();
  const int end = resources_.vocabulary->id_of(seq2seq::kEndPiece);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row& row = *rows[r];
    if (row.ended) continue;
    const std::span<float> scores(data + r * width, words);
    if (guard != nullptr) {
      guard->forbid(static_cast<std::int32_t>(r), row.pieces, scores);
      capitals_.forbid(row.pieces, scores);
    }
    for (std::size_t i = row.dialogue.speakers.size(); i < static_cast<std::size_t>(config_.model.speakers);
         ++i)
      scores[static_cast<std::size_t>(coder_.name(static_cast<int>(i) + 1))] =
          -std::numeric_limits<float>::infinity();
    if (std::none_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); })) {
      row.ended = row.stuck = true;
      continue;
    }
    const int piece = sampler_.draw(scores, row.pieces.empty() ? end : -1, row.random);
    row.ended = piece == end;
    if (!row.ended) row.pieces.push_back(piece);
  }
}

void SimulatedUser::draw(std::span<Row*> rows) const {
  std::vector<const seq2seq::DialoguePieces*> sources;
  std::vector<dialogue::GuardedMessage> messages;
  for (Row* row : rows) {
    row->pieces.clear();
    row->ended = row->stuck = false;
    sources.push_back(&row->source);
    messages.push_back(guarded(*row));
  }
  const dialogue::NameGuard guard(forbidden_, *resources_.vocabulary, bounds_, std::move(messages));
  const seq2seq::EncodedPointedSource encoded = model_->encode(seq2seq::pointed_source(sources));
  seq2seq::PointedState state = model_->start(encoded);
  const int start = resources_.vocabulary->id_of(seq2seq::kStartPiece);
  Tensor previous = torch::full({static_cast<std::int64_t>(rows.size())}, start, torch::kInt64);
  for (int said = 0; said < config_.speech.max_pieces; ++said) {
    draw_pieces(model_->step(previous, state), rows, config_.speech.checked ? &guard : nullptr);
    if (std::all_of(rows.begin(), rows.end(), [](const Row* row) { return row->ended; })) return;
    previous = torch::empty({static_cast<std::int64_t>(rows.size())}, torch::kInt64);
    for (std::size_t r = 0; r < rows.size(); ++r)
      previous.data_ptr<std::int64_t>()[r] = rows[r]->pieces.empty() ? start : rows[r]->pieces.back();
  }
}

// An utterance that was cut ends with its last whole sentence, when it has one.
std::string SimulatedUser::text_of(const Row& row) const {
  if (row.stuck) return {};
  const std::vector<int> ids(row.pieces.begin(), row.pieces.end());
  std::string text = coder_.decode(ids, row.dialogue, row.source);
  if (row.ended) return text;
  const std::size_t end = text.find_last_of(".!?");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

bool SimulatedUser::may_be_said(const Row& row, const std::string& text) const {
  if (text.empty()) return false;
  if (!config_.speech.checked) return true;
  if (was_said(text, row.situation->context)) return false;
  const dialogue::Topic* asked = questions().asked(text);
  return asked == nullptr || questions().fits(row.situation->start, *asked);
}

std::vector<Utterance> SimulatedUser::say(std::span<const walker::Example* const> situations,
                                          Random& random) const {
  const torch::NoGradGuard no_grad;
  std::vector<Row> rows;
  std::vector<Row*> open;
  for (const walker::Example* situation : situations) rows.push_back({situation, Random(random.next())});
  for (Row& row : rows) {
    const auto& said = row.situation->context;
    if (row.random.uniform() < config_.speech.ask)
      if (auto question = questions().ask(row.situation->start, said, row.random))
        row.said = Utterance{std::move(*question), Utterance::By::kQuestion};
    if (row.said) continue;
    // What was walked since the user spoke last has not been spoken of.
    const bool answered = !said.empty() && said.back().speaker == graph::Speaker::kAssistant;
    const bool unspoken = !row.situation->walked.empty() && !answered;
    row.dialogue = source_.read(*row.situation, {.unspoken = unspoken});
    row.source = coder_.encode(row.dialogue, static_cast<std::size_t>(config_.model.transformer.max_length));
    open.push_back(&row);
  }
  for (int attempt = 0; attempt < config_.speech.attempts && !open.empty(); ++attempt) {
    for (std::size_t begin = 0; begin < open.size(); begin += kRowsAtOnce)
      draw(std::span(open).subspan(begin, std::min(kRowsAtOnce, open.size() - begin)));
    for (Row* row : open)
      if (std::string text = text_of(*row); may_be_said(*row, text))
        row->said = Utterance{std::move(text), Utterance::By::kModel};
    std::erase_if(open, [](const Row* row) { return row->said.has_value(); });
  }
  for (Row* row : open)
    row->said = Utterance{wordings_.chat(*row->situation, row->random), Utterance::By::kFallback};
  std::vector<Utterance> all;
  for (Row& row : rows) all.push_back(std::move(*row.said));
  return all;
}

std::vector<std::string> SimulatedUser::speak(std::span<const walker::Example* const> situations,
                                              Random& random) const {
  std::vector<std::string> texts;
  for (Utterance& utterance : say(situations, random)) texts.push_back(std::move(utterance.text));
  return texts;
}

std::string SimulatedUser::checksum() const {
  const nlohmann::json sorted = to_json_of(config_);  // the order of keys is no property of the simulator
  return checksum_of("simulated user 3\n" + kgwalk::checksum_of(state_of(*model_)) + "\n" +
                     resources_.vocabulary->checksum() + "\n" + resources_.graph->checksum() + "\n" +
                     sorted.dump());
}

}  // namespace kgwalk::rl

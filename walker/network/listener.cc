#include "walker/network/listener.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kgwalk/error.h"
#include "walker/hearing.h"
#include "walker/network/candidate_scorer.h"
#include "walker/network/ragged.h"

namespace kgwalk::walker {

using torch::Tensor;

namespace {

constexpr float kFirstTextScale = 5;
constexpr double kExampleDropout = 0.3;
// Share of answerable questions that may be refused, and the probabilities between which that is brought
// about.
constexpr double kFalseRefusals = 0.025, kLeastRefusal = 0.1, kMostRefusal = 0.7;
constexpr float kFarBehind = -20;            // of a start without relations
constexpr std::int64_t kSum = 0, kMean = 1;  // modes of embedding_bag

seq2seq::StackOptions listener_stack(const ListenConfig& config) {
  seq2seq::StackOptions options;
  options.layers = config.layers;
  options.width = config.width;
  options.heads = 4;
  options.ffn_width = 2 * config.width;
  options.dropout = config.dropout;
  return options;
}

Tensor first_absence() {
  Tensor first = torch::zeros({kNumAbsence + 1});
  first[0] = -1.0F;
  first[kNumAbsence] = -1.0F;
  return first;
}

Tensor of_length_one(const Tensor& x) { return x / x.norm(2, -1, true).clamp_min(1e-6); }

// Softmax of `logits` [M] within the relations that own them.
Tensor shares(const Tensor& logits, const RelationBags& bags) {
  const Tensor weights = (logits - logits.detach().max()).exp();
  const Tensor sums = torch::zeros({bags.size()}, weights.options()).index_add(0, bags.owners, weights);
  return weights / sums.index_select(0, bags.owners).clamp_min(1e-12);
}

}  // namespace

ListenerImpl::ListenerImpl(const ListenConfig& config, RelationBags relations, int max_hops)
    : config_(config), relations_(std::move(relations)) {
  const std::int64_t width = config.width;
  table = register_parameter("table", torch::randn({config.buckets, width}) * 0.3);
  hop_query = register_parameter("hop_query", torch::randn({max_hops, width}) * 0.1);
  directions = register_parameter("directions", torch::randn({2, width}) * 0.3);
  own = register_parameter("own", torch::zeros({relations_.size() + 1, width}));
  scale = register_parameter("scale", torch::tensor({1.0F, 1.0F, 1.0F}));
  absent = register_buffer("absent", first_absence());
  refuse_from = register_buffer("refuse_from", torch::tensor(0.5));
  unheard = register_buffer("unheard", torch::zeros({relations_.size()}));
  positions = register_parameter("positions", torch::randn({config.max_words, width}) * 0.02);
  encoder = register_module("encoder", seq2seq::TransformerEncoder(listener_stack(config)));
  query = register_module("query", seq2seq::Linear(width, width));
  relation_in = register_module("relation_in", seq2seq::Linear(width, width));
  relation_out = register_module("relation_out", seq2seq::Linear(width, width));
  if (relations_.texts.defined()) {
    const std::int64_t text_width = relations_.texts.size(1);
    // Read once, in training; a checkpoint keeps them.
    relations_.texts = register_buffer("relation_texts", relations_.texts);
    relations_.examples = register_buffer("relation_shown", relations_.examples);
    text_positions = register_parameter("text_positions", torch::randn({kMostTextPositions, width}) * 0.02);
    text_scale = register_parameter("text_scale", torch::full({3, max_hops}, kFirstTextScale));
    text_like = register_module("text_like", seq2seq::Linear(text_width, width, false));
    example_like = register_module("example_like", seq2seq::Linear(text_width, width, false));
    relation_examples = register_module("relation_examples", seq2seq::Linear(text_width, width, false));
    text_in = register_module("text_in", seq2seq::Linear(text_width, width));
    relation_text = register_module("relation_text", seq2seq::Linear(text_width, 2 * width));
  }
  end_in = register_module("end_in", seq2seq::Linear(3 * width, width));
  end_out = register_module("end_out", seq2seq::Linear(width, 1));
  after = register_module("after", seq2seq::Linear(width, width, false));
  act = register_module("act", seq2seq::Linear(width, kNumActs));
  gate = register_module("gate", seq2seq::Linear(width, max_hops));
  word_weight = register_module("word_weight", seq2seq::Linear(width, 1));
}

void ListenerImpl::move_kept(torch::Device device) {
  relations_ = relations_.to(device);
  kept_.reset();
}

Tensor ListenerImpl::bag_vectors(const PaddedBags& bags) {
  return std::get<0>(torch::embedding_bag(table, bags.rows, bags.begins, false, kMean))
      .view({bags.keep.size(0), bags.keep.size(1), config_.width});
}

ListenerImpl::Relations ListenerImpl::read(const RelationBags& given) {
  const RelationBags bags = given.to(table.device());
  const Tensor words = bag_vectors(bags.words).squeeze(1);  // [W, D]
  const Tensor weights = shares(word_weight(words).squeeze(1).index_select(0, bags.members), bags);
  Tensor meant = torch::zeros({bags.size(), config_.width}, words.options());
  if (config_.relation_words) {
    const Tensor gist =
        std::get<0>(torch::embedding_bag(words, bags.members, bags.begins, false, kSum, false, weights));
    // What the other direction of a relation means depends on what it says: "children" and "directed by"
    // differ.
    meant = relation_out(torch::gelu(relation_in(gist + directions.index_select(0, bags.directions)))) +
            gist;  // [R, D]
    if (text_in) {
      const Tensor both = relation_text(bags.texts).view({bags.size(), 2, -1});
      meant = meant + relation_examples(examples_of(bags));
      meant = meant + torch::where(bags.directions.view({-1, 1}) == 0, both.select(1, 0), both.select(1, 1));
    }
  }
  meant = meant + directions.index_select(0, bags.directions);
  if (bags.of_graph) {
    Tensor extra = own.slice(0, 0, bags.size());
    // Whole relations lose what they mean beyond their words, so that the words must do. Afterwards it counts
    // as much as it did on average: in full it would favor those that were asked for.
    if (config_.relation_words && config_.own_dropout > 0)
      extra =
          extra * (is_training()
                       ? (torch::rand({bags.size(), 1}, own.options()) >= config_.own_dropout).to(own.dtype())
                       : torch::full({1}, 1 - config_.own_dropout, own.options()));
    if (bags.replaced.defined()) extra = extra * (1 - bags.replaced);
    meant = meant + extra;
  }
  Relations relations{
      torch::cat({meant, own.slice(0, own.size(0) - 1)}, 0), of_length_one(words), weights, {}, {}, {}, bags};
  if (text_in) {
    relations.texts = of_length_one(bags.texts);
    relations.likes = of_length_one(text_like(bags.texts));
    relations.examples = of_length_one(example_like(examples_of(bags)));
  }
  return relations;
}

// Some relations are shown without examples, as are those of questions that have no graph.
Tensor ListenerImpl::examples_of(const RelationBags& bags) const {
  if (!is_training()) return bags.examples;
  return bags.examples * (torch::rand({bags.size(), 1}, bags.examples.options()) >= kExampleDropout)
                             .to(bags.examples.dtype());
}

// Changes whenever weights do: every write in place raises a tensor's version.
std::uint64_t ListenerImpl::version() const {
  std::uint64_t sum = 0;
  for (const Tensor& p : parameters())
    sum =
        sum * 31 + static_cast<std::uint64_t>(p._version()) + reinterpret_cast<std::uintptr_t>(p.data_ptr());
  return sum;
}

ListenerImpl::Relations ListenerImpl::graph_relations() {
  if (torch::GradMode::is_enabled() || is_training()) return read(relations_);
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = version();
  if (!kept_ || kept_version_ != now) kept_ = read(relations_);
  kept_version_ = now;
  return *kept_;
}

// For each relation the sum over its words of the best likeness with a word that was said: [B, H, R + 1].
Tensor ListenerImpl::alike(const Tensor& words, const Tensor& gates, const PaddedBags& said,
                           const Relations& relations) {
  const std::int64_t batch = words.size(0), hops = gates.size(2), count = relations.bags.size();
  const Tensor keep = said.keep.to(words.dtype()).unsqueeze(2);                             // [B, T, 1]
  const Tensor likeness = torch::matmul(of_length_one(words) * keep, relations.words.t());  // [B, T, W]
  std::vector<Tensor> best;
  for (std::int64_t h = 0; h < hops; ++h)
    best.push_back((likeness * torch::sigmoid(gates.select(2, h)).unsqueeze(2)).amax(1));     // [B, W]
  const Tensor columns = torch::stack(best, 1).reshape({batch * hops, -1}).t().contiguous();  // [W, B H]
  const Tensor sums = std::get<0>(torch::embedding_bag(columns, relations.bags.members, relations.bags.begins,
                                                       false, kSum, false, relations.weights));  // [R, B H]
  const Tensor rows = sums.t().reshape({batch, hops, count});
  return torch::cat({rows, torch::zeros({batch, hops, 1}, rows.options())}, 2);
}

ListenerImpl::Heard ListenerImpl::hear(const Said& given, const Relations& relations) {
  const Said said = given.to(table.device());
  Tensor words = bag_vectors(said.words);  // [B, T, D]
  const std::int64_t length = words.size(1);
  if (length > positions.size(0))
    throw ShapeError("listener: " + std::to_string(length) + " words are more than max_words, " +
                     std::to_string(positions.size(0)));
  if (is_training() && config_.word_dropout > 0)
    words = words * (torch::rand({words.size(0), length, 1}, words.options()) >= config_.word_dropout);
  Tensor read = words + positions.slice(0, 0, length), keep = said.words.keep;
  if (text_in) {
    Tensor text = text_in(said.text) + text_positions.slice(0, 0, said.text.size(1));
    if (is_training() && config_.word_dropout > 0)
      text = text * (torch::rand({text.size(0), text.size(1), 1}, text.options()) >= config_.word_dropout);
    read = torch::cat({read, text}, 1);
    keep = torch::cat({keep, said.text_keep}, 1);
  }
  const Tensor states = encoder(read, keep);                              // [B, T + Tt, D]
  Tensor weights = torch::matmul(states, hop_query.t()).transpose(1, 2);  // [B, H, T + Tt]
  weights = torch::softmax(weights.masked_fill(keep.logical_not().unsqueeze(1), -1e9), 2);
  const Tensor seen = torch::matmul(weights, states);  // [B, H, D]
  const Tensor kept = keep.to(states.dtype()).unsqueeze(2);
  Heard heard{query(seen), seen, (states * kept).sum(1) / kept.sum(1), {}, act(seen.select(1, 0))};
  if (config_.relation_words)
    heard.alike = alike(words, gate(states.slice(1, 0, length)), said.words, relations);
  if (text_in && config_.relation_words) {
    // The likeness of the texts as the encoder itself sees it, and as questions have taught it.
    const Tensor on_text = weights.slice(2, length) + 1e-6;
    const Tensor looked = torch::matmul(on_text / on_text.sum(2, true), said.text);  // [B, H, E]
    const Tensor near =
        torch::matmul(of_length_one(looked), relations.texts.t()) * text_scale[0].unsqueeze(1) +
        torch::matmul(of_length_one(text_like(looked)), relations.likes.t()) *
            text_scale[1].unsqueeze(1);  // [B, H, R]
    heard.alike = heard.alike + 0.25 * torch::constant_pad_nd(near, {0, 1});
  }
  return heard;
}

Tensor ListenerImpl::score(const Heard& heard, const Relations& relations, const Tensor& given_owners,
                           const Tensor& given_hops, const Tensor& given_before) {
  const torch::Device device = heard.queries.device();
  const Tensor owners = on(device, given_owners), hops = on(device, given_hops),
               before = on(device, given_before);
  const std::int64_t hop_count = heard.queries.size(1);
  const Tensor at = owners * hop_count + hops.clamp_max(hop_count - 1);  // [N]
  const auto pick = [&](const Tensor& x) { return x.reshape({-1, x.size(2)}).index_select(0, at); };
  const Tensor walked = (hops > 0).to(heard.queries.dtype()).unsqueeze(1);
  const Tensor wanted =
      pick(heard.queries) + walked * after(relations.mapped.index_select(0, before));  // [N, D]
  const double root = std::sqrt(static_cast<double>(config_.width));
  Tensor scores = torch::matmul(wanted, relations.mapped.t()) * (scale[0] / root);
  if (heard.alike.defined()) scores = scores + score_by_words(heard, at);
  if (!is_training() && config_.unheard != 0 && relations.bags.of_graph)
    scores = scores + torch::constant_pad_nd(unheard * config_.unheard, {0, 1});
  // Whether the way ends here depends on all that was said and on what was walked for it.
  const Tensor before_end = torch::cat({pick(heard.seen), heard.gist.index_select(0, owners),
                                        walked * relations.mapped.index_select(0, before)},
                                       1);
  const Tensor ends = end_out(torch::gelu(end_in(before_end)));  // [N, 1]
  return torch::cat({scores.slice(1, 0, -1), scores.slice(1, -1) + ends}, 1);
}

Tensor ListenerImpl::score_by_words(const Heard& heard, const Tensor& at) {
  return heard.alike.reshape({-1, heard.alike.size(2)}).index_select(0, at) * (4 * scale[1]);
}

ListenerImpl::Rows ListenerImpl::rows(const Heard& heard, const Relations& relations, const Tensor& owners,
                                      const Tensor& hops, const Tensor& before, const Tensor& fit) {
  const std::int64_t hop_count = heard.queries.size(1);
  Rows rows;
  const Tensor plain = score(heard, relations, owners, hops, before);
  rows.plain = on_processor(plain);
  rows.fitted = on_processor(among_all(plain, fit));
  rows.words = rows.plain;
  if (heard.alike.defined()) {
    const Tensor at = owners * hop_count + hops.clamp_max(hop_count - 1);  // [N]
    rows.words = on_processor(score_by_words(heard, on(plain.device(), at)));
  }
  return rows;
}

Tensor ListenerImpl::among_all(const Tensor& scores, const Tensor& fit) {
  return scores + torch::constant_pad_nd(on(scores.device(), fit) * scale[2], {0, 1});
}

Tensor ListenerImpl::missing(const Tensor& features) {
  return torch::matmul(on(absent.device(), features), absent.slice(0, 0, kNumAbsence)) + absent[kNumAbsence];
}

void ListenerImpl::set_unheard(const Tensor& is_unheard) {
  const torch::NoGradGuard no_grad;
  unheard.copy_(is_unheard);
}

// Logistic regression by Newton's method with a small penalty: the few parameters have one optimum.
void ListenerImpl::calibrate(const Tensor& features, const Tensor& is_absent) {
  const torch::NoGradGuard no_grad;
  const Tensor x =
      torch::cat({features, torch::ones({features.size(0), 1})}, 1).to(torch::kFloat64);  // [N, F + 1]
  const Tensor y = is_absent.to(torch::kFloat64);
  Tensor w = torch::zeros({kNumAbsence + 1}, torch::kFloat64);
  const Tensor penalty = torch::eye(kNumAbsence + 1, torch::kFloat64);
  for (int step = 0; step < 25; ++step) {
    const Tensor p = torch::sigmoid(torch::matmul(x, w));
    const Tensor gradient = torch::matmul(x.t(), p - y) + w;
    const Tensor hessian = torch::matmul(x.t() * (p * (1 - p)), x) + penalty;
    w = w - torch::linalg_solve(hessian, gradient);
  }
  absent.copy_(w);
  const Tensor answerable = torch::sigmoid(torch::matmul(x, w)).masked_select(y == 0);
  if (answerable.numel() == 0) return;
  const Tensor most = torch::quantile(answerable, 1 - kFalseRefusals);
  refuse_from.copy_(most.clamp(kLeastRefusal, kMostRefusal).to(torch::kFloat32));
}

Tensor ListenerImpl::asks(const Heard& heard) {
  const Tensor all = torch::log_softmax(heard.acts, 1);
  const Tensor nothing = all.slice(1, 0, 1);
  return torch::cat({torch::logsumexp(all.slice(1, 1), 1, true), nothing}, 1);
}

Tensor heard_log_probs(const Tensor& habit, const Tensor& heard, const Tensor& asks,
                       const CandidateTensors& c) {
  const Tensor by_habit = ragged_log_softmax(habit, c.offsets);  // [K]
  const Tensor within = ragged_log_softmax(habit, c.groups);     // [K]
  const Tensor firsts = c.groups.slice(0, 0, c.groups.size(0) - 1);
  const Tensor picked =
      ragged_pick(heard, c.relations.index_select(0, on(heard.device(), firsts)), c.group_states);  // [G]
  const Tensor relation = ragged_log_softmax(picked, c.group_states);
  const Tensor asked = ragged_repeat(relation.unsqueeze(1), c.groups).squeeze(1) + within;
  const Tensor judged = ragged_repeat(asks, c.offsets);  // [K, 2]
  return torch::logaddexp(judged.select(1, 0) + asked, judged.select(1, 1) + by_habit);
}

namespace {

// Shares of the softmax over a row: log of the start's share, of the likeliest relation that it has, whether
// that is the likeliest of all; the entropy.
struct RowShares {
  double here = 0, best = 0, entropy = 0;
  graph::RelationId top = 0;
  bool has_top = false;
};

RowShares shares_of(std::span<const float> row, const graph::KnowledgeGraph& graph, graph::EntityId start) {
  RowShares shares;
  const auto top = std::max_element(row.begin(), row.end());
  shares.top = static_cast<graph::RelationId>(top - row.begin());
  double all = 0, here = 0;
  for (const float score : row) all += std::exp(static_cast<double>(score - *top));
  for (const float score : row) {
    const double share = std::exp(static_cast<double>(score - *top)) / all;
    if (share > 1e-9) shares.entropy -= share * std::log(share);
  }
  double best = 1e-9;
  std::int64_t last = -1;
  for (const graph::Edge& edge : graph.out_edges(start)) {
    if (edge.relation == last) continue;
    last = edge.relation;
    const double share = std::exp(static_cast<double>(row[edge.relation] - *top)) / all;
    here += share;
    best = std::max(best, share);
    shares.has_top = shares.has_top || edge.relation == shares.top;
  }
  shares.here = std::log(here + 1e-9);
  shares.best = std::log(best);
  return shares;
}

// Leaders of a row: the likeliest relation of all with the log of its share, and the likeliest that the start
// has.
struct Leaders {
  graph::RelationId top = 0;
  double top_share = 0;
  std::optional<graph::RelationId> best;
};

Leaders leaders_of(std::span<const float> row, const graph::KnowledgeGraph& graph, graph::EntityId start) {
  Leaders leaders;
  const auto top = std::max_element(row.begin(), row.end());
  leaders.top = static_cast<graph::RelationId>(top - row.begin());
  double all = 0;
  for (const float score : row) all += std::exp(static_cast<double>(score - *top));
  leaders.top_share = -std::log(all);
  for (const graph::Edge& edge : graph.out_edges(start))
    if (!leaders.best || row[edge.relation] > row[*leaders.best]) leaders.best = edge.relation;
  return leaders;
}

bool has(const graph::KnowledgeGraph& graph, graph::EntityId start, graph::RelationId relation) {
  const auto edges = graph.out_edges(start);
  return std::any_of(edges.begin(), edges.end(),
                     [&](const graph::Edge& e) { return e.relation == relation; });
}

}  // namespace

RowSpans::RowSpans(const ListenerImpl::Rows& rows, std::int64_t state) {
  const auto row_of = [state](const Tensor& rows_of) {
    const std::int64_t width = rows_of.size(1);
    return std::span<const float>(rows_of.data_ptr<float>() + state * width,
                                  static_cast<std::size_t>(width - 1));
  };
  plain = row_of(rows.plain);
  fitted = row_of(rows.fitted);
  words = row_of(rows.words);
}

std::array<float, kNumStanding> standing_features(const RowSpans& rows, const graph::KnowledgeGraph& graph,
                                                  graph::EntityId start) {
  const RowShares heard = shares_of(rows.plain, graph, start), likely = shares_of(rows.fitted, graph, start),
                  worded = shares_of(rows.words, graph, start);
  const bool other_way = !likely.has_top && has(graph, start, graph.inverse(likely.top));
  const auto number = [](double value) { return static_cast<float>(value); };
  return {number(likely.here), number(likely.best), likely.has_top ? 1.0F : 0.0F, number(likely.entropy),
          number(heard.here),  number(heard.best),  heard.has_top ? 1.0F : 0.0F,  other_way ? 1.0F : 0.0F,
          number(worded.here), number(worded.best), worded.has_top ? 1.0F : 0.0F};
}

std::array<float, kNumAbsence> absence_features(const RowSpans& rows, const graph::KnowledgeGraph& graph,
                                                graph::EntityId start, std::span<const float> acts) {
  std::array<float, kNumAbsence> features{};
  const auto standing = standing_features(rows, graph, start);
  auto next = std::copy(standing.begin(), standing.end(), features.begin());
  for (std::size_t act = 0; act < acts.size(); ++act)
    if (act != static_cast<std::size_t>(Act::kNothing)) *next++ = acts[act];
  const std::array<std::span<const float>, 3> all{rows.plain, rows.fitted, rows.words};
  for (const std::span<const float> row : all) {
    const Leaders leaders = leaders_of(row, graph, start);
    *next++ = static_cast<float>(leaders.top_share);
    *next++ = leaders.best ? row[*leaders.best] - row[leaders.top] : kFarBehind;
    for (const std::span<const float> by : all) {
      *next++ = by[leaders.top];
      *next++ = leaders.best ? by[*leaders.best] : 0.0F;
    }
  }
  return features;
}

void widen_absence(NamedTensors& weights) {
  const auto found = weights.find("listener.absent");
  if (found == weights.end() || found->second.numel() != kNumStanding + 1) return;
  Tensor wide = torch::zeros({kNumAbsence + 1});
  wide.slice(0, 0, kNumStanding).copy_(found->second.slice(0, 0, kNumStanding));
  wide[kNumAbsence].copy_(found->second[kNumStanding]);
  found->second = wide;
}

}  // namespace kgwalk::walker

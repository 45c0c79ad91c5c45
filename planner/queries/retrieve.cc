#include "kgwalk/retrieve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/connect.h"
#include "kgwalk/guide.h"
#include "kgwalk/planner.h"
#include "kgwalk/store.h"
#include "planner/queries/names.h"
#include "runtime/config.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kMaxNamed = 4;  // entities of a question that are walked from
constexpr int kJoining = 2;           // paths between two of them

void check(const RetrieveRequest& request) {
  Problems problems;
  if (invalid_utf8_at(request.question)) problems.add("question", "is not valid UTF-8");
  if (request.tokens < 16) problems.add("tokens", "must be at least 16");
  if (request.k < 1 || request.k > 100) problems.add("k", "must be from 1 to 100");
  if (request.max_hops < 1 || request.max_hops > kMaxPathHops)
    problems.add("max_hops", fmt::format("must be from 1 to {}", kMaxPathHops));
  problems.throw_if_any("retrieve");
}

// Each fact once, with its greatest weight.
class Facts {
 public:
  explicit Facts(const graph::KnowledgeGraph& graph) : graph_(graph) {}
  void add(const std::string& head, const std::string& relation, const std::string& tail, double weight,
           const std::string& source) {
    const NamedHop fact = forward_hop(
        graph_, {*graph_.find_entity(head), *graph_.find_relation(relation), *graph_.find_entity(tail)});
    const auto [place, is_new] =
        places_.try_emplace(std::tuple(fact.head, fact.relation, fact.tail), facts_.size());
    if (is_new) return facts_.push_back({fact, weight, source});
    RetrievedFact& known = facts_[place->second];
    if (known.weight >= weight) return;
    known.weight = weight;
    known.source = source;
  }
  [[nodiscard]] std::vector<RetrievedFact> sorted() && {
    std::stable_sort(facts_.begin(), facts_.end(),
                     [](const RetrievedFact& a, const RetrievedFact& b) { return a.weight > b.weight; });
    return std::move(facts_);
  }

 private:
  const graph::KnowledgeGraph& graph_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_;
  std::vector<RetrievedFact> facts_;
};

void add_planned(const Planner& planner, const RetrieveRequest& request, const std::string& start,
                 Facts& facts) {
  PlanRequest plan{.history = request.history, .start = start, .k = request.k, .max_hops = request.max_hops};
  plan.history.push_back({"user", request.question});
  plan.beam = std::max(plan.beam, request.k);
  for (const PlannedPath& path : planner.plan(plan))
    for (const PlannedHop& hop : path.hops)
      facts.add(hop.head, hop.relation, hop.tail, std::exp(path.log_prob), "path from " + start);
}

void add_joining(const Planner& planner, const RetrieveRequest& request,
                 const std::vector<std::string>& named, Facts& facts) {
  ConnectRequest between{.entities = named, .k = kJoining, .detour = 1, .history = request.history};
  between.history.push_back({"user", request.question});
  for (const Link& link : connect(planner, between))
    for (const ConnectingPath& path : link.paths)
      for (const NamedHop& hop : path.hops)
        facts.add(hop.head, hop.relation, hop.tail, 1, fmt::format("joins {} and {}", link.from, link.to));
}

void write(std::vector<RetrievedFact> facts, int budget, Retrieved& out) {
  for (RetrievedFact& found : facts) {
    std::string line = fmt::format("{} | {} | {}", found.fact.head, found.fact.relation, found.fact.tail);
    if (!found.fact.sources.empty()) line += fmt::format(" [{}]", fmt::join(found.fact.sources, ", "));
    line += '\n';
    const int cost = estimated_tokens(line);
    if (out.tokens + cost > budget) {
      out.cut = true;  // a shorter one may still fit
      continue;
    }
    out.tokens += cost;
    out.text += line;
    out.facts.push_back(std::move(found));
  }
}

}  // namespace

int estimated_tokens(std::string_view text) {
  std::size_t tokens = 0, word = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) {
      tokens += word++ % 4 == 0 ? 1 : 0;
    } else {
      word = 0;
      tokens += std::isspace(byte) != 0 ? 0 : 1;
    }
  }
  return static_cast<int>(tokens);
}

Retriever::Retriever(std::shared_ptr<const Guide> guide, std::shared_ptr<const dialogue::EntityLinker> linker)
    : guide_(std::move(guide)), linker_(std::move(linker)) {}
Retriever::Retriever(Retriever&&) noexcept = default;
Retriever& Retriever::operator=(Retriever&&) noexcept = default;
Retriever::~Retriever() = default;

Retriever Retriever::open(const std::filesystem::path& database, const std::filesystem::path& run) {
  auto guide = std::make_shared<const Guide>(Guide::open({.database = database, .run = run}));
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  auto linker = std::make_shared<const dialogue::EntityLinker>(
      dialogue::EntityLinker::open(store, guide->planner().graph()));
  return {std::move(guide), std::move(linker)};
}

Retrieved Retriever::retrieve(const RetrieveRequest& request) const {
  check(request);
  const Planner& planner = guide_->planner();
  const graph::KnowledgeGraph& graph = planner.graph();
  Retrieved out;
  dialogue::LinkContext context;
  for (const Utterance& said : request.history) context.earlier.push_back(said.text);
  for (const dialogue::LinkedMention& mention : linker_->mentions(request.question, context)) {
    const std::string name(graph.entity_name(mention.entities.front()));
    if (out.entities.size() < kMaxNamed &&
        std::find(out.entities.begin(), out.entities.end(), name) == out.entities.end())
      out.entities.push_back(name);
  }
  Facts facts(graph);
  for (const std::string& name : out.entities) add_planned(planner, request, name, facts);
  if (out.entities.size() > 1) add_joining(planner, request, out.entities, facts);
  write(std::move(facts).sorted(), request.tokens, out);
  return out;
}

}  // namespace kgwalk

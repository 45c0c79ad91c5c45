#include "planner/exam/apart_exam.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/bank.h"
#include "dialogue/questions/wording_text.h"
#include "listening/candidates/lexicon.h"
#include "listening/words/families.h"
#include "listening/words/relation_words.h"
#include "listening/words/said_text.h"
#include "runtime/random.h"

namespace kgwalk {

extern const std::string_view kQuestionsApart;  // the file's text

namespace {

using dialogue::Form;
using dialogue::Wording;
using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostAnswers = 12;
constexpr int kTries = 30;  // of a wording, to find an entity

struct Asking {
  RelationId relation = 0;  // from what is named to what is asked for
  const Wording* wording = nullptr;
};

const dialogue::Bank& wordings_apart() {
  static const dialogue::Bank bank = dialogue::parse_bank(kQuestionsApart, "data/questions_apart.txt");
  return bank;
}

bool is_same_relation(const std::vector<std::string>& words, const std::vector<std::string>& name) {
  if (words == name) return true;
  const listening::Family* const family = listening::family_of(words);
  return family != nullptr && family == listening::family_of(name);
}

// Whether a wording for what a kind of thing has suits a relation: nobody asks how far a person rises above
// the sea. Of what is no known kind numbers and dates are asked for in words for anything alone.
bool suits(dialogue::Kind head, const listening::RelationWords& relation) {
  using dialogue::Kind;
  using listening::EndKind;
  const EndKind wanted = head == Kind::kPerson  ? EndKind::kPerson
                         : head == Kind::kPlace ? EndKind::kPlace
                         : head == Kind::kOrg   ? EndKind::kOrganization
                         : head == Kind::kWork  ? EndKind::kWork
                                                : EndKind::kUnknown;
  if (wanted == EndKind::kUnknown || relation.head == wanted) return true;
  if (relation.head != EndKind::kUnknown && relation.head != EndKind::kThing) return false;
  return relation.tail != EndKind::kNumber && relation.tail != EndKind::kDate;
}

class Maker {
 public:
  Maker(const graph::TypedValues& values, std::uint64_t seed)
      : values_(values), graph_(values.graph()), lexicon_(graph_, values), random_(seed, 89) {
    for (EntityId e = 0; e < graph_.num_connected(); ++e)
      ++namesakes_[listening::folded(dialogue::plain_name(graph_.entity_name(e)))];
    for (EntityId e = 0; e < graph_.num_connected(); ++e)
      for (const graph::Edge& edge : graph_.out_edges(e)) heads_[edge.relation].push_back(e);
    for (auto& [relation, heads] : heads_) heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  }

  ApartExam make(std::size_t count) {
    ApartExam out;
    const std::vector<std::vector<Asking>> all = askings(out.of_relations);
    out.relations = all.size();
    std::set<std::string> said;
    for (std::size_t round = 0; !all.empty() && out.exam.size() < count && round < kTries * count; ++round) {
      const std::vector<Asking>& of_relation = all[round % all.size()];
      const Asking& asking = of_relation[(round / all.size()) % of_relation.size()];
      if (auto turn = ask(asking); turn && said.insert(turn->say).second)
        out.exam.push_back({std::move(*turn)});
    }
    return out;
  }

 private:
  // By relation; each wording with the way it is read.
  std::vector<std::vector<Asking>> askings(std::size_t& of_relations) const {
    std::vector<std::vector<Asking>> all;
    for (RelationId r = 0; r < graph_.num_relations(); ++r) {
      if (graph_.relation_name(r).starts_with('~') || !heads_.contains(r)) continue;
      ++of_relations;
      const std::vector<std::string> words = listening::relation_words(graph_.relation_name(r));
      std::vector<Asking> found;
      for (const dialogue::Family& family : wordings_apart().families)
        for (const std::string& name : family.relations) {
          const bool back = name.starts_with('~');
          if (!is_same_relation(words, listening::words_of_label(back ? name.substr(1) : name))) continue;
          if (!back && !suits(family.head, lexicon_.relation(r))) break;
          for (const Wording& wording : family.wordings)
            found.push_back({wording.backward != back ? graph_.inverse(r) : r, &wording});
          break;
        }
      if (!found.empty()) all.push_back(std::move(found));
    }
    return all;
  }

  [[nodiscard]] bool is_clear(EntityId entity) const {
    const std::string plain = dialogue::plain_name(graph_.entity_name(entity));
    return values_.kind(entity) == graph::ValueKind::kThing && plain.size() >= 3 && plain.size() <= 60 &&
           namesakes_.at(listening::folded(plain)) == 1;
  }

  [[nodiscard]] std::vector<EntityId> tails(EntityId head, RelationId relation) const {
    std::vector<EntityId> out;
    for (const graph::Edge& edge : graph_.out_edges(head))
      if (edge.relation == relation && edge.tail != head) out.push_back(edge.tail);
    return out;
  }

  std::optional<ExamTurn> ask(const Asking& asking) {
    const auto heads = heads_.find(asking.relation);
    if (heads == heads_.end()) return std::nullopt;
    for (int i = 0; i < kTries; ++i) {
      const EntityId head = heads->second[random_.below(heads->second.size())];
      if (!is_clear(head)) continue;
      const std::vector<EntityId> right = tails(head, asking.relation);
      if (right.empty() || right.size() > kMostAnswers) continue;
      if (asking.wording->form == Form::kList && right.size() < 2) continue;
      return turn(asking, head, right);
    }
    return std::nullopt;
  }

  std::optional<ExamTurn> turn(const Asking& asking, EntityId head, const std::vector<EntityId>& right) {
    ExamTurn out;
    std::string claim;
    switch (asking.wording->form) {
      case Form::kOne:
        out.kind = "one thing";
        for (const EntityId each : right) out.any.push_back(shown(each));
        break;
      case Form::kList:
        out.kind = "a list";
        for (const EntityId each : right) out.all.push_back(shown(each));
        break;
      case Form::kVerify: {
        out.kind = "yes or no";
        out.yes = random_.uniform() < 0.5;
        EntityId other = right[random_.below(right.size())];
        if (!*out.yes) {
          const std::vector<EntityId>& others = heads_.at(graph_.inverse(asking.relation));
          other = others[random_.below(others.size())];
          if (std::find(right.begin(), right.end(), other) != right.end()) return std::nullopt;
        }
        claim = shown(other);
        break;
      }
      default:
        return std::nullopt;
    }
    out.say = asking.wording->text;
    const std::string name = dialogue::plain_name(graph_.entity_name(head));
    dialogue::replace_all(out.say, "{x's}", name + "'s");
    for (const char* place : {"{x}", "{he}"}) dialogue::replace_all(out.say, place, name);
    dialogue::replace_all(out.say, "{y}", claim);
    if (random_.uniform() < 0.6) {
      out.say[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out.say[0])));
      out.say += '?';
    }
    return out;
  }

  [[nodiscard]] std::string shown(EntityId entity) const {
    return dialogue::plain_name(values_.shown(entity));
  }

  const graph::TypedValues& values_;
  const graph::KnowledgeGraph& graph_;
  listening::Lexicon lexicon_;
  Random random_;
  std::unordered_map<std::string, int> namesakes_;
  std::map<RelationId, std::vector<EntityId>> heads_;  // that have the relation, ascending
};

}  // namespace

ApartExam apart_exam(const graph::TypedValues& values, std::size_t count, std::uint64_t seed) {
  return Maker(values, seed).make(count);
}

}  // namespace kgwalk

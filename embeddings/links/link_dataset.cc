#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "kgwalk/error.h"
#include "kgwalk/link_prediction.h"
#include "runtime/input_bytes.h"
#include "runtime/text.h"

namespace kgwalk::embeddings {
namespace {

class Vocabulary {
 public:
  explicit Vocabulary(std::vector<std::string>& names) : names_(names) {}
  std::uint32_t id(std::string_view name) {
    const auto [it, added] = ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (added) names_.emplace_back(name);
    return it->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

std::vector<Triple> read_triples(const std::filesystem::path& path, Vocabulary& entities,
                                 Vocabulary& relations) {
  const std::string bytes = read_input(path);
  std::string_view rest = bytes;
  std::vector<Triple> out;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    std::string_view text = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    const std::size_t first = text.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : text.find('\t', first + 1);
    if (second == std::string_view::npos || text.find('\t', second + 1) != std::string_view::npos)
      throw DataError(path.string(), line,
                      "expected three fields; separate head, relation and tail by one tab each");
    const std::string_view head = text.substr(0, first);
    const std::string_view relation = text.substr(first + 1, second - first - 1);
    const std::string_view tail = text.substr(second + 1);
    if (head.empty() || relation.empty() || tail.empty())
      throw DataError(path.string(), line, "a name is empty; give head, relation and tail");
    if (invalid_utf8_at(text)) throw DataError(path.string(), line, "is not valid UTF-8; convert the file");
    const std::uint32_t h = entities.id(head);  // in this order: ids follow first appearance
    const std::uint32_t r = relations.id(relation);
    out.push_back({h, r, entities.id(tail)});
  }
  if (out.empty()) throw DataError(path.string(), 0, "holds no triples");
  return out;
}

struct ByParts {
  bool operator()(const Triple& a, const Triple& b) const {
    return std::tuple(a.head, a.relation, a.tail) < std::tuple(b.head, b.relation, b.tail);
  }
};
using TripleSet = std::set<Triple, ByParts>;

std::string some(std::size_t count, std::size_t all, const std::string& what) {
  return with_commas(static_cast<long long>(count)) + " of " + with_commas(static_cast<long long>(all)) +
         " " + what;
}

// What a split has that its readers may not expect.
void remark_split(std::vector<std::string>& remarks, const std::string& name,
                  const std::vector<Triple>& triples, const TripleSet& distinct) {
  if (distinct.size() < triples.size())
    remarks.push_back(some(triples.size() - distinct.size(), triples.size(),
                           name + " facts are there more than once; each counts"));
  const auto loops = std::count_if(triples.begin(), triples.end(),
                                   [](const Triple& fact) { return fact.head == fact.tail; });
  if (loops > 0)
    remarks.push_back(
        some(static_cast<std::size_t>(loops), triples.size(), name + " facts lead from an entity to itself"));
}

// What of a split training cannot know, or knows already.
void remark_measured(std::vector<std::string>& remarks, const std::string& name, const LinkDataset& data,
                     const std::vector<Triple>& triples, const TripleSet& trained) {
  std::vector<bool> entities(data.entities.size()), relations(data.relations.size());
  for (const Triple& fact : data.train)
    entities[fact.head] = entities[fact.tail] = relations[fact.relation] = true;
  const auto count = [&](const auto& is) {
    return static_cast<std::size_t>(std::count_if(triples.begin(), triples.end(), is));
  };
  const std::size_t seen = count([&](const Triple& fact) { return trained.contains(fact); });
  if (seen > 0) remarks.push_back(some(seen, triples.size(), name + " facts are in training too"));
  const std::size_t strange =
      count([&](const Triple& fact) { return !entities[fact.head] || !entities[fact.tail]; });
  if (strange > 0)
    remarks.push_back(
        some(strange, triples.size(), name + " facts have an entity that was never trained on"));
  const std::size_t unused = count([&](const Triple& fact) { return !relations[fact.relation]; });
  if (unused > 0)
    remarks.push_back(
        some(unused, triples.size(), name + " facts have a relation that was never trained on"));
}

}  // namespace

std::vector<std::string> LinkDataset::remarks() const {
  std::vector<std::string> found;
  const TripleSet trained(train.begin(), train.end());
  remark_split(found, "training", train, trained);
  for (const auto& [name, split] : {std::pair("validation", &valid), {"test", &test}}) {
    remark_split(found, name, *split, TripleSet(split->begin(), split->end()));
    remark_measured(found, name, *this, *split, trained);
  }
  return found;
}

LinkDataset LinkDataset::load(const std::filesystem::path& train, const std::filesystem::path& valid,
                              const std::filesystem::path& test) {
  LinkDataset out;
  Vocabulary entities(out.entities);
  Vocabulary relations(out.relations);
  out.train = read_triples(train, entities, relations);
  out.valid = read_triples(valid, entities, relations);
  out.test = read_triples(test, entities, relations);
  return out;
}

}  // namespace kgwalk::embeddings

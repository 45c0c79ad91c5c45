#include <string_view>
#include <unordered_map>

#include "kgwalk/error.h"
#include "kgwalk/link_prediction.h"
#include "runtime/files.h"
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
  const MappedFile file(path);
  std::string_view rest = file.bytes();
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

}  // namespace

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

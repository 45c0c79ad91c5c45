#include "graph/ingest/formats/json_listed.h"

#include <string>

#include "graph/ingest/formats/json_lists.h"
#include "graph/ingest/formats/json_parts.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

std::uint64_t hash_of(std::string_view id, std::string_view name) {
  return hash_bytes(std::string(id) + '\n' + name_key(name));
}

}  // namespace

ListedObjects::ListedObjects(std::string_view bytes) {
  ProblemLog log("", false, 0, silent_reporter());
  NoSink sink;
  ListedElements elements(bytes, log, sink);
  JsonNode node;
  for (JsonElement element; elements.next(element);) {
    if (!elements.read(element, node) || !node.is_object()) continue;
    const IdAndName known = id_and_name(node);
    if (!known.id.empty() && !known.name.empty()) known_.insert(hash_of(known.id, known.name));
  }
}

bool ListedObjects::has(std::string_view id, std::string_view name) const {
  return known_.contains(hash_of(id, name));
}

}  // namespace kgwalk::graph

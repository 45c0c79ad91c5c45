// Entities and relations of a graph by what people and programs call them: a name, or the id that the source
// gave.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/forms.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::forms {

// ConfigError "WHERE: entity 'NAME' is not in the graph; did you mean ...?"
[[nodiscard]] EntityId entity_of(std::string_view name, const graph::KnowledgeGraph& graph,
                                 std::string_view where);
// Likewise; a leading `~` reads it backwards, before an id too.
[[nodiscard]] RelationId relation_of(std::string_view name, const graph::KnowledgeGraph& graph,
                                     std::string_view where);
// By the id alone; nullopt where no relation has it.
[[nodiscard]] std::optional<RelationId> relation_with_id(std::string_view id,
                                                         const graph::KnowledgeGraph& graph);

// What the functions above find again.
[[nodiscard]] std::string written_name(EntityId entity, const graph::KnowledgeGraph& graph);
[[nodiscard]] std::string written_name_of_relation(RelationId relation, const graph::KnowledgeGraph& graph);

}  // namespace kgwalk::forms

// The report of an ingestion as json: what is printed, and what the database keeps.
#include "kgwalk/ingest.h"

#include <array>
#include <utility>

namespace kgwalk::graph {
namespace {

std::string_view kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::kTriples:
      return "triples";
    case FileKind::kEntities:
      return "entities";
    case FileKind::kRelations:
      return "relations";
    case FileKind::kAnnotationOnly:
      return "annotation_only";
    case FileKind::kDialogues:
      return "dialogues";
    case FileKind::kIds:
      return "ids";
  }
  return "?";
}

Json counts_of(const std::map<Reason, std::uint64_t>& by_reason) {
  Json json = Json::object();
  for (const auto& [reason, count] : by_reason) json[std::string(reason_name(reason))] = count;
  return json;
}

}  // namespace

std::string_view reason_name(Reason reason) noexcept {
  // In the order of the enum.
  constexpr std::array<std::string_view, 19> kNames = {
      "field_count",  "invalid_utf8", "nul_byte",        "empty_name",      "long_line",
      "quotes",       "json",         "message",         "path_shape",      "unknown_triple",
      "broken_chain", "syntax",       "long_name",       "bad_id",          "bad_weight",
      "unknown_node", "crlf",         "byte_order_mark", "no_final_newline"};
  static_assert(kNames.size() == static_cast<std::size_t>(Reason::kNoFinalNewline) + 1);
  return kNames[static_cast<std::size_t>(reason)];
}

void DialogueCounts::add(const DialogueCounts& other) noexcept {
  dialogues += other.dialogues;
  messages += other.messages;
  paths += other.paths;
  one_hop_paths += other.one_hop_paths;
  two_hop_paths += other.two_hop_paths;
  longer_paths += other.longer_paths;
  hops += other.hops;
  annotation_only_paths += other.annotation_only_paths;
  side_talk += other.side_talk;
  duplicates += other.duplicates;
}

Json DialogueCounts::to_json() const {
  return {{"dialogues", dialogues},
          {"messages", messages},
          {"paths", paths},
          {"one_hop_paths", one_hop_paths},
          {"two_hop_paths", two_hop_paths},
          {"longer_paths", longer_paths},
          {"hops", hops},
          {"annotation_only_paths", annotation_only_paths},
          {"side_talk", side_talk},
          {"duplicate_rows", duplicates}};
}

Json FileReport::to_json() const {
  Json json = {{"kind", kind_name(kind)}, {"bytes", bytes}};
  if (kind == FileKind::kDialogues) {
    json["split"] = split;
    json.update(dialogues.to_json());
  } else {
    json["lines"] = lines;
  }
  if (kind == FileKind::kTriples || kind == FileKind::kAnnotationOnly) json["triples"] = triples;
  if (!format.empty()) json["format"] = format;
  if (statements > 0)
    json.update({{"statements", statements},
                 {"labels", labels},
                 {"values", values},
                 {"dropped_literals", dropped_literals}});
  if (aliases + descriptions > 0) json.update({{"aliases", aliases}, {"descriptions", descriptions}});
  if (qualifiers + lost_qualifiers > 0)
    json.update({{"qualifiers", qualifiers}, {"lost_qualifiers", lost_qualifiers}});
  if (kind == FileKind::kEntities || kind == FileKind::kRelations || kind == FileKind::kIds) {
    json["names"] = names;
    json["duplicates"] = duplicates;
  }
  json["skipped"] = skipped;
  json["skipped_by_reason"] = counts_of(skipped_by_reason);
  json["repaired_by_reason"] = counts_of(repaired_by_reason);
  return json;
}

Json IngestReport::to_json() const {
  Json json = {{"triple_lines", triple_lines},
               {"duplicate_triples", duplicate_triples},
               {"added_inverses", added_inverses},
               {"labels", labels},
               {"values", values},
               {"dropped_literals", dropped_literals},
               {"edges", edges},
               {"self_loops", self_loops},
               {"annotation_only", annotation_only},
               {"entities", entities},
               {"connected_entities", connected_entities},
               {"relations", relations},
               {"relations_in_use", relations_in_use},
               {"neighbour_pairs", neighbor_pairs},
               {"skipped", skipped},
               {"splits", Json::object()},
               {"files", Json::object()}};
  const std::pair<const char*, std::uint64_t> details[] = {
      {"aliases", aliases},       {"descriptions", descriptions}, {"weighted_facts", weighted},
      {"sourced_facts", sourced}, {"qualified_facts", qualified}, {"told_apart", told_apart}};
  for (const auto& [name, count] : details)  // only where the source gave some
    if (count > 0) json[name] = count;
  for (const auto& [name, count] : named_by) json["named_by"][name] = count;
  if (!housekeeping.empty()) json["housekeeping"] = housekeeping;
  if (!notes.empty()) json["notes"] = notes;
  for (const auto& [name, counts] : splits) json["splits"][name] = counts.to_json();
  for (const auto& [name, file] : files) json["files"][name] = file.to_json();
  return json;
}

}  // namespace kgwalk::graph

// The report of an ingestion as json: what is printed, and what the database keeps.
#include "kgwalk/ingest.h"

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
  switch (reason) {
    case Reason::kFieldCount:
      return "field_count";
    case Reason::kInvalidUtf8:
      return "invalid_utf8";
    case Reason::kNulByte:
      return "nul_byte";
    case Reason::kEmptyName:
      return "empty_name";
    case Reason::kLongLine:
      return "long_line";
    case Reason::kQuotes:
      return "quotes";
    case Reason::kJson:
      return "json";
    case Reason::kMessage:
      return "message";
    case Reason::kPathShape:
      return "path_shape";
    case Reason::kUnknownTriple:
      return "unknown_triple";
    case Reason::kBrokenChain:
      return "broken_chain";
    case Reason::kCrLf:
      return "crlf";
    case Reason::kByteOrderMark:
      return "byte_order_mark";
    case Reason::kNoFinalNewline:
      return "no_final_newline";
  }
  return "?";
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
  if (kind == FileKind::kEntities || kind == FileKind::kRelations) {
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
  for (const auto& [name, counts] : splits) json["splits"][name] = counts.to_json();
  for (const auto& [name, file] : files) json["files"][name] = file.to_json();
  return json;
}

}  // namespace kgwalk::graph

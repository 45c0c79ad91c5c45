#include "graph/ingest/formats/triples_reader.h"

#include <algorithm>
#include <string>

#include "graph/ingest/formats/id_map.h"
#include "graph/ingest/formats/named_facts.h"
#include "graph/ingest/lines.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kPollLines = 8192;

// Spaces around a name are none of it.
std::string_view trimmed(std::string_view field) {
  if (!field.starts_with(' ') && !field.ends_with(' ')) return field;
  const std::size_t begin = field.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view()
                                         : field.substr(begin, field.find_last_not_of(' ') - begin + 1);
}

}  // namespace

bool split_triple(std::string_view line, std::size_t number, ProblemLog& log, TripleFields& fields) {
  const std::size_t first = line.find('\t');
  const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
  if (second == std::string_view::npos || line.find('\t', second + 1) != std::string_view::npos) {
    const auto count = 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
    log.skip(number, Reason::kFieldCount,
             std::to_string(count) + (count == 1 ? " field" : " fields") +
                 " instead of three; head, relation and tail are separated by tabs");
    return false;
  }
  fields = {trimmed(line.substr(0, first)), trimmed(line.substr(first + 1, second - first - 1)),
            trimmed(line.substr(second + 1))};
  return true;
}

void read_triples(const InputText& text, StatementSink& sink) {
  LineReader lines(text.bytes, text.max_line_bytes, text.log);
  NamedFacts facts(text, sink);
  std::size_t handled = 0;
  for (std::string_view line; lines.next(line);) {
    if (++handled % kPollLines == 0) sink.at(lines.position());
    TripleFields fields;
    if (!split_triple(line, lines.number(), text.log, fields)) continue;
    // The header that PyKEEN writes over its numbers may have any names.
    const bool is_header =
        lines.number() == 1 &&
        (is_fact_header(fields.head, fields.relation, fields.tail) ||
         (text.entity_ids != nullptr && !is_number(fields.head) && !is_number(fields.tail)));
    if (!is_header) facts.take({fields.head, fields.relation, fields.tail}, lines.number());
  }
  text.counts.lines = lines.number();
}

}  // namespace kgwalk::graph

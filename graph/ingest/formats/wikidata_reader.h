// The dump of Wikidata as JSON (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html): an
// array of entities, one a line, or any piece of it.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// An entity gives its label (that in InputOptions::language, one of its regions, the one for many languages,
// English, or the first), its description and aliases in that language, and its statements of the best rank,
// as Wikidata's own RDF calls them: entity/Q42, prop/direct/P31. A property of the dump names the relation.
// Left out, counted and noted: other languages, other ranks, values that are unknown or none, qualifiers,
// references, links to Wikipedia, senses and forms of lexemes. A statement whose value breaks its form is
// logged and costs no other.
void read_wikidata(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph

#pragma once
#include "graph/ingest/input_text.h"
namespace kgwalk::graph {
void read_wikidata(const InputText& text, StatementSink& sink);
}

#include "graph/ingest/formats/wikidata_reader.h"
namespace kgwalk::graph { void read_wikidata(const InputText&, StatementSink&) {} }

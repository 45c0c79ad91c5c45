// Statements about statements, as RDF's reification has them, taken for qualifiers of their facts.
#pragma once

#include "graph/ingest/gathered.h"
#include "kgwalk/ingest.h"

namespace kgwalk::graph {

// A blank node of the type rdf:Statement whose rdf:subject, rdf:predicate and rdf:object are a fact that the
// same graph states, and which nothing leads to, is what was said beside that fact. Its other facts become
// qualifiers, and it is no thing. Nodes that are more than that stay as they are. kgwalk export writes such
// nodes.
void take_reified(Gathered& gathered, IngestReport& report);

}  // namespace kgwalk::graph

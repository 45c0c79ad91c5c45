#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
namespace kgwalk::forms {
Query query_of_sparql(std::string_view, const graph::TypedValues&, const SparqlOptions&) {
  throw ConfigError("later");
}
}  // namespace kgwalk::forms

// What mends an error, in the words of the command line. Libraries know no commands; this is the one place
// that does.
#pragma once

#include <string>

#include "kgwalk/error.h"

namespace kgwalk::cli {

// The message, and behind it the command or option that mends it: "kg.db: there is no database; make it with
// `kgwalk ingest --db kg.db --triples FILE`".
[[nodiscard]] std::string told_with_remedies(const Error& error);

}  // namespace kgwalk::cli

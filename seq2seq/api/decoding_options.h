// The public options of decoding as those of the search.
#pragma once

#include "kgwalk/decoded.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {

// ConfigError that names every option that is out of its range.
[[nodiscard]] TokenSearchOptions with_options(TokenSearchOptions search, const DecodingOptions& options);

}  // namespace kgwalk::seq2seq

// The public options of decoding as those of the search.
#pragma once

#include <string>

#include "kgwalk/decoded.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {

// ConfigError for an option out of its range.
[[nodiscard]] TokenSearchOptions with_options(TokenSearchOptions search, const DecodingOptions& options);
// ConfigError unless the beam keeps as many hypotheses as are given.
void check_nbest(const TokenSearchOptions& search, const std::string& source);

}  // namespace kgwalk::seq2seq

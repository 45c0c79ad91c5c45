#include "seq2seq/api/decoding_options.h"

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {

TokenSearchOptions with_options(TokenSearchOptions search, const DecodingOptions& options) {
  if (options.batch < 1)
    throw ConfigError("decoding: batch is " + std::to_string(options.batch) + ", not from 1");
  if (options.beam != 0) search.beam = options.beam;
  search.nbest = options.nbest;
  validate(search, "decoding");
  check_nbest(search, "decoding");
  return search;
}

void check_nbest(const TokenSearchOptions& search, const std::string& source) {
  if (search.nbest > search.beam)
    throw ConfigError(source + ": nbest is " + std::to_string(search.nbest) + " and the beam keeps " +
                      std::to_string(search.beam));
}

}  // namespace kgwalk::seq2seq

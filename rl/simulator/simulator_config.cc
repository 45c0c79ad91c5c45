#include "rl/simulator/simulator_config.h"

namespace kgwalk::rl {

void SimulatorConfig::check(Problems& problems) const {
  if (encoder.width != decoder.width)
    problems.add("encoder.width",
                 "must equal decoder.width, since the decoder attends to the encoders' states");
  if (speech.max_pieces > max_pieces)
    problems.add("speech.max_pieces", "is longer than max_pieces, the longest utterance that is learned");
}

walker::WalkerConfig SimulatorConfig::sources() const {
  walker::WalkerConfig config;
  config.encoder = encoder;
  config.decoder = decoder;
  config.metapath = metapath;
  config.max_path_history = max_path_history;
  config.text.utterances = utterances;
  config.text.user_only = true;
  config.text.states = states;
  return config;
}

}  // namespace kgwalk::rl

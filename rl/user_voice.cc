#include "rl/user_voice.h"

namespace kgwalk::rl {

std::vector<std::string> SilentUser::speak(std::span<const walker::Example* const> situations,
                                           Random& /*random*/) const {
  return std::vector<std::string>(situations.size());
}

}  // namespace kgwalk::rl

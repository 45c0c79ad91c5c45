#include "rl/environment/user_voice.h"

#include "runtime/checksum.h"

namespace kgwalk::rl {

std::vector<std::string> SilentUser::speak(std::span<const walker::Example* const> situations,
                                           Random& /*random*/) const {
  return std::vector<std::string>(situations.size());
}

std::vector<std::string> ScriptedUser::speak(std::span<const walker::Example* const> situations,
                                             Random& random) const {
  std::vector<std::string> said(situations.size());
  std::vector<const walker::Example*> open;  // those whose script has ended
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < situations.size(); ++i) {
    const std::size_t turn = situations[i]->path_ends.size();
    if (turn < script_.size()) {
      said[i] = script_[turn];
    } else {
      open.push_back(situations[i]);
      places.push_back(i);
    }
  }
  std::vector<std::string> further = then_.speak(open, random);
  for (std::size_t i = 0; i < places.size(); ++i) said[places[i]] = std::move(further[i]);
  return said;
}

std::string ScriptedUser::checksum() const {
  Checksum sum;
  for (const std::string& text : script_) sum.add(text + '\n');
  sum.add(then_.checksum());
  return sum.hex();
}

}  // namespace kgwalk::rl

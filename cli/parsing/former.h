// Command lines of earlier versions in today's form.
#pragma once

#include <string>
#include <vector>

namespace kgwalk::cli {

// `eval --run R --success` as `eval success --run R`, and so on; other words as they are. `told`: what to
// type now, where something was changed.
[[nodiscard]] std::vector<std::string> in_todays_form(std::vector<std::string> words, std::string& told);

}  // namespace kgwalk::cli

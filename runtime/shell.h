// Words as a POSIX shell reads them back: for the commands that messages tell the user to run.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kgwalk {

/// The word itself when the shell takes it as it is, otherwise in single quotes.
[[nodiscard]] std::string shell_quote(std::string_view word);

/// The words quoted one by one, a space between them.
[[nodiscard]] std::string shell_command(std::span<const std::string> words);

}  // namespace kgwalk

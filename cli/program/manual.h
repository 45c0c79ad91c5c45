// The manual of the command line, made of its description (cli/parsing/description.h): pages for man, and
// completion for bash and zsh.
#pragma once

#include <filesystem>
#include <string>

#include "kgwalk/json.h"

namespace kgwalk::cli {

// Pages of section 1 in roff: of the program, or of one of its verbs, whose own verbs are sections of it.
[[nodiscard]] std::string program_page(const Json& program, const std::string& version);
[[nodiscard]] std::string verb_page(const Json& program, const Json& verb, const std::string& version);

// Scripts that a shell reads: commands, options of a command, choices of an option; files elsewhere.
[[nodiscard]] std::string bash_completion(const Json& program);
[[nodiscard]] std::string zsh_completion(const Json& program);

// man1/kgwalk.1, man1/kgwalk-VERB.1 of each, bash/kgwalk and zsh/_kgwalk in `folder`.
void write_manual(const std::filesystem::path& folder, const Json& program, const std::string& version);

}  // namespace kgwalk::cli

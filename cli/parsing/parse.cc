#include "cli/parsing/parse.h"

#include <algorithm>
#include <cstdio>

#include "cli/parsing/comforts.h"
#include "cli/parsing/former.h"
#include "cli/parsing/workspace.h"
#include "kgwalk/error.h"

namespace kgwalk::cli {

void begin(CLI::App& app) {
  app.name("kgwalk");
  app.description("kgwalk: reasoning over a knowledge graph in a dialogue");
  app.set_version_flag("--version", "kgwalk " KGWALK_VERSION);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "kgwalk: " + std::string(error.what()) + "; see --help\n";
  });
}

void complain(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "kgwalk: %s\n", message.c_str());
}

std::optional<int> parse(CLI::App& app, int argc, const char* const* argv, std::string& told) {
  if (argc < 2) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  }
  read_environment(app);
  try {
    std::vector<std::string> words = in_todays_form({argv + 1, argv + argc}, told);
    words = with_workspace(app, std::move(words));
    if (const std::string wrong = wrong_word(app, words); !wrong.empty()) {
      complain(wrong);
      return kUsage;
    }
    std::reverse(words.begin(), words.end());  // as CLI11 takes a vector
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  } catch (const Error& error) {  // a workspace that is none
    complain(error.what());
    return kUsage;
  }
  return std::nullopt;
}

}  // namespace kgwalk::cli

#include "cli/use/phrase_options.h"

#include <cstdlib>
#include <memory>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::cli {

void PhraseOptions::add_options(CLI::App& app) {
  const char* group = "Language model";
  auto* url =
      app.add_option(
             "--phrase-by", phrase.url,
             "OpenAI-compatible endpoint that puts answers into words, as http://127.0.0.1:8081/v1; what "
             "is not faithful to the facts is not said")
          ->group(group);
  app.add_option("--phrase-model", phrase.model, "model that the endpoint is asked for")
      ->group(group)
      ->needs(url);
  app.add_option("--phrase-key", key_file,
                 "file with the key of the endpoint; without it KGWALK_PHRASE_KEY counts")
      ->group(group)
      ->needs(url);
  app.add_option("--phrase-timeout", phrase.timeout_s, "seconds for a sentence; then ours is said")
      ->group(group)
      ->needs(url)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

PhrasingOptions PhraseOptions::read() const {
  PhrasingOptions out = phrase;
  if (out.url.empty()) return out;
  out.key = secret_of(key_file, "KGWALK_PHRASE_KEY");
  out.tally = std::make_shared<PhrasingTally>();
  return out;
}

std::string secret_of(const std::string& file, const char* variable) {
  std::string secret;
  if (!file.empty()) {
    secret = read_file(file);
  } else if (const char* given = std::getenv(variable)) {
    secret = given;
  }
  const std::size_t end = secret.find_last_not_of(" \t\r\n");
  secret.resize(end == std::string::npos ? 0 : end + 1);
  if (!file.empty() && secret.empty()) throw ConfigError(file + ": the file of the key is empty");
  return secret;
}

}  // namespace kgwalk::cli

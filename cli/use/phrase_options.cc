#include "cli/use/phrase_options.h"

#include <cstdlib>
#include <memory>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

constexpr const char *kPhraseKey = "KGWALK_PHRASE_KEY", *kHearKey = "KGWALK_HEAR_KEY";

}  // namespace

void PhraseOptions::add_options(CLI::App& app) {
  const auto add = [&](const std::string& what, PhrasingOptions& to, std::string& key, const char* variable,
                       const char* does, const char* late) {
    const char* group = "Language model";
    auto* url =
        app.add_option("--" + what + "-by", to.url, std::string("OpenAI-compatible endpoint that ") + does)
            ->group(group);
    app.add_option("--" + what + "-model", to.model, "model that the endpoint is asked for")
        ->group(group)
        ->needs(url);
    app.add_option("--" + what + "-key", key,
                   std::string("file with the key of the endpoint; without it ") + variable + " counts")
        ->group(group)
        ->needs(url);
    app.add_option("--" + what + "-timeout", to.timeout_s, late)
        ->group(group)
        ->needs(url)
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
  };
  add("phrase", phrase, phrase_key, kPhraseKey,
      "puts answers into words, as http://127.0.0.1:8081/v1; what is not faithful to the facts is not said",
      "seconds for a sentence; then ours is said");
  add("hear", hear, hear_key, kHearKey,
      "hears questions as forms of the graph; what is none is not taken, and the graph answers",
      "seconds for a form; then the listener's is taken");
}

void PhraseOptions::read_into(ConversationOptions& options) const {
  const auto read = [](const PhrasingOptions& given, const std::string& key, const char* variable) {
    PhrasingOptions out = given;
    if (out.url.empty()) return out;
    out.key = secret_of(key, variable);
    out.tally = std::make_shared<PhrasingTally>();
    return out;
  };
  options.phrase = read(phrase, phrase_key, kPhraseKey);
  options.hear = read(hear, hear_key, kHearKey);
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

// kgwalk serve: models over HTTP, with a page, behind OpenAI's API and MCP.
#include <sstream>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/use/phrase_options.h"
#include "cli/use/served_models.h"
#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "runtime/files.h"
#include "server/http/guard.h"
#include "server/service/service.h"

namespace kgwalk::cli {
namespace {

constexpr const char* kKeyVariable = "KGWALK_API_KEY";

struct ServeOptions {
  ServedModels models;
  PhraseOptions phrase;
  server::ServiceOptions service;
  std::string key_file, edit_keys, sessions;
  bool no_log = false, openapi = false, reload = false;
};

// What there is to ask, whatever model is served.
void print_openapi(ServeOptions options) {
  options.service.version = KGWALK_VERSION;
  std::vector<server::ModelSource> models(1);
  models[0].name = options.models.one.name;
  const server::Service service(std::move(models), std::move(options.service), server::opening({}));
  print("{}\n", service.description().dump(1));
}

// A name and a key a line; what stands behind # is a remark.
std::vector<server::GuardOptions::Writer> writers_of(const std::string& file) {
  std::vector<server::GuardOptions::Writer> writers;
  if (file.empty()) return writers;
  std::istringstream lines(read_file(file));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    server::GuardOptions::Writer writer;
    std::string more;
    if (!(words >> writer.name)) continue;
    if (!(words >> writer.key) || words >> more)
      throw DataError(file, number, "is no name and key, with a blank between them");
    writers.push_back(std::move(writer));
  }
  if (writers.empty()) throw ConfigError(file + ": holds no name and key");
  return writers;
}

void run_serve(ServeOptions options, const Common& common) {
  if (options.openapi) return print_openapi(std::move(options));
  server::ServiceOptions& service = options.service;
  service.version = KGWALK_VERSION;
  service.key = secret_of(options.key_file, kKeyVariable);
  service.writers = writers_of(options.edit_keys);
  service.sessions.folder = options.sessions;
  options.phrase.read_into(service.conversation);
  service.http.workers = num_threads();
  if (!options.no_log)
    service.log = [](std::string_view line) {
      std::fwrite((std::string(line) + "\n").data(), 1, line.size() + 1, stderr);
    };
  if (options.reload)
    service.reread = [models = options.models, file = options.key_file, edit_keys = options.edit_keys,
                      common] {
      return server::ServiceOptions::Changeable{models.read(common), secret_of(file, kKeyVariable),
                                                writers_of(edit_keys)};
    };
  const std::string address = service.http.address, prefix = service.prefix;
  server::Service served(options.models.read(common), service, server::opening(service.conversation));
  served.run(*common.stop, [&](int port) {
    const bool v6 = address.find(':') != std::string::npos;
    print("kgwalk serves http://{}{}{}:{}{}/ (Ctrl-C stops it)\n", v6 ? "[" : "", address, v6 ? "]" : "",
          port, prefix);
    flush_printed();
  });
}

void add_limits(CLI::App& app, ServeOptions& options) {
  const char* group = "Limits";
  server::HttpOptions& http = options.service.http;
  app.add_option("--queue", http.queue, "requests that may wait for a worker; beyond them 429")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-connections", http.max_connections, "open connections; beyond them 503")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-body", http.max_body, "bytes of a request's body")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-upload", options.service.sounds.max_upload, "bytes of a request with a sound")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-sound", options.service.sounds.max_sound_s, "seconds that a sound may last")
      ->group(group)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--idle", http.idle_s, "seconds that a connection may be idle")
      ->group(group)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--grace", http.grace_s, "seconds for answers in flight when the server stops")
      ->group(group)
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--max-sessions", options.service.sessions.most, "conversations in memory")
      ->group(group)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--loaded", options.service.loaded, "models in memory at once; the least used leaves")
      ->group(group)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

Verb add_serve(CLI::App& app, Common& common) {
  auto options = std::make_shared<ServeOptions>();
  options->models.add_options(app);
  server::HttpOptions& http = options->service.http;
  app.add_option("--address", http.address, "address to listen at; another than the loopback's needs a key")
      ->capture_default_str();
  app.add_option("--port", http.port, "port; 0 = one that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app.add_option(
      "--api-key", options->key_file,
      "file with the key that clients send (Authorization: Bearer KEY); without it KGWALK_API_KEY counts");
  app.add_option(
      "--edit-keys", options->edit_keys,
      "file of those who may change the graph (POST /api/v1/edit): a name and a key a line; without it "
      "nobody may");
  app.add_option("--allowed-hosts", options->service.allowed_hosts,
                 "hosts that requests and pages may name beside the loopback's; '*' = any")
      ->delimiter(',');
  app.add_option("--allowed-origins", options->service.allowed_origins,
                 "pages elsewhere that may ask, as https://app.example; '*' = any")
      ->delimiter(',');
  app.add_option("--prefix", options->service.prefix, "what stands before all paths, as /kg, behind a proxy");
  app.add_option("--sessions", options->sessions,
                 "folder in which conversations are kept; servers may share it");
  app.add_option("--k", options->service.conversation.paths, "paths shown a turn")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--beam", options->service.conversation.beam, "beam width")
      ->check(CLI::Range(1, kMaxBeam))
      ->capture_default_str();
  app.add_option("--max-hops", options->service.conversation.max_hops,
                 "longest path of a turn without a goal")
      ->check(CLI::Range(1, kMaxPathHops))
      ->capture_default_str();
  app.add_flag(
      "--reload", options->reload,
      "on SIGHUP read models and key anew, in place of stopping; what cannot be read stays as it was");
  app.add_flag("--no-log", options->no_log, "no line of json a request on standard error");
  app.add_flag("--openapi", options->openapi, "print the description of the API (OpenAPI) and end");
  options->phrase.add_options(app);
  add_limits(app, *options);
  return [options, &common] { run_serve(*options, common); };
}

const Registration kServeCommand({.name = "serve",
                                  .help = "serve models over HTTP: a page, OpenAI's API, MCP",
                                  .example = "films.tar.zst",
                                  .add = add_serve,
                                  .group = Group::kUse,
                                  .place = 9,
                                  .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli

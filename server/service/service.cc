#include "server/service/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <thread>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "server/doors/api.h"
#include "server/doors/embeddings.h"
#include "server/doors/openapi.h"
#include "server/http/problem.h"
#include "server/page/page.h"

namespace kgwalk::server {
namespace {

std::shared_ptr<const Guard> guard_for(const ServiceOptions& options, const std::string& key,
                                       const std::vector<GuardOptions::Writer>& writers) {
  if (!is_loopback(options.http.address) && key.empty())
    throw ConfigError("the address " + options.http.address +
                      " can be reached from other machines: a key must be given, which clients send");
  std::vector<std::string> hosts = options.allowed_hosts;
  hosts.push_back(options.http.address);
  return std::make_shared<const Guard>(GuardOptions{.hosts = std::move(hosts),
                                                    .origins = options.allowed_origins,
                                                    .key = key,
                                                    .open = {"/livez", "/readyz"},
                                                    .writers = writers});
}

std::string time_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Response plain(std::string text, int status = 200) {
  Response response;
  response.status = status;
  response.type = "text/plain; charset=utf-8";
  response.body = std::move(text);
  return response;
}

// Empty where no language model is named.
std::string tally_text(const PhrasingTally* tally, const char* name, const char* help) {
  if (tally == nullptr) return "";
  std::string out = fmt::format("# HELP {0} {1}\n# TYPE {0} counter\n", name, help);
  const auto add = [&](const char* outcome, std::uint64_t count) {
    out += fmt::format("{}{{outcome=\"{}\"}} {}\n", name, outcome, count);
  };
  add("model", tally->said);
  add("refused", tally->refused);
  add("failed", tally->failed);
  return out;
}

}  // namespace

ModelShelf::Open opening(const ConversationOptions& options) {
  return [options](const ModelSource& source) { return std::make_shared<const Model>(source, options); };
}

Service::Service(std::vector<ModelSource> models, ServiceOptions options, ModelShelf::Open open)
    : options_(std::move(options)),
      models_(std::move(models), options_.loaded, std::move(open)),
      sessions_(models_, options_.sessions),
      openai_(models_),
      responses_(models_),
      mcp_(models_, options_.version),
      watch_(models_, [this](const std::string& problem) { tell("edit", {problem}); }),
      guard_(guard_for(options_, options_.key, options_.writers)) {
  if (!options_.prefix.empty() && (!options_.prefix.starts_with('/') || options_.prefix.ends_with('/')))
    throw ConfigError("the prefix '" + options_.prefix + "' must begin with '/' and not end with one");
  add_api(router_, models_, sessions_);
  add_openai(router_, openai_);
  add_responses(router_, responses_);
  add_embeddings(router_, models_);
  add_transcription(router_, models_, options_.sounds);
  add_mcp(router_, mcp_);
  router_.add({"GET", "/api/v1/openapi.json", [this](const Request&) { return Response::of(description()); },
               "This description."});
  add_signs_of_life();
}

// Answered at once, without a worker; here for the description and the counters.
void Service::add_signs_of_life() {
  const auto add = [this](const char* path, const char* summary, const char* type) {
    router_.add({.method = "GET",
                 .path = path,
                 .handler = [this](const Request& request) { return *signs_of_life(request); },
                 .summary = summary,
                 .type = type});
  };
  add("/livez", "The server runs.", "text/plain");
  add("/readyz", "The first model can be asked; 503 until then.", "text/plain");
  add("/health", "Models, conversations and how long it runs.", "application/json");
  add("/metrics", "Requests, times, queue, conversations and memory, for Prometheus.", "text/plain");
}

Json Service::description() const { return openapi(router_, options_.prefix, options_.version); }

void Service::warm_up() {
  std::string why;
  try {
    (void)models_.get("");
  } catch (const std::exception& error) {
    why = error.what();
  }
  const std::lock_guard lock(mutex_);
  ready_ = why.empty();
  why_not_ = why;
}

void Service::reload() {
  const std::lock_guard one_at_a_time(reloading_);
  Json told = {{"time", time_text()}, {"event", "reload"}, {"problems", Json::array()}};
  try {
    ServiceOptions::Changeable fresh = options_.reread();
    const auto fresh_guard = guard_for(options_, fresh.key, fresh.writers);
    told["problems"] = models_.reload(std::move(fresh.models));
    const std::lock_guard lock(mutex_);
    guard_ = fresh_guard;
  } catch (const std::exception& error) {
    told["problems"].push_back(error.what());
  }
  warm_up();
  told["models"] = models_.names();
  if (options_.log) options_.log(dumped(told));
}

void Service::tell(const char* event, const std::vector<std::string>& problems) const {
  if (options_.log) options_.log(dumped({{"time", time_text()}, {"event", event}, {"problems", problems}}));
}

void Service::watch(const std::stop_token& stop) {
  set_num_threads(1);
  std::mutex mutex;
  std::condition_variable_any pause;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    (void)pause.wait_for(lock, stop, EditWatch::kPeriod, [] { return false; });
    if (!stop.stop_requested()) watch_.look();
  }
}

void Service::run(const StopFlag& stop, const std::function<void(int)>& ready) {
  HttpHooks hooks;
  hooks.at_once = [this](Request& request) { return at_once(request); };
  hooks.answer = [this](const Request& request) { return answer(request); };
  hooks.done = [this](const Exchange& exchange) { note(exchange); };
  hooks.begin_worker = [] { set_num_threads(1); };
  hooks.max_body = [this](Request& request) { return max_body(request); };
  if (options_.reread) hooks.reload = [this] { reload(); };
  hooks.stopping = [this] {
    sessions_.events().clear();
    const std::lock_guard lock(mutex_);
    ready_ = false;
    why_not_ = "the server stops";
  };
  http_ = std::make_unique<HttpServer>(options_.http, std::move(hooks));
  ready(http_->port());
  std::thread warming([this] {
    set_num_threads(1);
    warm_up();
  });
  {
    const std::jthread watching([this](const std::stop_token& stopped) { watch(stopped); });
    http_->run(stop);
  }
  warming.join();
}

void Service::strip_prefix(Request& request) const {
  const std::string& prefix = options_.prefix;
  if (prefix.empty() || !request.path.starts_with(prefix)) return;
  if (request.path.size() > prefix.size() && request.path[prefix.size()] == '/')
    request.path.erase(0, prefix.size());
}

std::shared_ptr<const Guard> Service::guard() const {
  const std::lock_guard lock(mutex_);
  return guard_;
}

// Sounds are long; who may not come in need not send one.
std::size_t Service::max_body(Request& request) const {
  strip_prefix(request);
  const bool sound = request.path == kTranscriptionPath && !guard()->refusal(request);
  return sound ? std::max(options_.sounds.max_upload, options_.http.max_body) : options_.http.max_body;
}

Response Service::answer(const Request& request) const {
  Response response = router_.answer(request);
  guard()->admit_page(request, response);
  return response;
}

std::optional<Response> Service::at_once(Request& request) {
  strip_prefix(request);
  const std::shared_ptr<const Guard> guarding = guard();
  if (std::optional<Response> asked = guarding->preflight(request)) return asked;
  request.writer = guarding->writer(request);
  std::optional<Response> response = without_worker(request);
  if (response) guarding->admit_page(request, *response);
  return response;
}

std::optional<Response> Service::without_worker(Request& request) {
  const bool page = is_page_file(request.path);
  if (std::optional<Response> refused = guard()->refusal(request);
      refused && !(page && refused->status == 401))
    return refused;
  if (!options_.prefix.empty() && request.path == options_.prefix) {
    Response moved{.status = 308, .type = ""};
    moved.headers.emplace_back("Location", options_.prefix + "/");
    return moved;
  }
  if (std::optional<Response> sign = signs_of_life(request)) return sign;
  return page_file(request);
}

std::optional<Response> Service::signs_of_life(const Request& request) const {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  if (request.path == "/livez") return plain("ok\n");
  if (request.path == "/readyz") return ready_response();
  if (request.path == "/health") return Response::of(health());
  if (request.path != "/metrics") return std::nullopt;
  Response response = plain(metrics());
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

Response Service::ready_response() const {
  const std::lock_guard lock(mutex_);
  return ready_ ? plain("ok\n") : problem("/readyz", 503, why_not_);
}

Json Service::health() const {
  const std::chrono::duration<double> up = std::chrono::steady_clock::now() - since_;
  const std::lock_guard lock(mutex_);
  return {{"status", ready_ ? "ok" : "not ready"},
          {"detail", why_not_},
          {"version", options_.version},
          {"models", models_.names()},
          {"loaded", models_.num_loaded()},
          {"sessions", sessions_.size()},
          {"uptime_s", up.count()}};
}

std::string Service::metrics() const {
  const HttpLoad load = http_ ? http_->load() : HttpLoad{};
  return counters_.text() +
         tally_text(
             options_.conversation.phrase.tally.get(), "kgwalk_phrased_total",
             "Sentences by who phrased them: model, or ours where the model's was refused or failed.") +
         tally_text(
             options_.conversation.hear.tally.get(), "kgwalk_heard_total",
             "Questions by who heard them: model, or the listener where its form was refused or none came.") +
         gauge_text("kgwalk_queue_length", "Requests that wait for a worker.",
                    static_cast<double>(load.waiting)) +
         gauge_text("kgwalk_workers_busy", "Requests that a worker answers.",
                    static_cast<double>(load.running)) +
         gauge_text("kgwalk_connections", "Open connections.", static_cast<double>(load.connections)) +
         gauge_text("kgwalk_sessions", "Conversations in memory.", static_cast<double>(sessions_.size())) +
         gauge_text("kgwalk_models_loaded", "Models in memory.", static_cast<double>(models_.num_loaded())) +
         gauge_text("process_resident_memory_bytes", "Memory in use.", resident_bytes());
}

// The path itself may hold the id of a conversation, which is a secret: its pattern is told.
void Service::note(const Exchange& exchange) {
  std::string route = exchange.request.path;
  if (!is_page_file(route)) route = router_.pattern_of(exchange.request);
  counters_.add(route, exchange.status, exchange.seconds);
  if (!options_.log) return;
  options_.log(dumped({{"time", time_text()},
                       {"id", exchange.request.id},
                       {"method", exchange.request.method},
                       {"route", route},
                       {"status", exchange.status},
                       {"bytes", exchange.bytes},
                       {"ms", 1000 * exchange.seconds},
                       {"queue_ms", 1000 * exchange.waited_s}}));
}

}  // namespace kgwalk::server

// A server put together: which doors there are, who may come in, what is told of it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/progress.h"
#include "server/doors/mcp.h"
#include "server/doors/openai.h"
#include "server/doors/responses.h"
#include "server/doors/transcription.h"
#include "server/http/counters.h"
#include "server/http/guard.h"
#include "server/http/http_server.h"
#include "server/http/router.h"
#include "server/state/edit_watch.h"
#include "server/state/model_shelf.h"
#include "server/state/sessions.h"

namespace kgwalk::server {

struct ServiceOptions {
  HttpOptions http = {};
  std::vector<std::string> allowed_hosts = {}, allowed_origins = {};
  std::vector<GuardOptions::Writer> writers = {};  // who may change graphs: none
  std::string key = {};     // wanted for another address than the loopback's (ConfigError)
  std::string prefix = {};  // "/kg": what stands before all paths; the same are answered without it
  std::string version = {};
  std::size_t loaded = 2;  // models in memory at once
  ConversationOptions conversation = {};
  SessionOptions sessions = {};
  SoundLimits sounds = {};
  std::function<void(std::string_view)> log = {};  // gets a line of json a request; from any thread
  // Set: SIGHUP has models and key taken from here anew, in place of stopping the server. What throws or
  // cannot be opened is logged, and stays as it was.
  struct Changeable {
    std::vector<ModelSource> models;
    std::string key;
    std::vector<GuardOptions::Writer> writers = {};
  };
  std::function<Changeable()> reread = {};
};

// Opens a model as it is served.
[[nodiscard]] ModelShelf::Open opening(const ConversationOptions& options);

class Service {
 public:
  Service(std::vector<ModelSource> models, ServiceOptions options, ModelShelf::Open open);

  // Binds, calls `ready` with the port, serves until asked to stop. The first model is opened meanwhile:
  // /readyz tells when it can be asked.
  void run(const StopFlag& stop, const std::function<void(int port)>& ready);

  // What run() answers with; here for tests. A request goes through both.
  [[nodiscard]] std::optional<Response> at_once(Request& request);
  [[nodiscard]] Response answer(const Request& request) const;
  [[nodiscard]] const Router& router() const { return router_; }
  [[nodiscard]] Json description() const;  // OpenAPI
  // Opens the first model; what goes wrong is told at /readyz.
  void warm_up();
  void reload();  // by options.reread
  // Has models opened anew whose databases were edited; run() does so all the time.
  void look_for_edits() { watch_.look(); }

 private:
  void add_signs_of_life();
  void strip_prefix(Request& request) const;
  [[nodiscard]] std::optional<Response> without_worker(Request& request);
  [[nodiscard]] std::size_t max_body(Request& request) const;
  [[nodiscard]] std::shared_ptr<const Guard> guard() const;
  [[nodiscard]] std::optional<Response> signs_of_life(const Request& request) const;
  [[nodiscard]] Response ready_response() const;
  [[nodiscard]] Json health() const;
  [[nodiscard]] std::string metrics() const;
  void note(const Exchange& exchange);
  void tell(const char* event, const std::vector<std::string>& problems) const;
  void watch(const std::stop_token& stop);  // until asked to stop

  ServiceOptions options_;
  ModelShelf models_;
  Sessions sessions_;
  OpenAi openai_;
  Responses responses_;
  Mcp mcp_;
  EditWatch watch_;
  Router router_;
  std::shared_ptr<const Guard> guard_;  // guarded by mutex_
  Counters counters_;
  std::unique_ptr<HttpServer> http_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::mutex reloading_;
  mutable std::mutex mutex_;
  bool ready_ = false;
  std::string why_not_ = "the model is being opened";
};

}  // namespace kgwalk::server

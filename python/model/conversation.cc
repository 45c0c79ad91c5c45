// Conversation.
#include "kgwalk/conversation.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/retrieve.h"
#include "python/binding/calls.h"
#include "python/binding/keywords.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"
#include "python/model/history.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;

// A conversation belongs to one thread at a time: threads of Python's wait for each other.
class SharedConversation {
 public:
  explicit SharedConversation(Conversation conversation) : conversation_(std::move(conversation)) {}

  template <class Work>
  auto with(Work&& work) {
    return released([&] {
      const std::lock_guard held(mutex_);
      return work(conversation_);
    });
  }

 private:
  std::mutex mutex_;
  Conversation conversation_;
};

PhrasingOptions phrasing_of(const py::handle& given) {
  static const Keywords<PhrasingOptions> keywords = Keywords<PhrasingOptions>()
                                                        .key("url", &PhrasingOptions::url)
                                                        .key("model", &PhrasingOptions::model)
                                                        .key("key", &PhrasingOptions::key)
                                                        .key("timeout_s", &PhrasingOptions::timeout_s);
  return keywords.read(given.cast<py::dict>());
}

const Keywords<ConversationOptions>& options() {
  using Options = ConversationOptions;
  static const Keywords<Options> keywords =
      Keywords<Options>()
          .key("paths", &Options::paths)
          .key("beam", &Options::beam)
          .key("max_hops", &Options::max_hops)
          .key("seed", &Options::seed)
          .key("simulator", &Options::simulator)
          .key("speak", &Options::speak)
          .key("responder", &Options::responder)
          .key("text", &Options::text)
          .key("listener", &Options::listener)
          .key("other_graph", &Options::other_graph)
          .key("trace", &Options::trace)
          .key("phrase", [](Options& self, const py::handle& given) { self.phrase = phrasing_of(given); })
          .key("hear", [](Options& self, const py::handle& given) { self.hear = phrasing_of(given); });
  return keywords;
}

std::unique_ptr<SharedConversation> open_conversation(const fs::path& database,
                                                      const std::optional<fs::path>& run,
                                                      const py::kwargs& given) {
  ConversationOptions chosen = options().read(given);
  return released([&] {
    if (run) return std::make_unique<SharedConversation>(Conversation::open(database, *run, chosen));
    const PackedModel model = PackedModel::open(database);
    if (chosen.text.empty()) chosen.text = model.text;
    if (chosen.simulator.empty()) chosen.simulator = model.simulator;
    if (chosen.responder.empty()) chosen.responder = model.responder;
    return std::make_unique<SharedConversation>(Conversation::open(model.database, model.run, chosen));
  });
}

void bind_replies(py::module_& m) {
  Record<Conversation::Reply> reply(m, "Reply", "What comes back for a line.");
  reply.field("text", &Conversation::Reply::text, "Whole lines, first what the assistant says.")
      .field("said", &Conversation::Reply::said, "By the assistant alone.")
      .field("over", &Conversation::Reply::over, "The conversation has ended (/quit).")
      .field("forgotten", &Conversation::Reply::forgotten, "And all that was said in it (/forget).");
  reply.def("__str__", [](const Conversation::Reply& self) { return self.text; });
  Record<Standing>(m, "Standing", "Where a conversation stands.")
      .field("at", &Standing::at, "The entity stood on; empty: nowhere yet.")
      .field("goal", &Standing::goal, "The goal, or None.")
      .field("distance", &Standing::distance, "Hops from `at` to the goal, or None.")
      .field("plan", &Standing::plan, "Of the last turn, or None.")
      .field("taken", &Standing::taken, "Which of its paths was walked, or None.")
      .field("answered", &Standing::answered, "The form that was answered, as json, or None.")
      .field("offered", &Standing::offered, "Entities that a number picks from, beginning with 1.")
      .field("steps", &Standing::steps, "That /undo can take back.");
}

}  // namespace

void bind_conversation(py::module_& m) {
  bind_replies(m);
  m.def("conversation_commands", &conversation_commands,
        "Commands that a line may begin with: '/goal', '/from'.");
  static const std::string open_doc =
      "A database and the run of a walker, or a packed model alone. `speak`: 'templates', 'model' or 'none'; "
      "`phrase` and `hear`: a language model, {'url', 'model', 'key', 'timeout_s'}. " +
      options().told();
  py::class_<SharedConversation>(m, "Conversation", "Talks about a graph: questions, walks, goals.")
      .def_static("open", &open_conversation, py::arg("database"), py::arg("run") = py::none(),
                  open_doc.c_str())
      .def(
          "another",
          [](SharedConversation& self, std::uint64_t seed) {
            return self.with(
                [&](Conversation& talk) { return std::make_unique<SharedConversation>(talk.another(seed)); });
          },
          py::arg("seed") = 1, "One that begins anew with the same walker; nothing is read again.")
      .def(
          "answer",
          [](SharedConversation& self, const std::string& line) {
            return self.with([&](Conversation& talk) { return talk.answer(line); });
          },
          py::arg("line"), "What comes back for a line of the user's.")
      .def(
          "welcome",
          [](SharedConversation& self) {
            return self.with([](Conversation& talk) { return talk.welcome(); });
          },
          "What the graph holds and the walker can do.")
      .def(
          "transcript",
          [](SharedConversation& self) {
            return self.with([](Conversation& talk) { return talk.transcript(); });
          },
          "What was said and walked, turn by turn, as json.")
      .def(
          "standing",
          [](SharedConversation& self) {
            return self.with([](Conversation& talk) { return talk.standing(); });
          },
          "Where it stands.")
      .def(
          "take",
          [](SharedConversation& self, const GivenHop& given) {
            return self.with([&](Conversation& talk) { return talk.take(given.hop); });
          },
          py::arg("hop"), "Walk a hop that was weighed in place of what was walked.")
      .def(
          "memory",
          [](SharedConversation& self) {
            return self.with([](Conversation& talk) { return talk.memory(); });
          },
          "All that it remembers, as json.")
      .def(
          "recall",
          [](SharedConversation& self, const Json& memory) {
            self.with([&](Conversation& talk) { talk.recall(memory); });
          },
          py::arg("memory"), "Go on where another one stood.")
      .def(
          "retriever",
          [](SharedConversation& self) {
            return self.with(
                [](Conversation& talk) { return std::make_shared<Retriever>(talk.retriever()); });
          },
          "Facts for a language model's prompt, by the same walker.");
}

}  // namespace kgwalk::python

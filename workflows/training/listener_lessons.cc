#include "workflows/training/listener_lessons.h"

#include "dialogue/text/text_encoder.h"
#include "listening/questions/question_file.h"
#include "runtime/run_folder.h"

namespace kgwalk {

ListenedDatabase::ListenedDatabase(const std::filesystem::path& database)
    : store(graph::Store::open(database, graph::Store::Mode::kReadOnly)),
      graph(store.load_graph()),
      listened(graph) {}

std::vector<listening::FormQuestion> written_questions(const std::filesystem::path& file, bool without_named,
                                                       const ListenedDatabase& opened, Reporter& reporter) {
  listening::QuestionFile read = listening::read_form_questions(file, opened.graph, without_named);
  if (read.left_out > 0)
    reporter.warn(std::to_string(read.left_out) + " questions of " + file.string() +
                  " are left out: the graph does not have what answers them");
  return std::move(read.questions);
}

std::shared_ptr<const dialogue::TextEncoder> load_encoder(const std::filesystem::path& folder) {
  return folder.empty() ? nullptr : dialogue::TextEncoder::load(folder);
}

std::shared_ptr<const dialogue::TextEncoder> encoder_of_listener(const std::filesystem::path& run,
                                                                 const std::filesystem::path& text) {
  return load_encoder(text.empty() ? RunFolder::open(run, listening::kListenerRun).manifest().text : text);
}

}  // namespace kgwalk

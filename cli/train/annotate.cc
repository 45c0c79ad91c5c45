// kgwalk annotate: which entities dialogues name and by which paths the talk came to them, found in their
// text.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "dialogue/linking/path_annotator.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"
#include "runtime/files.h"
#include "runtime/input_bytes.h"

namespace kgwalk::cli {
namespace {

struct AnnotateOptions {
  std::string database, in, out;
  dialogue::AnnotateConfig annotate;
};

void run_annotate(const AnnotateOptions& options, const Common& common) {
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const dialogue::EntityLinker linker = dialogue::EntityLinker::open(store, graph);
  const dialogue::PathAnnotator annotator(graph, linker, options.annotate);
  const std::string text = read_input(options.in);
  dialogue::AnnotationCounts counts;
  std::string lines;
  const auto progress = common.reporter->start("annotating", static_cast<std::int64_t>(text.size()), "bytes");
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    if (common.stop->requested()) throw Stopped("annotating was stopped; nothing was written");
    end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    ++number;
    progress->add(static_cast<std::int64_t>(line.size() + 1));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    try {
      const Json dialogue = Json::parse(line, nullptr, false);
      if (dialogue.is_discarded()) throw ConfigError("not a json object");
      lines += annotator.annotate(dialogue, counts).dump() + "\n";
    } catch (const ConfigError& error) {
      throw DataError(options.in, number, error.what());
    }
  }
  write_file_atomically(options.out, lines);
  print("dialogues    {}, {} messages, {} of them name entities\n", counted(counts.dialogues),
        counted(counts.messages), counted(counts.with_entities));
  print("paths        {} found, {} were there, {} left out as unlikely\n", counted(counts.paths),
        counted(counts.given_paths), counted(counts.unlikely));
  print("written      {}\n", options.out);
  common.write_json({{"dialogues", counts.dialogues},
                     {"messages", counts.messages},
                     {"with_entities", counts.with_entities},
                     {"paths", counts.paths},
                     {"given_paths", counts.given_paths},
                     {"unlikely", counts.unlikely}});
}

Verb add_annotate(CLI::App& app, Common& common) {
  auto options = std::make_shared<AnnotateOptions>();
  app.add_option("--db", options->database, "database whose graph the dialogues are about")->required();
  app.add_option("dialogues", options->in,
                 "dialogues as JSON Lines: {\"messages\": [{\"speaker\", \"text\"}]}")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--out", options->out, "the same with entities and paths, for 'kgwalk ingest --dialogs'")
      ->required()
      ->check(output_file());
  app.add_option("--max-hops", options->annotate.max_hops,
                 "longest path, 1 to 3; trainings with 3 need --set max_hops=3 --set search.max_hops=3")
      ->check(CLI::Range(1, dialogue::kMostAnnotatedHops))
      ->capture_default_str();
  app.add_option("--least", options->annotate.least,
                 "share of a path among all that lead to its end, below which it is left out")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--length-shares", options->annotate.length_shares,
                 "how readily a path of one hop, of two and of three is believed before it is looked at")
      ->expected(1, dialogue::kMostAnnotatedHops)
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--messages", options->annotate.messages, "messages before, in which a path may begin")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  return [options, &common] { run_annotate(*options, common); };
}

const Registration kAnnotateCommand({.name = "annotate",
                                     .help = "find entities and paths in dialogues that have text alone",
                                     .example = "--db films.db talks.jsonl --out annotated.jsonl",
                                     .add = add_annotate,
                                     .group = Group::kTrain,
                                     .place = 3});

}  // namespace
}  // namespace kgwalk::cli

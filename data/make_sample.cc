// Makes the embedded sample: make_sample [--facts DIR] [--out DIR]. Same facts, same bytes, on any machine.
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/dialogue_writer.h"
#include "data/fact_graph.h"
#include "data/phrase_book.h"
#include "data/sample_files.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/text.h"

namespace {

namespace fs = std::filesystem;
using kgwalk::with_commas;
using namespace kgwalk::sample;

constexpr std::uint64_t kSeed = 20;
constexpr std::array kTables = {"films.tsv", "people.tsv", "books.tsv",
                                "music.tsv", "sport.tsv",  "places.tsv"};

struct Split {
  const char* name;
  int dialogues;
  bool training;
  int unseen_percent;
};
constexpr std::array<Split, 3> kSplits = {
    {{"train", 360, true, 0}, {"dev", 60, false, 25}, {"test", 60, false, 40}}};

struct Arguments {
  fs::path facts = "data/facts", out = "data/sample";
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if ((option != "--facts" && option != "--out") || i + 1 == argc) {
      throw kgwalk::ConfigError("usage: make_sample [--facts DIR] [--out DIR]");
    }
    (option == "--facts" ? arguments.facts : arguments.out) = argv[i + 1];
  }
  return arguments;
}

void print_split(const char* name, const std::vector<Dialogue>& dialogues) {
  long long chats = 0, side_talk = 0, paths = 0, two_hop = 0;
  for (const Dialogue& dialogue : dialogues) {
    for (const Message& message : dialogue.messages) {
      chats += message.type == Message::Type::kChat;
      side_talk += message.type == Message::Type::kSideTalk;
      paths += message.type == Message::Type::kPath;
      two_hop += message.path.relations.size() == 2;
    }
  }
  std::printf("| %s.csv | %s dialogues, %s messages, %s paths (%s of two hops), side talk %s |\n", name,
              with_commas(static_cast<long long>(dialogues.size())).c_str(), with_commas(chats).c_str(),
              with_commas(paths).c_str(), with_commas(two_hop).c_str(), with_commas(side_talk).c_str());
}

void make(const Arguments& arguments) {
  std::vector<fs::path> tables;
  tables.reserve(kTables.size());
  for (const char* table : kTables) tables.push_back(arguments.facts / table);
  const FactGraph graph = FactGraph::read(tables);
  const PhraseBook book = PhraseBook::read(arguments.facts / "phrases.txt", graph);
  fs::create_directories(arguments.out);
  const auto save = [&](const std::string& name, const std::string& text) {
    kgwalk::write_file_atomically(arguments.out / name, text);
  };
  save("triples.txt", triples_text(graph));
  save("entities.txt", entities_text(graph));
  save("relations.txt", relations_text(graph));
  long long triples = 0;
  for (int entity = 0; entity < graph.num_entities(); ++entity)
    triples += static_cast<long long>(graph.edges(entity).size());
  std::printf(
      "| triples.txt | %s directed triples |\n| entities.txt | %s names |\n| relations.txt | %s names |\n",
      with_commas(triples).c_str(), with_commas(graph.num_entities()).c_str(),
      with_commas(graph.num_relations()).c_str());
  DialogueWriter writer(graph, book, kSeed);
  for (const Split& split : kSplits) {
    const std::vector<Dialogue> dialogues =
        writer.write(split.dialogues, split.training, split.unseen_percent);
    save(std::string(split.name) + ".csv", dialogues_csv(graph, dialogues));
    print_split(split.name, dialogues);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    make(parse(argc, argv));
    return 0;
  } catch (const kgwalk::ConfigError& error) {
    std::fprintf(stderr, "make_sample: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_sample: %s\n", error.what());
    return 1;
  }
}

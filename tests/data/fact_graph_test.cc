// The reader of the source tables: what it accepts, and that a slip in a table is told with its line.
#include "data/fact_graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::sample {
namespace {

class FactGraphTest : public testing::Test {
 protected:
  FactGraph read(const std::string& text) {
    kgwalk::write_file_atomically(path_, text);
    return FactGraph::read({&path_, 1});
  }
  // The line that the error names; 0 when the table is accepted.
  std::size_t bad_line(const std::string& text) {
    try {
      read(text);
    } catch (const DataError& error) {
      return error.line();
    }
    return 0;
  }
  ~FactGraphTest() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("kgwalk_facts_" + std::to_string(::getpid()) + ".tsv");
};

const std::string kHeader = "@film\tname\tis-a=Film\tdirected_by:person\thas_genre:genre\n";

TEST_F(FactGraphTest, GivesEachFactWithItsInverseOnce) {
  const FactGraph graph = read(kHeader + "Jaws\tSpielberg\tThriller | Horror | Thriller\n");
  EXPECT_EQ(graph.num_entities(), 5);   // Jaws, Film, Spielberg, Thriller, Horror
  EXPECT_EQ(graph.num_relations(), 6);  // three and their inverses
  EXPECT_EQ(graph.edges(0).size(), 4U);
  const int inverse = graph.find_relation("~directed_by");
  ASSERT_EQ(graph.name(2), "Spielberg");
  EXPECT_EQ(graph.tails(2, inverse), std::vector<int>{0});
  EXPECT_EQ(graph.find_relation("written_by"), -1);
}

TEST_F(FactGraphTest, TellsTheLineOfASlip) {
  EXPECT_EQ(bad_line(kHeader + "Jaws\tSpielberg\n"), 2U) << "too few cells";
  EXPECT_EQ(bad_line(kHeader + "Jaws\tSpielberg\tHorror\tmore\n"), 2U) << "too many cells";
  EXPECT_EQ(bad_line("Jaws\tSpielberg\tHorror\n"), 1U) << "a row before any header";
  EXPECT_EQ(bad_line(kHeader + "\nJaws\tHorror\tHorror\n"), 3U) << "one name of two kinds";
  EXPECT_EQ(bad_line(kHeader + "Jaws\tSpielberg \tHorror\n"), 2U) << "a blank at the end of a name";
  EXPECT_EQ(bad_line(kHeader + "Jaws\tSpielberg\tHorror\n@person\tname\tpronoun\nSpielburg\the\n"), 2U)
      << "a person without a row, once people have rows";
  EXPECT_EQ(bad_line("@person\tname\tpronoun\nSpielberg\thim\n"), 2U) << "an unknown pronoun";
}

TEST_F(FactGraphTest, TopicYieldsToAnyOtherKind) {
  const FactGraph graph =
      read("@film\tname\tSubject:topic\nAli\tBoxing | Fame\n@athlete\tname\tSport:sport\nClay\tBoxing\n");
  for (int entity = 0; entity < graph.num_entities(); ++entity) {
    const std::string& name = graph.name(entity);
    EXPECT_TRUE(name != "Boxing" || graph.kind(entity) == "sport");
    EXPECT_TRUE(name != "Fame" || graph.kind(entity) == "topic");
  }
}

}  // namespace
}  // namespace kgwalk::sample

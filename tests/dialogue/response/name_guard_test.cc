// What keeps a search from wrong names, against a judge that shares no code with it.
#include "dialogue/response/name_guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dialogue/response/name_check.h"
#include "dialogue/response/source.h"
#include "runtime/random.h"
#include "seq2seq/tasks/pieces.h"
#include "tests/temp_folder.h"

namespace kgwalk::dialogue {
namespace {

using seq2seq::DialogueCoder;
using seq2seq::SentencePiece;

graph::KnowledgeGraph guarded_graph() {
  const std::vector<graph::NamedTriple> triples{{"Iron Man", "directed_by", "Jon Favreau"},
                                                {"Iron Man 2", "directed_by", "Jon Favreau"},
                                                {"Man", "has_genre", "Drama"},
                                                {"The Dark Knight", "directed_by", "Christopher Nolan"},
                                                {"Dark Knight", "has_genre", "Comic"},
                                                {"Schindler's List", "directed_by", "Steven Spielberg"},
                                                {"Beyoncé", "has_genre", "Pop"},
                                                {"Emma (1996 Film)", "has_genre", "Drama"},
                                                {"1995", "has_genre", "Drama"}};
  return graph::KnowledgeGraph::from_triples(triples);
}

using WordsOf = std::vector<std::string>;

TEST(ForbiddenNames, AreFoundAtTheirLastWord) {
  const ForbiddenNames names(guarded_graph(), OrdinaryNames());
  EXPECT_EQ(names.ending(guarded_words("I saw Iron Man")), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(names.ending(guarded_words("I saw Iron Man 2")), (std::vector<std::size_t>{3}));
  EXPECT_TRUE(names.ending(guarded_words("I saw Iron")).empty());
  for (const char* text :
       {"beyonce", "BEYONCÉ", "Schindlers List", "schindler’s list", "emma", "Emma (1996 film)"})
    EXPECT_FALSE(names.ending(guarded_words(text)).empty()) << text;
  EXPECT_TRUE(guarded_words("\xff").empty());
}

TEST(AllowedNames, AreThoseOfMessageContextAndGoal) {
  Message message{.start = "Iron Man"};
  message.ways = {{{"Iron Man", "directed_by", "Jon Favreau"}}};
  message.context = {{graph::Speaker::kUser, "Like the dark knight?"}};
  message.goal = "Beyoncé";
  const AllowedNames allowed(message);
  for (const char* name : {"Iron Man", "Man", "Favreau", "Dark Knight", "beyonce"})
    EXPECT_TRUE(allowed.contain(guarded_words(name))) << name;
  EXPECT_FALSE(allowed.contain(guarded_words("Iron Man 2")));
  EXPECT_FALSE(allowed.contain(guarded_words("Ron Man")));
}

// A vocabulary of this small world.
SentencePiece small_pieces() {
  const kgwalk::test::TempFolder folder;
  seq2seq::PieceOptions options;
  options.size = 120;
  options.lower = false;
  return seq2seq::train_pieces(
      [](const auto& add) {
        for (int i = 0; i < 20; ++i)
          for (const char* line :
               {"I saw Iron Man 2 by Jon Favreau.", "Is the Dark Knight by Christopher Nolan?",
                "A man like that!", "Drama, Comic and Pop are in 1995.", "Beyonce likes Schindler's List.",
                "Say who: it is him."})
            add(line);
      },
      options, folder.path() / "vocabulary", DialogueCoder::control_pieces(4));
}

class Guarded : public ::testing::Test {
 protected:
  Guarded() : coder_(vocabulary_, options(), 4), bounds_(vocabulary_), names_(graph_, OrdinaryNames()) {
    message_.start = "Iron Man";
    message_.ways = {{{"Iron Man", "directed_by", "Jon Favreau"}}};
    dialogue_ = source_of(message_, 4, names_of(message_), FactsAs::kWalked);
    source_ = coder_.encode(dialogue_, 0);
    GuardedMessage guarded{AllowedNames(message_), {}, {}, {0, 1}, &source_};
    for (int i = 1; i <= 2; ++i) {
      guarded.names.push_back(guarded_words(dialogue_.speakers[static_cast<std::size_t>(i) - 1]));
      guarded.pieces.push_back(coder_.name(i));
    }
    guard_.emplace(names_, vocabulary_, bounds_, std::vector<GuardedMessage>{guarded});
  }
  static seq2seq::PieceOptions options() {
    seq2seq::PieceOptions made;
    made.lower = false;
    return made;
  }
  // Pieces that may follow what `text` and names (as "<1>") say.
  [[nodiscard]] std::vector<bool> may_follow(const std::vector<std::int64_t>& pieces) const {
    std::vector<float> scores(static_cast<std::size_t>(vocabulary_.size()), 0.0F);
    guard_->forbid(0, pieces, scores);
    std::vector<bool> may;
    for (const float score : scores) may.push_back(std::isfinite(score));
    return may;
  }
  [[nodiscard]] std::vector<std::int64_t> pieces_of(const std::string& text) const {
    const seq2seq::Encoding encoding = vocabulary_.encode(text);
    return {encoding.ids.begin(), encoding.ids.end()};
  }
  // Text or one of both names. A letter behind a name and an apostrophe makes a word that nobody takes for
  // the name.
  [[nodiscard]] bool drawn(int id) const {
    if (id == coder_.name(1) || id == coder_.name(2)) return true;
    return !vocabulary_.is_control(id) && vocabulary_.piece(id).find('\'') == std::string::npos;
  }
  [[nodiscard]] std::size_t end() const {
    return static_cast<std::size_t>(vocabulary_.id_of(seq2seq::kEndPiece));
  }

  const graph::KnowledgeGraph graph_ = guarded_graph();
  const SentencePiece vocabulary_ = small_pieces();
  DialogueCoder coder_;
  PieceBounds bounds_;
  ForbiddenNames names_;
  Message message_;
  seq2seq::Dialogue dialogue_;
  seq2seq::DialoguePieces source_;
  std::optional<NameGuard> guard_;
};

TEST_F(Guarded, TheEndComesOnlyWhenAllNamesAreSaid) {
  EXPECT_FALSE(may_follow({})[end()]);
  EXPECT_FALSE(may_follow({coder_.name(1)})[end()]);
  EXPECT_TRUE(may_follow({coder_.name(1), coder_.name(2)})[end()]);
}

TEST_F(Guarded, AWordThatCompletesAnotherNameMayOnlyGoOn) {
  const std::vector<bool> after = may_follow(pieces_of("I saw Christopher Nolan"));
  for (int id = 0; id < vocabulary_.size(); ++id) {
    const bool closes = vocabulary_.piece(id).starts_with("\u2581") || vocabulary_.piece(id) == ".";
    EXPECT_FALSE(closes && after[static_cast<std::size_t>(id)]) << vocabulary_.piece(id);
  }
  EXPECT_TRUE(after[static_cast<std::size_t>(vocabulary_.id_of("a"))]);
  const std::vector<bool> known = may_follow(pieces_of("I saw Favreau"));
  EXPECT_TRUE(known[static_cast<std::size_t>(vocabulary_.id_of("."))]);
}

TEST_F(Guarded, WordsBesideANameMayNotMakeAnotherOfIt) {
  std::vector<std::int64_t> pieces{coder_.name(1)};
  for (const std::int64_t piece : pieces_of("2")) pieces.push_back(piece);
  EXPECT_FALSE(may_follow(pieces)[static_cast<std::size_t>(vocabulary_.id_of("."))]);
}

// Whatever is drawn from what the guard lets through holds no wrong name for the judge, and every name of the
// message.
TEST_F(Guarded, DrawnSentencesPassTheJudge) {
  const NameChecker judge(graph_, OrdinaryNames());
  Random random(7);
  int ended = 0;
  for (int sentence = 0; sentence < 400; ++sentence) {
    std::vector<std::int64_t> pieces;
    bool over = false;
    while (!over && pieces.size() < 60) {
      const std::vector<bool> may = may_follow(pieces);
      std::vector<std::int64_t> open;
      for (std::size_t id = 4; id < may.size(); ++id)
        if (may[id] && drawn(static_cast<int>(id))) open.push_back(static_cast<std::int64_t>(id));
      if (may[end()] && random.below(4) == 0) {
        over = true;
      } else if (open.empty()) {
        break;
      } else {
        pieces.push_back(open[random.below(open.size())]);
      }
    }
    if (!over) continue;
    ++ended;
    const std::vector<int> ids(pieces.begin(), pieces.end());
    const std::string text = coder_.decode(ids, dialogue_, source_);
    const NameVerdict verdict = judge.check(text, message_);
    EXPECT_TRUE(verdict.wrong.empty()) << verdict.wrong.front() << " in " << text;
    EXPECT_TRUE(verdict.missing.empty()) << text;
  }
  EXPECT_GT(ended, 50);
}

}  // namespace
}  // namespace kgwalk::dialogue

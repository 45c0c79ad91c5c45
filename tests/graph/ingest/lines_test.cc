#include "graph/ingest/lines.h"

#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

struct Read {
  std::vector<std::string> lines;
  std::vector<std::size_t> numbers;
  std::vector<std::string> problems;
  std::map<Reason, std::uint64_t> skipped, repaired;
};

Read read(std::string_view text, bool strict = false, std::size_t max_bytes = 10) {
  ProblemLog log("f.txt", strict, 20, silent_reporter());
  LineReader reader(text, max_bytes, log);
  Read result;
  std::string_view line;
  while (reader.next(line)) {
    result.lines.emplace_back(line);
    result.numbers.push_back(reader.number());
  }
  result.problems = log.reported();
  result.skipped = log.skipped_by_reason();
  result.repaired = log.repaired_by_reason();
  return result;
}

TEST(Lines, ArePlainText) {
  const Read r = read("a\n\nb\n");
  EXPECT_EQ(r.lines, (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(r.numbers, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_TRUE(r.problems.empty());
  EXPECT_TRUE(read("").lines.empty());
}

TEST(Lines, WithoutFinalNewlineAreReadAndReported) {
  const Read r = read("a\nb");
  EXPECT_EQ(r.lines, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(r.problems,
            (std::vector<std::string>{"f.txt:2: the last line has no newline; it is read as a whole line"}));
  EXPECT_EQ(read("a\nb", true).lines.size(), 2u);  // the official lists end so: no reason to stop
}

TEST(Lines, LoseCarriageReturnsAndTheByteOrderMarkWhichIsReportedOnce) {
  const Read r = read(
      "\xef\xbb\xbf"
      "a\r\nb\r\n");
  EXPECT_EQ(r.lines, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(r.problems,
            (std::vector<std::string>{
                "f.txt:1: a byte order mark begins the file; it is dropped, save the file without it",
                "f.txt:1: the line ends in CRLF; the carriage return is dropped, save the file with LF"}));
  EXPECT_EQ(r.repaired, (std::map<Reason, std::uint64_t>{{Reason::kCrLf, 2}, {Reason::kByteOrderMark, 1}}));
  EXPECT_TRUE(r.skipped.empty());
  EXPECT_THROW(read("a\r\n", true), DataError);
  EXPECT_THROW(read("\xef\xbb\xbf"
                    "a\n",
                    true),
               DataError);
}

TEST(Lines, ThatAreTooLongOrHoldNulAreSkipped) {
  const Read r = read(std::string("ok\n12345678901\na\0b\n1234567890\n", 30));
  EXPECT_EQ(r.lines, (std::vector<std::string>{"ok", "1234567890"}));
  EXPECT_EQ(r.numbers, (std::vector<std::size_t>{1, 4}));
  EXPECT_EQ(r.problems, (std::vector<std::string>{"f.txt:2: the line has 11 bytes; at most 10 are taken",
                                                  "f.txt:3: a NUL byte at column 2"}));
  EXPECT_EQ(r.skipped, (std::map<Reason, std::uint64_t>{{Reason::kNulByte, 1}, {Reason::kLongLine, 1}}));
}

TEST(Problems, AreCountedBeyondThoseShown) {
  ProblemLog log("f", false, 2, silent_reporter());
  for (std::size_t line = 1; line <= 5; ++line) log.skip(line, Reason::kJson, "bad");
  EXPECT_EQ(log.reported(), (std::vector<std::string>{"f:1: bad", "f:2: bad"}));
  EXPECT_EQ(log.skipped(), 5u);
}

}  // namespace
}  // namespace kgwalk::graph

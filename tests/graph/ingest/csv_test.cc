#include "graph/ingest/csv.h"

#include <random>

#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<CsvRow> read_all(std::string_view text) {
  CsvReader reader(text);
  std::vector<CsvRow> rows;
  CsvRow row;
  while (reader.next(row)) rows.push_back(row);
  return rows;
}

Rows fields_of(std::string_view text) {
  Rows rows;
  for (const CsvRow& row : read_all(text)) {
    EXPECT_EQ(row.error, "");
    rows.push_back(row.fields);
  }
  return rows;
}

TEST(Csv, ReadsTheFormsOfRfc4180) {
  EXPECT_EQ(fields_of("a,b\nc,d\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(fields_of("a,b\r\nc,d"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(fields_of("\"a,\"\"b\"\"\",c\n"), (Rows{{"a,\"b\"", "c"}}));
  EXPECT_EQ(fields_of("\"x\ny\r\nz\",\"\"\n"), (Rows{{"x\ny\r\nz", ""}}));
  EXPECT_EQ(fields_of(",\n"), (Rows{{"", ""}}));
  EXPECT_EQ(fields_of("a,\n"), (Rows{{"a", ""}}));
  EXPECT_EQ(fields_of("\n\r\na\n\n"), (Rows{{"a"}}));
  EXPECT_EQ(fields_of("a\rb,c\n"), (Rows{{"a\rb", "c"}}));  // a lone carriage return ends no row
  EXPECT_EQ(fields_of(""), Rows{});
}

TEST(Csv, KnowsTheLineOnWhichARowStarts) {
  const auto rows = read_all("h\n\"a\nb\nc\"\n\nlast");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].line, 1u);
  EXPECT_EQ(rows[1].line, 2u);
  EXPECT_EQ(rows[2].line, 6u);
}

TEST(Csv, ReportsBrokenQuotingAndGoesOnWithTheNextLine) {
  const auto rows = read_all("a\"b,c\nd,e\n\"f\"g,h\ni,j\n\"never closed\nk,l\n");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].error, "a quote inside a field that does not begin with one");
  EXPECT_EQ(rows[1].fields, (std::vector<std::string>{"d", "e"}));
  EXPECT_EQ(rows[2].error, "text behind a closing quote; a quote inside a quoted field is written twice");
  EXPECT_EQ(rows[2].line, 3u);
  EXPECT_EQ(rows[3].fields, (std::vector<std::string>{"i", "j"}));
  EXPECT_EQ(rows[4].error, "a quoted field is never closed");
  EXPECT_EQ(rows[4].line, 5u);
  EXPECT_EQ(rows[5].fields, (std::vector<std::string>{"k", "l"}));
  EXPECT_EQ(rows[5].line, 6u);
}

TEST(Csv, ReadsBackWhatAPlainWriterWrites) {
  std::mt19937_64 random(5);
  const std::string letters = "ab,\"\n\r \xc3\xa9";
  for (int round = 0; round < 500; ++round) {
    Rows rows(1 + random() % 4);
    std::string text;
    std::vector<std::size_t> lines;
    for (auto& row : rows) {
      lines.push_back(1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
      row.resize(2 + random() % 3);
      for (std::size_t i = 0; i < row.size(); ++i) {
        for (std::size_t n = random() % 6; n > 0; --n) row[i] += letters[random() % letters.size()];
        std::string quoted = "\"";
        for (const char c : row[i]) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        const bool plain = row[i].find_first_of(",\"\r\n") == std::string::npos && random() % 2 == 0;
        text += (i == 0 ? "" : ",") + (plain ? row[i] : quoted + "\"");
      }
      text += random() % 2 == 0 ? "\n" : "\r\n";
    }
    const auto read = read_all(text);
    ASSERT_EQ(read.size(), rows.size()) << text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(read[i].fields, rows[i]) << text;
      EXPECT_EQ(read[i].line, lines[i]) << text;
    }
  }
}

TEST(Csv, EndsOnAnyBytes) {
  std::mt19937_64 random(6);
  const std::string letters = "a,\"\n\r";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t n = random() % 30; n > 0; --n) text += letters[random() % letters.size()];
    std::size_t last = 0;
    for (const CsvRow& row : read_all(text)) {
      EXPECT_GT(row.line, last);  // every row starts on a later line: no text is read twice for good
      EXPECT_NE(row.error.empty(), row.fields.empty());
      last = row.line;
    }
  }
}

}  // namespace
}  // namespace kgwalk::graph

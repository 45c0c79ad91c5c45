// The committed sample: made by the generator, sound as a graph, its paths annotated by the
// conventions of OpenDialKG.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/files.h"
#include "runtime/text.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Triple = std::vector<std::string>;

const fs::path kData = fs::path(KGWALK_SOURCE_DIR) / "data";
const std::vector<std::string> kSplits = {"train", "dev", "test"};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

std::vector<std::string> lines_of(const std::string& file) {
  return lines(kgwalk::read_file(kData / "sample" / file));
}

Triple fields(const std::string& line) {
  Triple result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) result.push_back(field);
  return result;
}

// Rows of an RFC 4180 file without new lines inside quotes; the header left out.
std::vector<std::vector<std::string>> csv_rows(const std::string& file) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(file)) {
    std::vector<std::string> row(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
        row.back() += line[i++];
      } else if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == ',' && !quoted) {
        row.emplace_back();
      } else {
        row.back() += line[i];
      }
    }
    rows.push_back(row);
  }
  rows.erase(rows.begin());
  return rows;
}

struct Sample {
  std::set<Triple> triples;
  std::map<std::string, std::vector<Json>> dialogues;  // by split: the lists of messages

  Sample() {
    for (const std::string& line : lines_of("triples.txt")) triples.insert(fields(line));
    for (const std::string& split : kSplits) {
      for (const auto& row : csv_rows(split + ".csv")) dialogues[split].push_back(Json::parse(row.at(0)));
    }
  }
};

const Sample& sample() {
  static const Sample instance;
  return instance;
}

bool is_path(const Json& message) { return message.value("action_id", "") == "kgwalk/choose_path"; }

std::vector<Json> paths_of(const Json& messages) {
  std::vector<Json> paths;
  for (const Json& message : messages) {
    if (is_path(message)) paths.push_back(message["metadata"]["path"][1]);
  }
  return paths;
}

std::string folded_without_kind(std::string name) {  // "Jaws (Novel)" -> "jaws"
  if (name.back() == ')') name.resize(name.rfind(" ("));
  return kgwalk::fold_name(name);
}

TEST(Sample, IsMadeAnewByteForByte) {
  const fs::path folder = fs::temp_directory_path() / ("kgwalk_sample_" + std::to_string(::getpid()));
  const std::string command = std::string(KGWALK_MAKE_SAMPLE) + " --facts '" + (kData / "facts").string() +
                              "' --out '" + folder.string() + "' > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(kData / "sample")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(kgwalk::read_file(folder / name) == kgwalk::read_file(entry.path()))
        << name << " differs: run make_sample";
    ++compared;
  }
  EXPECT_EQ(compared, 6);
  fs::remove_all(folder);
}

TEST(Sample, TriplesAreClosedUnderInversionWithoutDuplicates) {
  const std::string text = kgwalk::read_file(kData / "sample" / "triples.txt");
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(lines(text).size(), sample().triples.size());
  for (const Triple& triple : sample().triples) {
    ASSERT_EQ(triple.size(), 3U);
    const std::string& relation = triple[1];
    const std::string inverse = relation[0] == '~' ? relation.substr(1) : "~" + relation;
    EXPECT_TRUE(sample().triples.contains({triple[2], inverse, triple[0]})) << triple[0] << ' ' << relation;
  }
}

TEST(Sample, NamesListedAreThoseUsedAndStayDistinctWhenFolded) {
  std::set<std::string> entities, relations, folded;
  for (const Triple& triple : sample().triples) {
    entities.insert(triple[0]);
    relations.insert(triple[1]);
  }
  const std::vector<std::string> names = lines_of("entities.txt"), kinds = lines_of("relations.txt");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), entities);
  EXPECT_EQ(std::set<std::string>(kinds.begin(), kinds.end()), relations);
  for (const std::string& name : names) EXPECT_TRUE(folded.insert(kgwalk::fold_name(name)).second) << name;
}

TEST(Sample, PathsAreKnownAndChainAndGroundTheNextMessageOfTheSameSender) {
  for (const auto& [split, dialogues] : sample().dialogues) {
    for (const Json& messages : dialogues) {
      std::set<std::string> reachable;  // where the next path may start
      for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!is_path(messages[i])) continue;
        ASSERT_LT(i + 1, messages.size());
        EXPECT_EQ(messages[i + 1]["type"], "chat");
        EXPECT_EQ(messages[i + 1]["sender"], messages[i]["sender"]);
        const Json& path = messages[i]["metadata"]["path"];
        ASSERT_EQ(path.size(), 3U);
        EXPECT_EQ(path[0].get<int>(), -static_cast<int>(path[1].size()));
        EXPECT_FALSE(path[2].get<std::string>().empty());
        const std::string start = path[1][0][0];
        EXPECT_TRUE(reachable.empty() || reachable.contains(start)) << split << ": " << path;
        reachable.clear();
        std::string at = start;
        for (const Json& hop : path[1]) {
          EXPECT_TRUE(sample().triples.contains(hop.get<Triple>())) << hop;
          EXPECT_EQ(hop[0], at) << path;
          at = hop[2];
          reachable.insert(at);
        }
      }
    }
  }
}

TEST(Sample, FirstMessageNamesTheStartAndGroundedMessagesNameTheLastEntity) {
  for (const auto& [split, dialogues] : sample().dialogues) {
    for (const Json& messages : dialogues) {
      const std::string opening = kgwalk::fold_name(messages[0]["message"].get<std::string>());
      EXPECT_NE(opening.find(folded_without_kind(paths_of(messages)[0][0][0])), std::string::npos) << opening;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!is_path(messages[i])) continue;
        const std::string text = kgwalk::fold_name(messages[i + 1]["message"].get<std::string>());
        const std::string last = folded_without_kind(messages[i]["metadata"]["path"][1].back()[2]);
        EXPECT_NE(text.find(last), std::string::npos) << text << " / " << last;
      }
    }
  }
}

TEST(Sample, MessagesHoldNoOpenSlotsAndNoDoubledMarks) {
  for (const auto& [split, dialogues] : sample().dialogues) {
    for (const Json& messages : dialogues) {
      std::size_t chats = 0;
      for (const Json& message : messages) {
        if (message["type"] != "chat") continue;
        ++chats;
        const std::string text = message["message"];
        for (const char* bad : {"{", "}", "??", "..", " .", " ?", "  ", "(Novel)", "the the "}) {
          EXPECT_EQ(text.find(bad), std::string::npos) << text;
        }
      }
      EXPECT_GE(chats, 4U);
      EXPECT_LE(chats, 9U);
    }
  }
}

TEST(Sample, SplitsShareNoDialogueAndTrainTouchesNoHeldOutStart) {
  std::set<std::string> keys, seen_in_train;
  std::size_t dialogues = 0;
  std::map<std::string, int> unseen;
  for (const std::string& split : kSplits) {
    for (const Json& messages : sample().dialogues.at(split)) {
      ++dialogues;
      const Json paths = paths_of(messages);
      EXPECT_TRUE(keys.insert(paths.dump()).second) << split << ": " << paths;
      if (split != "train") unseen[split] += !seen_in_train.contains(paths[0][0][0]);
      if (split != "train") continue;
      for (const Json& path : paths) {
        for (const Json& hop : path)
          seen_in_train.insert({hop[0].get<std::string>(), hop[2].get<std::string>()});
      }
    }
  }
  EXPECT_EQ(keys.size(), dialogues);
  EXPECT_GE(unseen["dev"], 10);
  EXPECT_GE(unseen["test"], 18);
  EXPECT_LE(unseen["test"], 42);
}

TEST(Sample, ReadmeStatesTheCounts) {
  const std::string readme = kgwalk::read_file(kData / "README.md");
  const auto states = [&](const std::string& row) {
    EXPECT_NE(readme.find("\n| " + row + " |\n"), std::string::npos) << "not in data/README.md: " << row;
  };
  const auto number = [](std::size_t value) { return kgwalk::with_commas(static_cast<long long>(value)); };
  states("triples.txt | " + number(sample().triples.size()) + " directed triples");
  states("entities.txt | " + number(lines_of("entities.txt").size()) + " names");
  states("relations.txt | " + number(lines_of("relations.txt").size()) + " names");
  for (const auto& [split, dialogues] : sample().dialogues) {
    std::size_t chats = 0, paths = 0, two_hop = 0, side_talk = 0;
    for (const Json& messages : dialogues) {
      for (const Json& message : messages) {
        chats += message["type"] == "chat";
        paths += is_path(message);
        two_hop += is_path(message) && message["metadata"]["path"][1].size() == 2;
        side_talk += message.value("action_id", "") == "meta_thread/send_meta_message";
      }
    }
    states(split + ".csv | " + number(dialogues.size()) + " dialogues, " + number(chats) + " messages, " +
           number(paths) + " paths (" + number(two_hop) + " of two hops), side talk " + number(side_talk));
  }
}

}  // namespace

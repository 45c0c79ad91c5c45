// The embedded sample as the program reads it.
#pragma once

#include <string>

namespace kgwalk::test {

// Arguments that make the database `db` of the sample's graph and dialogues.
inline std::string ingest_sample(const std::string& db) {
  const std::string sample = KGWALK_SOURCE_DIR "/data/sample/";
  return "ingest --db " + db + " --triples " + sample + "triples.txt --entities " + sample +
         "entities.txt --relations " + sample + "relations.txt --dialogs train=" + sample +
         "train.csv --dialogs dev=" + sample + "dev.csv";
}

}  // namespace kgwalk::test

// Whole files of real text through spm_encode and spm_decode and through ours: three published models, and
// models trained here with the settings that change an encoding.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>

#include "kgwalk/error.h"
#include "runtime/random.h"
#include "seq2seq/text/sentencepiece.h"
#include "seq2seq/text/utf8.h"
#include "tests/seq2seq/text/test_files.h"

namespace kgwalk::seq2seq {
namespace {

using test::join;
using test::lines_of;
using test::TempFolder;

std::filesystem::path data_folder() {
  const char* set = std::getenv("KGWALK_DATA");
  return set == nullptr ? "" : set;
}

bool runs(const std::string& command) { return std::system(command.c_str()) == 0; }

std::string random_text(Random& random) {
  std::string text;
  for (std::uint64_t i = 0, count = 1 + random.below(30); i < count; ++i) {
    switch (random.below(6)) {
      case 0:
        text += ' ';
        break;
      case 1:
        text += static_cast<char>('a' + random.below(26));
        break;
      case 2:
        append_utf8(text, static_cast<char32_t>(32 + random.below(0x2000)));
        break;
      case 3:
        append_utf8(text, static_cast<char32_t>(0x2000 + random.below(0xB000)));
        break;
      case 4:
        append_utf8(text, static_cast<char32_t>(0xF900 + random.below(0x10000)));
        break;
      default:
        text += static_cast<char>(128 + random.below(128));
        break;
    }
  }
  for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
  return text;
}

std::vector<std::string> sample_lines() {
  std::vector<std::string> lines;
  for (const char* name :
       {"multi30k/train.en", "multi30k/train.de", "multi30k/train.fr", "opendialkg/opendialkg_entities.txt",
        "opendialkg/train.csv", "opendialkg/test.csv"}) {
    const auto part = lines_of(data_folder() / name);
    for (std::size_t i = 0; i < part.size() && i < 12000; ++i)
      lines.push_back(part[i].substr(0, part[i].find('\r')));
  }
  Random random(3);
  for (int i = 0; i < 5000; ++i) lines.push_back(random_text(random));
  lines.emplace_back("");
  lines.emplace_back("   ");
  return lines;
}

// Lines, and what the original programs make of them.
void expect_equal_to_the_original(const std::filesystem::path& model_file,
                                  const std::vector<std::string>& lines,
                                  const std::filesystem::path& scratch) {
  const std::string in = (scratch / "in").string(), pieces = (scratch / "pieces").string(),
                    ids = (scratch / "ids").string(), text = (scratch / "text").string();
  {
    std::ofstream out(in, std::ios::binary);
    for (const auto& line : lines) out << line << '\n';
  }
  const std::string model = " --model=" + model_file.string();
  ASSERT_TRUE(runs("spm_encode" + model + " <" + in + " >" + pieces));
  ASSERT_TRUE(runs("spm_encode --output_format=id" + model + " <" + in + " >" + ids));
  ASSERT_TRUE(runs("spm_decode --input_format=id" + model + " <" + ids + " >" + text));
  const auto want_pieces = lines_of(pieces), want_ids = lines_of(ids), want_text = lines_of(text);
  ASSERT_EQ(want_pieces.size(), lines.size());
  const SentencePiece ours = SentencePiece::load(model_file);
  int differing = 0;
  for (std::size_t i = 0; i < lines.size() && differing < 5; ++i) {
    const Encoding encoding = ours.encode(lines[i]);
    const bool equal = join(encoding.pieces) == want_pieces[i] && join(encoding.ids) == want_ids[i] &&
                       ours.decode(encoding.ids) == want_text[i];
    differing += !equal;
    EXPECT_TRUE(equal) << "line " << i << ": " << lines[i] << "\n"
                       << want_pieces[i] << "\n"
                       << join(encoding.pieces);
  }
}

bool ready() {
  return runs(
             "command -v spm_encode >/dev/null && command -v spm_decode >/dev/null && command -v spm_train "
             ">/dev/null") &&
         std::filesystem::exists(data_folder() / "sentencepiece");
}

TEST(SentencePieceOracle, PublishedModels) {
  if (!ready()) GTEST_SKIP() << "needs the package sentencepiece and the data folder (KGWALK_DATA)";
  const TempFolder scratch;
  const auto lines = sample_lines();
  for (const char* name : {"google_test_model", "nemo_an4_spe128", "nemo_ende_4k"}) {
    SCOPED_TRACE(name);
    expect_equal_to_the_original(data_folder() / "sentencepiece" / (std::string(name) + ".model"), lines,
                                 scratch.path());
  }
}

TEST(SentencePieceOracle, ModelsOfEverySetting) {
  if (!ready()) GTEST_SKIP() << "needs the package sentencepiece and the data folder (KGWALK_DATA)";
  const TempFolder scratch;
  auto lines = sample_lines();
  std::vector<std::string> few;
  for (std::size_t i = 0; i < lines.size(); i += 4) few.push_back(lines[i]);
  const char* const settings[] = {
      "--normalization_rule_name=nmt_nfkc_cf --pad_id=0 --unk_id=1 --bos_id=-1 --eos_id=-1 "
      "--control_symbols='[CLS],[SEP],[MASK]' "
      "--user_defined_symbols='(,),\",-,.,\u2013,\u00a3,\u20ac,ing,the'",
      "--model_type=bpe --byte_fallback --user_defined_symbols='<a>,ing'",
      "--byte_fallback --normalization_rule_name=identity --treat_whitespace_as_suffix",
      "--add_dummy_prefix=false --remove_extra_whitespaces=false",
      "--model_type=bpe --remove_extra_whitespaces=false --split_by_whitespace=false "
      "--normalization_rule_name=nfkc"};
  const std::string prefix = (scratch.path() / "trained").string();
  for (const char* setting : settings) {
    SCOPED_TRACE(setting);
    ASSERT_TRUE(runs("spm_train --input=" + (data_folder() / "multi30k/val.en").string() +
                     " --model_prefix=" + prefix + " --vocab_size=1200 --num_threads=1 --minloglevel=2 " +
                     setting + " >/dev/null 2>&1"));
    expect_equal_to_the_original(prefix + ".model", few, scratch.path());
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq

#include "seq2seq/text/tokenizer.h"

#include <initializer_list>

#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "seq2seq/text/albert_tokenizer.h"
#include "seq2seq/text/sentencepiece.h"
#include "seq2seq/text/tokenizer_config.h"
#include "seq2seq/text/wordpiece.h"

namespace kgwalk::seq2seq {

std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& folder) {
  const auto has = [&](const char* name) { return std::filesystem::exists(folder / name); };
  const int found = has("spiece.model") + has("sentencepiece.model") + has("vocab.txt");
  if (found != 1) {
    throw FormatError(folder.string() + ": " + (found == 0 ? "no vocabulary" : "more than one vocabulary") +
                      "; exactly one of spiece.model, sentencepiece.model and vocab.txt must be there");
  }
  if (has("spiece.model")) return std::make_unique<AlbertTokenizer>(AlbertTokenizer::load(folder));
  if (has("vocab.txt")) return std::make_unique<WordPiece>(WordPiece::load(folder));
  return std::make_unique<SentencePiece>(SentencePiece::load(folder / "sentencepiece.model"));
}

SpecialIds find_special_ids(const Tokenizer& tokenizer) {
  const auto first_of = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (const auto id = tokenizer.find(name)) return *id;
    }
    return -1;
  };
  SpecialIds ids;
  ids.pad = first_of({"<pad>", "[PAD]"});
  ids.unk = first_of({"<unk>", "[UNK]"});
  ids.bos = first_of({"<s>", "[BOS]"});
  ids.eos = first_of({"</s>", "[EOS]"});
  ids.cls = first_of({"[CLS]"});
  ids.sep = first_of({"[SEP]"});
  ids.mask = first_of({"[MASK]"});
  return ids;
}

TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder) {
  TokenizerConfig config;
  const std::filesystem::path file = folder / "tokenizer_config.json";
  if (!std::filesystem::exists(file)) return config;
  const Json json = Json::parse(read_file(file), nullptr, false);
  if (!json.is_object()) throw FormatError(file.string() + ": this is no json object");
  const auto read = [&](const char* name, bool& value) {
    const auto it = json.find(name);
    if (it == json.end() || it->is_null()) return;
    if (!it->is_boolean()) throw FormatError(file.string() + ": '" + name + "' must be true or false");
    value = it->get<bool>();
  };
  read("do_lower_case", config.do_lower_case);
  config.strip_accents = config.do_lower_case;
  read("strip_accents", config.strip_accents);
  read("keep_accents", config.keep_accents);
  read("tokenize_chinese_chars", config.tokenize_chinese_chars);
  return config;
}

}  // namespace kgwalk::seq2seq

// A recognizer trained for seconds on words that are tones, through files and folders, as the command does
// it; lists of recordings; what becomes of unusual sounds.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "kgwalk/error.h"
#include "kgwalk/recognizer.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/tasks/language/run.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/recognition/eval.h"
#include "seq2seq/tasks/recognition/run.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;
using testing::largest_difference;

constexpr const char* kWords[] = {"low", "mid", "high"};
constexpr double kHz[] = {400, 1000, 2500};

Sound spoken(const std::vector<int>& words, Random& random, int rate = 16000) {
  Sound sound{rate, {}};
  const auto add = [&](double hz, double seconds) {
    for (int i = 0; i < static_cast<int>(rate * seconds); ++i)
      sound.samples.push_back(static_cast<float>(
          (hz > 0 ? 0.3 * std::sin(6.283185307 * hz * i / rate) : 0.0) + 0.01 * random.normal()));
  };
  add(0, 0.1);
  for (const int word : words) {
    add(kHz[word], 0.2 + 0.1 * random.uniform());
    add(0, 0.12);
  }
  return sound;
}

class Recognition : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::temp_directory_path() / ("kgwalk_asr_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    Random random(3);
    std::string table = "split\tpath\tseconds\ttext\n";
    for (int i = 0; i < 60; ++i) {
      std::vector<int> words;
      std::string text;
      for (std::uint64_t n = 1 + random.below(3); n-- > 0;) {
        words.push_back(static_cast<int>(random.below(3)));
        if (!text.empty()) text += ' ';
        text += kWords[words.back()];
      }
      const std::string name = std::to_string(i) + ".wav";
      write_wav(folder_ / name, spoken(words, random));
      table += (i < 50 ? "train\t" : "test\t");
      table += name;
      table += "\t1\t";
      table += text;
      table += '\n';
    }
    write_file_atomically(folder_ / "list.tsv", table);
    RecognitionTrainOptions options = options_of();
    report_ = train_recognition(options, silent_reporter(), never_stop());
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }
  static RecognitionTrainOptions options_of() {
    RecognitionTrainOptions options;
    apply_json(options.config, task_preset("asr", "tiny"), "tiny");
    options.config.units.kind = "words";
    options.config.search.ctc_weight = 0.6;  // so few words teach the decoder little
    options.config.trainer.max_epochs = 30;
    options.config.trainer.schedule.kind = "cosine";
    options.config.max_frames = 500;
    options.config.trainer.eval_every = 60;
    options.train = {list("train")};
    options.dev = {list("test")};
    options.run = folder_ / "run";
    return options;
  }
  static std::string list(const std::string& split) {
    return (folder_ / "list.tsv").string() + "#split=" + split;
  }
  static Recognizer opened() { return Recognizer::open(folder_ / "run"); }

  static fs::path folder_;
  static RecognitionTrainReport report_;
};
fs::path Recognition::folder_;
RecognitionTrainReport Recognition::report_;

TEST_F(Recognition, LearnsTheTones) {
  EXPECT_EQ(report_.utterances, 50);
  EXPECT_EQ(report_.development, 10);
  EXPECT_EQ(report_.units, 7);
  const std::vector<Recording> test = read_recordings(list("test"));
  for (const char* method : {"joint", "ctc_beam", "ctc_greedy"}) {
    Recognizer recognizer = opened();
    SpeechSearchOptions search = recognizer.config().search;
    search.method = method;
    recognizer.set_search(search);
    const RecognitionEvalReport found = evaluate_recognition(recognizer, test, silent_reporter());
    EXPECT_LE(found.words.rate(), 10) << method << "\n" << found.alignments;
    EXPECT_GT(found.real_time_factor(), 0);
  }
}

TEST_F(Recognition, WordsStandAtTheirTimes) {
  Random random(8);
  const std::vector<Sound> sounds{spoken({2, 0}, random)};
  const Transcription found = opened().transcribe(sounds).front();
  ASSERT_EQ(found.best().text, "high low");
  ASSERT_EQ(found.best().words.size(), 2u);
  EXPECT_GT(found.best().words[0].begin_s, 0.02);
  EXPECT_LT(found.best().words[0].end_s, found.best().words[1].begin_s + 1e-9);
  EXPECT_LE(found.best().words[1].end_s, found.seconds + 0.04);
  EXPECT_GT(found.best().words[1].begin_s, 0.3) << "the first word and the pause last longer";
}

TEST_F(Recognition, LongSoundIsHeardPieceByPieceWithItsTimes) {
  Random random(12);
  Recognizer recognizer = opened();
  SpeechSearchOptions search = recognizer.config().search;
  search.longest_s = 2;
  recognizer.set_search(search);
  Sound whole{16000, {}};
  std::string text;
  std::vector<double> begins;
  for (int i = 0; i < 12; ++i) {
    const std::vector<int> words{i % 3, (i / 3) % 3};
    begins.push_back(whole.seconds());
    const Sound part = spoken(words, random);
    whole.samples.insert(whole.samples.end(), part.samples.begin(), part.samples.end());
    for (int n = 0; n < 8000; ++n) whole.samples.push_back(static_cast<float>(0.01 * random.normal()));
    text += (text.empty() ? "" : " ") + std::string(kWords[words[0]]) + " " + kWords[words[1]];
  }
  const std::vector<Sound> sounds{whole, spoken({1}, random)};
  const std::vector<Transcription> found = recognizer.transcribe(sounds);
  EXPECT_EQ(found[0].best().text, text);
  EXPECT_EQ(found[1].best().text, "mid");
  EXPECT_NEAR(found[0].seconds, whole.seconds(), 1e-9);
  ASSERT_EQ(found[0].best().words.size(), 24U);
  for (std::size_t i = 0; i < begins.size(); ++i)
    EXPECT_NEAR(found[0].best().words[2 * i].begin_s, begins[i] + 0.1, 0.3) << "a word is as long";

  write_wav(folder_ / "long.wav", whole);
  EXPECT_EQ(recognizer.transcribe_file(folder_ / "long.wav").best().text, text);
  StopFlag stop;
  stop.request();
  EXPECT_THROW((void)recognizer.transcribe_file(folder_ / "long.wav", stop), Stopped);
}

TEST_F(Recognition, ThePublicRecognizerGivesTheSame) {
  Random random(8);
  const Sound sound = spoken({2, 0}, random);
  const kgwalk::Recognizer open = kgwalk::Recognizer::open(folder_ / "run", {.nbest = 2});
  const Transcription found = open.transcribe(sound.samples, sound.rate);
  EXPECT_EQ(found.best().text, "high low");
  EXPECT_EQ(found.to_json()["hypotheses"][0]["text"], "high low");
  EXPECT_EQ(open.rate(), 16000);
  EXPECT_THROW((void)open.transcribe(sound.samples, 0), ConfigError);
  EXPECT_THROW((void)open.stream(), ConfigError) << "it was not trained to";
  EXPECT_THROW((void)kgwalk::Recognizer::open(folder_ / "run", {.nbest = 0}), ConfigError);
}

TEST_F(Recognition, UnusualSoundsHaveDefinedResults) {
  Random random(8);
  const Recognizer recognizer = opened();
  const std::vector<Sound> sounds{spoken({1}, random, 8000), Sound{16000, std::vector<float>(8000, 0.0F)},
                                  Sound{16000, std::vector<float>(100, 0.2F)}, Sound{16000, {}}};
  const std::vector<Transcription> found = recognizer.transcribe(sounds);
  EXPECT_EQ(found[0].best().text, "mid") << "8 kHz is resampled";
  EXPECT_EQ(found[1].note, "silence");
  EXPECT_EQ(found[2].note, "shorter than a frame");
  EXPECT_EQ(found[3].note, "shorter than a frame");
  for (int i = 1; i < 4; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)].best().text, "");
  EXPECT_NEAR(found[1].seconds, 0.5, 1e-9);
}

TEST_F(Recognition, BatchesGiveWhatSingleFilesGive) {
  Random random(21);
  Recognizer recognizer = opened();
  SpeechSearchOptions search = recognizer.config().search;
  search.nbest = 2;
  recognizer.set_search(search);
  const std::vector<Sound> sounds{spoken({1, 2, 0}, random), spoken({0}, random), spoken({2, 2}, random)};
  const std::vector<Transcription> together = recognizer.transcribe(sounds);
  for (std::size_t i = 0; i < sounds.size(); ++i) {
    const Transcription alone = recognizer.transcribe(std::span(sounds).subspan(i, 1)).front();
    ASSERT_EQ(alone.hypotheses.size(), together[i].hypotheses.size());
    for (std::size_t h = 0; h < alone.hypotheses.size(); ++h) {
      EXPECT_EQ(together[i].hypotheses[h].text, alone.hypotheses[h].text);
      EXPECT_NEAR(together[i].hypotheses[h].score, alone.hypotheses[h].score, 1e-3);
    }
  }
}

TEST_F(Recognition, TheJointSearchAddsABonusOnceAUnit) {
  Random random(8);
  const std::vector<Sound> sounds{spoken({2, 0}, random)};
  Recognizer recognizer = opened();
  SpeechSearchOptions search = recognizer.config().search;
  search.method = "joint";
  recognizer.set_search(search);
  const SpeechHypothesis plain = recognizer.transcribe(sounds).front().best();
  search.unit_bonus = 0.25;
  recognizer.set_search(search);
  const SpeechHypothesis found = recognizer.transcribe(sounds).front().best();
  ASSERT_EQ(found.text, plain.text);
  EXPECT_NEAR(found.score - plain.score, 0.25 * 2, 1e-4) << "two words, and the end counts nothing";
}

TEST_F(Recognition, FusesALanguageModelOfItsUnitsAndRefusesOthers) {
  LanguageTrainOptions language;
  apply_json(language.config, task_preset("lm", "tiny"), "tiny");
  language.config.trainer.max_epochs = 1;
  language.config.model.vocabulary.cutoffs = {2};
  language.train = folder_ / "run/units.text";
  language.dev = folder_ / "run/units.dev.text";
  language.run = folder_ / "lm";
  (void)train_language(language, silent_reporter(), never_stop());
  Recognizer recognizer = opened();
  recognizer.set_language(folder_ / "lm");
  Random random(8);
  const std::vector<Sound> sounds{spoken({2, 0}, random)};
  const double plain = opened().transcribe(sounds).front().best().score;
  for (const char* method : {"joint", "ctc_beam"}) {
    SpeechSearchOptions search = recognizer.config().search;
    search.method = method;
    search.lm_weight = 0.1;
    recognizer.set_search(search);
    const Transcription found = recognizer.transcribe(sounds).front();
    EXPECT_EQ(found.best().text, "high low") << method;
    if (std::string(method) == "joint") {
      EXPECT_LT(found.best().score, plain) << "its log-probabilities are added";
    }
  }
  std::string other;
  for (int i = 0; i < 60; ++i) other += "some other words\n";
  write_file_atomically(folder_ / "other.text", other);
  language.train = language.dev = folder_ / "other.text";
  language.run = folder_ / "lm_other";
  (void)train_language(language, silent_reporter(), never_stop());
  EXPECT_THROW(recognizer.set_language(folder_ / "lm_other"), ConfigError);
}

TEST_F(Recognition, DrawsTheAttentionOfAnUtterance) {
  const std::vector<NamedPlot> plots = recognition_plots(opened(), read_recordings(list("test")).front());
  ASSERT_EQ(plots.size(), 4u) << "two layers of the encoder, the decoder's self-attention and its memory";
  for (const NamedPlot& plot : plots) EXPECT_NE(plot.svg.find("<svg"), std::string::npos);
}

TEST_F(Recognition, ResumesBitExactlyWithSpeedsAndMasks) {
  RecognitionTrainOptions options = options_of();
  options.config.speeds = {0.9, 1.1};
  options.config.spec_augment.time_masks = 1;
  options.config.trainer.max_epochs = 2;
  options.config.trainer.eval_every = 0;  // at the end of each pass, however many there are
  options.run = folder_ / "whole";
  options.config.trainer.schedule.kind = "constant";  // of no particular length
  (void)train_recognition(options, silent_reporter(), never_stop());
  options.run = folder_ / "pieces";
  options.config.trainer.max_epochs = 1;
  (void)train_recognition(options, silent_reporter(), never_stop());
  options.config.trainer.max_epochs = 2;
  (void)train_recognition(options, silent_reporter(), never_stop());
  const NamedTensors whole = read_tensors(folder_ / "whole/model/model.safetensors"),
                     pieces = read_tensors(folder_ / "pieces/model/model.safetensors");
  for (const auto& [name, tensor] : whole) EXPECT_TRUE(torch::equal(tensor, pieces.at(name))) << name;
}

TEST_F(Recognition, ListsSayWhatIsWrongWithThem) {
  const auto error_of = [&](const std::string& name, const std::string& text,
                            const std::string& condition = "") {
    write_file_atomically(folder_ / name, text);
    try {
      (void)read_recordings((folder_ / name).string() + condition);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_of("a.tsv", "path\ttext\n0.wav\tone\n"), "");
  EXPECT_NE(error_of("b.tsv", "path\twords\n").find("no column 'text'"), std::string::npos);
  EXPECT_NE(error_of("c.tsv", "path\ttext\n0.wav\n").find(":2"), std::string::npos) << "the line is named";
  EXPECT_NE(error_of("d.tsv", "path\ttext\n").find("names no recording"), std::string::npos);
  EXPECT_NE(error_of("e.tsv", "path\ttext\n0.wav\tone\n", "#split=dev").find("no column 'split'"),
            std::string::npos);
  EXPECT_THROW((void)read_recordings((folder_ / "none.tsv").string()), IoError);
}

TEST_F(Recognition, SphinxListsFindTranscriptsAndFiles) {
  fs::create_directories(folder_ / "etc");
  fs::create_directories(folder_ / "wav");
  write_file_atomically(folder_ / "etc/x.fileids", "a/one\n");
  write_file_atomically(folder_ / "etc/x.transcription", "<s> HELLO YOU </s> (one)\n");
  const auto found = read_recordings((folder_ / "etc/x.fileids").string());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file.filename(), "one.wav");
  EXPECT_EQ(found[0].text, " HELLO YOU  ");
  write_file_atomically(folder_ / "etc/x.transcription", "HELLO (two)\n");
  EXPECT_THROW((void)read_recordings((folder_ / "etc/x.fileids").string()), DataError);
}

TEST_F(Recognition, AModelOfAnotherTaskIsRefused) {
  EXPECT_THROW((void)Recognizer::open(folder_ / "wav"), Error);
  RecognitionTrainOptions options = options_of();
  options.config.search.method = "joint";
  options.config.model.decoder.layers = 0;
  options.config.model.ctc_weight = 1;
  EXPECT_THROW((void)train_recognition(options, silent_reporter(), never_stop()), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq

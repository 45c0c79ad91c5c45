// Sounds sent as OpenAI's clients send them, to a recognizer that was trained for seconds on words that are
// tones.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "kgwalk/recognizer.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "seq2seq/audio/sound.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/recognition/run.h"
#include "server/doors/subtitles.h"
#include "server/service/service.h"
#include "tests/server/served_world.h"
#include "tests/temp_folder.h"

namespace kgwalk::server {
namespace {

using testing::contains;
using testing::request;
using testing::streamed;

std::string wav_of(const test::TempFolder& folder, const std::vector<bool>& high, Random& random) {
  seq2seq::Sound sound{16000, {}};
  const auto add = [&](double hz, double seconds) {
    for (int i = 0; i < static_cast<int>(sound.rate * seconds); ++i)
      sound.samples.push_back(
          static_cast<float>(0.3 * std::sin(6.283185307 * hz * i / sound.rate) + 0.01 * random.normal()));
  };
  for (const bool one : high) {
    add(one ? 2500 : 400, 0.25);
    add(0, 0.15);
  }
  seq2seq::write_wav(folder / "sound.wav", sound);
  return read_file(folder / "sound.wav");
}

class Transcribing : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TempFolder>();
    Random random(4);
    std::string table = "path\ttext\n";
    for (int i = 0; i < 40; ++i) {
      std::vector<bool> words;
      std::string text;
      for (std::uint64_t n = 1 + random.below(3); n-- > 0;) {
        words.push_back(random.below(2) == 1);
        text += words.back() ? "high " : "low ";
      }
      const std::string name = std::to_string(i) + ".wav";
      folder_->write(name, wav_of(*folder_, words, random));
      table += name + "\t" + text + "\n";
    }
    folder_->write("list.tsv", table);
    seq2seq::RecognitionTrainOptions options;
    apply_json(options.config, seq2seq::task_preset("asr", "tiny"), "tiny");
    options.config.units.kind = "words";
    options.config.search.ctc_weight = 0.8;
    options.config.trainer.max_epochs = 40;
    options.config.trainer.schedule.kind = "cosine";
    options.config.trainer.eval_every = 50;
    options.config.max_frames = 500;
    options.config.hold_out = 8;
    options.train = {(*folder_ / "list.tsv").string()};
    options.run = *folder_ / "run";
    (void)seq2seq::train_recognition(options, silent_reporter(), never_stop());
    sound_ = wav_of(*folder_, {true, false}, random);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  Service service_{{{.name = "films", .recognizer = (*folder_ / "run").string()}, {.name = "deaf"}},
                   {.sounds = {.max_upload = 2'000'000, .max_sound_s = 5}},
                   testing::talk_model};

  // Fields as "name=value"; the sound goes last.
  Response ask(std::initializer_list<std::pair<const char*, const char*>> fields,
               const std::string& sound = sound_) {
    Request r = request("POST", "/v1/audio/transcriptions");
    r.headers["content-type"] = "multipart/form-data; boundary=\"b o\"";
    for (const auto& [name, value] : fields)
      r.body += std::string("--b o\r\nContent-Disposition: form-data; name=\"") + name + "\"\r\n\r\n" +
                value + "\r\n";
    r.body +=
        "--b o\r\nContent-Disposition: form-data; name=\"file\"; filename=\"two \\\"words\\\".wav\"\r\n";
    r.body += "Content-Type: audio/wav\r\n\r\n" + sound + "\r\n--b o--\r\n";
    return service_.answer(r);
  }
  std::string message(const Response& response) {
    EXPECT_EQ(response.status, 400) << response.body;
    return Json::parse(response.body)["error"]["message"];
  }

  static std::unique_ptr<test::TempFolder> folder_;
  static std::string sound_;
};
std::unique_ptr<test::TempFolder> Transcribing::folder_;
std::string Transcribing::sound_;

TEST_F(Transcribing, GivesTheTextInEachForm) {
  const Json json = Json::parse(ask({{"model", "films"}}).body);
  EXPECT_EQ(json["text"], "high low");
  EXPECT_NEAR(json["usage"]["seconds"].get<double>(), 0.8, 0.01);
  EXPECT_EQ(ask({{"model", "films"}, {"response_format", "text"}}).body, "high low\n");
  const Response srt = ask({{"model", "films"}, {"response_format", "srt"}});
  EXPECT_TRUE(srt.body.starts_with("1\n00:00:0")) << srt.body;
  EXPECT_TRUE(srt.body.ends_with("\nhigh low\n\n")) << srt.body;
  EXPECT_TRUE(ask({{"model", "films"}, {"response_format", "vtt"}}).body.starts_with("WEBVTT\n\n00:00:00."));
}

TEST_F(Transcribing, TellsTimesOfWordsAndSegmentsWhenAsked) {
  const Json segments = Json::parse(ask({{"model", "films"}, {"response_format", "verbose_json"}}).body);
  EXPECT_EQ(segments["segments"][0]["text"], "high low");
  EXPECT_FALSE(segments.contains("words"));
  EXPECT_EQ(segments["language"], "und");
  const Json words = Json::parse(ask({{"model", "films"},
                                      {"response_format", "verbose_json"},
                                      {"language", "en"},
                                      {"timestamp_granularities[]", "word"}})
                                     .body);
  ASSERT_EQ(words["words"].size(), 2U);
  EXPECT_EQ(words["words"][1]["word"], "low");
  EXPECT_LT(words["words"][0]["end"], words["words"][1]["end"]);
  EXPECT_FALSE(words.contains("segments"));
  EXPECT_EQ(words["language"], "en");
}

TEST_F(Transcribing, StreamsAsClientsExpect) {
  const std::string events = streamed(ask({{"model", "films"}, {"stream", "true"}}));
  EXPECT_TRUE(contains(events, R"("type":"transcript.text.delta")")) << events;
  EXPECT_TRUE(contains(events, R"("type":"transcript.text.done","text":"high low")")) << events;
}

TEST_F(Transcribing, SaysWhatIsWrong) {
  EXPECT_TRUE(contains(message(ask({})), "'model' must be given"));
  EXPECT_TRUE(contains(message(ask({{"model", "films"}, {"response_format", "xml"}})), "verbose_json"));
  EXPECT_TRUE(
      contains(message(ask({{"model", "films"}, {"timestamp_granularities[]", "word"}})), "verbose_json"));
  EXPECT_TRUE(contains(message(ask({{"model", "films"}, {"response_format", "srt"}, {"stream", "true"}})),
                       "json only"));
  EXPECT_TRUE(
      contains(message(ask({{"model", "films"}}, "no sound at all")), "two \"words\".wav: is damaged"));
  EXPECT_TRUE(contains(message(ask({{"model", "films"}}, sound_.substr(0, 5000))), "is cut off"));
  EXPECT_TRUE(contains(message(ask({{"model", "films"}}, "")), "is empty"));
  Random random(5);
  const std::string lasting = wav_of(*folder_, std::vector<bool>(20), random);
  EXPECT_TRUE(contains(message(ask({{"model", "films"}}, lasting)), "lasts 8 s, longer than 5 s"));
  EXPECT_EQ(ask({{"model", "deaf"}}).status, 404);
  EXPECT_EQ(ask({{"model", "whisper-1"}}).status, 404);
  EXPECT_EQ(service_.answer(request("POST", "/v1/audio/transcriptions", {{"model", "films"}})).status, 415);
}

TEST_F(Transcribing, SilenceIsAnEmptyTextWithoutCues) {
  seq2seq::write_wav(*folder_ / "silence.wav", {16000, std::vector<float>(16000)});
  const std::string silence = read_file(*folder_ / "silence.wav");
  EXPECT_EQ(Json::parse(ask({{"model", "films"}}, silence).body)["text"], "");
  EXPECT_EQ(ask({{"model", "films"}, {"response_format", "vtt"}}, silence).body, "WEBVTT\n\n");
}

Transcription heard(std::vector<SpokenWord> words) {
  Transcription out;
  out.hypotheses.emplace_back();
  for (const SpokenWord& word : words)
    out.hypotheses[0].text += (out.best().text.empty() ? "" : " ") + word.text;
  out.hypotheses[0].words = std::move(words);
  out.seconds = 9000;
  return out;
}

TEST(Subtitles, AreCutAtPausesAndBeforeTheyGrowTooLong) {
  const std::vector<Cue> cues = cues_of(heard({{"a", 0, 1}, {"b", 1.5, 2}, {"c", 2.7, 3}, {"d", 3, 9}}));
  ASSERT_EQ(cues.size(), 3U);
  EXPECT_EQ(cues[0].text, "a b");
  EXPECT_EQ(cues[1].text, "c");
  EXPECT_EQ(cues[2].begin_s, 3);
  const std::string half(43, 'x');
  EXPECT_EQ(cues_of(heard({{half, 0, 1}, {half, 1, 2}})).size(), 2U);
  Transcription untimed = heard({{"a", 0, 1}});
  untimed.hypotheses[0].words.clear();
  EXPECT_EQ(cues_of(untimed)[0].end_s, 9000);
}

TEST(Subtitles, WriteTimesAndTextAsTheirFormatsWant) {
  const std::vector<Cue> cues{{3661.2346, 3662, "a <b> & c"}, {7200, 7201.5, "d"}};
  EXPECT_EQ(as_srt(cues),
            "1\n01:01:01,235 --> 01:01:02,000\na <b> & c\n\n2\n02:00:00,000 --> 02:00:01,500\nd\n\n");
  EXPECT_EQ(
      as_vtt(cues),
      "WEBVTT\n\n01:01:01.235 --> 01:01:02.000\na &lt;b&gt; &amp; c\n\n02:00:00.000 --> 02:00:01.500\nd\n\n");
}

}  // namespace
}  // namespace kgwalk::server

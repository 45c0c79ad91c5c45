// The whole way on sounds made here: teacher, self-supervised student, alignment, heads, files;
// and bad input.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "kgwalk/error.h"
#include "kgwalk/understander.h"
#include "runtime/metrics.h"
#include "seq2seq/audio/sound.h"
#include "seq2seq/tasks/understanding/distillation.h"
#include "seq2seq/tasks/understanding/speech_batch.h"
#include "seq2seq/tasks/understanding/speech_pretraining.h"
#include "seq2seq/tasks/understanding/understander.h"
#include "seq2seq/text/spm_train.h"
#include "tests/seq2seq/tasks/understanding/model_folder.h"

namespace kgwalk::seq2seq {
namespace {

using testing::Folder;
using testing::message_of;
namespace fs = std::filesystem;

constexpr int kTones = 3;

// A third of a second of one of three buzzing tones, a little different each time; its second half is higher
// and softer than the first.
Sound tone(int kind, int variant) {
  Sound sound{16000, std::vector<float>(static_cast<std::size_t>(5200 + 160 * (variant % 5)))};
  Random random(static_cast<std::uint64_t>(100 * kind + variant));
  const double step = 0.01 * (1 + 2 * kind) * (1 + 0.01 * (variant % 3));
  for (std::size_t i = 0; i < sound.samples.size(); ++i) {
    const bool first = 2 * i < sound.samples.size();
    const double turns = step * static_cast<double>(i) * (first ? 1 : 2);
    sound.samples[i] = static_cast<float>((first ? 0.5 : 0.1) * (2 * (turns - std::floor(turns)) - 1) +
                                          0.001 * random.normal());
  }
  return sound;
}

Wav2Vec2Options tiny_speech() {
  Wav2Vec2Options options;
  options.conv_dim = {12, 12};
  options.conv_kernel = {40, 16};
  options.conv_stride = {40, 16};
  options.num_conv_pos_embeddings = 4;
  options.num_conv_pos_embedding_groups = 2;
  options.hidden_size = 16;
  options.num_hidden_layers = 1;
  options.num_attention_heads = 2;
  options.intermediate_size = 24;
  options.hidden_dropout = options.attention_dropout = options.activation_dropout = 0;
  return options;
}

std::string numbered(const char* name, int number) {
  std::string text = name;
  text += std::to_string(number);
  return text;
}

// One folder with sounds, texts and all runs, made once.
class Slu : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!spm_train_available()) return;
    folder = new Folder("kgwalk_slu_run");
    std::string manifest = "path\tsplit\tspeaker\tintent\temotion\tslots\ttext\n";
    const char* names[kTones] = {"low", "middle", "high"};
    const char* splits[4] = {"align", "train", "dev", "test"};
    int number = 0;
    for (int split = 0; split < 4; ++split)
      for (int i = 0; i < (split < 2 ? 12 : 6); ++i) {
        const int kind = i % kTones;
        const std::string file = numbered("s", number++) + ".wav", name = names[kind];
        write_wav(path(file), tone(kind, number));
        std::string row = file, slots = "[[\"", text = "play a ";
        slots.append(name).append("\",\"x\"]]");
        text.append(name).append(" tone");
        for (const std::string& field :
             {std::string(splits[split]), numbered("p", number % 4), name, name, slots, text})
          row.append(1, '\t').append(field);
        manifest += row;
        manifest += '\n';
      }
    folder->write("manifest.tsv", manifest);
    std::string text;
    for (int i = 0; i < 40; ++i) {
      text += i % 2 ? "play a " : "please play one ";
      text += names[i % kTones];
      text += " tone\n";
    }
    folder->write("text.txt", text);
    make_teacher();
    make_student();
  }
  static void TearDownTestSuite() {
    delete folder;
    folder = nullptr;
  }
  void SetUp() override {
    if (!folder) GTEST_SKIP() << "spm_train is not installed: no teacher can be made";
  }

  static fs::path path(const std::string& name) { return folder->path() / name; }
  static void make_teacher() {
    TextPretrainOptions options;
    options.train = {path("text.txt")};
    options.dev = path("text.txt");
    options.run = path("teacher");
    options.config.vocabulary = 40;
    AlbertOptions& model = options.config.model;
    model.embedding_size = 8;
    model.hidden_size = 16;
    model.num_hidden_layers = 2;
    model.num_attention_heads = 2;
    model.intermediate_size = 24;
    model.max_position_embeddings = 24;
    options.config.trainer.max_epochs = 2;
    (void)pretrain_teacher(options, silent_reporter(), stop);
  }
  static void make_student() {
    SpeechPretrainOptions options;
    options.manifests = {path("manifest.tsv")};
    options.run = path("student");
    options.config.model = tiny_speech();
    options.config.codebook.entries = 8;
    options.config.mask_frames = 2;
    options.config.mask_share = 0.3;
    options.config.batch_frames = 60;
    options.config.trainer.max_epochs = 30;
    options.config.trainer.eval_every = 40;
    options.config.trainer.adam.lr = 5e-3;
    student_report = pretrain_speech(options, silent_reporter(), stop);
  }
  static AlignOptions align_options(const std::string& run) {
    AlignOptions options;
    options.manifest = path("manifest.tsv");
    options.teacher = path("teacher");
    options.student = path("student");
    options.run = path(run);
    options.config.objective.local_spans = "prior";
    options.config.objective.spans.base_scale = 2;
    options.config.batch_frames = 60;
    options.config.trainer.max_epochs = 10;
    options.config.trainer.eval_every = 20;
    options.config.trainer.adam.lr = 5e-3;
    return options;
  }
  static UnderstandingTrainOptions head_options(const std::string& task, const std::string& run) {
    UnderstandingTrainOptions options;
    options.manifest = path("manifest.tsv");
    options.student = path("student");
    options.run = path(run);
    options.config.head.task = task;
    options.config.head.recurrent = 8;
    options.config.head.dropout = 0;
    options.config.batch = 6;
    options.config.trainer.max_epochs = task == "slots" ? 60 : 40;
    options.config.trainer.eval_every = 20;
    options.config.trainer.adam.lr = 2e-2;
    return options;
  }

  static Folder* folder;
  static PretrainReport student_report;
  static StopFlag stop;
};
Folder* Slu::folder = nullptr;
PretrainReport Slu::student_report;
StopFlag Slu::stop;

TEST_F(Slu, AStudentLearnsToTellHiddenFramesOfTones) {
  // Eight codes told apart by nothing cost ln 8 = 2.08.
  EXPECT_LT(student_report.training.best_metrics["loss"].get<double>(), 1.0);
  EXPECT_GT(student_report.training.best_metrics["accuracy"].get<double>(), 0.7);
  EXPECT_EQ(student_report.items, 24);  // all but dev and test
  EXPECT_EQ(open_speech_encoder(path("student"))->options().hidden_size, 16);
}

TEST_F(Slu, AlignmentLowersItsLossAndLeavesTheConvolutionsAlone) {
  AlignOptions options = align_options("align");
  const PretrainReport report = align_speech(options, silent_reporter(), stop);
  EXPECT_LT(report.training.best_metrics["loss"].get<double>(), -0.5);
  const Wav2Vec2 before = open_speech_encoder(path("student"));
  Wav2Vec2 after = open_speech_encoder(path("align"));
  EXPECT_TRUE(torch::equal(before->convolutions[0]->weight, after->convolutions[0]->weight));
  EXPECT_FALSE(torch::equal(before->projection->weight, after->projection->weight));
  const Teacher teacher = Teacher::open(path("teacher"));
  const SignificancePicture picture =
      significance_picture(path("s0.wav"), "play a low tone", after, &teacher, options.config.objective);
  EXPECT_EQ(picture.spans.size(), picture.pieces.size());
  EXPECT_EQ(picture.text_prior.size(), picture.pieces.size());
  EXPECT_EQ(static_cast<std::int64_t>(picture.speech_prior.size()),
            tiny_speech().frames(static_cast<std::int64_t>(picture.samples.size())));
}

// The dev loss of a run's evaluations, in order.
std::vector<double> dev_losses(const fs::path& run) {
  std::vector<double> losses;
  for (const Json& row : read_metrics(run / "metrics.jsonl"))
    if (row["kind"] == "dev") losses.push_back(row["loss"]);
  return losses;
}

TEST_F(Slu, EveryObjectiveLowersItsLossByMovingTheStudent) {
  const Wav2Vec2 before = open_speech_encoder(path("student"));
  int run = 0;
  for (const char* json :
       {R"({"global": "cls"})", R"({"global": "mean"})", R"({"tokens": "idf"})",
        R"({"global": "mean", "tokens": "prior", "local_spans": "equal"})",
        R"({"local_spans": "prior", "spans": {"anchors": "even"}, "prior_layers": "last"})"}) {
    AlignOptions options = align_options(numbered("each", run++));
    options.config.objective = {};
    apply_json(options.config.objective, Json::parse(json), "test");
    options.config.trainer.max_epochs = 4;
    options.config.trainer.eval_every = 1;
    options.config.trainer.restore_best = false;
    (void)align_speech(options, silent_reporter(), stop);
    const std::vector<double> losses = dev_losses(options.run);
    ASSERT_GT(losses.size(), 2u) << json;
    EXPECT_LT(losses.back(), losses.front() - 0.05) << json;
    const Wav2Vec2 after = open_speech_encoder(options.run);
    EXPECT_FALSE(torch::equal(before->projection->weight, after->projection->weight)) << json;
  }
}

TEST_F(Slu, HeadsTellTonesAndTheirModelsTellFiles) {
  for (const char* task : {"intent", "slots", "slot_values"}) {
    const auto report = train_understanding(head_options(task, task), silent_reporter(), stop);
    EXPECT_GT(report.test.value, 95) << task;
    const Understander model = Understander::open(path(task));
    const Manifest manifest = read_manifest(path("manifest.tsv"));
    EXPECT_NEAR(model.score(manifest, items_of_split(manifest, "test")).value, report.test.value, 1e-9);
    const fs::path file = path("s1.wav");  // the second tone
    const Understanding told = model.understand(std::span(&file, 1)).front();
    const kgwalk::Understander open = kgwalk::Understander::open(path(task));
    EXPECT_EQ(open.understand({file}).front().label, told.label);
    EXPECT_EQ(open.labels(), model.labels());
    if (std::string(task) == "intent")
      EXPECT_EQ(told.label, "middle");
    else
      EXPECT_EQ(told.slots, (std::vector<std::string>{std::string(task) == "slots" ? "middle" : "middle=x"}));
  }
}

TEST_F(Slu, FoldsBySpeakerTestEveryUtterance) {
  UnderstandingTrainOptions options = head_options("emotion", "folds");
  options.config.split.by = "speaker";
  options.config.split.folds = 4;
  options.config.trainer.max_epochs = 15;
  options.all_folds = true;
  const auto report = train_understanding(options, silent_reporter(), stop);
  EXPECT_EQ(report.fold_scores.size(), 4u);
  EXPECT_EQ(report.test.utterances, 36);
  EXPECT_TRUE(fs::exists(path("folds/fold_3/model/model.json")));
}

TEST_F(Slu, BadInputIsToldClearly) {
  const auto refused = [&](const std::string& manifest, auto&& change) {
    folder->write("bad.tsv", manifest);
    UnderstandingTrainOptions options = head_options("intent", "bad");
    options.manifest = path("bad.tsv");
    change(options);
    return message_of<Error>([&] { (void)train_understanding(options, silent_reporter(), stop); });
  };
  const auto same = [](UnderstandingTrainOptions&) {};
  const std::string head = "path\tsplit\tintent\n";
  EXPECT_NE(refused(head + "s0.wav\ttrain\tlow\ns1.wav\tdev\tlow\ns2.wav\ttest\tlw\n", same)
                .find("bad.tsv:4: no training utterance has the intent 'lw' (did you mean 'low'?)"),
            std::string::npos);
  EXPECT_NE(refused(head + "s0.wav\ttrain\tlow\n", same).find("no utterance is of split 'dev'"),
            std::string::npos);
  EXPECT_NE(refused("path\tsplit\ns0.wav\ttrain\n", same).find("no column 'intent'"), std::string::npos);
  EXPECT_NE(
      refused(head + "text.txt\ttrain\tlow\ns1.wav\tdev\tlow\ns2.wav\ttest\tlow\n", same).find("text.txt"),
      std::string::npos);
  EXPECT_NE(refused(head + "s0.wav\ttrain\tlow\n",
                    [&](UnderstandingTrainOptions& o) { o.student = path("teacher"); })
                .find("is a run of kind 'task-slu-text'"),
            std::string::npos);
  write_wav(path("short.wav"), Sound{16000, std::vector<float>(100)});
  EXPECT_NE(refused(head + "short.wav\ttrain\tlow\ns1.wav\tdev\tlow\ns2.wav\ttest\tlow\n", same)
                .find("is too short"),
            std::string::npos);
  EXPECT_NE(message_of<Error>([&] {
              (void)Understander::open(path("student"));
            }).find("expected one of kind 'task-slu'"),
            std::string::npos);
  EXPECT_NE(message_of<Error>([&] { (void)Teacher::open(path("student")); }).find("of type 'wav2vec2'"),
            std::string::npos);
}

TEST_F(Slu, AlignmentRefusesSpeechWithoutTextAndOtherWidths) {
  folder->write("silent.tsv", "path\tsplit\ttext\ns0.wav\talign\t\ns1.wav\tdev\tplay\n");
  AlignOptions options = align_options("never");
  options.manifest = path("silent.tsv");
  EXPECT_NE(message_of<Error>([&] {
              (void)align_speech(options, silent_reporter(), stop);
            }).find("silent.tsv:2: the utterance has no text"),
            std::string::npos);
  Wav2Vec2Options wide = tiny_speech();
  wide.hidden_size = 24;
  save_wav2vec2(Wav2Vec2(wide), path("wide"));
  options = align_options("never");
  options.student = path("wide");
  EXPECT_NE(message_of<Error>([&] {
              (void)align_speech(options, silent_reporter(), stop);
            }).find("the teacher is 16 wide, the student 24"),
            std::string::npos);
}

}  // namespace
}  // namespace kgwalk::seq2seq

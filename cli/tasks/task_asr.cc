// kgwalk task asr: speech recognition.
#include <cstdint>
#include <cstdio>
#include <functional>

#include "cli/tasks/task_options.h"
#include "cli/tasks/task_output.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "seq2seq/tasks/recognition/config.h"
#include "seq2seq/tasks/recognition/eval.h"
#include "seq2seq/tasks/recognition/run.h"
#include "seq2seq/tasks/recognition/stream.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::cli {
namespace {

struct RecognitionOptions : TaskOptions {
  std::vector<std::string> train, dev, test;
  std::string language, alignments, list;
  bool stream = false;
};

void train_asr(const RecognitionOptions& options, const Common& common) {
  auto train = training_of<seq2seq::RecognitionTrainOptions>("asr", options, common);
  train.train = options.train;
  train.dev = options.dev;
  const seq2seq::RecognitionTrainReport report =
      seq2seq::train_recognition(train, *common.reporter, *common.stop);
  print_training(with_commas(report.units) + " units, ", report.parameters, report, common);
}

seq2seq::Recognizer open_recognizer(const RecognitionOptions& options, const Common& common) {
  seq2seq::Recognizer recognizer = seq2seq::Recognizer::open(options.model);
  recognizer.set_search(load_config(common.config_files, common.assignments, recognizer.config().search));
  if (!options.language.empty()) recognizer.set_language(options.language);
  return recognizer;
}

void print_rate(const char* name, const seq2seq::EditCounts& counts) {
  print("{} {:.2f} %: {} of {}; {} substitutions, {} deletions, {} insertions\n", name, counts.rate(),
        counts.errors(), with_commas(counts.reference()), counts.substitutions, counts.deletions,
        counts.insertions);
}

void eval_asr(const RecognitionOptions& options, const Common& common) {
  const seq2seq::Recognizer recognizer = open_recognizer(options, common);
  std::vector<seq2seq::Recording> recordings;
  for (const std::string& list : options.test)
    for (seq2seq::Recording& recording : seq2seq::read_recordings(list))
      recordings.push_back(std::move(recording));
  const seq2seq::RecognitionEvalReport report =
      seq2seq::evaluate_recognition(recognizer, recordings, *common.reporter);
  write_lines(options.output, report.hypotheses);
  if (!options.alignments.empty()) write_file_atomically(options.alignments, report.alignments);
  write_plots(options.plots, [&] { return seq2seq::recognition_plots(recognizer, recordings.front()); });
  print_rate("WER", report.words);
  print_rate("CER", report.characters);
  print_rate("CER without spaces", report.characters_without_spaces);
  print("{} of {} utterances right ({:.2f} %)\n", report.right, report.references.size(), report.accuracy());
  if (const int latency = recognizer.config().model.latency_frames(); latency >= 0)
    print("streaming: {:.0f} ms of sound after a frame at most\n",
          latency * recognizer.config().features.shift_ms);
  print(
      "{}, beam {}: {:.1f} s of sound, {:.2f} s of processor time for features, {:.2f} s for decoding; "
      "real-time factor {:.4f}\n",
      recognizer.config().search.method.name(), recognizer.config().search.beam, report.sound_seconds,
      report.feature_seconds, report.processor_seconds, report.real_time_factor());
  common.write_json(report.to_json());
}

void print_transcription(const std::string& file, const seq2seq::Transcription& found, bool as_json,
                         bool named) {
  if (as_json) {
    Json json = {{"file", file}};
    json.update(found.to_json());
    print("{}\n", json.dump());
  } else if (named) {
    print("{}\t{}\n", file, found.best().text);
  } else {
    print("{}\n", found.best().text);
  }
}

// Samples of a file in pieces of a tenth of a second, or raw 16-bit samples from standard input ("-").
void hear_all(const std::string& file, seq2seq::SpeechStream& stream, int rate, const StopFlag& stop,
              const std::function<void()>& heard) {
  const std::size_t piece = static_cast<std::size_t>(rate) / 10;
  std::vector<float> samples;
  if (file != "-") {
    samples = seq2seq::read_sound(file, rate, stop).samples;
    for (std::size_t i = 0; i < samples.size() && !stop.requested(); i += piece) {
      stream.hear(std::span(samples).subspan(i, std::min(piece, samples.size() - i)));
      heard();
    }
    return;
  }
  std::vector<std::int16_t> raw(piece);
  while (!stop.requested()) {
    const std::size_t count = std::fread(raw.data(), sizeof raw[0], piece, stdin);
    samples.assign(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(count));
    for (float& x : samples) x /= 32768;
    if (count > 0) stream.hear(samples);
    heard();
    if (count < piece) return;
  }
}

// The text as it settles: a line with the seconds heard whenever there is more of it, then the final one.
void run_stream(const RecognitionOptions& options, const Common& common) {
  seq2seq::Recognizer recognizer = open_recognizer(options, common);
  if (options.files.size() != 1)
    throw ConfigError(
        "--stream transcribes one file, or raw 16-bit samples of one channel from standard input: -");
  seq2seq::SpeechStream stream(recognizer);
  std::string shown;
  const auto show = [&] {
    if (stream.text() == shown) return;
    shown = stream.text();
    if (options.as_json()) {
      print("{}\n",
            Json{{"heard_s", stream.heard_s()}, {"settled_s", stream.settled_s()}, {"text", shown}}.dump());
    } else {
      print("{:8.2f} s  {}\n", stream.heard_s(), shown);
    }
    flush_printed();
  };
  hear_all(options.files.front(), stream, recognizer.config().features.rate, *common.stop, show);
  const seq2seq::Transcription found = stream.finish();
  if (!found.note.empty()) common.reporter->warn(options.files.front() + ": " + found.note + ", no text");
  print_transcription(options.files.front(), found, options.as_json(), false);
  if (common.stop->requested()) throw Stopped("stopped; what was heard until then is transcribed");
}

void run_asr(const RecognitionOptions& options, const Common& common) {
  const seq2seq::Recognizer recognizer = open_recognizer(options, common);
  std::vector<std::string> files = options.files;
  if (!options.list.empty())
    for (std::string& line : seq2seq::read_text_lines(options.list))
      if (!line.empty()) files.push_back(std::move(line));
  if (files.empty())
    throw ConfigError("nothing to transcribe: name sound files, or a list of them with --list");
  each_file(files, "transcribed", common, [&](const std::string& file) {
    const seq2seq::Transcription found = recognizer.transcribe_file(file, *common.stop);
    if (!found.note.empty()) common.reporter->warn(file + ": " + found.note + ", no text");
    print_transcription(file, found, options.as_json(), files.size() > 1);
  });
}

Verb add_asr(CLI::App& tasks, Common& common) {
  const auto options = std::make_shared<RecognitionOptions>();
  TaskCommand asr(tasks, {"asr", "recognition", "speech recognition"});
  const char* lists = "FILE.tsv[#COLUMN=VALUE] with columns path and text, or a Sphinx list FILE.fileids";
  CLI::App& train = asr.add("train", "train a recognizer", [=, &common] { train_asr(*options, common); });
  train.add_option("--train", options->train, lists)->required()->type_name("LIST");
  train
      .add_option("--dev", options->dev, "development data; without it every hold_out-th training utterance")
      ->type_name("LIST");
  add_training_options(train, *options, "asr");

  CLI::App& eval = asr.add("eval", "word and character error rates; --set changes the search",
                           [=, &common] { eval_asr(*options, common); });
  eval.add_option("--test", options->test, lists)->required()->type_name("LIST");
  add_output(eval, *options, "the transcriptions to this file");
  eval.add_option("--alignments", options->alignments, "write every utterance's alignment to this file")
      ->check(output_file());
  add_plots(eval, *options, "write attention maps of the first utterance");

  CLI::App& run = asr.add("run", "transcribe files; --set changes the search", [=, &common] {
    options->stream ? run_stream(*options, common) : run_asr(*options, common);
  });
  add_sound_files(run, *options, "sound files (or features, as the model reads)");
  CLI::Option* list = run.add_option("--list", options->list, "a file that names files, one a line");
  run.add_flag(
         "--stream", options->stream,
         "hear one file, or raw 16-bit samples at the model's rate from standard input (-), bit by bit and "
         "print the text as it settles")
      ->excludes(list);
  add_format(run, *options, "text, or json with times and n-best lists");
  for (CLI::App* verb : {&eval, &run}) {
    add_model(*verb, *options);
    verb->add_option("--lm", options->language,
                     "fuse this language model (a run of task lm over the same units)");
  }
  return asr.verb();
}

std::vector<Configurable> configures_asr() {
  return {task_configurable<seq2seq::RecognitionConfig>("asr", "speech recognition")};
}

const TaskRegistration kAsrTask({add_asr, configures_asr, 4});

}  // namespace
}  // namespace kgwalk::cli

// kgwalk task asr: speech recognition.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "cli/print.h"
#include "cli/task_parts.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/text.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/recognition/eval.h"
#include "seq2seq/tasks/recognition/run.h"
#include "seq2seq/tasks/recognition/stream.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::cli {
namespace {

struct RecognitionOptions {
  std::vector<std::string> train, dev, test, files;
  std::string run, model, language, preset = "plain";
  std::string output, alignments, plots, list, format = "text";
  bool stream = false;
};

void train_asr(const RecognitionOptions& options, const Common& common) {
  seq2seq::RecognitionTrainOptions train;
  apply_json(train.config, seq2seq::task_preset("asr", options.preset), "preset " + options.preset);
  train.config = load_config(common.config_files, common.assignments, train.config);
  train.train = options.train;
  train.dev = options.dev;
  train.run = options.run;
  train.seed = common.seed;
  const seq2seq::RecognitionTrainReport report =
      seq2seq::train_recognition(train, *common.reporter, *common.stop);
  print("{} units, {} weights; {}\nmodel: {}\n", with_commas(report.units), with_commas(report.parameters),
        report.training.summary(), report.model.string());
  common.write_json(report.to_json());
}

seq2seq::SpeechRecognizer open_recognizer(const RecognitionOptions& options, const Common& common) {
  seq2seq::SpeechRecognizer recognizer = seq2seq::SpeechRecognizer::open(options.model);
  recognizer.set_search(load_config(common.config_files, common.assignments, recognizer.config().search));
  if (!options.language.empty()) recognizer.set_language(options.language);
  return recognizer;
}

void print_rate(const char* name, const seq2seq::EditCounts& counts) {
  print("{} {:.2f} %: {} of {}; {} substitutions, {} deletions, {} insertions\n", name, counts.rate(),
        counts.errors(), with_commas(counts.reference()), counts.substitutions, counts.deletions,
        counts.insertions);
}

void write_outputs(const RecognitionOptions& options, const seq2seq::SpeechRecognizer& recognizer,
                   const seq2seq::RecognitionEvalReport& report, const seq2seq::Recording& first) {
  if (!options.output.empty()) {
    std::string lines;
    for (const std::string& hypothesis : report.hypotheses) lines += hypothesis + '\n';
    write_file_atomically(options.output, lines);
  }
  if (!options.alignments.empty()) write_file_atomically(options.alignments, report.alignments);
  if (options.plots.empty()) return;
  std::filesystem::create_directories(options.plots);
  for (const seq2seq::NamedPlot& plot : seq2seq::recognition_plots(recognizer, first))
    write_file_atomically(std::filesystem::path(options.plots) / (plot.name + ".svg"), plot.svg);
}

void eval_asr(const RecognitionOptions& options, const Common& common) {
  const seq2seq::SpeechRecognizer recognizer = open_recognizer(options, common);
  std::vector<seq2seq::Recording> recordings;
  for (const std::string& list : options.test)
    for (seq2seq::Recording& recording : seq2seq::read_recordings(list))
      recordings.push_back(std::move(recording));
  const seq2seq::RecognitionEvalReport report =
      seq2seq::evaluate_recognition(recognizer, recordings, *common.reporter);
  write_outputs(options, recognizer, report, recordings.front());
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
  flush_printed();
}

// Samples of a file in pieces of a tenth of a second, or raw 16-bit samples from standard input ("-").
void hear_all(const std::string& file, seq2seq::SpeechStream& stream, int rate, const StopFlag& stop,
              const std::function<void()>& heard) {
  const std::size_t piece = static_cast<std::size_t>(rate) / 10;
  std::vector<float> samples;
  if (file != "-") {
    samples = seq2seq::read_sound(file, rate).samples;
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
  seq2seq::SpeechRecognizer recognizer = open_recognizer(options, common);
  if (options.files.size() != 1)
    throw ConfigError(
        "--stream transcribes one file, or raw 16-bit samples of one channel from standard input: -");
  const bool as_json = options.format == "json";
  seq2seq::SpeechStream stream(recognizer);
  std::string shown;
  const auto show = [&] {
    if (stream.text() == shown) return;
    shown = stream.text();
    if (as_json) {
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
  print_transcription(options.files.front(), found, as_json, false);
  if (common.stop->requested()) throw Stopped("stopped; what was heard until then is transcribed");
}

// Files one by one: what is wrong with one is told, the others are transcribed.
void run_asr(const RecognitionOptions& options, const Common& common) {
  const seq2seq::SpeechRecognizer recognizer = open_recognizer(options, common);
  std::vector<std::string> files = options.files;
  if (!options.list.empty())
    for (std::string& line : seq2seq::read_text_lines(options.list))
      if (!line.empty()) files.push_back(std::move(line));
  if (files.empty())
    throw ConfigError("nothing to transcribe: name sound files, or a list of them with --list");
  std::size_t failed = 0;
  for (const std::string& file : files) {
    if (common.stop->requested()) break;
    try {
      const seq2seq::Transcription found = recognizer.transcribe_file(file);
      if (!found.note.empty()) common.reporter->warn(file + ": " + found.note + ", no text");
      print_transcription(file, found, options.format == "json", files.size() > 1);
    } catch (const Error& error) {
      if (files.size() == 1) throw;
      ++failed;
      common.reporter->warn(error.what());
    }
  }
  if (common.stop->requested()) throw Stopped("stopped; the files printed so far are whole");
  if (failed > 0)
    throw DataError(
        files.front(), 0,
        fmt::format("and others: {} of {} files could not be transcribed (see above)", failed, files.size()));
}

}  // namespace

Verb add_asr(CLI::App& task, Common& common) {
  auto options = std::make_shared<RecognitionOptions>();
  CLI::App* asr = task.add_subcommand("asr", "speech recognition")->alias("recognition");
  asr->require_subcommand(1);
  const char* lists = "FILE.tsv[#COLUMN=VALUE] with columns path and text, or a Sphinx list FILE.fileids";
  CLI::App* train = asr->add_subcommand("train", "train a recognizer");
  train->add_option("--train", options->train, lists)->required()->type_name("LIST");
  train
      ->add_option("--dev", options->dev, "development data; without it every hold_out-th training utterance")
      ->type_name("LIST");
  train->add_option("--run", options->run, "run folder; an interrupted training in it is resumed")
      ->required();
  train->add_option("--preset", options->preset, "one of seq2seq/presets/asr_*")->capture_default_str();

  CLI::App* eval = asr->add_subcommand("eval", "word and character error rates; --set changes the search");
  eval->add_option("--test", options->test, lists)->required()->type_name("LIST");
  eval->add_option("--output", options->output, "write the transcriptions to this file")
      ->check(output_file());
  eval->add_option("--alignments", options->alignments, "write every utterance's alignment to this file")
      ->check(output_file());
  eval->add_option("--plots", options->plots,
                   "write attention maps of the first utterance to this folder (svg)");

  CLI::App* run = asr->add_subcommand("run", "transcribe files; --set changes the search");
  run->add_option("files", options->files, "sound files (or features, as the model reads)");
  CLI::Option* list = run->add_option("--list", options->list, "a file that names files, one a line");
  CLI::Option* stream = run->add_flag(
      "--stream", options->stream,
      "hear one file, or raw 16-bit samples at the model's rate from standard input (-), bit by bit and "
      "print the text as it settles");
  stream->excludes(list);
  run->add_option("--format", options->format, "text, or json with times and n-best lists")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  for (CLI::App* sub : {eval, run}) {
    sub->add_option("--model", options->model, "a finished run or a model's folder")->required();
    sub->add_option("--lm", options->language,
                    "fuse this language model (a run of task lm over the same units)");
  }
  for (CLI::App* sub : {asr, train, eval, run}) sub->fallthrough();
  return [=, &common] {
    if (train->parsed()) train_asr(*options, common);
    if (eval->parsed()) eval_asr(*options, common);
    if (run->parsed()) options->stream ? run_stream(*options, common) : run_asr(*options, common);
  };
}

}  // namespace kgwalk::cli

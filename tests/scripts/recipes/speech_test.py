#!/usr/bin/env python3
"""Recipes of speech: recognition and understanding.

Usage: speech_test.py SCRIPTS_FOLDER [PROGRAM]     without PROGRAM nothing is trained"""

import sys
import unittest
import wave

from recipe_case import RecipeTest, flac_header, small, write, write_wav


class LibriSpeech(RecipeTest):
    SUBSETS = ("train-clean-100", "train-clean-360", "dev-clean", "test-clean")

    def setUp(self):
        super().setUp()
        for subset in self.SUBSETS:
            place = self.corpus / f"LibriSpeech/{subset}/26/495"
            write(place / "26-495.trans.txt", "26-495-0000 HE SAID\n26-495-0001 WE'LL SEE\n")
            for k in range(2):
                write(place / f"26-495-000{k}.flac", flac_header(900))

    def rows(self, subset, split=None):
        file = f"AT/LibriSpeech/{subset}/26/495/26-495-000"
        return [
            (f"{file}0.flac", split or subset, "26", "HE SAID"),
            (f"{file}1.flac", split or subset, "26", "WE'LL SEE"),
        ]

    def test_subsets_are_splits(self):
        commands = self.make("librispeech", "--align-hours", "0.5")
        everything = [row for subset in self.SUBSETS for row in self.rows(subset)]
        self.table("manifest.tsv", "path split speaker text", *everything)
        aligned = sorted((self.out / "align.tsv").read_text().splitlines()[1:3])
        self.assertEqual(
            aligned,
            [
                "\t".join(row).replace("AT/", f"{self.corpus}/")
                for row in self.rows("train-clean-360", "align")
            ],
        )
        self.assertIn(f"--train '{self.out}/manifest.tsv#split=train-clean-100' --train", commands)
        self.assertIn("--preset chiformer_paper", commands)

    def test_what_is_broken_is_told(self):
        self.refuses(
            "train-clean-360: has 0.50 hours only", "librispeech", self.corpus, self.out, "--align-hours", "2"
        )
        place = "LibriSpeech/dev-clean/26/495"
        with self.broken(f"{place}/26-495-0001.flac", None):
            self.refuses(
                f"{place}/26-495.trans.txt:2: there is no corpus/{place}/26-495-0001.flac", "librispeech"
            )
        with self.broken(f"{place}/26-495.trans.txt", "26-495-0000\n"):
            self.refuses(f"{place}/26-495.trans.txt:1: is not NAME TEXT", "librispeech")
        self.refuses(
            "corpus/LibriSpeech/train-other-500: holds no",
            "librispeech",
            self.corpus,
            self.out,
            "--train",
            "train-other-500",
        )
        with self.broken("LibriSpeech/train-clean-360/26/495/26-495-0000.flac", b"RIFF"):
            self.refuses(
                "26-495-0000.flac: is no flac file",
                "librispeech",
                self.corpus,
                self.out,
                "--align-hours",
                "0.5",
            )


class Aishell(RecipeTest):
    def setUp(self):
        super().setUp()
        lines = []
        for i, split in enumerate(("train", "dev", "test")):
            for k in range(6 if split == "train" else 2):
                name = f"BAC009S000{i}W000{k}"
                write_wav(
                    self.corpus / f"data_aishell/wav/{split}/S000{i}/{name}.wav", pitch=300 + 200 * (k % 2)
                )
                lines.append(f"{name} 而 对 楼市\n" if k % 2 else f"{name} 成交\n")
        write_wav(self.corpus / "data_aishell/wav/dev/S0001/BAC009S0001W0009.wav")
        write(self.corpus / "data_aishell/transcript/aishell_transcript_v0.8.txt", "".join(lines))

    def test_spaces_go_and_recordings_without_text(self):
        commands = self.make("aishell")
        rows = [
            (
                f"AT/data_aishell/wav/{split}/S000{i}/BAC009S000{i}W000{k}.wav",
                split,
                f"S000{i}",
                "而对楼市" if k % 2 else "成交",
            )
            for i, split in enumerate(("train", "dev", "test"))
            for k in range(2 if i else 6)
        ]
        self.table("manifest.tsv", "path split speaker text", *rows)
        self.assertIn("--set model.encoder.tasa.mode=residual", commands)

    def test_what_is_broken_is_told(self):
        transcript = "data_aishell/transcript/aishell_transcript_v0.8.txt"
        with self.broken(transcript, "BAC009S0000W0000 成交\nBAC\n"):
            self.refuses(f"{transcript}:2: is not NAME WORDS", "aishell")
        for file in (self.corpus / "data_aishell/wav/test").rglob("*.wav"):
            file.unlink()
        write(self.corpus / "data_aishell/wav/S0764.tar.gz", b"")
        self.refuses(
            "corpus/data_aishell/wav/test: holds no SPEAKER/*.wav; unpack wav/*.tar.gz (1 are there)",
            "aishell",
        )

    def test_kgwalk_reads_it(self):
        options = ("--set", "model.subsampling.channels=4", "--set", "speeds=[1]")
        self.reads("aishell", "--rows", "r_tasa", "--", *small("model", "encoder", "decoder"), *options)


class Kaldi(RecipeTest):
    def setUp(self):
        super().setUp()
        write_wav(self.corpus / "meeting.wav", seconds=1)
        write(self.corpus / "train/wav.scp", f"M1 {self.corpus}/meeting.wav\n")
        write(self.corpus / "train/segments", "M1-a M1 0.25 0.5\nM1-b M1 0.5 -1\n")
        write(self.corpus / "train/text", "M1-a he said\nM1-b <noise>\n")
        write(self.corpus / "train/utt2spk", "M1-a A\nM1-b B\n")
        write(self.corpus / "dev/wav.scp", "D1\twav/d1.wav\n")
        write_wav(self.corpus / "dev/wav/d1.wav")
        write(self.corpus / "dev/trans.txt", "D1\t厨房 用品\n")

    def arguments(self, out="out"):
        return self.at / out, f"train={self.corpus}/train", f"dev={self.corpus}/dev"

    def test_segments_are_cut(self):
        status, commands, told = self.call("kaldi", *self.arguments())
        self.assertEqual(status, 0, told)
        self.knows(commands)
        wavs = f"{self.out}/wav/train"
        self.table(
            "manifest.tsv",
            "path split speaker text",
            (f"{wavs}/M1-a.wav", "train", "A", "he said"),
            (f"{wavs}/M1-b.wav", "train", "B", "<noise>"),
            ("AT/dev/wav/d1.wav", "dev", "D1", "厨房 用品"),
        )
        with wave.open(str(self.corpus / "meeting.wav")) as whole, wave.open(f"{wavs}/M1-a.wav") as part:
            self.assertEqual((part.getnframes(), part.getframerate()), (4000, 16000))
            whole.setpos(4000)
            self.assertEqual(part.readframes(4000), whole.readframes(4000))
        with wave.open(f"{wavs}/M1-b.wav") as part:
            self.assertEqual(part.getnframes(), 8000)
        self.assertIn("--preset conformer_paper", commands)

    def test_what_is_broken_is_told(self):
        for path, text, said in (
            ("train/wav.scp", "M1 sox m.wav -t wav - |\n", "corpus/train/wav.scp:1: is a command"),
            ("train/wav.scp", "M1 /no/m.wav\n", "corpus/train/segments:1: there is no /no/m.wav"),
            (
                "train/wav.scp",
                f"M1 {self.corpus}/train/text\n",
                "corpus/train/segments:1: corpus/train/text cannot be cut",
            ),
            ("train/segments", "M1-a M1 0.25 0.5\n", "corpus/train/text:2: segments has no 'M1-b'"),
            (
                "train/segments",
                "M1-a M2 0.25 0.5\nM1-b M1 0 1\n",
                "corpus/train/segments:1: wav.scp has no 'M2'",
            ),
            ("train/segments", "M1-a M1 0.25\n", "corpus/train/segments:1: is not NAME and 3"),
            (
                "train/segments",
                "M1-a M1 1.5 2\nM1-b M1 0 1\n",
                "corpus/train/segments:1: 1.5 to 2.0 s is no part",
            ),
            (
                "train/segments",
                "M1-a M1 a 2\nM1-b M1 0 1\n",
                "corpus/train/segments:1: 'a' and '2' are no seconds",
            ),
            ("train/utt2spk", "M1-a A\nM1-a B\n", "corpus/train/utt2spk:2: 'M1-a' stands in"),
            ("train/utt2spk", "M1-a A\n", "corpus/train/text:2: utt2spk has no 'M1-b'"),
            ("dev/trans.txt", None, "corpus/dev/text: is not there"),
            ("dev/wav.scp", None, "corpus/dev/wav.scp: is not there"),
            ("dev/wav/d1.wav", None, "corpus/dev/wav.scp:1: there is no wav/d1.wav"),
        ):
            with self.subTest(said), self.broken(path, text):
                self.refuses(said, "kaldi", *self.arguments("broken"))
        self.refuses("no dev=DIR", "kaldi", self.out, f"train={self.corpus}/train")
        self.refuses("train: is not NAME=DIR", "kaldi", self.out, "train")


class FluentSpeechCommands(RecipeTest):
    HEAD = ",path,speakerId,transcription,action,object,location\n"

    def setUp(self):
        super().setUp()
        for part in ("train", "valid", "test"):
            rows = []
            for k in range(4):
                write_wav(self.corpus / f"wavs/{part}{k}.wav", pitch=300 + 300 * (k % 2))
                order = (
                    ('"Lights on,  please"', "activate,lights,none")
                    if k % 2
                    else ("Louder", "increase,volume,none")
                )
                rows.append(f"{k},wavs/{part}{k}.wav,S{k},{order[0]},{order[1]}\n")
            write(self.corpus / f"data/{part}_data.csv", self.HEAD + "".join(rows))

    def rows(self, part, split):
        return [
            (
                f"AT/wavs/{part}{k}.wav",
                split,
                f"S{k}",
                "activate|lights|none" if k % 2 else "increase|volume|none",
                "",
                "Lights on, please" if k % 2 else "Louder",
            )
            for k in range(4)
        ]

    def test_intents_are_joined(self):
        commands = self.make("fsc")
        parts = (("train", "train"), ("valid", "dev"), ("test", "test"))
        everything = [row for part, split in parts for row in self.rows(part, split)]
        self.table("manifest.tsv", "path split speaker intent slots text", *everything)
        to_align = [
            (row[0], split, row[5])
            for part, split in (("train", "align"), ("valid", "dev"))
            for row in self.rows(part, split)
        ]
        self.table("align.tsv", "path split text", *to_align)
        self.holds("train.txt", "Louder\nLights on, please\n")
        self.assertIn(
            f"--preset pad_slocal --data {self.out}/align.tsv --teacher {self.out}/runs/teacher", commands
        )
        named = self.make(
            "fsc", "--teacher", "bert", "--student", "w2v", "--align", "more.tsv", "--rows", "pad_glob"
        )
        self.assertEqual(
            named.splitlines()[2],
            f"kgwalk task slu align --run {self.out}/runs/pad_glob --preset pad_glob "
            "--data more.tsv --teacher bert --student w2v",
        )

    def test_what_is_broken_is_told(self):
        with self.broken("data/test_data.csv", self.HEAD + "0,wavs/no.wav,S,a,b,c,d\n"):
            self.refuses("corpus/data/test_data.csv:2: there is no corpus/wavs/no.wav", "fsc")
        with self.broken("data/test_data.csv", self.HEAD.replace("object", "thing")):
            self.refuses("corpus/data/test_data.csv:1: has no column 'object'", "fsc")
        with self.broken("data/test_data.csv", self.HEAD):
            self.refuses("corpus: names no utterance for test", "fsc")
        with self.broken("data/valid_data.csv", None):
            self.refuses("corpus/data/valid_data.csv: there is no such file", "fsc")

    def test_kgwalk_reads_it(self):
        self.reads("fsc", "--rows", "wav2vec2", "--", "--set", "trainer.max_epochs=1")


class Slurp(RecipeTest):
    def setUp(self):
        super().setUp()
        line = (
            '{"slurp_id": 1, "sentence": "wake me at ten", "intent": "alarm_set", "scenario": "alarm",'
            ' "action": "set",'
            ' "tokens": [{"surface": "wake", "id": 0}, {"surface": "me"}, {"surface": "at"},'
            ' {"surface": "ten"}],'
            ' "recordings": [{"file": "NAME.flac", "wer": 0.0}, {"file": "NAME-headset.flac"}],'
            ' "entities": [{"span": [2, 3], "type": "time"}, {"span": [1], "type": "person"}]}\n'
        )
        for name in ("train", "devel", "test"):
            write(self.corpus / f"dataset/slurp/{name}.jsonl", line.replace("NAME", name))
            for end in ("", "-headset"):
                write(self.corpus / f"audio/slurp_real/{name}{end}.flac", flac_header(1))
        write(
            self.corpus / "dataset/slurp/metadata.json",
            '{"1": {"recordings": {"train.flac": {"usrid": "F1"}}}}',
        )

    def test_each_recording_is_an_utterance(self):
        commands = self.make("slurp")
        rows = [
            (
                f"AT/audio/slurp_real/{name}{end}.flac",
                split,
                "F1" if name + end == "train" else "",
                "alarm_set",
                '[["time","at ten"],["person","me"]]',
                "wake me at ten",
            )
            for name, split in (("train", "train"), ("devel", "dev"), ("test", "test"))
            for end in ("", "-headset")
        ]
        self.table("manifest.tsv", "path split speaker intent slots text", *rows)
        self.assertIn("--preset slots --data", commands)

    def test_what_is_broken_is_told(self):
        with self.broken("dataset/slurp/test.jsonl", "{}\n"):
            self.refuses(
                "corpus/dataset/slurp/test.jsonl:1: lacks what an utterance needs (KeyError", "slurp"
            )
        with self.broken("dataset/slurp/test.jsonl", "\n{\n"):
            self.refuses("corpus/dataset/slurp/test.jsonl:2: is no json", "slurp")
        with self.broken("audio/slurp_real/test.flac", None):
            self.refuses("test.jsonl:1: there is no corpus/audio/slurp_real/test.flac", "slurp")
        self.refuses(
            "corpus/audio/slurp_synth: there is no such folder", "slurp", self.corpus, self.out, "--synthetic"
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""Recordings whose words are tones, to train a recognizer on in seconds: tones.py FOLDER writes list.tsv, its files and heard.wav."""
import math
import pathlib
import random
import struct
import sys
import wave

RATE = 16000


def write(file, words, chance):
    samples = []
    for word in words:
        hertz = 400 if word == "low" else 2500
        samples += [0.3 * math.sin(2 * math.pi * hertz * i / RATE) for i in range(RATE // 4)] + [0.0] * (RATE * 15 // 100)
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(b"".join(struct.pack("<h", int(32767 * max(-1, min(1, s + 0.01 * chance.gauss(0, 1))))) for s in samples))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(4)
    rows = ["path\ttext"]
    for i in range(40):
        words = [chance.choice(["low", "high"]) for _ in range(chance.randint(1, 3))]
        write(folder / f"{i}.wav", words, chance)
        rows.append(f"{i}.wav\t{' '.join(words)}")
    (folder / "list.tsv").write_text("\n".join(rows) + "\n")
    write(folder / "heard.wav", ["high", "low"], chance)


main()

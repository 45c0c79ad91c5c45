#!/usr/bin/env python3
"""Golden values of acoustic features, from the definition of Kaldi's compute-fbank-feats and compute-mfcc-feats with
--dither=0, frame by frame and sum by sum, in float64 numpy.

Run:  /usr/bin/python3 tests/golden/make_features.py
It rewrites features.json beside itself; nothing is shared with the C++ code. The sound (integers of 16 bits) is a
chirp, a buzz and noise from a small congruential generator.
"""
import json
import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def sound(rate, seconds):
    state, samples = 12345, []
    for n in range(int(rate * seconds)):
        state = (state * 1103515245 + 12345) % 2**31
        t = n / rate
        value = 6000 * math.sin(2 * math.pi * (200 * t + 3000 * t * t)) + 300 * (state / 2**30 - 1)
        value += 4000 * (n % (rate // 125) == 0) + 500
        samples.append(int(round(value)))
    return samples


def mel(hz):
    return 1127.0 * math.log(1.0 + hz / 700.0)


def features(samples, rate, kind, bands, cepstra, low, high, energy, lifter=22.0):
    length, shift = int(rate * 0.025), int(rate * 0.010)
    fft = 1
    while fft < length:
        fft *= 2
    high = high if high > 0 else rate / 2 + high
    rows = []
    for start in range(0, len(samples) - length + 1, shift):  # snip edges
        frame = np.array(samples[start:start + length], dtype=np.float64)
        frame -= frame.mean()
        log_energy = math.log(max(float((frame**2).sum()), np.finfo(np.float32).eps))
        emphasized = np.empty_like(frame)
        emphasized[1:] = frame[1:] - 0.97 * frame[:-1]
        emphasized[0] = frame[0] - 0.97 * frame[0]
        window = np.array([(0.5 - 0.5 * math.cos(2 * math.pi * i / (length - 1)))**0.85 for i in range(length)])
        x = np.zeros(fft)
        x[:length] = emphasized * window
        angle = -2 * math.pi * np.outer(np.arange(fft // 2), np.arange(fft)) / fft
        power = (np.cos(angle) @ x)**2 + (np.sin(angle) @ x)**2  # bins 0 .. fft / 2 - 1
        values = []
        step = (mel(high) - mel(low)) / (bands + 1)
        for b in range(bands):
            left, center, right = (mel(low) + (b + k) * step for k in range(3))
            total = 0.0
            for i in range(fft // 2):
                m = mel(rate / fft * i)
                if left < m < right:
                    total += power[i] * ((m - left) / (center - left) if m <= center else (right - m) / (right - center))
            values.append(math.log(max(total, np.finfo(np.float32).eps)))
        if kind == "mfcc":
            logs, values = values, []
            for c in range(cepstra):
                scale = math.sqrt((1.0 if c == 0 else 2.0) / bands)
                value = sum(logs[n] * scale * math.cos(math.pi / bands * (n + 0.5) * c) for n in range(bands))
                values.append(value * (1.0 + 0.5 * lifter * math.sin(math.pi * c / lifter)))
            if energy:
                values[0] = log_energy
        elif energy:
            values = [log_energy] + values
        rows.append(values)
    return rows


def main():
    cases = []
    for rate, options in [
        (16000, {"kind": "fbank", "bands": 80, "cepstra": 13, "low_hz": 20, "high_hz": 0, "energy": False}),
        (16000, {"kind": "fbank", "bands": 23, "cepstra": 13, "low_hz": 20, "high_hz": -400, "energy": True}),
        (16000, {"kind": "mfcc", "bands": 23, "cepstra": 13, "low_hz": 20, "high_hz": 0, "energy": True}),
        (8000, {"kind": "mfcc", "bands": 40, "cepstra": 20, "low_hz": 60, "high_hz": 3800, "energy": False}),
    ]:
        samples = sound(rate, 0.1)
        rows = features(samples, rate, options["kind"], options["bands"], options["cepstra"], options["low_hz"],
                        options["high_hz"], options["energy"])
        cases.append({"rate": rate, "options": options, "samples": samples,
                      "expected": [[round(v, 6) for v in row] for row in rows]})
    with open(os.path.join(HERE, "features.json"), "w") as out:
        json.dump(cases, out, separators=(",", ":"))
        out.write("\n")


main()

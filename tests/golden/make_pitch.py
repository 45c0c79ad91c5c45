#!/usr/bin/env python3
"""Golden values of the pitch tracker and its features, after Kaldi's (Ghahremani et al., ICASSP 2014), in float64.

Run:  /usr/bin/python3 tests/golden/make_pitch.py
It rewrites pitch.json beside itself; nothing is shared with the C++ code. The sound, at 4 kHz, is a buzz that rises from
110 to 180 Hz, half a second long, with noise between.
"""
import json
import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
RATE = 4000


def sound():
    state, phase, samples = 99, 0.0, []
    for n in range(RATE // 2):
        phase += (110 + 70 * n / (RATE // 2)) / RATE
        state = (state * 1103515245 + 12345) % 2**31
        voiced = not 800 <= n < 1100
        value = sum(3000 / h * math.sin(2 * math.pi * h * phase) for h in (1, 2, 3, 4)) if voiced else 0.0
        samples.append(int(round(value + 150 * (state / 2**30 - 1))))
    return samples


def main():
    samples = np.array(sound(), dtype=np.float64)
    frames = 44
    lags, lag = [], RATE / 400
    while lag <= RATE / 50:
        lags.append(lag)
        lag *= 1.005
    lags = np.array(lags)
    padded = np.concatenate([samples, np.zeros(400)])
    ballast = (samples.var() * 100)**2 * 7000
    whole = np.arange(5, 86)
    distance = lags[:, None] - whole[None, :]
    kernel = np.where(np.abs(distance) < 5, np.sinc(distance) * 0.5 * (1 + np.cos(np.pi * distance / 5)), 0)
    local, plain = [], []
    for t in range(frames):
        window = padded[t * 40:t * 40 + 100]
        x = padded[t * 40:t * 40 + 185] - window.mean()
        head = x[:100]
        products = np.array([head @ x[l:l + 100] for l in whole])
        norms = np.array([(head @ head) * (x[l:l + 100] @ x[l:l + 100]) for l in whole])
        local.append(1 - (kernel @ (products / np.sqrt(norms + ballast))) * (1 - 10 * lags / RATE))
        plain.append(kernel @ np.where(norms > 0, products / np.sqrt(np.maximum(norms, 1e-300)), 0))
    step = 0.1 * (np.log(1.005) * (np.arange(len(lags))[:, None] - np.arange(len(lags))[None, :]))**2
    cost, back = local[0], []
    for t in range(1, frames):
        total = cost[None, :] + step  # [to, from]
        back.append(total.argmin(1))
        cost = total.min(1) + local[t]
    path = [int(cost.argmin())]
    for b in reversed(back):
        path.append(int(b[path[-1]]))
    path.reverse()
    hz = RATE / lags[path]
    n = np.clip([plain[t][k] for t, k in enumerate(path)], -1, 1)
    a = np.minimum(1, np.abs(n))
    r = -5.2 + 5.4 * np.exp(7.5 * (a - 1)) + 4.8 * a - 2 * np.exp(-10 * a) + 4.2 * np.exp(20 * (a - 1))
    p = 1 / (1 + np.exp(-r))
    rows = []
    for t in range(frames):
        near = range(max(0, t - 75), min(frames, t + 76))
        mean = sum(p[s] * math.log(hz[s]) for s in near) / sum(p[s] for s in near)
        edge = lambda s: math.log(hz[min(max(s, 0), frames - 1)])
        slope = sum(k * (edge(t + k) - edge(t - k)) for k in (1, 2)) / 10
        rows.append([2 * ((1.0001 - n[t])**0.15 - 1), 2 * (math.log(hz[t]) - mean), 10 * slope])
    with open(os.path.join(HERE, "pitch.json"), "w") as out:
        json.dump({"samples": [int(s) for s in samples], "hz": [round(float(h), 6) for h in hz],
                   "features": [[round(float(v), 6) for v in row] for row in rows]}, out, separators=(",", ":"))
        out.write("\n")


main()

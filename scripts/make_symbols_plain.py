#!/usr/bin/env python3
"""Makes the unique symbols of a wheel's libraries plain ones. Usage: make_symbols_plain.py WHEEL

GCC marks the static variables of inline functions and templates as unique (STB_GNU_UNIQUE): the dynamic linker then has
one of each in a process, even among libraries that are loaded apart. Two versions of LibTorch, the wheel's and that of
PyPI's torch, would share variables that they lay out differently. As weak symbols they stay apart.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

WEAK, UNIQUE = 2, 10


def make_plain(path):
    data = bytearray(path.read_bytes())
    if data[:4] != b"\x7fELF" or data[4] != 2 or data[5] != 1:
        return 0
    offset, size, count = struct.unpack_from("<Q", data, 0x28)[0], *struct.unpack_from("<HH", data, 0x3A)
    changed = 0
    for i in range(count):
        kind = struct.unpack_from("<I", data, offset + i * size + 4)[0]
        if kind != 11:  # SHT_DYNSYM
            continue
        begin, length = struct.unpack_from("<QQ", data, offset + i * size + 24)
        for at in range(begin, begin + length, 24):
            if data[at + 4] >> 4 == UNIQUE:
                data[at + 4] = WEAK << 4 | data[at + 4] & 15
                changed += 1
    if changed:
        path.write_bytes(data)
    return changed


def main():
    wheel = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "-d", folder, wheel], check=True, stdout=subprocess.DEVNULL)
        root = next(pathlib.Path(folder).iterdir())
        changed = sum(make_plain(path) for path in root.rglob("*.so*"))
        subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", wheel.parent, root], check=True, stdout=subprocess.DEVNULL)
    print(f"{wheel.name}: {changed} unique symbols made plain")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Whether the answers on standard input are those of FILE, in any order: each by its "id".

Usage: cat ANSWERS/part-* | same_answers.py FILE"""
import json
import sys


def by_id(lines):
    return {json.loads(line)["id"]: line.rstrip("\n") for line in lines if line.strip()}


found, wanted = by_id(sys.stdin), by_id(open(sys.argv[1], encoding="utf-8"))
other = [i for i in wanted if found.get(i) != wanted[i]]
print(f"{len(found)} answers, {len(other)} of {len(wanted)} not those of one process")
if other or len(found) != len(wanted):
    sys.exit(f"the first: {wanted[other[0]][:200]}\n{(found.get(other[0]) or 'missing')[:200]}" if other else "too many")

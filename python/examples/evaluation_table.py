"""Measures a walker on questions and tells it as a table: evaluation_table.py DATABASE RUN QUESTIONS."""

import sys

import kgwalk

database, run, questions = sys.argv[1:4]
measured = kgwalk.evaluate_questions(database=database, run=run, questions=questions)
print(f"{'questions':24} {'count':>6} {'first':>7} {'first 3':>8}")
for name, row in measured.rows.items():
    print(f"{name:24} {row.count:6} {row.first:6.1f}% {row.first3:7.1f}%")

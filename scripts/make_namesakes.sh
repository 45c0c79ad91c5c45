#!/usr/bin/env bash
# Writes a graph with two hundred pairs of entities of one name, and what is said of them, to measure how they are told
# apart: OUT/namesakes.nq, and OUT/cases.tsv with a line a case: kind TAB id of the one that is meant, or "?" TAB what is
# said TAB what was said before, turn by turn.
#   said     100 pairs of which the year or the type is said with the name
#   about    100 pairs of which nothing but what was said before tells which is meant: a director, an actor, another work
#   nothing  all 200, and nothing tells
# The same seed gives the same files.
# Usage: scripts/make_namesakes.sh OUT [SEED]
#        kgwalk ingest OUT/namesakes.nq --db OUT/kg.db && kgwalk entities --db OUT/kg.db --cases OUT/cases.tsv
set -euo pipefail
[[ $# -ge 1 && $# -le 2 ]] || { echo "usage: scripts/make_namesakes.sh OUT [SEED]" >&2; exit 2; }
mkdir -p "$1"

LC_ALL=C awk -v graph="$1/namesakes.nq" -v cases="$1/cases.tsv" -v seed="${2:-1}" '
  # Numbers that are the same in every awk: a linear congruential generator.
  function random(below) { seed = (seed * 48271) % 2147483647; return int(seed / 2147483647 * below) }
  function iri(kind, i) { return "<http://example.org/" kind "/" i ">" }
  function say(subject, predicate, object, source) {
    print subject " <http://" predicate "> " object " <http://example.org/source/" source "> ." > graph
  }
  function label(subject, text, source) { say(subject, "www.w3.org/2000/01/rdf-schema#label", "\"" text "\"@en", source) }
  function person(i) { return first[i % 20] " " last[int(i / 20) % 20] }
  # A work with a director, three actors and a genre; what it shares with others is left to chance.
  function work(id, name, type, year, director,   i, w) {
    w = iri("work", id)
    label(w, name, "catalog")
    say(w, "www.w3.org/1999/02/22-rdf-syntax-ns#type", iri("type", type), "catalog")
    say(w, "example.org/ontology/releaseYear", "\"" year "\"", "catalog")
    say(w, "example.org/ontology/directedBy", iri("person", director), "credits")
    say(w, "example.org/ontology/hasGenre", iri("genre", random(8)), "credits")
    director_of[id] = director
    for (i = 0; i < 3; i++) {
      cast[id, i] = 200 + random(200)
      say(w, "example.org/ontology/starring", iri("person", cast[id, i]), "credits")
    }
  }
  function ask(kind, id, text, before) { print kind "\t" id "\t" text (before == "" ? "" : "\t" before) > cases }
  function filled(text, name) { gsub(/NAME/, name, text); return text }
  function chatter() { return small[random(6)] }
  BEGIN {
    split("Silent Broken Golden Distant Hollow Burning Crimson Frozen Hidden Wandering Quiet Falling Northern Scarlet Velvet Midnight Paper Winter Copper Lonely", adjective, " ")
    split("Harbor Garden River Mirror Empire Letter Island Shadow Bridge Orchard", noun, " ")
    split("Anna Bruno Carla Dmitri Elena Felix Greta Hugo Irene Jonas Karla Leon Mira Nils Olga Pablo Quinn Rosa Stefan Tilda", names1, " ")
    split("Adler Berg Castro Duran Ekman Fontaine Gruber Holm Ivanov Jansen Keller Lund Moreau Novak Olsen Petrov Quist Rossi Sandoval Tanaka", names2, " ")
    split("drama comedy western thriller musical mystery romance war", genre, " ")
    split("Film Novel Ship Song Painting", type, " ")
    split("That sounds nice.|How was your day?|I did not know that.|Interesting, tell me more.|I see.|It rained all day here.", s, "|")
    for (i = 0; i < 20; i++) { first[i] = names1[i + 1]; last[i] = names2[i + 1] }
    for (i = 0; i < 6; i++) small[i] = s[i + 1]
    for (i = 0; i < 400; i++) label(iri("person", i), person(i), "people")
    for (i = 0; i < 8; i++) label(iri("genre", i), genre[i + 1], "catalog")
    for (i = 1; i <= 5; i++) label(iri("type", type[i]), type[i], "catalog")
    for (i = 0; i < 200; i++) work("other" i, "The Return of " person(i + 200), "Film", 1950 + random(70), i)
    for (i = 0; i < 200; i++) {
      name = adjective[i % 20 + 1] " " noun[int(i / 20) + 1]
      year = 1930 + random(40); later = year + 10 + random(40)
      a = i "a"; b = i "b"
      other = type[2 + random(4)]
      by_type = i < 100 && i % 2 == 1
      director = random(200); second = (director + 1 + random(198)) % 200
      work(a, name, "Film", year, director)
      work(b, name, by_type ? other : "Film", i < 100 && !by_type ? later : year, second)
      right = random(2) ? a : b
      if (by_type) {
        what = right == a ? "film" : tolower(other)
        split("Do you know the " what " NAME?|What do you think of NAME, the " what "?|tell me about the " what " called NAME", way, "|")
      } else {
        when = right == a ? year : later
        split("Have you seen NAME from " when "?|I mean the " when " NAME.|who directed NAME (" when ")?", way, "|")
      }
      if (i < 100) {
        ask("said", "http://example.org/work/" right, filled(way[1 + random(3)], name), random(2) ? chatter() : "")
      } else {
        if (random(3) == 0) before = "I love everything that " person(director_of[right]) " made."
        else if (random(2) == 0) before = "Do you know " person(cast[right, random(3)]) "?"
        else before = "Last week I saw The Return of " person(director_of[right] + 200) "."
        if (random(2)) before = before "\t" chatter()
        ask("about", "http://example.org/work/" right, filled(random(2) ? "Have you seen NAME?" : "What about NAME?", name), before)
      }
      ask("nothing", "?", filled(random(2) ? "Have you seen NAME?" : "tell me about NAME", name), random(2) ? chatter() : "")
    }
  }'

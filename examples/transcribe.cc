// Transcribes a sound file with the times of its words: transcribe RUN FILE
#include <iostream>

#include "kgwalk/error.h"
#include "kgwalk/recognizer.h"

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: transcribe RUN FILE\n";
    return 2;
  }
  const auto recognizer = kgwalk::Recognizer::open(argv[1]);
  const kgwalk::Transcription heard = recognizer.transcribe_file(argv[2]);
  std::cout << heard.best().text << '\n';
  for (const kgwalk::SpokenWord& word : heard.best().words)
    std::cout << "  " << word.begin_s << " to " << word.end_s << " s  " << word.text << '\n';
  if (!heard.note.empty()) std::cerr << argv[2] << ": " << heard.note << '\n';
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}

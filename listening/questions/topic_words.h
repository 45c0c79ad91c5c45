// What stands in a question for the entity that was spoken of before: a place that pronouns and nouns are put
// in. Torch-free.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::listening {

// Said for the entity while a question is put together; kTopicSubject where it is the subject for certain.
inline constexpr std::string_view kTopic = "\x01";
inline constexpr std::string_view kTopicSubject = "\x02";

struct TopicWords {
  std::string object, owner, subject;  // "him", "his", "he"; "the film", "the film's", "the film"
};

// Puts them where the places are: the owner before "'s", the subject where the place has a verb behind it.
[[nodiscard]] std::string with_topic(std::string_view text, const TopicWords& words);

}  // namespace kgwalk::listening

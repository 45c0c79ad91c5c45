#include "runtime/english.h"

#include <gtest/gtest.h>

namespace kgwalk {
namespace {

TEST(English, PluralsGoBothWays) {
  for (const auto& [one, many] :
       {std::pair("city", "cities"), std::pair("genus", "genera"), std::pair("subclass", "subclasses"),
        std::pair("hero", "heroes"), std::pair("movie", "movies"), std::pair("person", "people"),
        std::pair("shoe", "shoes"), std::pair("box", "boxes")}) {
    EXPECT_EQ(singular_word(many), one);
    EXPECT_EQ(plural_word(one), many);
  }
}

TEST(English, WhatOnlyLooksLikeSeveralStays) {
  for (const char* word : {"series", "species", "news", "texas", "bus", "basis", "glass", "subspecies"})
    EXPECT_EQ(singular_word(word), word);
  EXPECT_EQ(plural_word("cast"), "cast");
  EXPECT_EQ(singular_word(""), "");
  EXPECT_EQ(plural_word(""), "");
}

}  // namespace
}  // namespace kgwalk

// Names in what people typed, in the spelling of the graph. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::dialogue {

// The text with every mention of one of the names replaced by the name itself: "i like heat" becomes "i like
// Heat (1995 Film)". A mention is the name with or without its "(...)" and "#n", as whole words, in any case
// of ASCII letters; names of one word with up to three letters count only as they are written, for they may
// be ordinary words. The longest wins.
[[nodiscard]] std::string spelled(std::string_view text, const std::vector<std::string>& names);

}  // namespace kgwalk::dialogue

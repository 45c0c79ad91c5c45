#include "graph/ingest/sparql_source.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kMostTold = 120;  // bytes of an endpoint's own message
constexpr const char* kAccept = "Accept: application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5";

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Gives the words of a query that stand outside of braces, parentheses, strings, addresses and comments.
class OuterWords {
 public:
  explicit OuterWords(std::string_view text) : text_(text) {}

  // The next one in lower case; empty at the end. begin(): where it stands.
  std::string next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '<') {
        skip_address();
      } else if (is_in_word(c)) {
        if (std::string word = take_word(); !word.empty()) return word;
      } else {
        depth_ += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
        ++at_;
      }
    }
    return {};
  }
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }

 private:
  // Empty where it is inside, a variable, or a part of a prefixed name.
  std::string take_word() {
    begin_ = at_;
    while (at_ < text_.size() && is_in_word(text_[at_])) ++at_;
    const char before = begin_ == 0 ? ' ' : text_[begin_ - 1];
    const char after = at_ == text_.size() ? ' ' : text_[at_];
    const bool is_name =
        std::string_view("?$:@-.").find(before) != std::string_view::npos || after == ':' || after == '-';
    if (depth_ > 0 || is_name) return {};
    std::string word(text_.substr(begin_, at_ - begin_));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const std::string_view end =
        text_.substr(at_).starts_with(three) ? std::string_view(three) : std::string_view(three).substr(2);
    for (at_ += end.size(); at_ < text_.size() && !text_.substr(at_).starts_with(end); ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + end.size(), text_.size());
  }

  // "<" may also compare: then no ">" comes before what no address has.
  void skip_address() {
    const std::size_t end = text_.find_first_of("<>\"{}|^`\\ \t\r\n", at_ + 1);
    at_ = end != std::string_view::npos && text_[end] == '>' ? end + 1 : at_ + 1;
  }

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  int depth_ = 0;
};

// The first line of what an endpoint says of itself, which is plain text or nothing.
std::string told_by(const HttpAnswer& answer) {
  if (!answer.type.starts_with("text/plain")) return {};
  std::string line = answer.body.substr(0, std::min(answer.body.find_first_of("\r\n"), kMostTold));
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return line.empty() || invalid_utf8_at(line) ? std::string() : ": " + line;
}

// The format that an answer has. text/plain is what N-Triples were called before they had a name.
std::optional<InputFormat> format_of_answer(const HttpAnswer& answer) {
  if (answer.type.starts_with("text/plain")) return InputFormat::kNTriples;
  const std::optional<InputFormat> format = format_named(answer.type);
  if (!format) return std::nullopt;
  for (const InputFormat known : {InputFormat::kNTriples, InputFormat::kTurtle, InputFormat::kRdfXml})
    if (*format == known) return known;
  return std::nullopt;
}

const SparqlSource& checked(const SparqlSource& source) {
  const auto address = http_address(source.url);
  if (!address)
    throw ConfigError("'" + source.url + "' is no address of a SPARQL endpoint, of http or https");
  if (!address->user.empty())
    throw ConfigError("the address of a SPARQL endpoint may hold no user or password");
  if (source.query.empty())
    throw ConfigError("a SPARQL endpoint needs a query", Remedy{Remedy::kGive, "query"});
  if (source.page_rows == 0 || source.max_page_bytes == 0 || !(source.page_seconds > 0))
    throw ConfigError("the rows, bytes and seconds of a page must be more than 0");
  return source;
}

}  // namespace

PagedQuery::PagedQuery(std::string text, const std::string& source)
    : text_(std::move(text)), place_(text_.size()) {
  OuterWords words(text_);
  std::string kind;
  for (std::string word = words.next(); !word.empty(); word = words.next()) {
    const bool is_kind = word == "construct" || word == "select" || word == "ask" || word == "describe";
    if (kind.empty() && is_kind) kind = word;
    is_limited_ |= word == "limit" || word == "offset";
    is_ordered_ |= word == "order";
    if (word == "values") place_ = words.begin();
  }
  if (kind != "construct")
    throw ConfigError(source + ": the query must be a CONSTRUCT, which gives statements");
}

std::string PagedQuery::page(std::size_t limit, std::size_t offset) const {
  // On a line of its own, since the query may end in a comment.
  return text_.substr(0, place_) + "\nLIMIT " + std::to_string(limit) + " OFFSET " + std::to_string(offset) +
         "\n" + text_.substr(place_);
}

SparqlPages::SparqlPages(const SparqlSource& source, const StopFlag& stop)
    : source_(checked(source)), stop_(stop), query_(read_file(source.query), source.query.string()) {}

HttpAnswer SparqlPages::ask(const std::string& query, const std::string& name) const {
  HttpAsked asked{.url = source_.url, .body = "query=" + form_encoded(query)};
  asked.headers = {"Content-Type: application/x-www-form-urlencoded", kAccept};
  asked.timeout_s = source_.page_seconds;
  asked.max_body = source_.max_page_bytes;
  HttpAnswer answer = client_.post(asked, stop_);
  const auto fail = [&](const std::string& why) {
    return IoError(name + ": " + why + "; nothing was written");
  };
  if (stop_.requested()) throw Stopped("the ingestion was stopped and nothing was written");
  if (!answer.failure.empty()) throw fail(answer.failure);
  if (answer.status >= 300 && answer.status < 400)
    throw fail("the endpoint lies elsewhere" +
               (answer.location.empty() ? std::string() : ", at " + answer.location + ": give that address"));
  if (answer.status != 200)
    throw fail("it answered with the status " + std::to_string(answer.status) + told_by(answer));
  return answer;
}

std::optional<SparqlPage> SparqlPages::next() {
  if (num_pages_ == 1 && !query_.has_pages()) return std::nullopt;
  const std::size_t offset = num_pages_ * source_.page_rows;
  const std::string name = source_.url + ", page " + std::to_string(++num_pages_);
  HttpAnswer answer = ask(query_.has_pages() ? query_.page(source_.page_rows, offset) : query_.text(), name);
  const std::optional<InputFormat> format = format_of_answer(answer);
  if (!format)
    throw DataError(name, 0,
                    "the answer is " + (answer.type.empty() ? "of no type" : answer.type) +
                        ", not N-Triples, Turtle or RDF/XML; nothing was written. Is this the address of a "
                        "SPARQL endpoint?");
  if (!answer.body.empty() && answer.body == last_)
    throw DataError(
        name, 0,
        "is the page before once more: the endpoint passes over OFFSET. Give the query a LIMIT of "
        "its own, then it is asked once; nothing was written");
  last_ = answer.body;
  return SparqlPage{name, std::move(answer.body), *format};
}

}  // namespace kgwalk::graph

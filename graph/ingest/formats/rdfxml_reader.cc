#include "graph/ingest/formats/rdfxml_reader.h"

#include <raptor2/raptor2.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kXmlChunk = 1 << 16;

struct Free {
  void operator()(raptor_world* world) const { raptor_free_world(world); }
  void operator()(raptor_parser* parser) const { raptor_free_parser(parser); }
  void operator()(raptor_uri* uri) const { raptor_free_uri(uri); }
};

std::string_view raptor_text(const unsigned char* bytes, std::size_t length) {
  return {reinterpret_cast<const char*>(bytes), length};
}

std::string_view raptor_text(raptor_uri* uri) {
  std::size_t length = 0;
  const unsigned char* bytes = raptor_uri_as_counted_string(uri, &length);
  return raptor_text(bytes, length);
}

class XmlReading {
 public:
  XmlReading(const InputText& text, StatementSink& sink)
      : text_(text), log_(text.log), sink_(sink), world_(raptor_new_world()) {
    if (!world_ || raptor_world_open(world_.get()) != 0) throw std::bad_alloc();
    raptor_world_set_log_handler(world_.get(), this, take_message);
    parser_.reset(raptor_new_parser(world_.get(), "rdfxml"));
    const std::string base = text.base();
    base_.reset(raptor_new_uri(world_.get(), reinterpret_cast<const unsigned char*>(base.c_str())));
    if (!parser_ || !base_) throw std::bad_alloc();
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_NET, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_FILE, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_LOAD_EXTERNAL_ENTITIES, nullptr, 0);
    raptor_parser_set_statement_handler(parser_.get(), this, take_statement);
    raptor_parser_set_namespace_handler(parser_.get(), this, take_prefix);
  }

  void run() {
    raptor_parser_parse_start(parser_.get(), base_.get());
    std::string_view left = text_.bytes;
    int failed = 0;
    do {  // a line at a time: libxml2 tells raptor no line numbers
      const std::string_view chunk = left.substr(0, std::min(left.find('\n'), kXmlChunk - 1) + 1);
      left.remove_prefix(chunk.size());
      if (line_begins_) ++line_;
      line_begins_ = chunk.ends_with('\n');
      failed = raptor_parser_parse_chunk(parser_.get(), reinterpret_cast<const unsigned char*>(chunk.data()),
                                         chunk.size(), left.empty());
      if (thrown_) std::rethrow_exception(thrown_);
      sink_.at(text_.bytes.size() - left.size());
    } while (!failed && !fatal_ && !left.empty());
    if ((failed || fatal_) && !left.empty())
      log_.skip(line_, Reason::kSyntax, "the XML cannot be read on; what stands behind this line is lost");
  }

 private:
  static void take_message(void* self, raptor_log_message* message) {
    auto& me = *static_cast<XmlReading*>(self);
    if (me.thrown_ || message->level < RAPTOR_LOG_LEVEL_ERROR) return;
    me.fatal_ = me.fatal_ || message->level == RAPTOR_LOG_LEVEL_FATAL;
    try {  // nothing may be thrown through raptor's frames
      std::string why = message->text;
      std::replace(why.begin(), why.end(), '\n', ' ');
      me.log_.skip(me.line_, Reason::kSyntax, why);
    } catch (...) {
      me.abort();
    }
  }

  static void take_statement(void* self, raptor_statement* found) {
    auto& me = *static_cast<XmlReading*>(self);
    if (me.thrown_) return;
    try {
      Statement statement;
      statement.subject = me.term(*found->subject, me.rooms_[0]);
      statement.predicate = me.term(*found->predicate, me.rooms_[1]);
      statement.object = me.term(*found->object, me.rooms_[2]);
      me.sink_.add(statement, me.line_);
    } catch (...) {
      me.abort();
    }
  }

  static void take_prefix(void* self, raptor_namespace* space) {
    auto& me = *static_cast<XmlReading*>(self);
    raptor_uri* uri = raptor_namespace_get_uri(space);
    const unsigned char* name = raptor_namespace_get_prefix(space);
    if (me.thrown_ || uri == nullptr) return;
    try {
      me.sink_.prefix(name == nullptr ? "" : reinterpret_cast<const char*>(name), raptor_text(uri));
    } catch (...) {
      me.abort();
    }
  }

  void abort() {
    thrown_ = std::current_exception();
    raptor_parser_parse_abort(parser_.get());
  }

  Term term(const raptor_term& found, std::string& room) const {
    if (found.type == RAPTOR_TERM_TYPE_URI) return {TermKind::kIri, raptor_text(found.value.uri), {}, {}};
    if (found.type == RAPTOR_TERM_TYPE_BLANK) {
      room = text_.blank_prefix;
      room += raptor_text(found.value.blank.string, found.value.blank.string_len);
      return {TermKind::kBlank, room, {}, {}};
    }
    const auto& literal = found.value.literal;
    Term term{TermKind::kLiteral, raptor_text(literal.string, literal.string_len), {}, {}};
    if (literal.language != nullptr) term.language = raptor_text(literal.language, literal.language_len);
    if (literal.datatype != nullptr) term.datatype = raptor_text(literal.datatype);
    return term;
  }

  const InputText& text_;
  ProblemLog& log_;
  StatementSink& sink_;
  std::unique_ptr<raptor_world, Free> world_;
  std::unique_ptr<raptor_uri, Free> base_;
  std::unique_ptr<raptor_parser, Free> parser_;
  std::string rooms_[3];
  std::exception_ptr thrown_;
  bool fatal_ = false, line_begins_ = true;
  std::size_t line_ = 0;  // that is being read
};

}  // namespace

void read_rdf_xml(const InputText& text, StatementSink& sink) {
  XmlReading(text, sink).run();
  text.counts.lines = lines_of(text.bytes);
}

}  // namespace kgwalk::graph

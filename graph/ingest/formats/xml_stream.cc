#include "graph/ingest/formats/xml_stream.h"

#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace kgwalk::graph {
namespace {

constexpr int kMaxXmlDepth = 500;
constexpr long kMaxNodeLine = 65535;  // libxml2 keeps lines of nodes in 16 bits

std::string_view xml_view(const xmlChar* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

}  // namespace

struct XmlStream::Reader {
  std::string_view bytes;
  std::size_t given = 0;  // bytes that libxml2 has asked for
  xmlTextReaderPtr reader = nullptr;
  bool end_is_due = false;  // of an element without content
  std::string problem;
  // What this thread had set before: of an encoding that breaks libxml2 tells no reader, but the thread.
  xmlStructuredErrorFunc take_before = nullptr;
  void* before = nullptr;

  // A line at a time: of what it was given at once libxml2 hands on nothing where something is wrong.
  static int give(void* self, char* to, int length) {
    auto& me = *static_cast<Reader*>(self);
    const std::string_view left = me.bytes.substr(me.given, static_cast<std::size_t>(length));
    const std::size_t count = left.empty() ? 0 : std::min(left.find('\n'), left.size() - 1) + 1;
    std::memcpy(to, me.bytes.data() + me.given, count);
    me.given += count;
    return static_cast<int>(count);
  }
  static int close(void*) { return 0; }
  static void take_error(void* self, xmlErrorPtr error) {
    auto& me = *static_cast<Reader*>(self);
    if (error->level < XML_ERR_ERROR || !me.problem.empty()) return;
    me.problem = error->message == nullptr ? "is no XML" : error->message;
    std::replace(me.problem.begin(), me.problem.end(), '\n', ' ');
    while (me.problem.ends_with(' ')) me.problem.pop_back();
  }
};

XmlStream::XmlStream(std::string_view bytes) : reader_(std::make_unique<Reader>()) {
  reader_->bytes = bytes;
  // Long texts are taken: what is too long is for the reader of the format to say.
  constexpr int kOptions = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA;
  reader_->reader = xmlReaderForIO(Reader::give, Reader::close, reader_.get(), nullptr, nullptr, kOptions);
  if (reader_->reader == nullptr) throw std::bad_alloc();
  xmlTextReaderSetStructuredErrorHandler(reader_->reader, Reader::take_error, reader_.get());
  reader_->take_before = xmlStructuredError;
  reader_->before = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(reader_.get(), Reader::take_error);
}

XmlStream::~XmlStream() {
  xmlSetStructuredErrorFunc(reader_->before, reader_->take_before);
  xmlFreeTextReader(reader_->reader);
}

XmlStream::Event XmlStream::next() {
  if (reader_->end_is_due) {
    reader_->end_is_due = false;
    return Event::kEnd;
  }
  const auto broken = [&](const char* why) {
    if (reader_->problem.empty()) reader_->problem = why;
    return Event::kBroken;
  };
  for (;;) {
    const int read = xmlTextReaderRead(reader_->reader);
    if (read < 0) return broken("is no XML");
    if (read == 0) return Event::kFinished;
    switch (xmlTextReaderNodeType(reader_->reader)) {
      case XML_READER_TYPE_ELEMENT:
        if (xmlTextReaderDepth(reader_->reader) > kMaxXmlDepth) return broken("elements are nested too deep");
        reader_->end_is_due = xmlTextReaderIsEmptyElement(reader_->reader) == 1;
        return Event::kBegin;
      case XML_READER_TYPE_END_ELEMENT:
        return Event::kEnd;
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
      case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        return Event::kText;
      case XML_READER_TYPE_DOCUMENT_TYPE:
        return broken("a DOCTYPE, which is not read; leave it out");
      case XML_READER_TYPE_ENTITY_REFERENCE:
        return broken("an entity of the file's own, which is not read; write its text instead");
      default:
        break;  // comments, instructions, space between elements
    }
  }
}

std::string_view XmlStream::name() const { return xml_view(xmlTextReaderConstLocalName(reader_->reader)); }

std::optional<std::string> XmlStream::attribute(std::string_view name) const {
  xmlTextReaderPtr reader = reader_->reader;
  std::optional<std::string> found;
  for (int more = xmlTextReaderMoveToFirstAttribute(reader); more == 1 && !found;
       more = xmlTextReaderMoveToNextAttribute(reader))
    if (xml_view(xmlTextReaderConstLocalName(reader)) == name)
      found = xml_view(xmlTextReaderConstValue(reader));
  xmlTextReaderMoveToElement(reader);
  return found;
}

std::string_view XmlStream::text() const { return xml_view(xmlTextReaderConstValue(reader_->reader)); }

std::size_t XmlStream::line() const {
  const xmlNode* node = xmlTextReaderCurrentNode(reader_->reader);
  const long line = node == nullptr ? 0 : xmlGetLineNo(node);
  const bool known = line > 0 && line < kMaxNodeLine;
  return static_cast<std::size_t>(known ? line : xmlTextReaderGetParserLineNumber(reader_->reader));
}

std::size_t XmlStream::position() const noexcept { return reader_->given; }

const std::string& XmlStream::problem() const noexcept { return reader_->problem; }

}  // namespace kgwalk::graph

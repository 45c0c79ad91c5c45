// XML one tag at a time, by libxml2, in one thread. Nothing is fetched and no entity is put in: neither files
// nor what a DOCTYPE declares.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kgwalk::graph {

class XmlStream {
 public:
  enum class Event {
    kBegin,     // of an element
    kEnd,       // of one; also of one without content
    kText,      // within the element that is open
    kFinished,  // the text is read
    kBroken     // it cannot be read on: problem() says why
  };

  // `bytes` must outlive the object.
  explicit XmlStream(std::string_view bytes);
  ~XmlStream();
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;

  [[nodiscard]] Event next();
  // Of the element that begins or ends: its name without prefix. Valid until next().
  [[nodiscard]] std::string_view name() const;
  // Of the element that begins, by its name without prefix; nullopt: it has none.
  [[nodiscard]] std::optional<std::string> attribute(std::string_view name) const;
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::size_t line() const;
  [[nodiscard]] std::size_t position() const noexcept;  // bytes read so far
  [[nodiscard]] const std::string& problem() const noexcept;

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace kgwalk::graph

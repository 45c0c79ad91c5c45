#include "graph/ingest/tables/sqlite_tables.h"

#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
constexpr int kWaitMs = 2000;  // for another program's lock

// As a part of a URI.
std::string uri_escaped(const std::string& path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      const auto byte = static_cast<unsigned char>(c);
      text += '%';
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    } else {
      text += c;
    }
  }
  return text;
}

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// SQLite writes 15 digits of a number. Where that is another number, this is the shortest text that is not.
std::string exact_text(double number, std::string written) {
  double read = 0;
  (void)std::from_chars(written.data(), written.data() + written.size(), read);
  if (read == number || !std::isfinite(number)) return written;
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

// One connection for all tables of a file: what they say is of one moment.
class SqliteFile {
 public:
  explicit SqliteFile(const fs::path& file) : file_(file.string()), mapped_(file) {
    const std::string_view bytes = mapped_.bytes();
    if (bytes.empty()) throw DataError(file_, 0, "the SQLite file is empty: it has no tables");
    if (!bytes.starts_with(kSqliteMagic))
      throw DataError(file_, 0,
                      "is no SQLite file, or an encrypted one; decrypt it first, e.g. with sqlcipher_export");
    checksum_ = checksum_of(bytes);
    // A log that lies beside the file has rows that are not in it yet. Without one nobody has a file in WAL
    // mode open, and SQLite would make one: not where nothing may be written.
    const bool is_wal = bytes.size() > 19 && bytes[18] == 2;
    std::error_code ignored;
    const bool has_log = fs::exists(file_ + "-wal", ignored) && fs::file_size(file_ + "-wal", ignored) > 0;
    const std::string uri = "file:" + uri_escaped(fs::absolute(file).string()) + "?mode=ro" +
                            (is_wal && !has_log ? "&immutable=1" : "");
    const int status = sqlite3_open_v2(uri.c_str(), &db_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    try {
      if (status != SQLITE_OK) refuse();
      sqlite3_busy_timeout(db_, kWaitMs);
      run("BEGIN");
      run("SELECT count(*) FROM sqlite_master");
    } catch (...) {
      sqlite3_close(db_);
      throw;
    }
  }
  ~SqliteFile() { sqlite3_close(db_); }
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] OpenedBytes opened() const { return {mapped_.bytes(), checksum_}; }
  [[nodiscard]] sqlite3* get() const noexcept { return db_; }

  [[noreturn]] void refuse() const {
    const std::string why = db_ == nullptr ? "out of memory" : sqlite3_errmsg(db_);
    switch (db_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db_) & 0xff) {
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        throw IoError(file_ + ": another program has the SQLite file locked (" + why +
                      "); let it finish, or give a copy made with sqlite3's .backup");
      case SQLITE_CORRUPT:
        throw DataError(file_, 0,
                        "the SQLite file is damaged (" + why +
                            "); save what is left with sqlite3's .recover, or get the file again");
      case SQLITE_NOTADB:
        throw DataError(file_, 0, "is no SQLite file, or an encrypted one (" + why + "); decrypt it first");
      case SQLITE_READONLY:
      case SQLITE_CANTOPEN:
        throw IoError(file_ + ": the SQLite file cannot be read as it is (" + why +
                      "); a log beside it must be played in by its program first, or give a copy made with "
                      "sqlite3's .backup");
      default:
        throw IoError(file_ + ": SQLite cannot read the file (" + why + ")");
    }
  }

 private:
  void run(const char* sql) {
    if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) refuse();
  }

  std::string file_;
  MappedFile mapped_;
  std::string checksum_;
  sqlite3* db_ = nullptr;
};

class SqliteQuery {
 public:
  SqliteQuery(const SqliteFile& database, const std::string& sql) : database_(database) {
    if (sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK)
      database.refuse();
  }
  ~SqliteQuery() { sqlite3_finalize(statement_); }
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  [[nodiscard]] bool next() {
    const int status = sqlite3_step(statement_);
    if (status != SQLITE_ROW && status != SQLITE_DONE) database_.refuse();
    return status == SQLITE_ROW;
  }
  [[nodiscard]] int width() const { return sqlite3_column_count(statement_); }
  [[nodiscard]] bool is_blob(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_BLOB;
  }
  [[nodiscard]] std::string text(int column) const {
    const bool is_real = sqlite3_column_type(statement_, column) == SQLITE_FLOAT;
    const double real = is_real ? sqlite3_column_double(statement_, column) : 0;
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (bytes == nullptr) return {};
    std::string text(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
    return is_real ? exact_text(real, std::move(text)) : text;
  }
  [[nodiscard]] long long number(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  const SqliteFile& database_;
  sqlite3_stmt* statement_ = nullptr;
};

class SqliteRows final : public TableCursor {
 public:
  SqliteRows(const SqliteFile& database, const std::string& sql, ProblemLog& log)
      : query_(database, sql), log_(log) {}
  // Bytes that are no text (pictures, ...) are as good as empty.
  [[nodiscard]] bool next(std::vector<std::string>& cells) override {
    while (query_.next()) {
      ++row_;
      cells.clear();
      bool good = true;
      for (int i = 0; i < query_.width(); ++i) {
        cells.push_back(query_.is_blob(i) ? std::string() : query_.text(i));
        if (cells.back().find('\0') != std::string::npos)
          log_.skip(row_, Reason::kNulByte, "a NUL byte"), good = false;
        else if (invalid_utf8_at(cells.back()))
          log_.skip(row_, Reason::kInvalidUtf8, "not valid UTF-8"), good = false;
        if (!good) break;
      }
      if (good) return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t line() const override { return row_; }
  [[nodiscard]] std::size_t position() const override { return 0; }

 private:
  SqliteQuery query_;
  ProblemLog& log_;
  std::size_t row_ = 0;
};

class SqliteTable final : public TableSource {
 public:
  SqliteTable(std::shared_ptr<const SqliteFile> database, std::string name) : database_(std::move(database)) {
    header_.name = std::move(name);
    SqliteQuery columns(
        *database_, "SELECT name, pk FROM pragma_table_info(" + quoted_text(header_.name) + ") ORDER BY cid");
    std::vector<std::pair<long long, std::string>> key;
    while (columns.next()) {
      header_.columns.push_back(columns.text(0));
      if (columns.number(1) > 0) key.emplace_back(columns.number(1), columns.text(0));
    }
    for (auto& [place, column] : key) header_.primary_key.push_back(std::move(column));
    SqliteQuery links(*database_, "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(" +
                                      quoted_text(header_.name) + ") ORDER BY id, seq");
    while (links.next()) header_.links.push_back({links.text(0), links.text(1), links.text(2)});
  }

  [[nodiscard]] const TableHeader& header() const override { return header_; }
  [[nodiscard]] std::string place() const override { return database_->file() + ":" + header_.name; }
  [[nodiscard]] OpenedBytes opened() const override { return database_->opened(); }
  [[nodiscard]] std::string format() const override { return "sqlite"; }
  [[nodiscard]] std::unique_ptr<TableCursor> rows(ProblemLog& log) const override {
    std::string columns;
    for (const std::string& column : header_.columns)
      columns += (columns.empty() ? "" : ", ") + quoted_name(column);
    return std::make_unique<SqliteRows>(*database_,
                                        "SELECT " + columns + " FROM " + quoted_name(header_.name), log);
  }

 private:
  static std::string quoted_text(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
  }
  std::shared_ptr<const SqliteFile> database_;
  TableHeader header_;
};

}  // namespace

bool is_sqlite_file(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::array<char, 16> begin{};
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), begin.size());
  if (std::string_view(begin.data(), begin.size()) == kSqliteMagic) return true;
  const std::string extension = file.extension().string();
  return extension == ".sqlite" || extension == ".sqlite3" || extension == ".db3";
}

std::vector<std::unique_ptr<TableSource>> open_sqlite_tables(const fs::path& file) {
  const auto database = std::make_shared<const SqliteFile>(file);
  std::vector<std::unique_ptr<TableSource>> tables;
  SqliteQuery names(
      *database,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
      "ORDER BY rowid");
  while (names.next()) tables.push_back(std::make_unique<SqliteTable>(database, names.text(0)));
  if (tables.empty()) throw DataError(file.string(), 0, "the SQLite file has no tables");
  return tables;
}

}  // namespace kgwalk::graph

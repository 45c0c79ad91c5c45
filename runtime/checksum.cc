#include "runtime/checksum.h"

#include <xxhash.h>

#include <cstdio>

#include "runtime/files.h"

namespace kgwalk {
namespace {

std::string to_hex(XXH128_hash_t hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace

struct Checksum::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() { XXH3_128bits_reset(xxh); }
  ~State() { XXH3_freeState(xxh); }
};

Checksum::Checksum() : state_(std::make_unique<State>()) {}
Checksum::~Checksum() = default;
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum& Checksum::operator=(Checksum&&) noexcept = default;

void Checksum::add(std::string_view bytes) { XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size()); }
std::string Checksum::hex() const { return to_hex(XXH3_128bits_digest(state_->xxh)); }

std::string checksum_of(std::string_view bytes) { return to_hex(XXH3_128bits(bytes.data(), bytes.size())); }

std::string checksum_of_file(const std::filesystem::path& path) {
  return checksum_of(MappedFile(path).bytes());
}

}  // namespace kgwalk

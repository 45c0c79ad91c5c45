// The handles of C. All that live are listed here, so that a pointer which is none of them is told without
// being looked into, and an object stays alive while a call uses it, whatever another thread closes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "capi/errors.h"

namespace kgwalk::capi {

// What a handle stands for. A type of handles derives from it and has a `kKind`: "graph".
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  [[nodiscard]] virtual std::string_view kind() const = 0;
};

// Thread-safe. A pointer is the address of its object, and is given out again only once that is closed.
void list_object(std::shared_ptr<Object> object);
// Misuse where there is no such handle or it is no `kind`; the sentence calls it by its kind.
[[nodiscard]] std::shared_ptr<Object> object_at(const void* handle, std::string_view kind);
[[nodiscard]] std::shared_ptr<Object> unlist_object(const void* handle, std::string_view kind);

template <class Type>
[[nodiscard]] std::shared_ptr<Type> object_of(const void* handle) {
  return std::static_pointer_cast<Type>(object_at(handle, Type::kKind));
}

// The object as C has it from now on.
template <class Type>
[[nodiscard]] typename Type::Handle* handle_of(std::shared_ptr<Type> object) {
  auto* const handle = reinterpret_cast<typename Type::Handle*>(static_cast<Object*>(object.get()));
  list_object(std::move(object));
  return handle;
}

template <class Type>
[[nodiscard]] kgwalk_status close_handle(const void* handle) noexcept {
  return guarded([&] {
    if (handle != nullptr) (void)unlist_object(handle, Type::kKind);
  });
}

}  // namespace kgwalk::capi

// Memory for one tree: everything in it is freed at once, nothing in it is destroyed singly.
// Trees are read, never changed, so lists are arrays that are copied in when they are complete.
// INVARIANT: only trivially destructible values live here, and nothing uses an arena that was
// moved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tollgate::shell {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;
  ~Arena() {
    if (first_) spare() = std::move(first_);
  }

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (take(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // For as many of them; whoever asks constructs each.
  template <class T>
  T* room(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(take(sizeof(T) * count, alignof(T)));
  }

  template <class T>
  T* copy(const T* items, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0) return nullptr;
    T* place = static_cast<T*>(take(sizeof(T) * count, alignof(T)));
    std::memcpy(static_cast<void*>(place), items, sizeof(T) * count);
    return place;
  }

  std::string_view copy(std::string_view text) {
    return {copy(text.data(), text.size()), text.size()};
  }

  // What was asked for so far. The test of the reader's linearity counts it.
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kFirstBlock = 4096;
  static constexpr std::size_t kLargestBlock = 1u << 18;

  void* take(std::size_t size, std::size_t align) {
    std::size_t at = (used_ + align - 1) & ~(align - 1);
    if (at + size > size_) {
      add_block(size);
      at = 0;
    }
    used_ = at + size;
    bytes_ += size;
    return block_ + at;
  }

  void add_block(std::size_t size) {
    if (first_) {
      size_ = std::max(std::min(size_ * 2, kLargestBlock), size);
      block_ = more_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size_)).get();
      return;
    }
    size_ = std::max(kFirstBlock, size);
    first_ = size_ == kFirstBlock && spare() ? std::move(spare())
                                             : std::make_unique_for_overwrite<std::byte[]>(size_);
    block_ = first_.get();
  }

  // The first block of the tree that this thread read last: most trees need no other.
  static std::unique_ptr<std::byte[]>& spare() {
    thread_local std::unique_ptr<std::byte[]> block;
    return block;
  }

  std::unique_ptr<std::byte[]> first_;
  std::vector<std::unique_ptr<std::byte[]>> more_;
  std::byte* block_ = nullptr;       // the last one
  std::size_t used_ = 0, size_ = 0;  // of the last one
  std::size_t bytes_ = 0;            // of all
};

}  // namespace tollgate::shell

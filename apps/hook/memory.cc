// Memory for a program that lives for a millisecond: pieces come from one block and go back to a
// list of their size; there is nothing else to keep in order. When the block is used up, and for
// whatever is large, the C library does it. Not part of a sanitized build, which has to see
// every piece by itself. REQUIRES: one thread, which is all that the hook has.
#include <sys/mman.h>

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kStep = 16;
constexpr std::size_t kSmall = 512;  // up to here each size has a list of its own
constexpr std::size_t kLargest = 16'384;
constexpr std::size_t kBytes = 262'144;
constexpr std::size_t kPage = 4'096;
constexpr std::size_t kUsual = 65'536;  // what nearly every call takes

struct Piece {
  Piece* next;
  std::size_t size;
};

alignas(kPage) std::byte block[kBytes];
std::size_t used = 0;
Piece* spare[kSmall / kStep + 1 + std::bit_width(kLargest / kSmall)];

// A piece's size in the block, and the list that it goes back to. On a list of small pieces all are
// of one size, on the others they are less than twice as large as the smallest.
struct Sort {
  std::size_t size, list;
};

Sort sort_of(std::size_t size) {
  size = size == 0 ? kStep : (size + kStep - 1) / kStep * kStep;
  if (size <= kSmall) return {size, size / kStep};
  return {size, kSmall / kStep + static_cast<std::size_t>(std::bit_width(size / kSmall))};
}

bool is_ours(const void* memory) {
  const auto* byte = static_cast<const std::byte*>(memory);
  return byte >= block && byte < block + kBytes;
}

}  // namespace

void* operator new(std::size_t size) {
  if (size <= kLargest) {
    const Sort sort = sort_of(size);
    if (Piece* piece = spare[sort.list]; piece != nullptr && piece->size >= sort.size) {
      spare[sort.list] = piece->next;
      return piece;
    }
    // The pages of a usual call at once, where the kernel can do that, and not one by one.
    if (used == 0) ::madvise(block, kUsual, MADV_POPULATE_WRITE);
    if (kBytes - used >= sort.size) {
      void* memory = block + used;
      used += sort.size;
      return memory;
    }
  }
  void* memory = std::malloc(size == 0 ? 1 : size);
  // SAFETY: an abort is caught, and blocks the call.
  if (memory == nullptr) std::abort();
  return memory;
}

void operator delete(void* memory, std::size_t size) noexcept {
  if (!is_ours(memory)) return std::free(memory);
  if (size > kLargest) return;  // no size of ours
  const Sort sort = sort_of(size);
  auto* piece = static_cast<Piece*>(memory);
  *piece = {.next = spare[sort.list], .size = sort.size};
  spare[sort.list] = piece;
}

// Of a piece whose size is not told nothing is known, so it stays where it is.
void operator delete(void* memory) noexcept {
  if (!is_ours(memory)) std::free(memory);
}

// Memory for a program that lives for a millisecond: small pieces come from one block and go back
// to a list of their size; there is nothing else to keep in order. When the block is used up, and
// for whatever is large, the C library does it. Not part of a sanitized build, which has to see
// every piece by itself. REQUIRES: one thread, which is all that the hook has.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kStep = 16;
constexpr std::size_t kLargest = 512;
constexpr std::size_t kBytes = 262'144;

struct Piece {
  Piece* next;
};

alignas(kStep) std::byte block[kBytes];
std::size_t used = 0;
Piece* spare[kLargest / kStep + 1];

std::size_t steps_of(std::size_t size) { return size == 0 ? 1 : (size + kStep - 1) / kStep; }

bool is_ours(const void* memory) {
  const auto* byte = static_cast<const std::byte*>(memory);
  return byte >= block && byte < block + kBytes;
}

}  // namespace

void* operator new(std::size_t size) {
  if (size <= kLargest) {
    const std::size_t steps = steps_of(size);
    if (Piece* piece = spare[steps]) {
      spare[steps] = piece->next;
      return piece;
    }
    if (kBytes - used >= steps * kStep) {
      void* memory = block + used;
      used += steps * kStep;
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
  const std::size_t steps = steps_of(size);
  auto* piece = static_cast<Piece*>(memory);
  piece->next = spare[steps];
  spare[steps] = piece;
}

// Of a piece whose size is not told nothing is known, so it stays where it is.
void operator delete(void* memory) noexcept {
  if (!is_ours(memory)) std::free(memory);
}

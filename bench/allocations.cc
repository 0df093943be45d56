// The global operators, counting. Plain malloc below, so that the sanitizers still see the blocks.
#include "bench/allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local tollgate::bench::Allocations counted;

void* take(std::size_t size) {
  ++counted.made;
  counted.bytes += size;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) std::abort();
  return block;
}

void* take_aligned(std::size_t size, std::align_val_t alignment) {
  ++counted.made;
  counted.bytes += size;
  const std::size_t step = static_cast<std::size_t>(alignment);
  void* block = std::aligned_alloc(step, (size + step - 1) / step * step);
  if (block == nullptr) std::abort();
  return block;
}

void give(void* block) {
  if (block == nullptr) return;
  ++counted.freed;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take_aligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return take_aligned(size, alignment);
}
void operator delete(void* block) noexcept { give(block); }
void operator delete[](void* block) noexcept { give(block); }
void operator delete(void* block, std::size_t) noexcept { give(block); }
void operator delete[](void* block, std::size_t) noexcept { give(block); }
void operator delete(void* block, std::align_val_t) noexcept { give(block); }
void operator delete[](void* block, std::align_val_t) noexcept { give(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { give(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { give(block); }

namespace tollgate::bench {

Allocations allocations() { return counted; }

}  // namespace tollgate::bench

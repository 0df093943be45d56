// The global operators, counting. Plain malloc below, so that the sanitizers still see the blocks.
#include "bench/allocations.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

thread_local tollgate::bench::Allocations counted;
thread_local bool watching = false;  // what is held; asking for it takes time

// Inlined, so that counting costs what is measured as little as can be.
[[gnu::always_inline]] inline void* noted(void* block, std::size_t size) {
  if (block == nullptr) std::abort();
  ++counted.made;
  counted.bytes += size;
  if (!watching) return block;
  counted.held += static_cast<std::int64_t>(malloc_usable_size(block));
  if (counted.held > counted.peak) counted.peak = counted.held;
  return block;
}

void* take(std::size_t size) { return noted(std::malloc(size == 0 ? 1 : size), size); }

void* take_aligned(std::size_t size, std::align_val_t alignment) {
  const std::size_t step = static_cast<std::size_t>(alignment);
  return noted(std::aligned_alloc(step, (size + step - 1) / step * step), size);
}

void give(void* block) {
  if (block == nullptr) return;
  ++counted.freed;
  if (watching) counted.held -= static_cast<std::int64_t>(malloc_usable_size(block));
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
// The library's sorting asks in this way.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void operator delete(void* block) noexcept { give(block); }
void operator delete[](void* block) noexcept { give(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { give(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { give(block); }
void operator delete(void* block, std::size_t) noexcept { give(block); }
void operator delete[](void* block, std::size_t) noexcept { give(block); }
void operator delete(void* block, std::align_val_t) noexcept { give(block); }
void operator delete[](void* block, std::align_val_t) noexcept { give(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { give(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { give(block); }

namespace tollgate::bench {

Allocations allocations() { return counted; }
void reset_peak() {
  watching = true;
  counted.peak = counted.held;
}

}  // namespace tollgate::bench

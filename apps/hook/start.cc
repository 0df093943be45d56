// The way from the kernel to main(), in place of the C library's own.
// That one asks the processor about itself some forty times before main(). Under a hypervisor each
// question is answered by the host and takes microseconds, which together is as much as judging a
// call takes. Here nothing is asked: the functions on memory and text are those that every
// processor of this kind runs. Nor is anything made ready for libraries that are loaded later (a
// search path, the kernel's own library for clocks): the hook loads none.
// INVARIANT: the other steps and their order are those of __libc_start_main in a static glibc 2.36,
// which is the only one this is built with (apps/CMakeLists.txt); elsewhere the C library starts
// the hook. Nothing here may call what chooses its code by the processor before the choice is made.
// NOLINTBEGIN(bugprone-reserved-identifier,performance-no-int-to-ptr,readability-redundant-declaration):
// the names are the C library's, and the kernel gives addresses as numbers.
#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

// What libc-start.o defines beside the function, with the C library's own defaults: how large
// caches are, and from which size on copying goes another way.
extern "C" {
long int __x86_data_cache_size_half = 32 * 1024 / 2;
long int __x86_data_cache_size = 32 * 1024;
long int __x86_shared_cache_size_half = 1024 * 1024 / 2;
long int __x86_shared_cache_size = 1024 * 1024;
long int __x86_shared_non_temporal_threshold = 1024 * 1024 * 3 / 4;
long int __x86_rep_movsb_threshold = 2048;
long int __x86_rep_stosb_threshold = 2048;
long int __x86_rep_movsb_stop_threshold = 1024 * 1024 * 3 / 4;
int __x86_string_control = 0;

extern char** __environ;
extern void* __libc_stack_end;
extern int __libc_enable_secure;
extern void* _dl_random;
void _dl_aux_init(Elf64_auxv_t* auxiliary);
void __tunables_init(char** environment);
void __libc_setup_tls();
void __libc_early_init(bool initial);
void __libc_init_first(int count, char** values, char** environment);
void __init_misc(int count, char** values, char** environment);
void __libc_check_standard_fds();
void* _dl_debug_initialize(Elf64_Addr base, long names);
void _init();

using Step = void (*)(int, char**, char**);
using Main = int (*)(int, char**, char**);
extern const Elf64_Rela __rela_iplt_start[] __attribute__((weak));
extern const Elf64_Rela __rela_iplt_end[] __attribute__((weak));
extern const Step __preinit_array_start[], __preinit_array_end[];
extern const Step __init_array_start[], __init_array_end[];

// The guards of stack and pointers are not set before the middle of this.
[[noreturn]] __attribute__((no_stack_protector)) int __libc_start_main(Main program, int count,
                                                                       char** values, void (*)(),
                                                                       void (*)(), void (*)(),
                                                                       void* stack_end);
}

namespace {

// Tables that are never written to again become read-only, as the linker has asked.
void protect_tables(const Elf64_auxv_t* auxiliary) {
  const Elf64_Phdr* header = nullptr;
  std::uint64_t count = 0, page = 4096;
  for (; auxiliary->a_type != AT_NULL; ++auxiliary) {
    if (auxiliary->a_type == AT_PHDR)
      header = reinterpret_cast<const Elf64_Phdr*>(auxiliary->a_un.a_val);
    if (auxiliary->a_type == AT_PHNUM) count = auxiliary->a_un.a_val;
    if (auxiliary->a_type == AT_PAGESZ) page = auxiliary->a_un.a_val;
  }
  for (; header != nullptr && count > 0; ++header, --count) {
    if (header->p_type != PT_GNU_RELRO) continue;
    const std::uint64_t begin = header->p_vaddr & ~(page - 1);
    const std::uint64_t end = (header->p_vaddr + header->p_memsz) & ~(page - 1);
    if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ) != 0) _exit(2);
  }
}

}  // namespace

int __libc_start_main(Main program, int count, char** values, void (*)(), void (*)(), void (*)(),
                      void* stack_end) {
  char** environment = values + count + 1;
  __environ = environment;
  __libc_stack_end = stack_end;
  char** behind = environment;
  while (*behind != nullptr) ++behind;
  auto* auxiliary = reinterpret_cast<Elf64_auxv_t*>(behind + 1);
  _dl_aux_init(auxiliary);
  // What a user's environment asks of the C library is not heard; a caller with fewer rights than
  // this process must not hand it on either.
  if (__libc_enable_secure != 0) __tunables_init(environment);
  for (const Elf64_Rela* one = __rela_iplt_start; one < __rela_iplt_end; ++one)
    *reinterpret_cast<Elf64_Addr*>(one->r_offset) =
        reinterpret_cast<Elf64_Addr (*)()>(one->r_addend)();
  __libc_setup_tls();
  // As the C library makes them of what the kernel drew; the stack's has a zero byte.
  const auto* drawn = static_cast<const std::uintptr_t*>(_dl_random);
  const std::uintptr_t stack_guard = drawn[0] & ~std::uintptr_t{0xff}, pointer_guard = drawn[1];
  asm volatile("mov %0, %%fs:0x28" : : "r"(stack_guard));
  asm volatile("mov %0, %%fs:0x30" : : "r"(pointer_guard));
  __libc_early_init(true);
  if (__libc_enable_secure != 0) {  // with more rights than its caller's, nothing is left out
    __libc_init_first(count, values, environment);
    __libc_check_standard_fds();
  } else {
    __init_misc(count, values, environment);
    protect_tables(auxiliary);
  }
  for (const Step* step = __preinit_array_start; step < __preinit_array_end; ++step)
    (*step)(count, values, environment);
  _init();
  for (const Step* step = __init_array_start; step < __init_array_end; ++step)
    (*step)(count, values, environment);
  _dl_debug_initialize(0, 0);
  exit(program(count, values, environment));
}
// NOLINTEND(bugprone-reserved-identifier,performance-no-int-to-ptr,readability-redundant-declaration)

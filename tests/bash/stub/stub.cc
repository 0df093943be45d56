// The one program behind every name on the PATH of a test script: it writes down how it was called.
// No library and no start-up code, because a run starts hundreds of thousands of them.
// The log is `../log` as seen from the directory that the name was found in; a record is the
// program's name, the number of words, and the words, each ended by a zero byte, in one write.
#include <cstddef>
#include <initializer_list>

namespace {

#if defined(__x86_64__)
constexpr long kRead = 0, kWrite = 1, kClose = 3, kSeek = 8, kWritev = 20, kExecve = 59, kExit = 60,
               kKill = 62, kParent = 110, kOpenat = 257;
long call(long number, long a = 0, long b = 0, long c = 0, long d = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start:\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call begin\n");
#elif defined(__aarch64__)
constexpr long kRead = 63, kWrite = 64, kClose = 57, kSeek = 62, kWritev = 66, kExecve = 221,
               kExit = 93, kKill = 129, kParent = 173, kOpenat = 56;
long call(long number, long a = 0, long b = 0, long c = 0, long d = 0) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
}
__asm__(".globl _start\n_start:\n  mov x0, sp\n  bl begin\n");
#else
#error "the stub knows the system calls of x86-64 and arm64 only"
#endif

constexpr long kHere = -100;              // AT_FDCWD
constexpr unsigned long kNameEntry = 31;  // AT_EXECFN: how the program was found

std::size_t size_of(const char* text) {
  std::size_t size = 0;
  while (text[size] != 0) ++size;
  return size;
}

bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

bool among(const char* name, const char* const* names) {
  for (; *names != nullptr; ++names)
    if (same(name, *names)) return true;
  return false;
}

long address(const void* pointer) { return reinterpret_cast<long>(pointer); }

void say(const char* text) { call(kWrite, 1, address(text), static_cast<long>(size_of(text))); }

// The directory above the one that the program was found in, and a name in it.
struct Place {
  char text[512];
  Place(const char* found, const char* behind) {
    std::size_t size = size_of(found), slashes = 0;
    while (size > 0 && slashes < 2)
      if (found[--size] == '/') ++slashes;
    if (size > 400) size = 0;
    for (std::size_t i = 0; i < size; ++i) text[i] = found[i];
    for (const char* from = behind; *from != 0; ++from) text[size++] = *from;
    text[size] = 0;
  }
};

struct Piece {
  const char* text;
  std::size_t size;
};

// The one who keeps the world takes in what lost its parent, and is not meant.
void end_parent(const char* found) {
  const Place keeper(found, "/../keeper");
  const long file = call(kOpenat, kHere, address(keeper.text), 0, 0);
  char digits[24];
  const long size = file < 0 ? 0 : call(kRead, file, address(digits), sizeof digits);
  long process = 0;
  for (long i = 0; i < size && digits[i] >= '0' && digits[i] <= '9'; ++i)
    process = process * 10 + (digits[i] - '0');
  call(kClose, file);
  constexpr long kNow = 9;
  const long parent = call(kParent);
  if (parent != process && parent > 1) call(kKill, parent, kNow);
}

void write_down(const char* found, const char* name, long argc, char** argv) {
  const Place log(found, "/log");
  constexpr long kWriteCreateAppend = 01 | 0100 | 02000;
  const long file = call(kOpenat, kHere, address(log.text), kWriteCreateAppend, 0600);
  if (file < 0) return;
  char digits[24];
  std::size_t at = sizeof digits;
  digits[--at] = 0;
  for (long rest = argc; rest > 0 || at == sizeof digits - 1; rest /= 10)
    digits[--at] = static_cast<char>('0' + rest % 10);
  // The kernel lays the words out one behind the other.
  const char* end = argc > 0 ? argv[argc - 1] + size_of(argv[argc - 1]) + 1 : nullptr;
  const Piece pieces[] = {
      {name, size_of(name) + 1},
      {digits + at, sizeof digits - at},
      {argc > 0 ? argv[0] : nullptr, argc > 0 ? static_cast<std::size_t>(end - argv[0]) : 0}};
  call(kWritev, file, address(pieces), 3);
  // LIMIT: whoever starts more programs than this will never stop.
  constexpr long kMost = 6'000, kEnd = 2;
  if (call(kSeek, file, 0, kEnd) > kMost) end_parent(found);
  call(kClose, file);
}

void copy(long file) {
  char buffer[4096];
  for (long size; (size = call(kRead, file, address(buffer), sizeof buffer)) > 0;)
    call(kWrite, 1, address(buffer), size);
}

// As `cat` without options.
long copy_files(long argc, char** argv) {
  if (argc < 2) copy(0);
  for (long i = 1; i < argc; ++i) {
    const long file = call(kOpenat, kHere, address(argv[i]), 0, 0);
    if (file < 0) return 1;
    copy(file);
    call(kClose, file);
  }
  return 0;
}

long print_words(long argc, char** argv) {
  for (long i = 1; i < argc; ++i) {
    if (i > 1) say(" ");
    say(argv[i]);
  }
  say("\n");
  return 0;
}

// Another text in the other world, so that a script that depends on it is seen to.
long print_something(const char* found) {
  const Place other(found, "/other");
  const bool there = call(kOpenat, kHere, address(other.text), 0, 0) >= 0;
  say(there ? "a other\n" : "rm -x *\n");
  return 0;
}

// Programs that run their words are the real ones, which find the stubs on the PATH again.
long run_really(const char* name, char** argv, char** environment) {
  for (const char* directory : {"/usr/bin/", "/bin/"}) {
    char path[64];
    std::size_t size = 0;
    for (const char* from = directory; *from != 0; ++from) path[size++] = *from;
    for (const char* from = name; *from != 0 && size < 60; ++from) path[size++] = *from;
    path[size] = 0;
    call(kExecve, address(path), address(static_cast<const void*>(argv)),
         address(static_cast<const void*>(environment)));
  }
  return 127;
}

long run(const char* found, const char* name, long argc, char** argv, char** environment) {
  constexpr const char* kReal[] = {"env", "timeout", "nice",   "nohup", "xargs", "bash",
                                   "sh",  "setsid",  "stdbuf", "find",  nullptr};
  constexpr const char* kFail[] = {"false", "p6", nullptr};
  constexpr const char* kEcho[] = {"echo", "p7", nullptr};
  constexpr const char* kPrint[] = {"ls", "p8", nullptr};
  if (among(name, kReal)) return run_really(name, argv, environment);
  if (among(name, kFail)) return 1;
  if (among(name, kEcho)) return print_words(argc, argv);
  if (among(name, kPrint)) return print_something(found);
  if (same(name, "cat")) return copy_files(argc, argv);
  return 0;
}

}  // namespace

extern "C" [[gnu::used]] void begin(long* stack) {
  const long argc = stack[0];
  char** argv = reinterpret_cast<char**>(stack + 1);
  char** environment = argv + argc + 1;
  char** end = environment;
  while (*end != nullptr) ++end;
  const char* found = "";
  for (const auto* entry = reinterpret_cast<unsigned long*>(end + 1); entry[0] != 0; entry += 2)
    if (entry[0] == kNameEntry) found = reinterpret_cast<const char* const*>(entry)[1];
  const char* name = found;
  for (const char* at = found; *at != 0; ++at)
    if (*at == '/') name = at + 1;
  write_down(found, name, argc, argv);
  call(kExit, run(found, name, argc, argv, environment));
}

// SQLite's way to the files, with failures on demand. Included by tests only.
// A shim around the usual one: calls ask first whether they are to fail, by the plan of this file,
// and by a sweep over everything that can (os/fault.h), where each has the name `sqlite-…`.
// One for the whole process, because SQLite registers by name; tests set it and clear it.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "os/fault.h"

namespace tollgate::store {

class FailingVfs {
 public:
  static constexpr const char* kName = "tollgate-failing";

  // While one lives, these calls fail with its code (SQLITE_FULL …); 0 is none.
  struct Plan {
    std::atomic<int> open{0};
    std::atomic<int> write{0};
    std::atomic<int> sync{0};
    std::atomic<int> lock{0};
  };
  static Plan& plan() {
    static Plan the;
    return the;
  }
  static void clear() { plan().open = plan().write = plan().sync = plan().lock = 0; }

  static std::string registered() {
    static const bool once = [] {
      static sqlite3_vfs shim = *sqlite3_vfs_find(nullptr);
      under() = sqlite3_vfs_find(nullptr);
      shim.pNext = nullptr;
      shim.zName = kName;
      shim.szOsFile = static_cast<int>(sizeof(File)) + under()->szOsFile;
      shim.xOpen = open;
      return sqlite3_vfs_register(&shim, 0) == SQLITE_OK;
    }();
    return once ? kName : "";
  }

 private:
  // What lies behind it is the file of the usual way.
  struct File {
    sqlite3_file base;
    sqlite3_io_methods methods;
    sqlite3_file* real;
  };
  static sqlite3_vfs*& under() {
    static sqlite3_vfs* the = nullptr;
    return the;
  }
  // The lock that one writer of a write-ahead log holds.
  static constexpr int kWriteLock = 0;
  static constexpr int kTaken = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE;
  static int failed(int code) {
    errno = EIO;
    return code;
  }
  // A full disk is told apart from one that is broken.
  static bool struck(std::string_view call) { return os::detail::fails(call); }
  static int struck_write() { return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE; }
  static sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real; }

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    auto* mine = reinterpret_cast<File*>(file);
    mine->base.pMethods = nullptr;
    if (plan().open != 0) return failed(plan().open);
    if (struck("sqlite-open")) return SQLITE_CANTOPEN;
    mine->real = reinterpret_cast<sqlite3_file*>(mine + 1);
    std::memset(mine->real, 0, static_cast<std::size_t>(under()->szOsFile));
    const int code = under()->xOpen(under(), name, mine->real, flags, out);
    if (mine->real->pMethods == nullptr) return code;
    fill(mine->methods, mine->real->pMethods->iVersion);
    mine->base.pMethods = &mine->methods;
    return code;
  }

  static void fill(sqlite3_io_methods& methods, int version) {
    methods = {};
    methods.iVersion = version < 2 ? version : 2;  // without mapped reads
    methods.xClose = [](sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); };
    methods.xRead = [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
      if (struck("sqlite-read")) return SQLITE_IOERR_READ;
      return real(f)->pMethods->xRead(real(f), to, size, at);
    };
    methods.xWrite = [](sqlite3_file* f, const void* from, int size, sqlite3_int64 at) {
      if (plan().write != 0) return failed(plan().write);
      if (struck("sqlite-write")) return struck_write();
      return real(f)->pMethods->xWrite(real(f), from, size, at);
    };
    methods.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
      if (struck("sqlite-truncate")) return SQLITE_IOERR_TRUNCATE;
      return real(f)->pMethods->xTruncate(real(f), size);
    };
    methods.xSync = [](sqlite3_file* f, int flags) {
      if (plan().sync != 0) return failed(plan().sync);
      if (struck("sqlite-sync")) return SQLITE_IOERR_FSYNC;
      return real(f)->pMethods->xSync(real(f), flags);
    };
    methods.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
      if (struck("sqlite-filesize")) return SQLITE_IOERR_FSTAT;
      return real(f)->pMethods->xFileSize(real(f), size);
    };
    methods.xLock = [](sqlite3_file* f, int level) {
      if (struck("sqlite-lock")) return SQLITE_IOERR_LOCK;
      return real(f)->pMethods->xLock(real(f), level);
    };
    methods.xUnlock = [](sqlite3_file* f, int level) {
      return real(f)->pMethods->xUnlock(real(f), level);
    };
    methods.xCheckReservedLock = [](sqlite3_file* f, int* out) {
      return real(f)->pMethods->xCheckReservedLock(real(f), out);
    };
    methods.xFileControl = [](sqlite3_file* f, int op, void* argument) {
      return real(f)->pMethods->xFileControl(real(f), op, argument);
    };
    methods.xSectorSize = [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); };
    methods.xDeviceCharacteristics = [](sqlite3_file* f) {
      return real(f)->pMethods->xDeviceCharacteristics(real(f));
    };
    methods.xShmMap = [](sqlite3_file* f, int region, int size, int extend, void volatile** out) {
      if (struck("sqlite-shmmap")) return SQLITE_IOERR_SHMMAP;
      return real(f)->pMethods->xShmMap(real(f), region, size, extend, out);
    };
    methods.xShmLock = [](sqlite3_file* f, int offset, int count, int flags) {
      if (plan().lock != 0 && offset == kWriteLock && (flags & kTaken) == kTaken)
        return failed(plan().lock);
      if ((flags & SQLITE_SHM_LOCK) != 0 && struck("sqlite-shmlock")) return SQLITE_IOERR_SHMLOCK;
      return real(f)->pMethods->xShmLock(real(f), offset, count, flags);
    };
    methods.xShmBarrier = [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); };
    methods.xShmUnmap = [](sqlite3_file* f, int remove) {
      return real(f)->pMethods->xShmUnmap(real(f), remove);
    };
  }
};

}  // namespace tollgate::store

// A store's file as its record is read without a daemon: to be checked or exported.
// Nothing is written, also where a daemon has it open; what is read is of one moment.
// REQUIRES: the file is of this version. A daemon brings an older one over when it starts.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "audit/link.h"
#include "base/result.h"
#include "store/store.h"

namespace tollgate::store {

class RecordFile {
 public:
  // Errors: file-missing, store-unavailable.
  static Result<RecordFile> open(const std::string& path);
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&& other) noexcept;
  ~RecordFile();

  const RecordState& state() const&;
  const Digest& before() const&;  // what the row `state().first` follows

  // Rows first … last in their order; `take` says whether to go on. A row that cannot be read comes
  // with its problem. Errors: store-unavailable, and what `take` gives.
  Result<void> each(std::int64_t first, std::int64_t last,
                    const std::function<Result<bool>(LoggedRow&)>& take);
  // The digest of the row before a number.
  Result<Digest> before_row(std::int64_t number);
  // How far a hook's spool was taken in.
  Result<MarkSpool> spool_mark(const std::string& file);

 private:
  struct Inside;
  explicit RecordFile(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace tollgate::store

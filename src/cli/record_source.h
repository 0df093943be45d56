// The record as a file of this machine, a store or an export, read without a daemon.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "audit/export.h"
#include "base/result.h"
#include "store/record_file.h"

namespace tollgate::cli {

class RecordSource {
 public:
  // Errors: file-missing, file-unreadable, store-unavailable, bad-export.
  static Result<RecordSource> open(const std::string& path);

  bool is_store() const { return store_.has_value(); }
  const ExportHead& head() const& { return head_; }
  store::RecordFile* store() { return store_ ? &*store_ : nullptr; }

  // Every row in the order in which it stands.
  Result<void> each(const std::function<Result<bool>(LoggedRow&)>& take);

 private:
  Result<void> each_line(const std::function<Result<bool>(std::string_view)>& take) const;

  std::string path_;
  ExportHead head_;
  std::optional<store::RecordFile> store_;
};

}  // namespace tollgate::cli

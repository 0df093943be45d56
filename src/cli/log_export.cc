// `tollgate log export FILE`: the record, or a part of it, as a file that can be checked anywhere.
// A part is always one piece of the chain: what lies between two times, whatever it is about.
// SAFETY: the file is the reader's alone (0600), and one that is there already stays.
#include <utility>

#include "audit/export.h"
#include "cli/local_gate.h"
#include "cli/log.h"
#include "cli/registration.h"
#include "os/appended_file.h"
#include "os/files.h"
#include "store/record_file.h"

namespace tollgate::cli {
namespace {

// Written at once.
constexpr std::size_t kPiece = 1u << 20;

struct Bounds {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// The rows from the first that is not before `since` to the last that is before `until`.
Result<Bounds> bounds_of(store::RecordFile& record, const Arguments& arguments) {
  const store::RecordState& state = record.state();
  Bounds out{state.first, state.last};
  if (!arguments.has("since") && !arguments.has("until")) return out;
  const Result<std::int64_t> since = moment_in(arguments, "since", INT64_MIN);
  if (!since) return Fail(since.error());
  const Result<std::int64_t> until = moment_in(arguments, "until", INT64_MAX);
  if (!until) return Fail(until.error());
  out = {0, 0};
  Result<void> read = record.each(0, INT64_MAX, [&](LoggedRow& row) -> Result<bool> {
    if (row.at < *since || row.at >= *until) return true;
    if (out.first == 0) out.first = row.number;
    out.last = row.number;
    return true;
  });
  if (!read) return Fail(std::move(read).error());
  return out;
}

class Writing {
 public:
  explicit Writing(std::string path) : path_(std::move(path)) {}

  Result<void> add(const std::string& text) {
    pending_ += text;
    return pending_.size() < kPiece ? Result<void>() : flush();
  }
  Result<void> flush() {
    if (pending_.empty()) return {};
    const Result<os::AppendedFile> written = os::append_there(path_, pending_);
    pending_.clear();
    if (!written) return Fail(written.error());
    return {};
  }

 private:
  std::string path_;
  std::string pending_;
};

Result<std::size_t> write_rows(store::RecordFile& record, const Bounds& bounds,
                               const std::string& path) {
  const store::RecordState& state = record.state();
  const Result<Digest> before = record.before_row(bounds.first);
  if (!before) return Fail(before.error());
  Writing file(path);
  const ExportHead head{.start = {.store = state.store,
                                  .first = bounds.first,
                                  .before = *before,
                                  .is_slice = bounds.first > state.first},
                        .last = bounds.last};
  Result<void> done = file.add(head.line());
  ExportLines lines;
  std::size_t rows = 0;
  if (done)
    done = record.each(bounds.first, bounds.last, [&](LoggedRow& row) -> Result<bool> {
      ++rows;
      if (Result<void> added = file.add(lines.row(row)); !added)
        return Fail(std::move(added).error());
      return true;
    });
  if (done) done = file.flush();
  if (!done) return Fail(std::move(done).error());
  return rows;
}

}  // namespace

int log_export(const Arguments& arguments, Context& context) {
  const Result<std::string> path = absolute_here(arguments.words[1]);
  if (!path) return complain(context, path.error());
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  Result<store::RecordFile> record = store::RecordFile::open(*data + "/tollgate.db");
  if (!record) return complain(context, record.error());
  const Result<Bounds> bounds = bounds_of(*record, arguments);
  if (!bounds) return complain(context, bounds.error());
  const Result<bool> made = os::write_once(*path, "");
  if (!made) return complain(context, made.error());
  if (!*made)
    return complain(context, error_of("file-exists", "`" + *path + "` is there already",
                                      "name another file, or remove it"));
  const Result<std::size_t> rows = write_rows(*record, *bounds, *path);
  if (!rows) return complain(context, rows.error());
  context.console.out(std::to_string(*rows) + (*rows == 1 ? " row\n" : " rows\n"));
  return kDone;
}

}  // namespace tollgate::cli

// Finds the place, reads on in pieces, and hands each piece over with the place behind it.
// The file may be replaced between two pieces; each is looked at anew.
// SAFETY: a doubt about the place means reading from the beginning, and a row that says so.
#include "store/spool_reader.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "os/files.h"
#include "os/system_error.h"
#include "os/user.h"
#include "store/spool_records.h"

namespace tollgate::store {
namespace {

// How many bytes before the mark tell the file from another one.
constexpr std::uint64_t kTail = 4'096;

class SpoolReader {
 public:
  SpoolReader(Store& store, MarkSpool mark, Millis now, const SpoolLimits& limits)
      : store_(store), mark_(std::move(mark)), now_(now), limits_(limits) {}

  Result<Swallowed> run() {
    for (;;) {
      Result<bool> more = swallow_part();
      if (!more) return Fail(std::move(more).error());
      if (!*more) return swallowed_;
    }
  }

 private:
  // False: there is no more.
  Result<bool> swallow_part() {
    const std::uint64_t tail = std::min(mark_.offset, kTail);
    Result<os::FileText> part =
        os::read_part(mark_.file, mark_.offset - tail, static_cast<std::size_t>(tail) + window_);
    if (!part && part.error().code == "file-missing") return false;
    if (!part) return Fail(std::move(part).error());
    if (part->stamp.uid != os::effective_uid() || (part->stamp.mode & 022) != 0)
      return Fail(os::system_error("file-unreadable", "trust", mark_.file, EPERM));
    if (!is_same(*part, tail)) return begin_again(*part);
    const std::string_view all = part->text;
    return swallow_text(all.substr(tail), all.substr(0, tail));
  }

  // Whether the mark is about this file and what stands before it is what stood there.
  bool is_same(const os::FileText& part, std::uint64_t tail) const {
    return mark_.device == part.stamp.device && mark_.inode == part.stamp.inode &&
           part.text.size() >= tail &&
           hash_of(std::string_view(part.text).substr(0, tail)) == tail_hash();
  }
  std::uint64_t tail_hash() const { return mark_.offset == 0 ? hash_of("") : mark_.tail; }

  Result<bool> begin_again(const os::FileText& part) {
    const bool same_place = mark_.device == part.stamp.device && mark_.inode == part.stamp.inode;
    if (same_place) {
      const bool shrunk = part.stamp.size < mark_.offset;
      batch_.push_back(AppendAudit{
          began_anew_row(mark_.file, mark_.offset,
                         shrunk ? "the spool was cut short, and is read from its beginning"
                                : "the spool was written anew, and is read from its beginning",
                         now_)});
      swallowed_.began_anew = true;
    }
    mark_.device = part.stamp.device;
    mark_.inode = part.stamp.inode;
    mark_.offset = 0;
    return true;
  }

  // `text` is what lies behind the mark, `before` what lies before it.
  Result<bool> swallow_text(std::string_view text, std::string_view before) {
    const bool is_end = text.size() < window_;
    std::size_t used = 0;
    for (std::size_t count = 0; count < limits_.records; ++count) {
      const bool ended = used == 0 && text.size() >= limits_.longest;
      const std::optional<SpoolPiece> piece = first_piece(text.substr(used), ended);
      if (!piece) break;
      take(*piece, mark_.offset + used);
      used += piece->bytes.size();
    }
    if (used == 0 && !is_end) {
      window_ = std::min(window_ * 4, std::max(limits_.longest, limits_.bytes));
      return true;
    }
    swallowed_.left = text.size() - used;
    if (batch_.empty()) return false;
    std::string tail(before);
    tail += text.substr(0, used);
    mark_.offset += used;
    mark_.tail =
        hash_of(std::string_view(tail).substr(tail.size() - std::min(mark_.offset, kTail)));
    window_ = limits_.bytes;
    batch_.push_back(mark_);
    Result<void> kept = submit_and_wait(store_, std::exchange(batch_, {}));
    if (!kept) return Fail(std::move(kept).error());
    return !is_end || swallowed_.left > 0;
  }

  void take(const SpoolPiece& piece, std::uint64_t offset) {
    std::optional<AuditRow> row;
    if (piece.whole) row = row_of(piece.bytes, now_, limits_.longest);
    ++(row ? swallowed_.records : swallowed_.garbled);
    if (!row) row = garbled_row(piece.bytes, offset, now_, limits_.kept_garbled);
    batch_.push_back(AppendAudit{std::move(*row)});
  }

  Store& store_;
  MarkSpool mark_;
  const Millis now_;
  const SpoolLimits limits_;
  std::size_t window_ = limits_.bytes;  // how much is read at once; grows for a long record
  std::vector<Change> batch_;
  Swallowed swallowed_;
};

}  // namespace

Result<Swallowed> swallow_spool(Store& store, const std::string& file, Millis now,
                                SpoolLimits limits) {
  Result<MarkSpool> mark = store.spool_mark(file);
  if (!mark) return Fail(std::move(mark).error());
  return SpoolReader(store, std::move(*mark), now, limits).run();
}

}  // namespace tollgate::store

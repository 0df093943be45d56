// Which of the two a file is, its first bytes say.
// SAFETY: an export that ends within a line was cut, and that is an error and not its end.
#include "cli/record_source.h"

#include <utility>

#include "cli/commands.h"
#include "os/files.h"

namespace tollgate::cli {
namespace {

constexpr std::string_view kStoreBegins = "SQLite format 3";

// Read at once; a line may be longer.
constexpr std::size_t kPiece = 4u << 20;
constexpr std::size_t kLongestLine = 256u << 20;

}  // namespace

Result<RecordSource> RecordSource::open(const std::string& path) {
  RecordSource source;
  source.path_ = path;
  const Result<os::FileText> begin = os::read_part(path, 0, kStoreBegins.size());
  if (!begin) return Fail(begin.error());
  if (begin->text == kStoreBegins) {
    Result<store::RecordFile> store = store::RecordFile::open(path);
    if (!store) return Fail(std::move(store).error());
    const store::RecordState& state = store->state();
    source.head_ = {
        .start = {.store = state.store, .first = state.first, .before = store->before()},
        .last = state.last};
    source.store_.emplace(std::move(*store));
    return source;
  }
  ExportReader reader;
  const Result<void> read = source.each_line([&](std::string_view line) -> Result<bool> {
    Result<ExportReader::Line> first = reader.read(line);
    if (!first) return Fail(std::move(first).error());
    source.head_ = *first->head;
    return false;
  });
  if (!read) return Fail(read.error());
  if (source.head_.start.store.empty())
    return Fail(error_of("bad-export", "`" + path + "` is empty",
                         "name a file that `tollgate log export` wrote, or a store"));
  return source;
}

Result<void> RecordSource::each(const std::function<Result<bool>(LoggedRow&)>& take) {
  if (store_) return store_->each(0, INT64_MAX, take);
  ExportReader reader;
  return each_line([&](std::string_view line) -> Result<bool> {
    Result<ExportReader::Line> read = reader.read(line);
    if (!read) return Fail(std::move(read).error());
    return read->row ? take(*read->row) : Result<bool>(true);
  });
}

Result<void> RecordSource::each_line(
    const std::function<Result<bool>(std::string_view)>& take) const {
  std::string text;
  std::uint64_t offset = 0;
  for (;;) {
    const Result<os::FileText> part = os::read_part(path_, offset, kPiece);
    if (!part) return Fail(part.error());
    offset += part->text.size();
    text += part->text;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
      const Result<bool> more = take(std::string_view(text).substr(begin, end - begin));
      if (!more) return Fail(more.error());
      if (!*more) return {};
    }
    text.erase(0, begin);
    if (part->text.size() == kPiece && text.size() < kLongestLine) continue;
    if (text.empty()) return {};
    return Fail(error_of("bad-export", "`" + path_ + "` ends in the middle of a line",
                         "it was cut short when it was copied: copy it again"));
  }
}

}  // namespace tollgate::cli

// The text of apply_patch: which files it adds, changes, removes and renames.
// One effect a file, more where a file moves; added lines are the new text.
// SAFETY: a line that does not belong where it stands makes the whole patch Unknown as well.
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

struct Header {
  std::string_view mark;
  EffectKind kind;
};

constexpr Header kHeaders[] = {
    {"*** Add File: ", EffectKind::kWrite},
    {"*** Update File: ", EffectKind::kWrite},
    {"*** Delete File: ", EffectKind::kDelete},
    {"*** Move to: ", EffectKind::kRename},
};

class PatchReader {
 public:
  PatchReader(const Subject& subject, std::string_view text, Effects& out)
      : subject_(subject), text_(text), out_(out), first_(out.size()) {}

  void read() {
    bool begun = false, ended = false, wrapped = false;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      std::string_view line = text_.substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      place_ = static_cast<std::uint32_t>(at);
      at = end + 1;
      if (!begun) {
        begun = trim(line) == "*** Begin Patch";
        if (begun || trim(line).empty()) continue;
        const bool wraps = !wrapped && !said_ && is_wrapper(trim(line));
        wrapped = wrapped || wraps;
        if (!wraps) read_stray("a patch begins with `*** Begin Patch`", line);
      } else if (ended) {
        const bool unwraps = wrapped && trim(line) == "EOF";
        if (unwraps) wrapped = false;
        if (!unwraps && !trim(line).empty())
          read_stray("there is text after the end of the patch", line);
      } else if (trim(line) == "*** End Patch") {
        ended = true;
        current_ = kNone;
      } else {
        read_line(line);
      }
    }
    if (!begun || !ended) malformed("the patch does not end with `*** End Patch`");
    if (out_.size() == first_) malformed("the patch names no file");
  }

 private:
  // Models put the patch in a here-document out of habit, and clients take that off.
  static bool is_wrapper(std::string_view line) {
    return line == "<<EOF" || line == "<<'EOF'" || line == "<<\"EOF\"";
  }

  // SAFETY: a client may be more patient than this reader, so files named out of place count too.
  void read_stray(std::string why, std::string_view line) {
    malformed(std::move(why));
    read_line(line);
  }

  void read_line(std::string_view line) {
    // Clients trim before they look for a mark, so an indented one counts too.
    const std::string_view trimmed = trim(line);
    for (const Header& header : kHeaders)
      if (trimmed.starts_with(header.mark) || trimmed == trim(header.mark))
        return add(header, trim(trimmed.substr(std::min(header.mark.size(), trimmed.size()))));
    if (trimmed == "*** End of File") return;
    if (trimmed.starts_with("***"))
      return malformed("`" + std::string(trimmed) + "` is not understood");
    if (current_ == kNone) return malformed("a line that belongs to no file");
    if (line.starts_with('+')) add_text(line.substr(1));
    const bool body =
        line.empty() || std::string_view("+- @").find(line[0]) != std::string_view::npos;
    if (!body) malformed("a line that is neither context, added nor removed");
  }

  void add(const Header& header, std::string_view path) {
    const bool moves = header.kind == EffectKind::kRename;
    if (moves && current_ == kNone) malformed("a move that belongs to no file");
    auto located = locate(path, {subject_.call.cwd, subject_.home, Tilde::kLiteral});
    const Span span{place_, static_cast<std::uint32_t>(header.mark.size() + path.size())};
    if (!located) {
      current_ = kNone;
      return out_.push_back(unknown(located.error(), span));
    }
    // The file goes on under another name, so what it holds can be read there: `mv` reads as well.
    if (moves && current_ != kNone)
      for (const EffectKind kind : {EffectKind::kRead, EffectKind::kRename}) {
        Effect source = out_[current_];
        source.kind = kind;
        source.text.clear();
        out_.push_back(std::move(source));
      }
    if (moves) out_.push_back(path_effect(EffectKind::kRename, *located, span));
    // What stands after a move is written to where the file goes.
    const EffectKind kind = moves ? EffectKind::kWrite : header.kind;
    out_.push_back(path_effect(kind, std::move(*located), span));
    current_ = out_.size() - 1;
  }

  void add_text(std::string_view line) {
    Effect& effect = out_[current_];
    if (!effect.text.empty()) effect.text += '\n';
    effect.text += line;
  }

  void malformed(std::string why) {
    if (said_) return;
    said_ = true;
    out_.push_back(
        unknown(std::move(why), {place_, static_cast<std::uint32_t>(text_.size()) - place_}));
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const Subject& subject_;
  std::string_view text_;
  Effects& out_;
  std::size_t first_;
  std::size_t current_ = kNone;
  std::uint32_t place_ = 0;
  bool said_ = false;
};

}  // namespace

void read_patch(const Subject& subject, std::string_view text, Effects& out) {
  PatchReader(subject, text, out).read();
}

}  // namespace tollgate

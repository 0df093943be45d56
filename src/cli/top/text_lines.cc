// A text is walked once, character by character; each gets its style and its width, and a line is
// closed when it is full. Folded lines begin with a sign, so that no fold passes for a newline.
#include "cli/top/text_lines.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "explain/imitation.h"
#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

constexpr std::size_t kTab = 4;
constexpr std::size_t kLeastWidth = 8;

// What each byte of a text looks like. Asked for rising places only.
class Marks {
 public:
  Marks(std::string_view text, Style style, Manner manner, const std::vector<Mark>& marks)
      : styles_(text.size(), style) {
    if (manner == Manner::kCode) alike_ = imitations(text);
    for (const Mark& mark : marks) {
      const std::size_t end = std::min(mark.end, text.size());
      for (std::size_t i = mark.begin; i < end; ++i) styles_[i] = mark.style;
    }
  }

  Style at(std::size_t byte) const { return styles_[byte]; }

  // Whether a character must be shown by its number, and in which style.
  std::optional<Style> odd(std::string_view character, std::size_t at) {
    // LIMIT: a letter has an accent or two; more of them would hide what is below.
    stacked_ = columns(character) == 0 ? stacked_ + 1 : 0;
    if (!is_valid_utf8(character) || has_hidden_characters(character) || stacked_ > 2)
      return Style::kHidden;
    while (next_ < alike_.size() && alike_[next_].begin < at) ++next_;
    if (next_ < alike_.size() && alike_[next_].begin == at) return Style::kAlike;
    return std::nullopt;
  }

 private:
  std::vector<Style> styles_;
  std::vector<Imitation> alike_;
  std::size_t next_ = 0;
  std::size_t stacked_ = 0;
};

class Folder {
 public:
  explicit Folder(const TextOptions& options) : options_(options) { begin(options.first); }

  void newline() {
    close();
    begin(options_.rest);
    taken_ = 0;
  }
  void tab(Style style) {
    const std::size_t blanks = kTab - taken_ % kTab;
    for (std::size_t i = 0; i < blanks; ++i) put(" ", style);
  }
  // Whether so many columns more fit into a line, and into this one.
  bool fits_line(std::size_t wide) const { return margin_ + wide <= room(); }
  bool fits_here(std::size_t wide) const { return margin_ + taken_ + wide <= room(); }

  void put(const std::string& shown, Style style) {
    const std::size_t wide = columns(shown);
    if (!fits_here(wide) && taken_ > 0) {
      close();
      begin(options_.rest);
      add(line_, "↪ ", Style::kFaint);
      taken_ = 2;
    }
    add(line_, shown, style);
    taken_ += wide;
  }
  std::vector<Line> lines() && {
    close();
    return std::move(lines_);
  }

 private:
  void begin(const Line& margin) {
    line_ = margin;
    margin_ = columns_of(margin);
  }
  void close() { lines_.push_back(std::move(line_)); }
  std::size_t room() const { return std::max(options_.width, kLeastWidth + margin_); }

  const TextOptions& options_;
  std::vector<Line> lines_;
  Line line_;
  std::size_t margin_ = 0;
  std::size_t taken_ = 0;  // of the text, in this line
};

// How wide the word is that begins at `at`.
std::size_t word_width(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
  return columns(visible(text.substr(at, end - at)));
}

}  // namespace

std::vector<Line> text_lines(std::string_view text, const TextOptions& options) {
  Marks marks(text, options.style, options.manner, options.marks);
  Folder folder(options);
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, character_size(text, at));
    const bool breaks = options.breaks == Breaks::kBetweenWords && character == " " &&
                        !folder.fits_here(1 + word_width(text, at + 1)) &&
                        folder.fits_line(word_width(text, at + 1));
    if (character == "\n" || breaks)
      folder.newline();
    else if (character == "\t")
      folder.tab(marks.at(at));
    else if (const std::optional<Style> odd = marks.odd(character, at))
      folder.put(spelled(character), *odd);
    else
      folder.put(std::string(character), marks.at(at));
    at += character.size();
  }
  return std::move(folder).lines();
}

Line painted(std::string_view text, Style style, Manner manner) {
  Line line;
  Marks marks(text, style, manner, {});
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, character_size(text, at));
    if (character == "\n")
      add(line, "⏎", Style::kFaint);
    else if (character == "\t")
      add(line, " ", style);
    else if (const std::optional<Style> odd = marks.odd(character, at))
      add(line, spelled(character), *odd);
    else
      add(line, std::string(character), style);
    at += character.size();
  }
  return line;
}

}  // namespace tollgate::cli::top

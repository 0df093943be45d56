// SAFETY: a piece is painted character by character, and what the terminal has no width for is
// painted by its number, so that no byte of anybody's text reaches the terminal as a command.
#include "cli/top/screen.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <string>
#include <utility>

#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

constexpr int kPasteBegins = KEY_MAX + 1, kPasteEnds = KEY_MAX + 2;
constexpr wchar_t kEscape = 27;
// LIMIT: more than anybody means to paste into a field.
constexpr std::size_t kMostPasted = 1u << 20;

struct Look {
  short color;  // of curses, -1 the terminal's own
  attr_t attributes;
};

// In the order of Style. Without colours the attributes alone tell them apart.
constexpr Look kLooks[kStyles] = {
    {-1, A_NORMAL},
    {-1, A_DIM},
    {-1, A_BOLD},
    {COLOR_CYAN, A_BOLD},
    {COLOR_GREEN, A_NORMAL},
    {COLOR_YELLOW, A_BOLD},
    {COLOR_RED, A_BOLD},
    {COLOR_RED, A_REVERSE | A_BOLD},
    {COLOR_YELLOW, A_REVERSE | A_BOLD},
    {COLOR_GREEN, A_NORMAL},
    {COLOR_RED, A_NORMAL},
    {COLOR_CYAN, A_BOLD},
    {COLOR_MAGENTA, A_NORMAL},
    {-1, A_NORMAL},
    {COLOR_YELLOW, A_BOLD | A_UNDERLINE},
    {-1, A_REVERSE},
    {COLOR_RED, A_REVERSE | A_BOLD},
};

void set_look(Style style) {
  const Look& look = kLooks[static_cast<std::size_t>(style)];
  const short pair =
      has_colors() && look.color >= 0 ? static_cast<short>(look.color + 1) : short{0};
  attr_set(look.attributes, pair, nullptr);
}

void start_colors(Colors colors) {
  if (colors == Colors::kNone || start_color() == ERR) return;
  use_default_colors();
  for (short color = 0; color < 8; ++color) init_pair(static_cast<short>(color + 1), color, -1);
}

std::string utf8_of(wint_t point) {
  const auto c = static_cast<char32_t>(point);
  constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  std::string out(1, static_cast<char>(kLead[more] | (c >> (6 * more))));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80u | (c >> (6 * i) & 63u));
  return out;
}

std::optional<KeyKind> kind_of(int code) {
  switch (code) {
    case KEY_ENTER:
      return KeyKind::kEnter;
    case KEY_BTAB:
      return KeyKind::kBackTab;
    case KEY_UP:
      return KeyKind::kUp;
    case KEY_DOWN:
      return KeyKind::kDown;
    case KEY_LEFT:
      return KeyKind::kLeft;
    case KEY_RIGHT:
      return KeyKind::kRight;
    case KEY_HOME:
      return KeyKind::kHome;
    case KEY_END:
      return KeyKind::kEnd;
    case KEY_PPAGE:
      return KeyKind::kPageUp;
    case KEY_NPAGE:
      return KeyKind::kPageDown;
    case KEY_BACKSPACE:
      return KeyKind::kBackspace;
    case KEY_DC:
      return KeyKind::kDelete;
    default:
      return std::nullopt;
  }
}

std::optional<KeyKind> control_of(wint_t point) {
  switch (point) {
    case 3:
      return KeyKind::kQuit;
    case 4:
      return KeyKind::kSend;
    case 8:
    case 127:
      return KeyKind::kBackspace;
    case '\t':
      return KeyKind::kTab;
    case '\n':
    case '\r':
      return KeyKind::kEnter;
    case 1:
      return KeyKind::kHome;
    case 5:
      return KeyKind::kEnd;
    case 21:
      return KeyKind::kClearLine;
    case kEscape:
      return KeyKind::kEscape;
    default:
      return std::nullopt;
  }
}

// A sequence that no key is known for begins like the key Escape; its letters are no keys.
bool swallow_sequence() {
  wint_t next = 0;
  if (get_wch(&next) == ERR) return false;
  if (next != '[' && next != 'O') {
    unget_wch(static_cast<wchar_t>(next));
    return false;
  }
  while (get_wch(&next) == OK && (next < 0x40 || next > 0x7e)) {
  }
  return true;
}

void stop_here() {
  endwin();
  std::raise(SIGTSTP);
  refresh();
}

}  // namespace

Result<Screen> Screen::open(Colors colors) {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
  if (::newterm(nullptr, stdout, stdin) == nullptr)
    return Fail({.code = "no-terminal",
                 .message = "nothing is known about this kind of terminal",
                 .hint = "set TERM, or use `tollgate pending --watch`",
                 .where = {}});
  start_colors(colors);
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(50);
  define_key("\033[200~", kPasteBegins);
  define_key("\033[201~", kPasteEnds);
  std::fputs("\033[?2004h", stdout);
  std::fflush(stdout);
  return Screen();
}

Screen::Screen(Screen&& other) noexcept : open_(std::exchange(other.open_, false)) {}

Screen::~Screen() {
  if (!open_) return;
  std::fputs("\033[?2004l", stdout);
  std::fflush(stdout);
  endwin();
}

Size Screen::size() const {
  Size size;
  getmaxyx(stdscr, size.rows, size.columns);
  return size;
}

void Screen::paint(const Picture& picture) {
  erase();
  for (std::size_t row = 0; row < picture.lines.size(); ++row) {
    move(static_cast<int>(row), 0);
    for (const Piece& piece : picture.lines[row]) {
      set_look(piece.style);
      for (std::size_t at = 0; at < piece.text.size();) {
        const std::size_t size = character_size(piece.text, at);
        std::string character = piece.text.substr(at, size);
        wchar_t wide = 0;
        std::mbstate_t shift = {};
        const std::size_t read = std::mbrtowc(&wide, character.data(), size, &shift);
        if (read != size || ::wcwidth(wide) < 0) character = spelled(character);
        addnstr(character.data(), static_cast<int>(character.size()));
        at += size;
      }
    }
  }
  set_look(Style::kPlain);
  curs_set(picture.cursor ? 1 : 0);
  if (picture.cursor) move(picture.cursor->row, picture.cursor->column);
  refresh();
}

void Screen::ring() { beep(); }

std::optional<Key> Screen::key() {
  for (;;) {
    wint_t code = 0;
    const int kind = get_wch(&code);
    if (kind == ERR) return std::nullopt;
    if (kind == KEY_CODE_YES) {
      if (static_cast<int>(code) == kPasteBegins) return pasted();
      if (const std::optional<KeyKind> known = kind_of(static_cast<int>(code)))
        return Key{*known, ""};
      continue;
    }
    if (code == kEscape && swallow_sequence()) continue;
    if (const std::optional<KeyKind> known = control_of(code)) return Key{*known, ""};
    if (code == 26) stop_here();
    if (code == 12) clearok(curscr, TRUE);
    if (code >= 32) return Key{KeyKind::kCharacter, utf8_of(code)};
  }
}

// Until its end, or until nothing comes any more for a while: a terminal may be cut off in between.
std::optional<Key> Screen::pasted() {
  Key key{KeyKind::kPaste, ""};
  timeout(500);
  for (;;) {
    wint_t code = 0;
    const int kind = get_wch(&code);
    if (kind == ERR || (kind == KEY_CODE_YES && static_cast<int>(code) == kPasteEnds)) break;
    if (kind == KEY_CODE_YES || key.text.size() > kMostPasted) continue;
    key.text += code == '\r' ? "\n" : utf8_of(code);
  }
  nodelay(stdscr, TRUE);
  return key;
}

}  // namespace tollgate::cli::top

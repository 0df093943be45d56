// Reads TOML one statement at a time. Used by read_toml() alone.
// After the first mistake nothing more is read; at() is where it stands.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "providers/toml_text.h"

namespace tollgate::providers {

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  // Goes to the next line that says something; false at the end.
  bool next_line();
  TomlStatement statement();

  std::size_t at() const { return at_; }
  const std::string& mistake() const& { return mistake_; }

 private:
  struct Read {
    bool is_string = false;
    std::string text;
  };

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool ended() const { return at_ >= text_.size(); }
  bool fail(std::string message);
  bool take(char c);
  void skip_blanks();
  bool skip_comment();
  // Blanks, newlines and comments, as they may stand inside a list.
  bool skip_lines();

  bool key(std::vector<std::string>& path);
  bool key_part(std::string& part);
  bool value(Read& read, int depth);
  bool list(int depth);
  bool inline_table(int depth);
  bool text_value(std::string& out);
  bool basic(std::string& out);
  bool literal(std::string& out);
  bool long_basic(std::string& out);
  bool long_literal(std::string& out);
  bool escape(std::string& out);
  bool word(std::string& out);

  std::string_view text_;
  std::size_t at_ = 0;
  std::string mistake_;
};

}  // namespace tollgate::providers

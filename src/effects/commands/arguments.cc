// Tells options from operands the way getopt_long does: bundles, attached values, abbreviations.
// Options may stand anywhere before `--`, unless the row says otherwise.
// SAFETY: whatever the row does not know turns `listed` off and is still kept as an operand.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "effects/commands/program.h"

namespace tollgate {
namespace {

// One entry of a row's options.
struct Option {
  std::string_view name;
  char takes = '\0';  // one of : ? < > ! @ & or nothing
};

bool takes_value(const Option& option) {
  return std::string_view(":?<>").find(option.takes) != std::string_view::npos;
}

Option option_of(std::string_view entry) {
  const char last = entry.back();
  if (entry.size() > 1 && std::string_view(":?<>!@&").find(last) != std::string_view::npos)
    return {entry.substr(0, entry.size() - 1), last};
  return {entry, '\0'};
}

class Parser {
 public:
  Parser(const ProgramRow& row, std::span<const ShellWord> words) : words_(words), row_(row) {
    for (const std::string_view entry : split(row.options, ' '))
      if (!entry.empty()) options_.push_back(option_of(entry));
    stops_ = row.options.starts_with('+');
    text_ = row.options == "*";
  }

  ProgramArguments parse() && {
    for (at_ = 1; at_ < words_.size(); ++at_) {
      const ShellWord& word = words_[at_];
      if (!word.known) {
        out_.listed = false;
        continue;
      }
      const bool option = !ended_ && !text_ && word.text.size() > 1 && word.text[0] == '-';
      if (!option) {
        add_operand(word);
      } else if (word.text == "--") {
        ended_ = true;
      } else if (word.text[1] == '-') {
        read_long(word);
      } else {
        read_short(word);
      }
    }
    if (out_.links || (out_.recursive && follows_)) out_.listed = false;
    return std::move(out_);
  }

 private:
  void add_operand(const ShellWord& word) {
    out_.operands.push_back({word.text, word.span, word.tilde});
    if (stops_) ended_ = true;
  }

  const Option* find(std::string_view name) const {
    const auto found = std::ranges::find(options_, name, &Option::name);
    return found == options_.end() ? nullptr : &*found;
  }

  // The option of that name, or the only one that begins so.
  const Option* find_long(std::string_view name) const {
    const Option* only = nullptr;
    for (const Option& option : options_) {
      if (option.name.size() < 2 || !option.name.starts_with(name)) continue;
      if (option.name == name) return &option;
      if (only != nullptr && only->name != option.name) return nullptr;
      only = &option;
    }
    return only;
  }

  void read_long(const ShellWord& word) {
    const std::string_view body = std::string_view(word.text).substr(2);
    const std::size_t equals = body.find('=');
    const Option* option = find_long(body.substr(0, equals));
    if (option == nullptr) return not_listed(word);
    if (equals != std::string_view::npos) {
      if (!takes_value(*option)) return not_listed(word);
      return use(*option, {std::string(body.substr(equals + 1)), word.span, false});
    }
    use_with_next(*option, word);
  }

  void read_short(const ShellWord& word) {
    if (is_number(word.text) && find("#") != nullptr) return;
    if (row_.operands == Operands::kMode && is_permissions(word.text)) return add_operand(word);
    for (std::size_t i = 1; i < word.text.size(); ++i) {
      const Option* option = find(std::string_view(word.text).substr(i, 1));
      if (option == nullptr || option->name == "#" || option->name == "+") {
        not_listed(word);
        continue;
      }
      if (!takes_value(*option)) {
        use(*option, {});
        continue;
      }
      const std::string rest = word.text.substr(i + 1);
      if (!rest.empty()) return use(*option, {rest, word.span, false});
      return use_with_next(*option, word);
    }
  }

  // An option at the end of its word: its value, if it must have one, is the next word.
  void use_with_next(const Option& option, const ShellWord& word) {
    const bool must = option.takes == ':' || option.takes == '<' || option.takes == '>';
    if (!must) return use(option, {});
    if (at_ + 1 >= words_.size() || !words_[at_ + 1].known) return not_listed(word);
    const ShellWord& next = words_[++at_];
    use(option, {next.text, next.span, next.tilde});
  }

  void use(const Option& option, ProgramOperand value) {
    if (option.takes == '!') out_.recursive = true;
    if (option.takes == '@') follows_ = true;
    if (option.takes == '&') out_.links = true;
    if (option.takes == '<')
      out_.reads.push_back(std::move(value));
    else if (option.takes == '>') {
      out_.into = true;
      out_.target = std::move(value);
    }
    if (option.name == "T" || option.name == "no-target-directory") out_.exact = true;
  }

  void not_listed(const ShellWord&) { out_.listed = false; }

  static bool is_number(std::string_view text) {
    return text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }

  // chmod takes a mode that begins with `-`, such as `-x`.
  static bool is_permissions(std::string_view text) {
    return text.find_first_not_of("rwxXstugoa,=+-01234567", 1) == std::string_view::npos;
  }

  std::span<const ShellWord> words_;
  const ProgramRow& row_;
  std::vector<Option> options_;
  bool stops_ = false;
  bool text_ = false;
  bool ended_ = false;
  bool follows_ = false;
  std::size_t at_ = 0;
  ProgramArguments out_;
};

}  // namespace

ProgramArguments parse_arguments(const ProgramRow& row, std::span<const ShellWord> words) {
  return Parser(row, words).parse();
}

}  // namespace tollgate

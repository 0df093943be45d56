// Reads options and words, and writes the help from the same table.
// `--help` is known everywhere and is the caller's business.
#include "cli/arguments.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "base/text.h"

namespace tollgate::cli {
namespace {

std::unexpected<Error> bad_usage(std::string message, std::string hint) {
  return Fail(
      {.code = "bad-usage", .message = std::move(message), .hint = std::move(hint), .where = {}});
}

std::string see_help(std::string_view verb) {
  return "`tollgate " + std::string(verb) + " --help` shows how it is used";
}

std::unexpected<Error> unknown_option(const Shape& shape, std::string_view name) {
  std::vector<std::string> dashed;
  for (const Option& option : shape.options) dashed.push_back("--" + std::string(option.name));
  dashed.push_back("--help");
  const std::vector<std::string_view> known(dashed.begin(), dashed.end());
  const std::string shown = shortened(name);
  return bad_usage(
      "unknown option `" + shown + "`",
      did_you_mean(shown, "options", known) + "; text that begins with a dash stands after `--`");
}

// One option at given[at]; moves `at` past its value.
Result<void> read_option(const Shape& shape, std::span<const std::string> given, std::size_t& at,
                         Arguments& out) {
  const std::string_view text = given[at];
  const std::size_t equals = text.find('=');
  const std::string_view name = text.starts_with("--") ? text.substr(2, equals - 2) : "";
  const auto option = std::ranges::find(shape.options, name, &Option::name);
  if (name.empty() || option == shape.options.end())
    return unknown_option(shape, text.substr(0, equals));
  const std::string key(name);
  if (option->value.empty()) {
    if (equals != text.npos) return bad_usage("`--" + key + "` takes no value", see_help(out.verb));
    out.add(key, "");
    return {};
  }
  if (equals != text.npos) {
    out.add(key, std::string(text.substr(equals + 1)));
    return {};
  }
  if (at + 1 >= given.size())
    return bad_usage("`--" + key + "` needs a value",
                     "write `--" + key + " " + std::string(option->value) + "`");
  out.add(key, given[++at]);
  return {};
}

Result<void> check_words(const Shape& shape, const Arguments& arguments) {
  if (arguments.words.size() < shape.least_words)
    return bad_usage("words are missing after `tollgate " + arguments.verb + "`",
                     "write `tollgate " + arguments.verb + " " +
                         std::string(shape.usage.substr(0, shape.usage.find('\n'))) + "`");
  if (arguments.words.size() > shape.most_words)
    return bad_usage("`" + shortened(arguments.words[shape.most_words]) + "` is one word too many",
                     "quote text that holds blanks; " + see_help(arguments.verb));
  return {};
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

bool Arguments::has(std::string_view option) const {
  return std::ranges::any_of(options_, [&](const auto& given) { return given.first == option; });
}

std::string Arguments::get(std::string_view option) const {
  const std::vector<std::string> values = all(option);
  return values.empty() ? "" : values.back();
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  std::vector<std::string> values;
  for (const auto& [name, value] : options_)
    if (name == option) values.push_back(value);
  return values;
}

void Arguments::add(std::string option, std::string value) {
  options_.emplace_back(std::move(option), std::move(value));
}

Result<Arguments> parse_arguments(const Shape& shape, std::string_view verb,
                                  std::span<const std::string> given) {
  Arguments out;
  out.verb = verb;
  bool ended = false;
  for (std::size_t at = 0; at < given.size(); ++at) {
    const std::string& text = given[at];
    if (!ended && text == "--") {
      ended = true;
    } else if (!ended && text.size() > 1 && text[0] == '-') {
      if (Result<void> read = read_option(shape, given, at, out); !read)
        return Fail(std::move(read).error());
    } else {
      out.words.push_back(text);
    }
  }
  if (Result<void> fits = check_words(shape, out); !fits) return Fail(std::move(fits).error());
  return out;
}

std::string help_text(std::string_view verb, const Shape& shape) {
  std::string out;
  for (const std::string_view line : split(shape.usage, '\n'))
    out += (out.empty() ? "usage: tollgate " : "       tollgate ") + std::string(verb) +
           (line.empty() ? "" : " ") + std::string(line) + "\n";
  out += "\n" + std::string(shape.about) + "\n\n";
  std::vector<std::pair<std::string, std::string_view>> rows;
  for (const Option& option : shape.options)
    rows.emplace_back("--" + std::string(option.name) + (option.value.empty() ? "" : " ") +
                          std::string(option.value),
                      option.about);
  rows.emplace_back("--help", "show this");
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  for (const auto& [name, about] : rows)
    out += "  " + padded(name, width) + "  " + std::string(about) + "\n";
  out += "\nexamples\n";
  for (const std::string_view line : split(shape.examples, '\n'))
    out += "  " + std::string(line) + "\n";
  return out;
}

}  // namespace tollgate::cli

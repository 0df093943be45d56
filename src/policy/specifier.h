// The text between a rule's parentheses: checked and brought into its normal form.
// Each kind has one function; an error's offset is within the specifier's own text.
// A specifier that passes can match something; what never could is refused here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rule.h"

namespace tollgate {

struct SpecifierError {
  std::size_t offset = 0;
  std::size_t size = 1;
  std::string code;
  std::string message;
  std::string hint;
};

template <class T>
using SpecifierResult = std::expected<T, SpecifierError>;

SpecifierResult<std::string> normal_shell(std::string_view text);
SpecifierResult<std::string> normal_path(std::string_view text);
SpecifierResult<std::string> normal_host(std::string_view text);  // domain:… or a URL pattern
SpecifierResult<std::vector<ArgumentPattern>> argument_patterns(std::string_view text);

// The arguments as one text: name, NUL, pattern, NUL, … so that matching needs no parsing.
std::string packed(const std::vector<ArgumentPattern>& arguments);

// `name=pattern, …` as written in a rule.
std::string format_arguments(const std::vector<ArgumentPattern>& arguments);

// The parts of a URL pattern or URL; empty where absent.
struct UrlParts {
  std::string_view scheme;
  std::string_view host;
  std::string_view port;
  std::string_view rest;  // path, query and fragment, with the leading slash
};
UrlParts url_parts(std::string_view url);

}  // namespace tollgate

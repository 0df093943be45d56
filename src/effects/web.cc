// Tools that fetch a URL or ask a search service.
// A fetch reaches the host of its URL; a URL that is odd reaches a host that is not known.
// Some clients take the URL inside a sentence; then every URL in it counts.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "effects/subject.h"
#include "effects/url.h"

namespace tollgate {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

// The words of a text that a client may take for URLs, without the punctuation around them.
// SAFETY: a word ends only at a blank: cutting it elsewhere could show another host.
std::vector<Span> urls_in(std::string_view text) {
  std::vector<Span> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find_first_not_of(kBlanks, at), text.size());
    const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    at = end;
    std::string_view word = text.substr(begin, end - begin);
    const bool url = word.find("://") != word.npos ||
                     lower(word).find("http:") != std::string::npos ||
                     lower(word).find("https:") != std::string::npos;
    if (!url) continue;
    const std::size_t skipped = std::min(word.find_first_not_of("<([{\"'`"), word.size());
    word = word.substr(skipped, word.find_last_not_of(".,;:!?>)]}\"'`") + 1 - skipped);
    found.push_back(
        {static_cast<std::uint32_t>(begin + skipped), static_cast<std::uint32_t>(word.size())});
  }
  return found;
}

void read_prompt(std::string_view text, Effects& out) {
  const std::vector<Span> urls = urls_in(text);
  for (const Span span : urls) read_url(slice(text, span), span, out);
  if (urls.empty()) read_url("", whole(text), out);
}

}  // namespace

void read_url(std::string_view url, Span span, Effects& out) {
  Effect effect;
  effect.kind = EffectKind::kReach;
  effect.span = span;
  effect.url = url;
  effect.host = host_of_url(url);
  out.push_back(std::move(effect));
}

namespace {

void read_target(const InputField& field, Effects& out) {
  const json::Value& value = *field.value;
  if (value.is_string()) {
    const std::string& text = value.as_string();
    return field.name == "prompt" ? read_prompt(text, out) : read_url(text, whole(text), out);
  }
  if (!value.is_array() || value.items().empty())
    return out.push_back(unknown_field(field.name, field));
  for (const json::Value& item : value.items()) {
    if (item.is_string())
      read_url(item.as_string(), {}, out);
    else
      out.push_back(unknown("a URL that is not a string"));
  }
}

}  // namespace

// A client with two such fields may use either, so both count.
void read_fetch_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  const std::size_t before = out.size();
  for (const std::string_view name : split(names, ','))
    if (const json::Value* value = subject.call.input.find(name)) read_target({name, value}, out);
  if (out.size() == before) out.push_back(unknown_field(names, {}));
}

void read_search_call(const Subject& subject, Effects& out) {
  const InputField field = field_of(subject.call.input, main_names(subject.call));
  Effect effect;
  effect.kind = EffectKind::kSearch;
  if (field.value != nullptr && field.value->is_string())
    effect.span = whole(field.value->as_string());
  out.push_back(std::move(effect));
}

}  // namespace tollgate

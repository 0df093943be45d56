// JSON text to a Value, by Boost.JSON's event parser and a stack of our own.
// Only this file and boost_parser.cc know Boost.JSON; its errors become ours, with their place.
// SAFETY: what two readers could take differently is refused, never repaired.
#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>

#include "base/text.h"
#include "json/json.h"

namespace tollgate::json {
namespace {

constexpr std::size_t kNoOffset = static_cast<std::size_t>(-1);

// What the builder itself refuses; the parser only sees that it was stopped.
struct Refusal {
  std::string_view code;
  std::string message;
  std::string_view hint;
  std::size_t offset = kNoOffset;
};

// An array or object that is still open: where its items or members begin.
struct Frame {
  Kind kind = Kind::kArray;
  std::size_t begin = 0;
};

// With so few members each is compared with each.
constexpr std::size_t kFewMembers = 12;
constexpr std::size_t kUsualDepth = 8;

// The names here are those that boost::json::basic_parser calls.
struct Builder {
  using error_code = boost::json::error_code;
  using text_view = boost::json::string_view;

  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit Builder(std::string_view whole) : source(whole) {}

  std::string_view source;
  std::vector<Frame> frames;
  // Of all that is open, one behind the other; what ends takes its own from the end.
  std::vector<Value> items;
  std::vector<Value::Member> members;
  std::vector<std::size_t> key_offsets;  // one for every member
  Value root;
  std::string pending;  // parts of a string, key or number that has not ended
  std::optional<Refusal> refusal;

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }

  bool on_array_begin(error_code&) { return open(Kind::kArray); }
  bool on_object_begin(error_code&) { return open(Kind::kObject); }

  bool on_array_end(std::size_t, error_code&) {
    return add(Value::array(taken(items, pop().begin)));
  }

  bool on_object_end(std::size_t, error_code& ec) {
    const std::size_t begin = pop().begin;
    if (std::optional<std::size_t> twice = duplicate(std::span(members).subspan(begin))) {
      const std::size_t at = begin + *twice;
      refusal = Refusal{"json-duplicate-key",
                        "the member `" + shortened(members[at].first) + "` is there twice",
                        "send each member once", key_offsets[at]};
      return stop(ec);
    }
    key_offsets.resize(begin);
    return add(Value::object(taken(members, begin)));
  }

  bool on_key_part(text_view part, std::size_t, error_code&) { return keep(part); }
  bool on_key(text_view part, std::size_t, error_code&) {
    keep(part);
    if (members.capacity() == 0) {
      members.reserve(kFewMembers);
      key_offsets.reserve(kFewMembers);
    }
    key_offsets.push_back(offset_of(part, pending.size()));
    members.emplace_back(take_pending(), Value());
    return true;
  }

  bool on_string_part(text_view part, std::size_t, error_code&) { return keep(part); }
  bool on_string(text_view part, std::size_t, error_code&) {
    keep(part);
    return add(Value::string(take_pending()));
  }

  bool on_number_part(text_view part, error_code&) { return keep(part); }
  bool on_int64(std::int64_t, text_view part, error_code& ec) { return number(part, ec); }
  bool on_uint64(std::uint64_t, text_view part, error_code& ec) { return number(part, ec); }
  bool on_double(double, text_view part, error_code& ec) { return number(part, ec); }

  bool on_bool(bool value, error_code&) { return add(Value::boolean(value)); }
  bool on_null(error_code&) { return add(Value()); }
  bool on_comment_part(text_view, error_code&) { return true; }
  bool on_comment(text_view, error_code&) { return true; }

 private:
  bool open(Kind kind) {
    if (frames.capacity() == 0) frames.reserve(kUsualDepth);
    frames.push_back({kind, kind == Kind::kArray ? items.size() : members.size()});
    return true;
  }

  Frame pop() {
    const Frame frame = frames.back();
    frames.pop_back();
    return frame;
  }

  template <class T>
  static std::vector<T> taken(std::vector<T>& all, std::size_t begin) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<T> out(std::make_move_iterator(from), std::make_move_iterator(all.end()));
    all.erase(from, all.end());
    return out;
  }

  bool add(Value value) {
    if (frames.empty())
      root = std::move(value);
    else if (frames.back().kind == Kind::kArray)
      items.push_back(std::move(value));
    else
      members.back().second = std::move(value);
    return true;
  }

  bool keep(text_view part) {
    pending.append(part.data(), part.size());
    return true;
  }

  std::string take_pending() { return std::exchange(pending, {}); }

  bool number(text_view part, error_code& ec) {
    keep(part);
    std::string text = canonical_number(pending);
    if (text.empty()) {
      refusal = Refusal{"json-syntax", "a number is too large",
                        "send a number that a double can hold", offset_of(part, pending.size())};
      return stop(ec);
    }
    pending.clear();
    return add(Value::number(std::move(text)));
  }

  // Where a token that ends with `part` begins; not known when an escape made the parser copy it.
  std::size_t offset_of(text_view part, std::size_t size) const {
    const std::less<const char*> before;
    if (before(part.data(), source.data()) || !before(part.data(), source.data() + source.size()))
      return kNoOffset;
    const std::size_t end = static_cast<std::size_t>(part.data() - source.data()) + part.size();
    return end >= size ? end - size : kNoOffset;
  }

  // The member whose key an earlier member has too. Sorting keeps it fast for any choice of keys;
  // a hash table would let a sender choose keys that collide.
  static std::optional<std::size_t> duplicate(std::span<const Value::Member> all) {
    if (all.size() <= kFewMembers) {
      for (std::size_t i = 1; i < all.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (all[k].first == all[i].first) return i;
      return std::nullopt;
    }
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const int compared = all[a].first.compare(all[b].first);
      return compared != 0 ? compared < 0 : a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
      if (all[order[i - 1]].first == all[order[i]].first) return order[i];
    return std::nullopt;
  }

  static bool stop(error_code& ec) {
    ec = boost::json::error::syntax;
    return false;
  }
};

Position position_at(std::string_view text, std::size_t offset) {
  // LIMIT: a longer line is not copied into the error; line and column still say where.
  constexpr std::size_t kLongestLine = 16 * 1024;
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  Position where;
  where.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  where.column = static_cast<std::uint32_t>(offset - begin + 1);
  if (end - begin <= kLongestLine) where.text = text.substr(begin, end - begin);
  return where;
}

Error error_at(std::string_view text, std::size_t offset, std::string_view code,
               std::string message, std::string_view hint) {
  return {std::string(code), std::move(message), std::string(hint), position_at(text, offset)};
}

std::string unexpected(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the text ends before the value does";
  if (static_cast<unsigned char>(text[offset]) < 0x20) return "unexpected control character";
  std::size_t size = 1;
  while (size < 4 && !is_valid_utf8(text.substr(offset, size))) ++size;
  return "unexpected `" + std::string(text.substr(offset, size)) + "`";
}

Error syntax_error(std::string_view text, std::size_t offset, boost::json::error_code problem) {
  using boost::json::error;
  constexpr std::string_view kHint = "send one JSON value without comments or trailing commas";
  if (problem == error::too_deep)
    return error_at(text, offset, "json-too-deep", "the value is nested too deeply",
                    "send a value that is nested less");
  if (problem == error::illegal_leading_surrogate || problem == error::illegal_trailing_surrogate ||
      problem == error::expected_utf16_escape)
    return error_at(text, offset, "json-invalid-utf8", "an escape is half of a surrogate pair",
                    "escape both halves, or send the character itself");
  if (problem == error::exponent_overflow)
    return error_at(text, offset, "json-syntax", "a number is too large",
                    "send a number that a double can hold");
  if (problem == error::incomplete) offset = text.size();
  return error_at(text, offset, "json-syntax", unexpected(text, offset), kHint);
}

Error refused(std::string_view text, const Refusal& refusal, std::size_t stopped) {
  const std::size_t offset = refusal.offset == kNoOffset ? stopped : refusal.offset;
  return error_at(text, offset, refusal.code, refusal.message, refusal.hint);
}

}  // namespace

Result<Value> parse(std::string_view text, Limits limits) {
  if (text.size() > limits.max_bytes)
    return Fail({"json-too-large",
                 "the text has " + std::to_string(text.size()) + " bytes, more than " +
                     std::to_string(limits.max_bytes),
                 "send less at once",
                 {}});
  if (text.starts_with("\xEF\xBB\xBF"))
    return Fail(error_at(text, 0, "json-syntax", "the text begins with a byte order mark",
                         "send UTF-8 without a byte order mark"));
  if (!is_valid_utf8(text))
    return Fail(error_at(text, valid_utf8_prefix(text), "json-invalid-utf8",
                         "the text is not valid UTF-8", "send UTF-8"));

  boost::json::parse_options options;
  options.max_depth = limits.max_depth;
  boost::json::basic_parser<Builder> parser(options, text);
  boost::json::error_code problem;
  const std::size_t used = parser.write_some(/*more=*/false, text.data(), text.size(), problem);
  Builder& builder = parser.handler();
  if (builder.refusal) return Fail(refused(text, *builder.refusal, used));
  if (problem) return Fail(syntax_error(text, used, problem));
  if (used < text.size())
    return Fail(error_at(text, used, "json-syntax", "there is more text after the value",
                         "send one JSON value"));
  return std::move(builder.root);
}

}  // namespace tollgate::json

#include "webauthn/cbor.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace tollgate::webauthn {
namespace {

Error refused(std::string message) {
  return {.code = "presence-refused",
          .message = "the authenticator's data cannot be read: " + std::move(message),
          .hint = "try again, or use another security key",
          .where = {}};
}

class CborReader {
 public:
  explicit CborReader(std::string_view text) : text_(text) {}

  Result<Cbor> value(int depth);
  std::size_t taken() const { return at_; }

 private:
  struct Head {
    unsigned major = 0;
    unsigned small = 0;
    std::uint64_t argument = 0;
  };
  Result<Head> head();
  Result<std::string> bytes(std::uint64_t count);
  Result<Cbor> items(const Head& head, int depth);
  std::size_t left() const { return text_.size() - at_; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t values_ = 0;
};

// A length or number in its shortest form.
Result<CborReader::Head> CborReader::head() {
  if (left() == 0) return Fail(refused("it ends too early"));
  const unsigned first = static_cast<unsigned char>(text_[at_++]);
  Head out{.major = first >> 5u, .small = first & 31u, .argument = first & 31u};
  if (out.small < 24) return out;
  if (out.small > 27) return Fail(refused("a length without an end"));
  const std::size_t size = std::size_t{1} << (out.small - 24);
  if (left() < size) return Fail(refused("it ends too early"));
  out.argument = 0;
  for (std::size_t i = 0; i < size; ++i)
    out.argument = out.argument << 8u | static_cast<unsigned char>(text_[at_++]);
  const std::uint64_t least = size == 1 ? 24 : std::uint64_t{1} << (size * 4);
  if (out.argument < least) return Fail(refused("a number is longer than it need be"));
  return out;
}

Result<std::string> CborReader::bytes(std::uint64_t count) {
  if (count > left()) return Fail(refused("it ends too early"));
  const auto size = static_cast<std::size_t>(count);
  std::string out(text_.substr(at_, size));
  at_ += size;
  return out;
}

Result<Cbor> CborReader::value(int depth) {
  if (++values_ > kMaxCborValues) return Fail(refused("it has too many values"));
  const Result<Head> read = head();
  if (!read) return Fail(read.error());
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  Cbor out;
  switch (read->major) {
    case 0:
    case 1:
      if (read->argument > kMost) return Fail(refused("a number is too large"));
      out.kind = CborKind::kNumber;
      out.number = static_cast<std::int64_t>(read->argument);
      if (read->major == 1) out.number = -1 - out.number;
      return out;
    case 2:
    case 3: {
      Result<std::string> taken = bytes(read->argument);
      if (!taken) return Fail(std::move(taken).error());
      out.kind = read->major == 2 ? CborKind::kBytes : CborKind::kText;
      out.bytes = std::move(*taken);
      if (read->major == 3 && !is_valid_utf8(out.bytes)) return Fail(refused("a text is no UTF-8"));
      return out;
    }
    case 4:
    case 5:
      return items(*read, depth);
    case 7:
      if (read->small < 20 || read->small > 22) break;
      out.number = read->small;
      return out;
    default:
      break;
  }
  return Fail(refused("a kind of value that is not expected there"));
}

Result<Cbor> CborReader::items(const Head& head, int depth) {
  if (depth >= kMaxCborDepth) return Fail(refused("values lie too deep in each other"));
  const std::uint64_t each = head.major == 5 ? 2 : 1;
  // Every value takes a byte at least.
  if (head.argument > left() / each) return Fail(refused("it ends too early"));
  Cbor out;
  out.kind = head.major == 5 ? CborKind::kMap : CborKind::kList;
  const auto count = static_cast<std::size_t>(head.argument * each);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_key = head.major == 5 && i % 2 == 0;
    Result<Cbor> item = value(depth + 1);
    if (!item) return item;
    if (is_key && item->kind != CborKind::kNumber && item->kind != CborKind::kText)
      return Fail(refused("a key is neither a number nor a text"));
    if (is_key && (item->kind == CborKind::kNumber ? out.find(item->number)
                                                   : out.find(item->bytes)) != nullptr)
      return Fail(refused("a key stands twice"));
    out.items.push_back(std::move(*item));
  }
  return out;
}

void put_head(std::string& out, unsigned major, std::uint64_t argument) {
  const auto first = [&](unsigned small) { out += static_cast<char>(major << 5u | small); };
  if (argument < 24) return first(static_cast<unsigned>(argument));
  unsigned power = 0;
  while (power < 3 && argument >> (8u << power) != 0) ++power;
  first(24 + power);
  for (unsigned bits = 8u << power; bits > 0; bits -= 8)
    out += static_cast<char>(argument >> (bits - 8) & 255);
}

void put(std::string& out, const Cbor& value) {
  switch (value.kind) {
    case CborKind::kNumber:
      return value.number < 0 ? put_head(out, 1, static_cast<std::uint64_t>(-1 - value.number))
                              : put_head(out, 0, static_cast<std::uint64_t>(value.number));
    case CborKind::kBytes:
    case CborKind::kText:
      put_head(out, value.kind == CborKind::kBytes ? 2 : 3, value.bytes.size());
      out += value.bytes;
      return;
    case CborKind::kList:
    case CborKind::kMap: {
      const bool is_map = value.kind == CborKind::kMap;
      put_head(out, is_map ? 5 : 4, value.items.size() / (is_map ? 2 : 1));
      for (const Cbor& item : value.items) put(out, item);
      return;
    }
    case CborKind::kSimple:
      return put_head(out, 7, static_cast<std::uint64_t>(value.number));
  }
}

template <class Fits>
const Cbor* found(const Cbor& map, const Fits& fits) {
  if (map.kind != CborKind::kMap) return nullptr;
  for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
    if (fits(map.items[i])) return &map.items[i + 1];
  return nullptr;
}

}  // namespace

const Cbor* Cbor::find(std::int64_t key) const& {
  return found(*this, [key](const Cbor& each) {
    return each.kind == CborKind::kNumber && each.number == key;
  });
}

const Cbor* Cbor::find(std::string_view key) const& {
  return found(
      *this, [key](const Cbor& each) { return each.kind == CborKind::kText && each.bytes == key; });
}

Result<std::pair<Cbor, std::size_t>> read_cbor(std::string_view text) {
  if (text.size() > kMaxCborBytes) return Fail(refused("it is too long"));
  CborReader reader(text);
  Result<Cbor> value = reader.value(0);
  if (!value) return Fail(std::move(value).error());
  return std::pair(std::move(*value), reader.taken());
}

std::string write_cbor(const Cbor& value) {
  std::string out;
  put(out, value);
  return out;
}

Cbor cbor_number(std::int64_t number) {
  return {.kind = CborKind::kNumber, .number = number, .bytes = {}, .items = {}};
}
Cbor cbor_bytes(std::string bytes) {
  return {.kind = CborKind::kBytes, .number = 0, .bytes = std::move(bytes), .items = {}};
}
Cbor cbor_text(std::string text) {
  return {.kind = CborKind::kText, .number = 0, .bytes = std::move(text), .items = {}};
}
Cbor cbor_map(std::vector<Cbor> keys_and_values) {
  return {.kind = CborKind::kMap, .number = 0, .bytes = {}, .items = std::move(keys_and_values)};
}

}  // namespace tollgate::webauthn

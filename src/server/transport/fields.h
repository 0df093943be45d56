// The lines between a first line and a body, and what they say about the body's length.
// Requests and responses are read alike: the server and the client both come through here.
// SAFETY: what two readers could understand differently is refused: folded lines, blanks before a
// colon, control characters, two lengths, a length beside an encoding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tollgate::server {

using Fields = std::vector<std::pair<std::string, std::string>>;

// LIMIT: browsers send about twenty.
inline constexpr std::size_t kMostFields = 100;

// What is wrong with the fields, in words, or nothing. Names come out in lower case, values without
// blanks around them. Each line of `lines` ends with a line break.
std::optional<std::string> read_fields(std::string_view lines, Fields& out);

// Method names and field names are made of these.
bool is_token(std::string_view text);

struct Framing {
  bool chunked = false;
  std::optional<std::uint64_t> length;
  bool close = false;       // `Connection: close`
  bool keep_alive = false;  // `Connection: keep-alive`
  bool upgrade = false;     // `Connection: upgrade`
};

// What is wrong, in words, or nothing.
std::optional<std::string> read_framing(const Fields& fields, Framing& out);

// Whether a list like `keep-alive, Upgrade` has the word, in any case.
bool lists(std::string_view value, std::string_view lower_word);

// The end of the lines that end with an empty one, itself included: looks on from `from`.
struct HeadEnd {
  std::size_t end = 0;  // 0: not there yet
  bool broken = false;  // a line break of another kind
};
HeadEnd find_head_end(std::string_view text, std::size_t from);

}  // namespace tollgate::server

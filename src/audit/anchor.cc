#include "audit/anchor.h"

#include "audit/members.h"
#include "base/text.h"
#include "json/json.h"

namespace tollgate {
namespace {

constexpr std::string_view kMark = "head";

std::optional<Anchor> anchor_from(const json::Value& value, const std::string& from) {
  if (!value.is_object()) return std::nullopt;
  if (const json::Value* data = value.find("data")) return anchor_from(*data, from);
  const std::optional<Digest> digest = digest_from(text_in(value, "digest"));
  const std::int64_t number = integer_in(value, "number");
  if (text_in(value, "tollgate") != kMark || !digest || number < 1) return std::nullopt;
  return Anchor{.store = text_in(value, "store"),
                .place = text_in(value, "place"),
                .number = number,
                .digest = *digest,
                .at = std::max<std::int64_t>(integer_in(value, "at"), 0),
                .from = from};
}

}  // namespace

json::Value anchor_value(const Anchor& anchor) {
  json::Value out = json::Value::object({{"tollgate", json::Value::string(std::string(kMark))},
                                         {"store", json::Value::string(anchor.store)},
                                         {"number", json::Value::integer(anchor.number)},
                                         {"digest", json::Value::string(text_of(anchor.digest))},
                                         {"at", json::Value::integer(anchor.at)}});
  if (!anchor.place.empty()) out.set("place", json::Value::string(anchor.place));
  return out;
}

std::string anchor_line(const Anchor& anchor) { return json::write(anchor_value(anchor)); }

std::vector<Anchor> anchors_in(std::string_view text, const std::string& from) {
  std::vector<Anchor> out;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t brace = line.find('{');
    if (brace == line.npos) continue;
    const Result<json::Value> value = json::parse(trim(line.substr(brace)));
    if (!value) continue;
    if (std::optional<Anchor> anchor = anchor_from(*value, from)) out.push_back(std::move(*anchor));
  }
  return out;
}

std::string weakness_of(const AnchorFile& file) {
  if (file.append_only) return "";
  if (file.own)
    return "it belongs to the user that agents run as, who can rewrite it: it attests nothing "
           "against that user";
  return "whoever may append to it may also rewrite it: it attests nothing against the user that "
         "agents run as until it is append-only (`chattr +a`)";
}

}  // namespace tollgate

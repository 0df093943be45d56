// Schemas from the field tables, with the head that JSON Schema asks for.
// A decision's schema also has what `eval` puts beside it: the line's id and the effects.
// The text is stable: members stand in the order of the tables.
#include "core/schema.h"

#include "core/field_tables.h"
#include "json/json.h"

namespace tollgate {
namespace {

json::Value text(std::string_view words) { return json::Value::string(std::string(words)); }

struct Head {
  std::string_view id;
  std::string_view title;
  std::string_view description;
};

json::Value headed(const Head& head, const json::Value& body) {
  json::Value out = json::Value::object();
  out.set("$schema", text("https://json-schema.org/draft/2020-12/schema"));
  out.set("$id", text(head.id));
  out.set("title", text(head.title));
  out.set("description", text(head.description));
  for (const auto& [name, member] : body.members()) out.set(name, member);
  return out;
}

json::Value described(json::Value schema, std::string_view description) {
  return schema.set("description", text(description));
}

}  // namespace

std::string tool_call_schema() {
  json::Value body = Codec<ToolCall>::schema();
  json::Value properties = *body.find("properties");
  json::Value tool = *properties.find("tool");
  properties.set("tool", tool.set("minLength", json::Value::integer(1)));
  body.set("properties", std::move(properties));
  return json::write_pretty(headed({"urn:tollgate:schema:tool-call", "ToolCall",
                                    "One tool call of one agent, as the gate judges it."},
                                   body));
}

std::string decision_schema() {
  json::Value body = Codec<Decision>::schema();
  json::Value properties = json::Value::object();
  json::Value id =
      json::Value::object({{"type", json::Value::array({text("string"), text("number")})}});
  properties.set("id", described(std::move(id), "the id of the call this answers"));
  const json::Value listed = *body.find("properties");
  for (const auto& [name, member] : listed.members()) properties.set(name, member);
  properties.set("effects", described(Codec<Effects>::schema(), "what the call would do"));
  body.set("properties", std::move(properties));
  return json::write_pretty(headed(
      {"urn:tollgate:schema:decision", "Decision", "The answer to one tool call, and why."}, body));
}

}  // namespace tollgate

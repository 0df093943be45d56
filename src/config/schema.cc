// The table of keys as a JSON Schema, so that editors check what the loader will check.
// Every block of the table becomes a definition; a synonym is a property like any other.
// The committed file schema/config.schema.json is this text; a test fails when they differ.
#include "config/fields.h"
#include "config/notify.h"
#include "core/mode.h"
#include "json/json.h"

namespace tollgate::config {
namespace {

using json::Value;

Value text(std::string_view word) { return Value::string(std::string(word)); }

Value typed(std::string_view type) {
  Value value = Value::object();
  value.set("type", text(type));
  return value;
}

Value one_of(std::span<const std::string_view> names) {
  Value list = Value::array();
  for (std::string_view name : names) list.push(text(name));
  Value value = Value::object();
  value.set("enum", std::move(list));
  return value;
}

Value list_of(Value items) {
  Value value = typed("array");
  value.set("items", std::move(items));
  return value;
}

Value reference(std::string_view block) {
  Value value = Value::object();
  value.set("$ref", text("#/$defs/" + std::string(block)));
  return value;
}

Value either(Value a, Value b) {
  Value value = Value::object();
  value.set("anyOf", Value::array({std::move(a), std::move(b)}));
  return value;
}

Value with_pattern(std::string_view pattern) {
  Value value = typed("string");
  value.set("pattern", text(pattern));
  return value;
}

Value from(std::string_view type, int lowest) {
  Value value = typed(type);
  value.set("minimum", Value::integer(lowest));
  return value;
}

Value pair() {
  Value value = list_of(typed("string"));
  value.set("minItems", Value::integer(2));
  value.set("maxItems", Value::integer(2));
  return value;
}

Value answers() {
  Value value = one_of(answerer_names());
  return either(std::move(value), typed("boolean"));
}

Value modes() {
  Value list = Value::array();
  for (std::string_view name : mode_names()) list.push(text(name));
  for (std::string_view name : {"manual", "bypassPermissions", "yolo"}) {
    bool known = false;
    for (const Value& each : list.items()) known = known || each.as_string() == name;
    if (!known) list.push(text(name));
  }
  Value value = Value::object();
  value.set("enum", std::move(list));
  return value;
}

Value effect() {
  Value mapping = typed("object");
  Value properties = Value::object();
  for (std::string_view name : {"shell", "read", "write", "create", "delete", "url"})
    properties.set(std::string(name), typed("string"));
  properties.set("rename", pair());
  mapping.set("properties", std::move(properties));
  mapping.set("additionalProperties", Value::boolean(false));
  mapping.set("minProperties", Value::integer(1));
  mapping.set("maxProperties", Value::integer(1));
  static constexpr std::string_view kNone[] = {"none"};
  return either(one_of(kNone), std::move(mapping));
}

Value mapping_of(std::string_view block) {
  Value value = typed("object");
  value.set("additionalProperties", either(reference(block), typed("null")));
  return value;
}

Value shape(const Field& field) {
  if (field.block == "notify" && field.key == "type") return one_of(kNotifyTypes);
  if (field.block == "notify" && field.key == "url") return with_pattern("^https?://");
  static constexpr std::string_view kTimeouts[] = {"deny", "escalate", "forward"};
  static constexpr std::string_view kIsolations[] = {"required", "preferred", "none"};
  static constexpr std::string_view kOutsides[] = {"deny", "ask"};
  switch (field.type) {
    case FieldType::kVersion: {
      Value value = Value::object();
      value.set("const", Value::integer(1));
      return value;
    }
    case FieldType::kFlag:
      return typed("boolean");
    case FieldType::kCount:
      return from("integer", 0);
    case FieldType::kNumber:
      return from("number", 0);
    case FieldType::kPort: {
      Value value = from("integer", 1);
      value.set("maximum", Value::integer(65535));
      return value;
    }
    case FieldType::kDuration:
      return either(with_pattern("^[0-9]+(ms|s|m|h|d)?$"), from("integer", 0));
    case FieldType::kTime:
      return with_pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$");
    case FieldType::kSize:
      return either(with_pattern("^[0-9]+[KMGT]?i?B?$"), from("integer", 0));
    case FieldType::kMode:
      return modes();
    case FieldType::kAnswer:
      return answers();
    case FieldType::kOnTimeout:
      return one_of(kTimeouts);
    case FieldType::kIsolation:
      return one_of(kIsolations);
    case FieldType::kOutside:
      return one_of(kOutsides);
    case FieldType::kUrl:
      return with_pattern("^https?://");
    case FieldType::kStore:
      return with_pattern("^(sqlite$|sqlite:|postgres(ql)?://)");
    case FieldType::kTexts:
    case FieldType::kHosts:
    case FieldType::kPatterns:
      return list_of(typed("string"));
    case FieldType::kPairs:
      return list_of(pair());
    case FieldType::kRules:
      return list_of(either(typed("string"), reference("rule")));
    case FieldType::kEffect:
      return effect();
    case FieldType::kBlock:
      return reference(field.of);
    case FieldType::kBlockOrList:
      return either(reference(field.of), list_of(reference(field.of)));
    case FieldType::kBlocks:
      return mapping_of(field.of);
    case FieldType::kAnything:
      return typed("object");
    case FieldType::kList:
      return list_of(reference(field.of));

    default:
      return typed("string");
  }
}

Value block(std::string_view name) {
  Value properties = Value::object();
  for (const Field& field : fields()) {
    if (field.block != name) continue;
    Value property = shape(field);
    property.set("description", text(field.description));
    properties.set(std::string(field.key), std::move(property));
  }
  Value value = typed("object");
  value.set("properties", std::move(properties));
  value.set("additionalProperties", Value::boolean(false));
  if (name == "rule") value.set("required", Value::array({text("rule")}));
  if (name == "notify") value.set("required", Value::array({text("name"), text("type")}));
  if (name == "notifyAnswer") value.set("required", Value::array({text("as"), text("rules")}));
  return value;
}

}  // namespace

std::string config_schema() {
  Value schema = Value::object();
  schema.set("$schema", text("https://json-schema.org/draft/2020-12/schema"));
  schema.set("title", text("Tollgate configuration"));
  const Value top = block("");
  for (const Value::Member& member : top.members()) schema.set(member.first, member.second);
  Value definitions = Value::object();
  for (const Field& field : fields())
    if (!field.block.empty() && field.block != "agentic" &&
        definitions.find(field.block) == nullptr)
      definitions.set(std::string(field.block), block(field.block));
  schema.set("$defs", std::move(definitions));
  return json::write_pretty(schema);
}

}  // namespace tollgate::config

// One description of a struct's JSON members, from which reading, writing and schema all follow.
// field_tables.h has the tables; codec.cc and schema.cc use them. Nobody else includes this.
// INVARIANT: an optional member is left out exactly when it has its default, so that what is
// written reads back equal.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/edit_distance.h"
#include "base/result.h"
#include "base/span.h"
#include "base/text.h"
#include "core/names.h"
#include "json/append.h"
#include "json/value.h"

namespace tollgate {

using Done = Result<void>;

// Where a reader stands, for its errors.
struct Reading {
  std::string_view code;  // the code every error of this reading has
  std::string path;       // "" at the top, then reasons[0].kind

  Reading member(std::string_view name) const {
    return {code, path.empty() ? std::string(name) : path + "." + std::string(name)};
  }
  Reading item(std::size_t index) const { return {code, path + "[" + std::to_string(index) + "]"}; }
  std::unexpected<Error> fail(const std::string& problem, std::string hint) const {
    const std::string what = path.empty() ? "the value" : "`" + path + "`";
    return Fail({std::string(code), what + " " + problem, std::move(hint), {}});
  }
};

std::string_view kind_words(json::Kind kind);  // "a string", "an object"
std::unexpected<Error> wrong_kind(const Reading& at, const json::Value& found,
                                  std::string_view expected);

// How one C++ type is written, read and described. Every specialisation has these four:
// `append` writes the text of what `encode` gives, without making a Value of it.
template <class T>
struct Codec;

enum class Presence { kRequired, kOptional };

template <class T>
struct Field {
  std::string_view name;
  Presence presence;
  std::string_view description;
  json::Value (*encode)(const T&);
  void (*append)(std::string&, const T&);
  Done (*decode)(const json::Value&, const Reading&, T&);
  bool (*is_default)(const T&);
  json::Value (*schema)();
};

template <class M>
struct MemberOf;
template <class C, class V>
struct MemberOf<V C::*> {
  using Struct = C;
  using Value = V;
};

template <auto Member>
constexpr auto field(std::string_view name, Presence presence, std::string_view description) {
  using T = typename MemberOf<decltype(Member)>::Struct;
  using V = typename MemberOf<decltype(Member)>::Value;
  return Field<T>{
      name,
      presence,
      description,
      [](const T& from) { return Codec<V>::encode(from.*Member); },
      [](std::string& out, const T& from) { Codec<V>::append(out, from.*Member); },
      [](const json::Value& value, const Reading& at, T& into) {
        return Codec<V>::decode(value, at, into.*Member);
      },
      [](const T& from) {
        static const T kDefault{};
        return from.*Member == kDefault.*Member;
      },
      [] { return Codec<V>::schema(); },
  };
}

// Specialised in field_tables.h: `static constexpr Field<T> kFields[]`.
template <class T>
struct FieldsOf;

template <class T>
concept Described = requires { FieldsOf<T>::kFields; };
template <class T>
concept Named = !kNamesOf<T>.empty();

inline json::Value schema_of_type(std::string_view type) {
  return json::Value::object({{"type", json::Value::string(std::string(type))}});
}

template <>
struct Codec<std::string> {
  static json::Value encode(const std::string& text) { return json::Value::string(text); }
  static void append(std::string& out, const std::string& text) { json::append_quoted(out, text); }
  static Done decode(const json::Value& value, const Reading& at, std::string& into) {
    if (!value.is_string()) return wrong_kind(at, value, "a string");
    into = value.as_string();
    return {};
  }
  static json::Value schema() { return schema_of_type("string"); }
};

template <>
struct Codec<bool> {
  static json::Value encode(bool value) { return json::Value::boolean(value); }
  static void append(std::string& out, bool value) { out += value ? "true" : "false"; }
  static Done decode(const json::Value& value, const Reading& at, bool& into) {
    if (value.kind() != json::Kind::kBool) return wrong_kind(at, value, "true or false");
    into = value.as_bool();
    return {};
  }
  static json::Value schema() { return schema_of_type("boolean"); }
};

// Whole numbers that fit into N.
template <class N>
struct IntegerCodec {
  static json::Value encode(N value) { return json::Value::integer(value); }
  static void append(std::string& out, N value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  static Done decode(const json::Value& value, const Reading& at, N& into) {
    if (value.kind() != json::Kind::kNumber) return wrong_kind(at, value, "a whole number");
    const std::string& text = value.number_text();
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
    if (problem != std::errc() || end != text.data() + text.size())
      return at.fail("is " + shortened(text) + ", which is out of range",
                     "send a whole number from " + std::to_string(std::numeric_limits<N>::min()) +
                         " to " + std::to_string(std::numeric_limits<N>::max()));
    return {};
  }
  static json::Value schema() {
    json::Value out = schema_of_type("integer");
    if (std::numeric_limits<N>::min() == 0) {
      out.set("minimum", json::Value::integer(0));
      out.set("maximum", encode(std::numeric_limits<N>::max()));
    }
    return out;
  }
};
template <>
struct Codec<std::int64_t> : IntegerCodec<std::int64_t> {};
template <>
struct Codec<std::uint32_t> : IntegerCodec<std::uint32_t> {};
template <>
struct Codec<int> : IntegerCodec<int> {};

// The tool's input: any object, kept as it was sent.
template <>
struct Codec<json::Value> {
  static json::Value encode(const json::Value& value) { return value; }
  static void append(std::string& out, const json::Value& value) { json::append(out, value); }
  static Done decode(const json::Value& value, const Reading& at, json::Value& into) {
    if (!value.is_object()) return wrong_kind(at, value, "an object");
    into = value;
    return {};
  }
  static json::Value schema() { return schema_of_type("object"); }
};

template <Named E>
struct Codec<E> {
  static json::Value encode(E value) {
    return json::Value::string(std::string(name_in_list(value)));
  }
  static void append(std::string& out, E value) { json::append_quoted(out, name_in_list(value)); }
  static Done decode(const json::Value& value, const Reading& at, E& into) {
    if (!value.is_string()) return wrong_kind(at, value, "a string");
    const std::optional<E> found = value_named<E>(value.as_string());
    if (!found)
      return at.fail("is unknown: `" + shortened(value.as_string()) + "`",
                     did_you_mean(value.as_string(), "values", kNamesOf<E>));
    into = *found;
    return {};
  }
  static json::Value schema() {
    json::Value names = json::Value::array();
    for (std::string_view name : kNamesOf<E>) names.push(json::Value::string(std::string(name)));
    return schema_of_type("string").set("enum", std::move(names));
  }
};

template <class T>
struct Codec<std::vector<T>> {
  static json::Value encode(const std::vector<T>& items) {
    json::Value out = json::Value::array();
    for (const T& item : items) out.push(Codec<T>::encode(item));
    return out;
  }
  static void append(std::string& out, const std::vector<T>& items) {
    char between = '[';
    for (const T& item : items) {
      out += between;
      Codec<T>::append(out, item);
      between = ',';
    }
    out += items.empty() ? "[]" : "]";
  }
  static Done decode(const json::Value& value, const Reading& at, std::vector<T>& into) {
    if (!value.is_array()) return wrong_kind(at, value, "an array");
    into.clear();
    into.reserve(value.items().size());
    for (const json::Value& item : value.items()) {
      T read{};
      if (Done done = Codec<T>::decode(item, at.item(into.size()), read); !done) return done;
      into.push_back(std::move(read));
    }
    return {};
  }
  static json::Value schema() { return schema_of_type("array").set("items", Codec<T>::schema()); }
};

// [begin, size]
template <>
struct Codec<Span> {
  static json::Value encode(Span span) {
    return json::Value::array({json::Value::integer(span.begin), json::Value::integer(span.size)});
  }
  static void append(std::string& out, Span span) {
    out += '[';
    Codec<std::uint32_t>::append(out, span.begin);
    out += ',';
    Codec<std::uint32_t>::append(out, span.size);
    out += ']';
  }
  static Done decode(const json::Value& value, const Reading& at, Span& into) {
    std::vector<std::uint32_t> numbers;
    if (Done done = Codec<std::vector<std::uint32_t>>::decode(value, at, numbers); !done)
      return done;
    if (numbers.size() != 2)
      return at.fail("has " + std::to_string(numbers.size()) + " numbers", "send [begin, size]");
    into = {numbers[0], numbers[1]};
    return {};
  }
  static json::Value schema() {
    return Codec<std::vector<std::uint32_t>>::schema()
        .set("minItems", json::Value::integer(2))
        .set("maxItems", json::Value::integer(2));
  }
};

template <Described T>
struct Codec<T> {
  static json::Value encode(const T& from) {
    json::Value out = json::Value::object();
    for (const Field<T>& field : FieldsOf<T>::kFields) {
      if (field.presence == Presence::kOptional && field.is_default(from)) continue;
      out.set(std::string(field.name), field.encode(from));
    }
    return out;
  }

  // The names are letters, so nothing in them needs an escape.
  static void append(std::string& out, const T& from) {
    char between = '{';
    for (const Field<T>& field : FieldsOf<T>::kFields) {
      if (field.presence == Presence::kOptional && field.is_default(from)) continue;
      out += between;
      out += '"';
      out += field.name;
      out += "\":";
      field.append(out, from);
      between = ',';
    }
    out += between == '{' ? "{}" : "}";
  }

  static Done decode(const json::Value& value, const Reading& at, T& into) {
    if (!value.is_object()) return wrong_kind(at, value, "an object");
    if (Done done = only_known(value, at); !done) return done;
    for (const Field<T>& field : FieldsOf<T>::kFields) {
      const json::Value* member = value.find(field.name);
      if (member == nullptr) {
        if (field.presence == Presence::kOptional) continue;
        return at.fail("has no `" + std::string(field.name) + "`",
                       "add it: " + std::string(field.description));
      }
      if (Done done = field.decode(*member, at.member(field.name), into); !done) return done;
    }
    return {};
  }

  static json::Value schema() {
    json::Value properties = json::Value::object();
    json::Value required = json::Value::array();
    for (const Field<T>& field : FieldsOf<T>::kFields) {
      json::Value property = field.schema();
      property.set("description", json::Value::string(std::string(field.description)));
      properties.set(std::string(field.name), std::move(property));
      if (field.presence == Presence::kRequired)
        required.push(json::Value::string(std::string(field.name)));
    }
    json::Value out = schema_of_type("object");
    out.set("properties", std::move(properties));
    if (!required.items().empty()) out.set("required", std::move(required));
    return out.set("additionalProperties", json::Value::boolean(false));
  }

 private:
  static Done only_known(const json::Value& value, const Reading& at) {
    std::vector<std::string_view> names;
    for (const Field<T>& field : FieldsOf<T>::kFields) names.push_back(field.name);
    for (const json::Value::Member& member : value.members()) {
      if (std::ranges::find(names, member.first) != names.end()) continue;
      return at.fail("has an unknown member `" + shortened(member.first) + "`",
                     did_you_mean(member.first, "members", names));
    }
    return {};
  }
};

}  // namespace tollgate

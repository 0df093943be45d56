// Statements, keys and headers of TOML. Values are read in toml_value.cc.
#include "providers/toml_text.h"

#include "base/text.h"
#include "providers/json_text.h"
#include "providers/toml_reader.h"

namespace tollgate::providers {
namespace {

std::string dotted(const std::vector<std::string>& path) { return join(path, "."); }

// What has been defined, so that nothing is defined twice. A name is a path with the number of the
// element behind each list of tables.
class Names {
 public:
  enum class Kind { kNothing, kImplied, kTable, kTables, kDotted, kValue };

  // "" where the header is fine, else what is wrong with it.
  std::string header(const std::vector<std::string>& path, TomlKind kind) {
    std::string name;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (!enter(name, path[i], Kind::kImplied)) return "is a value and cannot hold tables";
    name += '\n' + path.back();
    Entry& entry = entries_[name];
    if (kind == TomlKind::kTables) {
      if (entry.kind != Kind::kNothing && entry.kind != Kind::kTables)
        return "is there already, and is no list of tables";
      entry.kind = Kind::kTables;
      ++entry.count;
      table_ = name + '\n' + std::to_string(entry.count);
      return "";
    }
    if (entry.kind != Kind::kNothing && entry.kind != Kind::kImplied) return "is there already";
    entry.kind = Kind::kTable;
    table_ = name;
    return "";
  }

  std::string pair(const std::vector<std::string>& path) {
    std::string name = table_;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      name += '\n' + path[i];
      Entry& entry = entries_[name];
      if (entry.kind != Kind::kNothing && entry.kind != Kind::kDotted)
        return "is there already, and cannot be added to here";
      entry.kind = Kind::kDotted;
    }
    Entry& entry = entries_[name + '\n' + path.back()];
    if (entry.kind != Kind::kNothing) return "is there already";
    entry.kind = Kind::kValue;
    return "";
  }

 private:
  struct Entry {
    Kind kind = Kind::kNothing;
    std::size_t count = 0;
  };

  bool enter(std::string& name, const std::string& part, Kind missing) {
    name += '\n' + part;
    Entry& entry = entries_[name];
    if (entry.kind == Kind::kNothing) entry.kind = missing;
    if (entry.kind == Kind::kTables) name += '\n' + std::to_string(entry.count);
    return entry.kind != Kind::kValue;
  }

  std::map<std::string, Entry> entries_;
  std::string table_;
};

}  // namespace

const TomlStatement* TomlText::pair(std::size_t table, std::string_view key) const& {
  for (const TomlStatement& each : statements)
    if (each.kind == TomlKind::kPair && each.table == table && each.path.size() == 1 &&
        each.path[0] == key)
      return &each;
  return nullptr;
}

Result<TomlText> read_toml(std::string text, const std::string& file) {
  TomlText out;
  TomlReader reader(text);
  Names names;
  std::size_t table = kNoTable;
  const auto wrong = [&](std::size_t at, std::string message) {
    return Fail(error_at("toml-syntax", std::move(message),
                         "correct the file: its client cannot read it as it is", file, text, at));
  };
  if (const std::size_t valid = valid_utf8_prefix(text); valid < text.size())
    return wrong(valid, "the text is not valid UTF-8");
  while (reader.next_line()) {
    TomlStatement statement = reader.statement();
    if (!reader.mistake().empty()) return wrong(reader.at(), reader.mistake());
    const bool pair = statement.kind == TomlKind::kPair;
    const std::string fault =
        pair ? names.pair(statement.path) : names.header(statement.path, statement.kind);
    if (!fault.empty()) return wrong(statement.at, "`" + dotted(statement.path) + "` " + fault);
    statement.table = pair ? table : kNoTable;
    if (!pair) table = out.statements.size();
    out.statements.push_back(std::move(statement));
  }
  out.text = std::move(text);
  return out;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      out += c;
      continue;
    }
    const auto number = static_cast<unsigned char>(c);
    out += "\\u00";
    out += "0123456789ABCDEF"[number >> 4];
    out += "0123456789ABCDEF"[number & 15];
  }
  return out + '"';
}

}  // namespace tollgate::providers

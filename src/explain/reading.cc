#include "explain/reading.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "core/tool_table.h"
#include "explain/call_text.h"
#include "explain/effect_words.h"
#include "explain/layout.h"

namespace tollgate {
namespace {

using json::Value;

// LIMIT: one argument or effect is shown up to here.
constexpr std::size_t kShownWord = 2'000;

bool is_shell(const ToolCall& call, std::span<const ToolDeclaration> declared) {
  if (kind_of(call.tool) == ToolKind::kShell) return true;
  const ToolDeclaration* declaration = declaration_of(call.tool, declared);
  return declaration != nullptr && declaration->does == Does::kShell;
}

// For each byte of a text, how many UTF-16 units stand before it.
class Units {
 public:
  explicit Units(std::string_view text) {
    before_.reserve(text.size() + 1);
    std::uint32_t units = 0;
    for (const char c : text) {
      before_.push_back(units);
      const auto byte = static_cast<unsigned char>(c);
      if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    before_.push_back(units);
  }
  Value span(Span span) const {
    return Value::array({Value::integer(at(span.begin)), Value::integer(at(span.end()))});
  }

 private:
  std::uint32_t at(std::size_t byte) const { return before_[std::min(byte, before_.size() - 1)]; }

  std::vector<std::uint32_t> before_;
};

Value count(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }

// One program of a shell text, with what it does by itself.
struct Command {
  std::uint32_t run = kNoOwner;  // its effect; kNoOwner: what no program of the text does
  std::vector<std::uint32_t> effects;
};

std::vector<Command> commands_of(const Effects& effects) {
  std::vector<Command> commands;
  std::map<std::uint32_t, std::size_t> of_run;
  for (std::uint32_t i = 0; i < effects.size(); ++i) {
    if (effects[i].kind != EffectKind::kRun) continue;
    of_run[i] = commands.size();
    commands.push_back({.run = i, .effects = {}});
  }
  for (std::uint32_t i = 0; i < effects.size(); ++i) {
    const Effect& effect = effects[i];
    if (effect.kind == EffectKind::kRun || effect.guess != Guess::kNone || is_repository(effect))
      continue;
    const auto owner = of_run.find(effect.owner);
    if (owner != of_run.end())
      commands[owner->second].effects.push_back(i);
    else
      commands.push_back({.run = kNoOwner, .effects = {i}});
  }
  return commands;
}

Value command_value(const Command& command, const Effects& effects, const EffectWords& words,
                    const Units& units) {
  const Effect& head = effects[command.run == kNoOwner ? command.effects.front() : command.run];
  Value argv = Value::array(), does = Value::array();
  for (const Word& word : head.argv)
    argv.push(
        Value::string(visible_start(word.known ? word.text : words.word_of(word), kShownWord)));
  std::vector<std::string> told;
  for (const std::uint32_t index : command.effects) {
    const Effect& effect = effects[index];
    std::string text =
        std::string(name(effect.kind)) + " " + visible_start(words.object_of(effect), kShownWord);
    if (std::ranges::find(told, text) == told.end()) told.push_back(std::move(text));
  }
  for (const std::string& text : std::span(told).first(std::min(told.size(), kShownEffects)))
    does.push(Value::string(text));
  Value out = Value::object({{"span", units.span(head.span)},
                             {"argv", std::move(argv)},
                             {"known", Value::boolean(head.listed && head.told)},
                             {"effects", std::move(does)}});
  if (told.size() > kShownEffects) out.set("more", count(told.size() - kShownEffects));
  return out;
}

// The first of these members that is a string; nothing where none is.
const std::string* text_of(const Value& input, std::string_view names) {
  for (const std::string_view name : split(names, ',')) {
    const Value* value = input.find(trim(name));
    if (value != nullptr && value->is_string()) return &value->as_string();
  }
  return nullptr;
}

constexpr std::string_view kOldNames =
    "old_string,oldString,old_str,oldStr,oldText,old_text,old,TargetContent";
constexpr std::string_view kNewNames =
    "new_string,newString,new_str,newStr,new_text,newText,new,ReplacementContent";

std::optional<EditPiece> piece_of(const std::string& path, const Value& input,
                                  std::string_view names) {
  const std::string* after = text_of(input, names);
  if (after == nullptr) after = text_of(input, kNewNames);
  const std::string* before = text_of(input, kOldNames);
  if (after == nullptr && before == nullptr) return std::nullopt;
  EditPiece piece{.path = path, .before = {}, .after = after == nullptr ? "" : *after};
  if (before != nullptr) piece.before = *before;
  return piece;
}

}  // namespace

std::optional<Value> shell_reading(const AuditRecord& record,
                                   std::span<const ToolDeclaration> declared,
                                   const std::string& here) {
  if (!is_shell(record.call, declared)) return std::nullopt;
  const EffectWords words(record, main_field(record.call, declared), here);
  const std::string* text = words.main_text();
  if (text == nullptr) return std::nullopt;
  const Units units(*text);
  const std::vector<Command> commands = commands_of(record.effects);
  Value list = Value::array(), deciding = Value::array();
  for (const Command& command :
       std::span(commands).first(std::min(commands.size(), kShownCommands)))
    list.push(command_value(command, record.effects, words, units));
  for (const Span span : words.deciding_spans()) deciding.push(units.span(span));
  Value out = Value::object({{"text", Value::string(*text)},
                             {"commands", std::move(list)},
                             {"deciding", std::move(deciding)}});
  if (commands.size() > kShownCommands) out.set("more", count(commands.size() - kShownCommands));
  return out;
}

std::vector<EditPiece> edit_pieces(const ToolCall& call) {
  const ToolRow* row = tool_row(call.provider, call.native_tool);
  if (row == nullptr) row = tool_row("", call.tool);
  if (row == nullptr || row->kind != ToolKind::kEdit || row->main.empty()) return {};
  const std::string* path = text_of(call.input, row->main);
  if (path == nullptr) return {};
  std::vector<EditPiece> pieces;
  for (const std::string_view name : {"edits", "edit"}) {
    const Value* edits = call.input.find(name);
    if (edits == nullptr) continue;
    for (const Value& edit : edits->items())
      if (std::optional<EditPiece> piece = piece_of(*path, edit, "")) pieces.push_back(*piece);
    if (std::optional<EditPiece> piece = piece_of(*path, *edits, "")) pieces.push_back(*piece);
  }
  if (!pieces.empty()) return pieces;
  std::optional<EditPiece> piece = piece_of(*path, call.input, row->text);
  if (!piece) return {};
  piece->whole = row->canonical == "Write";
  return {std::move(*piece)};
}

std::string patch_in(const ToolCall& call) {
  const ToolRow* row = tool_row(call.provider, call.native_tool);
  if (row == nullptr || row->kind != ToolKind::kEdit || !row->main.empty()) return "";
  const std::string* text = text_of(call.input, row->text);
  return text == nullptr ? "" : *text;
}

}  // namespace tollgate

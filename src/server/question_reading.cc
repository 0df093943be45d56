#include "server/question_reading.h"

#include <algorithm>
#include <set>

#include "base/path.h"
#include "base/text.h"
#include "core/tool_table.h"
#include "explain/call_text.h"
#include "explain/reading.h"
#include "json/json.h"
#include "os/files.h"
#include "os/paths.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: a file is shown as it is now up to here.
constexpr std::size_t kShownFile = 256u << 10;

// LIMIT: what a list shows of a text, in characters.
constexpr std::size_t kBriefCharacters = 300;

bool decides(const Reason& reason, const Decision& decision) {
  return reason.verdict == decision.verdict;
}

bool is_for_eyes(ReasonKind kind) {
  return kind == ReasonKind::kBreaker || kind == ReasonKind::kGuarded ||
         kind == ReasonKind::kSensitive;
}

bool needs_eyes(const Decision& decision) {
  const auto is_such = [](const Reason& reason) { return is_for_eyes(reason.kind); };
  return std::ranges::any_of(decision.reasons, is_such) ||
         std::ranges::any_of(decision.also, is_such);
}

// SAFETY: the daemon reads for somebody who may be elsewhere: only what lies in the workspace, and
// nothing that is guarded or sensitive.
std::optional<std::string> present_text(const AuditRecord& record) {
  if (needs_eyes(record.decision)) return std::nullopt;
  const Situation& situation = record.situation;
  for (std::size_t i = 0; i < record.effects.size() && i < situation.paths.size(); ++i) {
    const PathLook& look = situation.paths[i];
    if (record.effects[i].kind != EffectKind::kWrite || look.state != PathState::kFile) continue;
    if (std::ranges::none_of(situation.roots, [&](const Place& root) {
          return !root.real.empty() && is_inside(look.real, root.real);
        }))
      return std::nullopt;
    // SAFETY: an agent may have put a link there since it was looked at.
    const auto stays = [&] { return os::real_path(look.real).path == look.real; };
    if (!stays()) return std::nullopt;
    Result<os::FileText> file = os::read_part(look.real, 0, kShownFile);
    if (!file || file->stamp.size > kShownFile || !stays() || !is_valid_utf8(file->text))
      return std::nullopt;
    return std::move(file->text);
  }
  return std::nullopt;
}

Value edits_value(const AuditRecord& record, std::vector<EditPiece> pieces) {
  Value edits = Value::array();
  for (EditPiece& piece : pieces) {
    if (piece.whole) piece.before = present_text(record);
    Value edit = Value::object({{"path", text_value(piece.path)}});
    edit.set("before", piece.before ? text_value(*piece.before) : Value());
    edit.set("after", text_value(piece.after));
    if (piece.whole) edit.set("whole", Value::boolean(true));
    edits.push(std::move(edit));
  }
  return Value::object({{"edits", std::move(edits)}});
}

}  // namespace

bool is_breaker(const store::Question& question) {
  return std::ranges::any_of(question.asked.decision.reasons, [](const Reason& reason) {
    return reason.kind == ReasonKind::kBreaker;
  });
}

bool needs_eyes(const store::Question& question) { return needs_eyes(question.asked.decision); }

std::string_view start_of(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80 && ++characters > kBriefCharacters)
      return text.substr(0, i);
  return text;
}

// SAFETY: a rule that asks hides what would be asked about besides.
bool stands_in_what_asks(const AuditRecord& asked) {
  std::vector<Span> spans;
  for (const Reason& reason : asked.decision.reasons)
    if (reason.verdict == Verdict::kAsk) spans.push_back(reason.span);
  return !spans.empty() && std::ranges::all_of(asked.effects, [&](const Effect& effect) {
    return effect.span.empty() || std::ranges::any_of(spans, [&](const Span& span) {
             return effect.span.begin >= span.begin && effect.span.end() <= span.end();
           });
  });
}

bool fits_summary(const ToolCall& call) {
  const std::string main = main_argument(call);
  if (start_of(main).size() < main.size()) return false;
  if (kind_of(call.tool) == ToolKind::kShell || main == json::write(call.input)) return true;
  // A number is an offset or a limit; a text or a list is something that the summary leaves out.
  return std::ranges::all_of(call.input.members(), [&](const auto& member) {
    const Value& value = member.second;
    return (value.is_string() && value.as_string() == main) ||
           value.kind() == json::Kind::kNumber || value.kind() == json::Kind::kBool;
  });
}

std::string group_of(const store::Question& question) {
  const Decision& decision = question.asked.decision;
  if (question.type != store::QuestionType::kPermission || needs_eyes(decision)) return "";
  // SAFETY: one answer for several is given by their summaries, so that these must say it all.
  if (!fits_summary(question.asked.call) || !stands_in_what_asks(question.asked))
    return "call " + question.digest;
  std::set<std::string> rules;
  for (const Reason& reason : decision.reasons) {
    if (!decides(reason, decision)) continue;
    const bool stated = reason.kind == ReasonKind::kRule && reason.source != "built-in";
    if (!stated) return "call " + question.digest;
    rules.insert(reason.rule + " at " + reason.source);
  }
  if (rules.empty()) return "call " + question.digest;
  std::string group = "rule";
  for (const std::string& rule : rules) group += " " + rule;
  return group;
}

Value why_value(const store::Question& question) {
  Value why = Value::array();
  for (const Reason& reason : question.asked.decision.reasons)
    why.push(Value::object({{"kind", text_value(name(reason.kind))},
                            {"rule", text_value(reason.rule)},
                            {"source", text_value(reason.source)},
                            {"text", text_value(reason.text)}}));
  return why;
}

Value reading_value(const AuditRecord& record, std::span<const ToolDeclaration> declared) {
  if (std::optional<Value> shell = shell_reading(record, declared, record.situation.base.written))
    return std::move(*shell);
  if (std::vector<EditPiece> pieces = edit_pieces(record.call); !pieces.empty())
    return edits_value(record, std::move(pieces));
  if (const std::string patch = patch_in(record.call); !patch.empty())
    return Value::object({{"patch", text_value(patch)}});
  return {};
}

std::string main_argument(const ToolCall& call) {
  if (const std::string main = main_field(call, {}); !main.empty())
    return text_in(call.input, main);
  if (std::string question = text_in(call.input, "question"); !question.empty()) return question;
  if (const Value* questions = call.input.find("questions");
      questions != nullptr && !questions->items().empty())
    if (std::string first = text_in(questions->items()[0], "question"); !first.empty())
      return first;
  if (std::string patch = patch_in(call); !patch.empty()) return patch;
  return json::write(call.input);
}

}  // namespace tollgate::server

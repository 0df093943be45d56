// The JSON members of calls, effects, situations and decisions: name, need, meaning.
// The single source for codec.cc and schema.cc; the descriptions are what the schemas show.
// Names are written into records and read by scripts: add members, never rename one.
#pragma once

#include "core/decision.h"
#include "core/effect.h"
#include "core/fields.h"
#include "core/situation.h"
#include "core/tool_call.h"

namespace tollgate {

inline constexpr Presence kMust = Presence::kRequired;
inline constexpr Presence kMay = Presence::kOptional;

template <>
struct FieldsOf<ToolCall> {
  static constexpr Field<ToolCall> kFields[] = {
      field<&ToolCall::id>("id", kMay, "the client's id of the call"),
      field<&ToolCall::session>("session", kMay, "the session the call belongs to"),
      field<&ToolCall::agent>("agent", kMay, "the agent's name in the configuration"),
      field<&ToolCall::provider>("provider", kMay, "the client program: claude, codex, gemini ..."),
      field<&ToolCall::native_tool>("native_tool", kMay, "the client's own name of the tool"),
      field<&ToolCall::tool>("tool", kMust, "the canonical name of the tool"),
      field<&ToolCall::input>("input", kMust, "what the tool is called with, as it was sent"),
      field<&ToolCall::cwd>("cwd", kMay, "the absolute directory the call happens in"),
      field<&ToolCall::client_mode>("client_mode", kMay,
                                    "the mode the client says it is in; it can only tighten"),
      field<&ToolCall::stated_reason>("stated_reason", kMay, "the agent's own words for the call"),
  };
};

template <>
struct FieldsOf<Word> {
  static constexpr Field<Word> kFields[] = {
      field<&Word::text>("text", kMust, "the word after quote removal, or its known beginning"),
      field<&Word::span>("span", kMay, "where it stands in the command, as [begin, size] in bytes"),
      field<&Word::known>("known", kMay, "false when only the beginning of the word is known"),
      field<&Word::rest>("rest", kMay, "what may stand behind the known beginning"),
      field<&Word::several>("several", kMay, "true when any number of words may stand here"),
      field<&Word::operand>("operand", kMay, "true when the word cannot begin with a dash"),
      field<&Word::identifier>("identifier", kMay, "true when the word names no file"),
      field<&Word::computed>("computed", kMay, "true when a program in the call prints it"),
      field<&Word::secret>("secret", kMay, "true when it holds a variable named like a secret"),
  };
};

template <>
struct FieldsOf<Effect> {
  static constexpr Field<Effect> kFields[] = {
      field<&Effect::kind>("kind", kMust, "what would happen"),
      field<&Effect::by>("by", kMay, "what brings it about"),
      field<&Effect::recursive>("recursive", kMay, "true when everything below the path is meant"),
      field<&Effect::pattern>("pattern", kMay, "true when the path is a pattern of file names"),
      field<&Effect::listed>("listed", kMay,
                             "true when the program does nothing beyond the effects it owns here"),
      field<&Effect::safe>("safe", kMay, "true when no option of the program could do more"),
      field<&Effect::told>("told", kMay, "true when the meaning of every word is known"),
      field<&Effect::guess>("guess", kMay, "why this is taken for a path; nothing where it is one"),
      field<&Effect::owner>("owner", kMay, "the index of the run effect whose program does this"),
      field<&Effect::span>("span", kMay,
                           "where the call's main text says so, as [begin, size] in bytes"),
      field<&Effect::argv>("argv", kMay, "the program and its arguments"),
      field<&Effect::path>("path", kMay, "the absolute path, cleaned of . and .. as text"),
      field<&Effect::host>("host", kMay, "the host that is reached, in lower case"),
      field<&Effect::url>("url", kMay, "the whole URL that is reached"),
      field<&Effect::target>("target", kMay,
                             "the tool, the type of agent, what was not read, or `repository`"),
      field<&Effect::text>("text", kMay, "the new text of a file"),
      field<&Effect::why>("why", kMay, "why it could not be known"),
      field<&Effect::spelled>("spelled", kMay, "the absolute path before it was cleaned"),
  };
};

template <>
struct FieldsOf<Place> {
  static constexpr Field<Place> kFields[] = {
      field<&Place::written>("written", kMay, "the directory as it was named"),
      field<&Place::real>("real", kMay, "the directory with every link resolved"),
  };
};

template <>
struct FieldsOf<PathLook> {
  static constexpr Field<PathLook> kFields[] = {
      field<&PathLook::state>("state", kMust, "what was found at the path"),
      field<&PathLook::block_device>("block_device", kMay, "true for a block device"),
      field<&PathLook::bare_repository>("bare_repository", kMay,
                                        "true in a directory shaped like a bare repository"),
      field<&PathLook::real>("real", kMay, "the path with every link resolved"),
      field<&PathLook::walked>("walked", kMay, "true when the look went below the path"),
      field<&PathLook::walk_cut>("walk_cut", kMay, "true when that look hit its bound"),
      field<&PathLook::below>("below", kMay, "the real paths found below"),
      field<&PathLook::dashes>("dashes", kMay, "how many matches of a pattern begin with a dash"),
      field<&PathLook::repository>("repository", kMay,
                                   "whose settings a version control program would follow there"),
      field<&PathLook::why>("why", kMay, "what stands against following them"),
  };
};

template <>
struct FieldsOf<Situation> {
  static constexpr Field<Situation> kFields[] = {
      field<&Situation::now>("now", kMust, "seconds since 1970, UTC"),
      field<&Situation::base>("base", kMay, "the session's base directory"),
      field<&Situation::roots>("roots", kMay, "the workspace roots"),
      field<&Situation::cwd>("cwd", kMay, "the directory of the call"),
      field<&Situation::home>("home", kMay, "the user's home directory"),
      field<&Situation::temporary>("temporary", kMay, "the temporary directories"),
      field<&Situation::gate>("gate", kMay, "the gate's own files and directories"),
      field<&Situation::path_dirs>("path_dirs", kMay,
                                   "directories of PATH that the user can write"),
      field<&Situation::paths>("paths", kMay, "what was found for each effect"),
      field<&Situation::approver_reachable>("approver_reachable", kMust,
                                            "whether somebody can answer an ask"),
  };
};

template <>
struct FieldsOf<Reason> {
  static constexpr Field<Reason> kFields[] = {
      field<&Reason::kind>("kind", kMust, "what sort of ground this is"),
      field<&Reason::rule>("rule", kMust, "the rule as written, or the breaker's or mode's name"),
      field<&Reason::source>("source", kMust, "file:line:column of the rule, or built-in"),
      field<&Reason::text>("text", kMust, "what it means here and what to do"),
      field<&Reason::span>("span", kMust,
                           "the part of the call it is about, as [begin, size] in bytes"),
      field<&Reason::verdict>("verdict", kMust, "what this ground alone comes to"),
  };
};

template <>
struct FieldsOf<Change> {
  static constexpr Field<Change> kFields[] = {
      field<&Change::kind>("kind", kMust, "what would have to change"),
      field<&Change::list>("list", kMay, "the list of rules it is about"),
      field<&Change::rules>("rules", kMay, "the rules, mode, tools or answerer to write or remove"),
      field<&Change::places>("places", kMay,
                             "where the rules to remove stand, or the lists to add to"),
      field<&Change::verdict>("verdict", kMust, "what the gate would say then"),
      field<&Change::removed>("removed", kMay, "the rules to remove before the other is added"),
  };
};

template <>
struct FieldsOf<Quorum> {
  static constexpr Field<Quorum> kFields[] = {
      field<&Quorum::any>("any", kMust, "how many people must agree"),
      field<&Quorum::of>("of", kMay, "the roles whose people count; nothing for all"),
      field<&Quorum::deny>("deny", kMust, "how many people refuse it"),
      field<&Quorum::within_ms>("within_ms", kMay, "how long the rule lets the question stand"),
      field<&Quorum::expires_ms>("expires_ms", kMay, "how long the answer may be used"),
      field<&Quorum::after_ms>("after_ms", kMay, "from when on its people's votes count"),
      field<&Quorum::name>("name", kMay, "the author's word for it"),
      field<&Quorum::or_else>("or_else", kMay,
                              "stands beside the one before it: either of them is enough"),
  };
};

template <>
struct FieldsOf<Decision> {
  static constexpr Field<Decision> kFields[] = {
      field<&Decision::verdict>("verdict", kMust, "the answer"),
      field<&Decision::reasons>("reasons", kMust, "what decided, most telling first"),
      field<&Decision::layer>("layer", kMust, "which part of the gate answered"),
      field<&Decision::config_source>("config_source", kMust,
                                      "which part of the configuration decided"),
      field<&Decision::also>("also", kMay, "what else matched and did not decide"),
      field<&Decision::changes>("changes", kMay, "what would change the answer"),
      field<&Decision::suggestions>("suggestions", kMay,
                                    "rules that would settle this ask, narrowest first"),
      field<&Decision::approve>("approve", kMay, "the quorum that the deciding ask rule wants"),
      field<&Decision::quorums>("quorums", kMay,
                                "the thresholds of each rule; each rule must be met"),
      field<&Decision::answer>("answer", kMay, "who settles this ask; left out for people"),
      field<&Decision::within_ms>("within_ms", kMay,
                                  "how long this ask may stand, in milliseconds, 0 for ever; left "
                                  "out for 30 seconds"),
      field<&Decision::on_timeout>("on_timeout", kMay,
                                   "what becomes of this ask then; left out for deny"),
  };
};

}  // namespace tollgate

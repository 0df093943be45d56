// Which effects each kind of rule is about, and how the parts come together.
// Deny and ask rules bind by family: an Edit rule is about every change of a path, whatever tool
// or program makes it. Allow rules cover no more than they say.
#include "policy/match.h"

#include <algorithm>
#include <string>

#include "base/path.h"
#include "base/text.h"
#include "json/json.h"
#include "policy/glob.h"
#include "policy/roles.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

constexpr std::uint16_t kReadBits = kind_bit(ToolKind::kRead) | kind_bit(ToolKind::kList);
constexpr std::uint16_t kShellBits = kind_bit(ToolKind::kShell) | kind_bit(ToolKind::kShellInput);

// The kinds of built-in tool that a rule names; 0 when it names none.
std::uint16_t named_kinds(const RuleView& rule) {
  return rule.tool_kind == ToolPartKind::kAll ? std::uint16_t{0xffff} : rule.kinds;
}

constexpr std::uint16_t kBuiltInKinds = kReadBits | kind_bit(ToolKind::kShell) |
                                        kind_bit(ToolKind::kShellInput) |
                                        kind_bit(ToolKind::kEdit) | kind_bit(ToolKind::kFetch) |
                                        kind_bit(ToolKind::kSearch) | kind_bit(ToolKind::kAgent);

}  // namespace

std::uint16_t kinds_of_tool(const Scene& scene) {
  const ToolDeclaration* declaration = declaration_of(scene.call.tool, scene.tools);
  if (declaration == nullptr) return kind_bit(scene.kind) & kBuiltInKinds;
  switch (declaration->does) {
    case Does::kShell:
      return kind_bit(ToolKind::kShell);
    case Does::kRead:
      return kReadBits;
    case Does::kWrite:
    case Does::kCreate:
    case Does::kDelete:
    case Does::kRename:
      return kind_bit(ToolKind::kEdit);
    case Does::kUrl:
      return kind_bit(ToolKind::kFetch);
    case Does::kUnknown:
    case Does::kNothing:
      break;
  }
  return 0;
}

namespace {

// The kinds of tool whose rules are about this effect, for deny and ask. What could not be read
// may be anything that the call's tool does.
std::uint16_t family(const Scene& scene, const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::kRun:
      return kind_bit(ToolKind::kShell);
    case EffectKind::kRead:
      return kReadBits;
    case EffectKind::kWrite:
    case EffectKind::kCreate:
    case EffectKind::kDelete:
    case EffectKind::kRename:
    case EffectKind::kLink:
    case EffectKind::kMode:
      return kind_bit(ToolKind::kEdit);
    case EffectKind::kReach:
      return is_configured_home(effect) ? std::uint16_t{0} : kind_bit(ToolKind::kFetch);
    case EffectKind::kSearch:
      return kind_bit(ToolKind::kSearch);
    case EffectKind::kAgent:
      return kind_bit(ToolKind::kAgent);
    case EffectKind::kUnknown:
      return kinds_of_tool(scene);
    case EffectKind::kMcp:
    case EffectKind::kApp:
    case EffectKind::kPerson:
      break;
  }
  return 0;
}

// True when the rule names a built-in tool, whose specifier then binds effects of any tool.
bool binds_family(const RuleView& rule) { return (named_kinds(rule) & kBuiltInKinds) != 0; }

// A declared tool's specifier: the template with the arguments filled in.
Match template_matches(const RuleView& rule, const Scene& scene) {
  const ToolDeclaration* declaration = declaration_of(scene.call.tool, scene.tools);
  if (declaration == nullptr || declaration->specifier_template.empty()) return Match::kMaybe;
  const std::string_view text = declaration->specifier_template;
  std::string rendered;
  bool missing = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t close = text[i] == '{' ? text.find('}', i) : text.npos;
    if (close == text.npos) {
      rendered += text[i++];
      continue;
    }
    const json::Value* value = scene.call.input.find(text.substr(i + 1, close - i - 1));
    if (value == nullptr || value->is_null() || value->is_array() || value->is_object())
      missing = true;
    else if (value->is_string())
      rendered += value->as_string();
    else
      rendered += json::write(*value);
    i = close + 1;
  }
  if (missing) return Match::kMaybe;
  return plain_glob(rule.specifier, rendered) ? Match::kYes : Match::kNo;
}

Match specifier_hits(const RuleView& rule, const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  switch (rule.specifier_kind) {
    case SpecifierKind::kShell:
      return command_hits(rule.specifier, effect.argv, scene.situation.home.written);
    case SpecifierKind::kPath:
      return path_hits(rule.specifier, effect, look_at(scene, index), scene.situation);
    case SpecifierKind::kHost:
    case SpecifierKind::kUrl:
      return host_hits(rule, effect);
    case SpecifierKind::kAgentType:
      if (effect.target.empty()) return Match::kMaybe;
      return plain_glob(rule.specifier, effect.target) ? Match::kYes : Match::kNo;
    default:
      return Match::kNo;
  }
}

bool concerns(SpecifierKind specifier, EffectKind effect) {
  switch (specifier) {
    case SpecifierKind::kShell:
      return effect == EffectKind::kRun;
    case SpecifierKind::kPath:
      return is_path_kind(effect);
    case SpecifierKind::kHost:
    case SpecifierKind::kUrl:
      return effect == EffectKind::kReach;
    case SpecifierKind::kAgentType:
      return effect == EffectKind::kAgent;
    default:
      return false;
  }
}

}  // namespace

std::uint16_t kinds_named_by(const ToolPart& part) {
  return part.kind == ToolPartKind::kName ? kind_bit(kind_of(part.name)) : part.kinds;
}

bool is_touch(const Scene& scene, std::size_t effect) {
  switch (scene.effects[effect].guess) {
    case Guess::kNone:
    case Guess::kPath:
      return true;
    case Guess::kWord:
      return look_at(scene, effect).state != PathState::kMissing;
    case Guess::kProgram:
      break;
  }
  return false;
}

RuleView view_of(const Rule& rule) { return view_of(rule, kinds_named_by(rule.tool)); }

RuleView view_of(const Rule& rule, std::uint16_t kinds) {
  return {.verdict = rule.verdict,
          .tool_kind = rule.tool.kind,
          .specifier_kind = rule.specifier_kind,
          .kinds = kinds,
          .tool_name = rule.tool.name,
          .specifier = rule.specifier};
}

bool covers(const RuleView& rule, std::string_view tool, ToolKind kind) {
  switch (rule.tool_kind) {
    case ToolPartKind::kAll:
      return true;
    case ToolPartKind::kKinds:
      return (rule.kinds & kind_bit(kind)) != 0;
    case ToolPartKind::kName:
      return rule.tool_name == tool;
    case ToolPartKind::kServer:
      return kind == ToolKind::kMcp && mcp_name(tool).server == rule.tool_name;
    case ToolPartKind::kNamespace:
      return tool.starts_with(rule.tool_name);
    case ToolPartKind::kGlob:
      return plain_glob(rule.tool_name, tool);
  }
  return false;
}

Match hits_call(const RuleView& rule, const Scene& scene) {
  switch (rule.specifier_kind) {
    case SpecifierKind::kNone: {
      const bool named =
          covers(rule, scene.call.tool, scene.kind) ||
          (rule.tool_kind == ToolPartKind::kName && !scene.call.native_tool.empty() &&
           rule.tool_name == scene.call.native_tool);
      return named ? Match::kYes : Match::kNo;
    }
    case SpecifierKind::kArguments:
      if (!covers(rule, scene.call.tool, scene.kind)) return Match::kNo;
      return arguments_hit(rule.specifier, scene.call.input);
    case SpecifierKind::kTemplate:
      if (!covers(rule, scene.call.tool, scene.kind)) return Match::kNo;
      return template_matches(rule, scene);
    default:
      return Match::kNo;
  }
}

namespace {

// Whether a word can be the program that a command pattern begins with.
bool may_be_program(std::string_view pattern, std::string_view word) {
  const std::string_view program = pattern.substr(0, pattern.find(' '));
  return has_star(program) || unescaped(base_name(program)) == base_name(word);
}

// A program without a row may run the rest of its words as a command. A deny or ask that this
// would match is in doubt.
Match tail_hits(const RuleView& rule, const Scene& scene, const Effect& run) {
  if (rule.specifier_kind != SpecifierKind::kShell) return Match::kNo;
  const std::span<const Word> argv = run.argv;
  // With more words there is an Unknown beside it, and that says as much.
  if (argv.size() > kMaxGuessedWords) return Match::kNo;
  for (std::size_t i = 1; i < argv.size(); ++i)
    if (argv[i].known && !argv[i].text.starts_with('-') &&
        may_be_program(rule.specifier, argv[i].text) &&
        command_hits(rule.specifier, argv.subspan(i), scene.situation.home.written) != Match::kNo)
      return Match::kMaybe;
  return Match::kNo;
}

// What a program without a row may read or change. A rule about a path is at most in doubt.
Match guess_hits(const RuleView& rule, const Scene& scene, std::size_t index) {
  constexpr std::uint16_t kPathKinds = kReadBits | kind_bit(ToolKind::kEdit);
  if (rule.specifier_kind != SpecifierKind::kPath || (named_kinds(rule) & kPathKinds) == 0 ||
      !is_touch(scene, index))
    return Match::kNo;
  const Effect& effect = scene.effects[index];
  const PathLook& look = look_at(scene, index);
  // Only a directory that is there has a tree to go down.
  const Effect touch{.kind = effect.kind,
                     .recursive = effect.recursive && look.state == PathState::kDirectory,
                     .path = effect.path};
  const Match match = path_hits(rule.specifier, touch, look, scene.situation);
  return match == Match::kNo ? Match::kNo : Match::kMaybe;
}

}  // namespace

Match hits_effect(const RuleView& rule, const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  if (is_repository(effect)) return Match::kNo;  // no file that the call names
  if (effect.guess != Guess::kNone) return guess_hits(rule, scene, index);
  if (rule.specifier_kind == SpecifierKind::kNone) {
    if (rule.tool_kind == ToolPartKind::kAll) return Match::kYes;
    return (named_kinds(rule) & family(scene, effect)) != 0 ? Match::kYes : Match::kNo;
  }
  if (effect.kind == EffectKind::kUnknown) {
    // Rules judge the call and not the code that a program loads; that it was not read is a
    // question already, unless a rule spells the interpreter.
    if (effect.target == kUnreadScript || effect.target == kUnreadCode) return Match::kNo;
    // Whatever could not be read might be the very thing the rule is about. Shell text may also
    // touch any path and reach any host.
    const bool text = (kinds_of_tool(scene) & kShellBits) != 0 && binds_family(rule);
    const bool kin = (named_kinds(rule) & kinds_of_tool(scene)) != 0;
    return text || kin || covers(rule, scene.call.tool, scene.kind) ? Match::kMaybe : Match::kNo;
  }
  const bool unlisted = effect.kind == EffectKind::kRun && !effect.told && !effect.argv.empty();
  if (!concerns(rule.specifier_kind, effect.kind))
    return unlisted ? tail_hits(rule, scene, effect) : Match::kNo;
  const bool concerned = binds_family(rule) ? (named_kinds(rule) & family(scene, effect)) != 0
                                            : covers(rule, scene.call.tool, scene.kind);
  if (!concerned) return Match::kNo;
  const Match match = specifier_hits(rule, scene, index);
  return match == Match::kNo && unlisted ? tail_hits(rule, scene, effect) : match;
}

namespace {

// Bare allow rules: what each tool's name permits by itself.
bool bare_covers(const RuleView& rule, const Scene& scene, const Effect& effect) {
  if (rule.tool_kind == ToolPartKind::kAll) return effect.kind != EffectKind::kPerson;
  const bool own_tool = covers(rule, scene.call.tool, scene.kind);
  const std::uint16_t kinds = named_kinds(rule);
  switch (effect.kind) {
    case EffectKind::kUnknown:
      return own_tool && (kinds_of_tool(scene) & kShellBits) != 0;
    case EffectKind::kRun:
    case EffectKind::kMcp:
    case EffectKind::kApp:
    case EffectKind::kAgent:
    case EffectKind::kSearch:
      return own_tool;
    case EffectKind::kReach:
      return own_tool || (kinds & kind_bit(ToolKind::kFetch)) != 0;
    case EffectKind::kRead:
      return (own_tool && effect.by == EffectBy::kTool) || rule.tool_name == "Read" ||
             (rule.tool_kind == ToolPartKind::kKinds && (kinds & kind_bit(ToolKind::kRead)));
    case EffectKind::kWrite:
    case EffectKind::kCreate:
      return (own_tool && effect.by == EffectBy::kTool) || rule.tool_name == "Edit" ||
             (rule.tool_kind == ToolPartKind::kKinds && (kinds & kind_bit(ToolKind::kEdit)));
    case EffectKind::kDelete:
    case EffectKind::kRename:
    case EffectKind::kLink:
    case EffectKind::kMode:
      // An edit tool that deletes or moves (a patch) needs more than the right to edit.
      return own_tool && effect.by == EffectBy::kTool && scene.kind == ToolKind::kApp;
    case EffectKind::kPerson:
      break;
  }
  return false;
}

// The host of a URL that stands in a pattern or a word; "" where a name before it could mislead.
std::string plain_host(std::string_view word) {
  const std::string_view host = url_parts(word).host;
  const std::size_t end = std::min(word.find_first_of("/?#", word.find("://") + 3), word.size());
  return word.substr(0, end).find('@') == word.npos ? lower(host) : std::string();
}

// Whether a word that is not known begins with a URL as far as its path, and is that one word.
bool spells_host(const Word& word) {
  const std::size_t scheme = word.text.find("://");
  return word.rest == Rest::kAnything && !word.several && scheme != word.text.npos &&
         word.text.find_first_of("/?#", scheme + 3) != word.text.npos;
}

// Whether a host may send the run to another one.
bool follows_redirects(std::span<const Word> argv) {
  return std::ranges::any_of(argv, [](const Word& word) {
    const std::string_view text = word.text;
    if (text.starts_with("--")) return text.starts_with("--l") || text.starts_with("--fo");
    return text.starts_with('-') && text.find('L') != text.npos;
  });
}

// Where a pattern spells a URL, the command reaches that host and no other: every further word
// must be one the pattern spells, or a URL of the same host. Where all that the words come to is
// known, and it only reads, its hosts are effects.
bool hosts_fit(std::string_view pattern, const Scene& scene, std::size_t run) {
  if (pattern.find("://") == pattern.npos) return true;
  const std::vector<std::string_view> spelt = all_words(pattern);
  std::string host;
  for (const std::string_view word : spelt)
    if (word.find("://") != word.npos) host = plain_host(word);
  const std::vector<Word>& argv = scene.effects[run].argv;
  const bool only_reads = scene.effects[run].listed && !follows_redirects(argv);
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i].text;
    const bool is_spelt = argv[i].known && std::ranges::any_of(spelt, [&](std::string_view want) {
                            return !has_star(want) && unescaped(want) == word;
                          });
    if (is_spelt) continue;
    if (!argv[i].known && !spells_host(argv[i])) return false;
    if (argv[i].known && only_reads && word.find("://") == word.npos) continue;
    if (word.find("://") == word.npos || host.empty() || plain_host(word) != host) return false;
  }
  return std::ranges::all_of(scene.effects, [&](const Effect& effect) {
    return effect.kind != EffectKind::kReach || effect.owner != run || effect.host == host;
  });
}

// A pattern of file names that could match one with a dash does not where the look found none.
// An option with a number in the same word is no other option.
bool is_seen(const Scene& scene, std::size_t run, const Word& word) {
  if (word.identifier && word.text.starts_with('-')) return true;
  if (word.rest != Rest::kPattern) return false;
  for (std::size_t i = run + 1; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    if (effect.owner != run || !effect.pattern || effect.span != word.span) continue;
    const PathLook& look = look_at(scene, i);
    return look.walked && !look.walk_cut && look.dashes == 0;
  }
  return false;
}

// Whether no word that is not known could be an option that does more than the rule knows of.
bool options_are_seen(const Scene& scene, std::size_t run) {
  const Effect& effect = scene.effects[run];
  return effect.safe || std::ranges::all_of(effect.argv, &Word::known) ||
         std::ranges::all_of(hidden_options(effect.argv),
                             [&](const Word* word) { return is_seen(scene, run, *word); });
}

// Whether a word leaves the directory that the pattern spells before its star.
bool climbs_out(std::string_view pattern, std::span<const Word> argv) {
  if (pattern.find('/') == pattern.npos) return false;
  for (const std::string_view spelt : all_words(pattern)) {
    const std::size_t star = spelt.find('*');
    const std::size_t slash = star == spelt.npos ? star : spelt.rfind('/', star);
    if (slash == spelt.npos) continue;
    const std::string directory = unescaped(spelt.substr(0, slash + 1));
    for (const Word& word : argv) {
      if (!word.text.starts_with(directory)) continue;
      const std::string rest = word.text.substr(directory.size() - 1) + "/";
      if (rest.find("/../") != rest.npos) return true;
    }
  }
  return false;
}

bool program_is_starred(std::string_view pattern) {
  return has_star(pattern.substr(0, pattern.find(' ')));
}

// Which path effects an allow rule with a path specifier may speak of.
bool path_allow_concerns(const RuleView& rule, const Scene& scene, const Effect& effect) {
  const bool own = covers(rule, scene.call.tool, scene.kind) && effect.by == EffectBy::kTool;
  const std::uint16_t kinds = rule.tool_kind == ToolPartKind::kKinds ? rule.kinds : 0;
  switch (effect.kind) {
    case EffectKind::kRead:
      return own || rule.tool_name == "Read" || (kinds & kind_bit(ToolKind::kRead));
    case EffectKind::kWrite:
    case EffectKind::kCreate:
      return own || rule.tool_name == "Edit" || (kinds & kind_bit(ToolKind::kEdit));
    default:
      return own && scene.kind == ToolKind::kApp;
  }
}

}  // namespace

bool covers_effect(const RuleView& rule, const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  if (effect.kind == EffectKind::kPerson || is_repository(effect)) return false;
  switch (rule.specifier_kind) {
    case SpecifierKind::kNone:
      return bare_covers(rule, scene, effect);
    case SpecifierKind::kShell:
      return effect.kind == EffectKind::kRun && covers(rule, scene.call.tool, scene.kind) &&
             !program_is_starred(rule.specifier) &&
             command_text_matches(rule.specifier, effect.argv, Verdict::kAllow,
                                  scene.situation.home.written) &&
             options_are_seen(scene, index) && hosts_fit(rule.specifier, scene, index) &&
             !climbs_out(rule.specifier, effect.argv);
    case SpecifierKind::kPath:
      return is_path_kind(effect.kind) && path_allow_concerns(rule, scene, effect) &&
             path_covers(rule.specifier, effect, look_at(scene, index), scene.situation);
    case SpecifierKind::kHost:
    case SpecifierKind::kUrl:
      return effect.kind == EffectKind::kReach &&
             ((named_kinds(rule) & kind_bit(ToolKind::kFetch)) != 0 ||
              covers(rule, scene.call.tool, scene.kind)) &&
             host_covers(rule, effect);
    case SpecifierKind::kArguments:
      return effect.by == EffectBy::kTool && effect.kind != EffectKind::kUnknown &&
             covers(rule, scene.call.tool, scene.kind) &&
             arguments_cover(rule.specifier, scene.call.input);
    case SpecifierKind::kTemplate:
      return effect.by == EffectBy::kTool && effect.kind != EffectKind::kUnknown &&
             covers(rule, scene.call.tool, scene.kind) &&
             template_matches(rule, scene) == Match::kYes;
    case SpecifierKind::kAgentType:
      return effect.kind == EffectKind::kAgent && !effect.target.empty() &&
             plain_glob(rule.specifier, effect.target);
  }
  return false;
}

bool covers_unread(const RuleView& rule, const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  if (effect.kind != EffectKind::kUnknown || effect.owner >= scene.effects.size()) return false;
  if (rule.specifier_kind != SpecifierKind::kShell || !covers_effect(rule, scene, effect.owner))
    return false;
  if (effect.target == kUnreadScript) return true;
  if (effect.target != kUnreadCode) return false;
  // `text` is the flag that the code stands behind.
  return std::ranges::any_of(all_words(rule.specifier), [&](std::string_view word) {
    return !has_star(word) && unescaped(word) == effect.text;
  });
}

bool spells_word(const RuleView& rule, std::string_view word) {
  if (rule.specifier_kind == SpecifierKind::kNone) return true;
  return rule.specifier_kind == SpecifierKind::kShell &&
         std::ranges::any_of(all_words(rule.specifier),
                             [&](std::string_view one) { return one == word; });
}

bool spells_path(const RuleView& rule, std::string_view path) {
  if (rule.specifier_kind != SpecifierKind::kShell) return false;
  std::string_view rest = rule.specifier;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    if (!has_star(word) && unescaped(word) == path) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

namespace {

// A call of the rule's own tool with the example as its main text.
ToolCall example_call(const Rule& rule, std::string_view example) {
  ToolCall call{.cwd = "/base"};
  std::string_view tool = rule.tool.name;
  if (rule.tool.kind == ToolPartKind::kKinds)
    tool = rule.tool.kinds & kind_bit(ToolKind::kShell)   ? "Bash"
           : rule.tool.kinds & kind_bit(ToolKind::kFetch) ? "WebFetch"
           : rule.tool.kinds & kind_bit(ToolKind::kEdit)  ? "Edit"
           : rule.tool.kinds & kind_bit(ToolKind::kAgent) ? "Agent"
                                                          : "Read";
  if (rule.tool.kind == ToolPartKind::kServer)
    call.tool = "mcp__" + rule.tool.name + "__any";
  else if (rule.tool.kind == ToolPartKind::kNamespace)
    call.tool = rule.tool.name + "any";
  else
    call.tool = std::string(tool);
  call.native_tool = call.tool;
  call.input = json::Value::object();
  if (example.starts_with('{')) {
    if (Result<json::Value> input = json::parse(example)) call.input = std::move(*input);
    return call;
  }
  const ToolRow* row = tool_row("", call.tool);
  std::string_view field = row == nullptr ? "" : row->main.substr(0, row->main.find(','));
  call.input.set(std::string(field.empty() ? "input" : field),
                 json::Value::string(std::string(example)));
  return call;
}

}  // namespace

bool matches_example(const Rule& rule, std::string_view example, const ReadEffects& read_effects,
                     std::span<const ToolDeclaration> tools) {
  ToolCall call = example_call(rule, example);
  if (const ToolDeclaration* declaration = declaration_of(call.tool, tools);
      declaration != nullptr && !declaration->arguments.empty() && !example.starts_with('{')) {
    call.input = json::Value::object();
    for (const std::string& argument : declaration->arguments)
      call.input.set(argument, json::Value::string(std::string(example)));
  }
  const Effects effects = read_effects(call, tools);
  const Place base{"/base", "/base"};
  Situation situation{
      .base = base, .roots = {base}, .cwd = base, .home = {"/home/user", "/home/user"}};
  for (const Effect& effect : effects)
    situation.paths.push_back({.state = PathState::kMissing, .real = effect.path});
  const Scene scene{call, kind_of(call.tool), effects, situation, tools};
  const RuleView view = view_of(rule);
  if (rule.verdict != Verdict::kAllow && hits_call(view, scene) == Match::kYes) return true;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (rule.verdict == Verdict::kAllow ? covers_effect(view, scene, i)
                                        : hits_effect(view, scene, i) == Match::kYes)
      return true;
  }
  return false;
}

}  // namespace tollgate

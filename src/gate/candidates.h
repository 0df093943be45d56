// From a call to the rules that could speak of it, through the policy's index.
// `visit` gets rule numbers, some more than once; the caller asks the exact matcher.
// SAFETY: where something in the call is unknown, every rule of that kind is a candidate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/inline_text.h"
#include "base/path.h"
#include "policy/dotted_name.h"
#include "policy/policy_view.h"

namespace tollgate {

// The keys that rules are filed under which speak of a command's words, and of any run.
inline constexpr std::uint32_t kAboutWords =
    feature(KeySort::kProgram) | feature(KeySort::kProgramWord) | feature(KeySort::kProgramGram) |
    feature(KeySort::kWord) | feature(KeySort::kGram);
inline constexpr std::uint32_t kAboutRuns =
    kAboutWords | feature(KeySort::kAlways) | feature(KeySort::kFamily);

template <class Visit>
class Candidates {
 public:
  Candidates(const PolicyView& view, const Scene& scene, const Visit& visit)
      : view_(view), scene_(scene), visit_(visit) {}

  // Rules about the call as such: its tool and its arguments.
  void of_call() const {
    look_up(KeySort::kAlways);
    const std::string_view tool = scene_.call.tool;
    look_up(KeySort::kTool, tool);
    if (scene_.call.native_tool != tool) look_up(KeySort::kTool, scene_.call.native_tool);
    family(scene_.kind);
    if (scene_.kind == ToolKind::kMcp && view_.has(KeySort::kServer))
      look_up(KeySort::kServer, mcp_name(tool).server);
    if (view_.has(KeySort::kNamespace))
      for (std::size_t dot = tool.find('.'); dot != tool.npos; dot = tool.find('.', dot + 1))
        look_up(KeySort::kNamespace, tool.substr(0, dot + 1));
    grams(KeySort::kToolGram, tool, {});
    if (view_.has(KeySort::kArgument)) arguments(tool);
  }

  // Rules about one effect.
  void of_effect(std::size_t index) const {
    const Effect& effect = scene_.effects[index];
    if (is_repository(effect)) return;  // no rule is about it
    if (effect.guess != Guess::kNone) return guess(effect, index);
    look_up(KeySort::kAlways);
    switch (effect.kind) {
      case EffectKind::kRun:
        run(effect);
        break;
      case EffectKind::kRead:
        family(ToolKind::kRead);
        family(ToolKind::kList);
        path(effect, index);
        break;
      case EffectKind::kWrite:
      case EffectKind::kCreate:
      case EffectKind::kDelete:
      case EffectKind::kRename:
      case EffectKind::kLink:
      case EffectKind::kMode:
        family(ToolKind::kEdit);
        path(effect, index);
        break;
      case EffectKind::kReach:
        reach(effect);
        break;
      case EffectKind::kSearch:
        family(ToolKind::kSearch);
        break;
      case EffectKind::kAgent:
        family(ToolKind::kAgent);
        if (effect.target.empty())
          every(SpecifierKind::kAgentType);
        else
          look_up(KeySort::kAgentType, effect.target);
        break;
      case EffectKind::kUnknown:
        tight(0, view_.tight_end());
        break;
      case EffectKind::kMcp:
      case EffectKind::kApp:
      case EffectKind::kPerson:
        break;
    }
  }

 private:
  void look_up(KeySort sort, std::string_view a = {}, std::string_view b = {},
               std::string_view c = {}) const {
    if (view_.has(sort)) view_.look_up(key(sort, a, b, c), visit_);
  }

  void family(ToolKind kind) const {
    const char text = static_cast<char>('a' + static_cast<int>(kind));
    look_up(KeySort::kFamily, std::string_view(&text, 1));
  }

  void tight(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t rule = begin; rule < end; ++rule) visit_(rule);
  }
  void every(SpecifierKind kind) const { tight(view_.tight_begin(kind), view_.tight_end(kind)); }

  // Every three characters of `text`, filed under `first` where the sort has a first part.
  void grams(KeySort sort, std::string_view text, std::string_view first) const {
    if (!view_.has(sort)) return;
    const std::uint64_t base = gram_base(sort, first);
    for (std::size_t i = 0; i + kGramSize <= text.size(); ++i)
      view_.look_up(gram_key(base, text.substr(i, kGramSize)), visit_);
  }

  void run(const Effect& effect) const {
    family(ToolKind::kShell);
    if (!has_commands()) return;
    const bool known = std::ranges::all_of(effect.argv, &Word::known);
    if (!known || effect.argv.empty()) every(SpecifierKind::kShell);
    if (effect.argv.empty()) return;
    std::string_view program = effect.argv[0].text;
    if (program.starts_with('/')) program = base_name(program);
    look_up(KeySort::kProgram, program);
    for (std::size_t i = 1; i < effect.argv.size(); ++i) {
      const std::string_view word = effect.argv[i].text;
      look_up(KeySort::kProgramWord, program, word);
      look_up(KeySort::kWord, word);
      grams(KeySort::kProgramGram, word, program);
    }
    for (const Word& word : effect.argv) grams(KeySort::kGram, word.text, {});
    if (!effect.told) unlisted(effect);
  }

  // Whether some rule is filed under a command's words.
  bool has_commands() const {
    return view_.has_any(kAboutWords) ||
           view_.tight_begin(SpecifierKind::kShell) != view_.tight_end(SpecifierKind::kShell);
  }

  // A program without a row may run the rest of its words.
  void unlisted(const Effect& effect) const {
    constexpr std::size_t kFewWords = 12;
    if (effect.argv.size() > kFewWords) return every(SpecifierKind::kShell);
    for (std::size_t i = 1; i < effect.argv.size(); ++i) {
      std::string_view program = effect.argv[i].text;
      if (program.starts_with('-')) continue;
      if (program.starts_with('/')) program = base_name(program);
      look_up(KeySort::kProgram, program);
      for (std::size_t j = i + 1; j < effect.argv.size(); ++j) {
        look_up(KeySort::kProgramWord, program, effect.argv[j].text);
        grams(KeySort::kProgramGram, effect.argv[j].text, program);
      }
    }
  }

  void reach(const Effect& effect) const {
    if (is_configured_home(effect)) return;  // no rule is about it
    family(ToolKind::kFetch);
    if (effect.host.empty()) {
      every(SpecifierKind::kHost);
      every(SpecifierKind::kUrl);
      return;
    }
    for (std::string_view host = effect.host;;) {
      look_up(KeySort::kHost, host);
      const std::size_t dot = host.find('.');
      if (dot == host.npos) return;
      host.remove_prefix(dot + 1);
    }
  }

  // Only rules about paths speak of a guess, and only a directory that is there has a tree.
  void guess(const Effect& effect, std::size_t index) const {
    if (!is_touch(scene_, index)) return;
    const PathLook& look = look_at(scene_, index);
    const bool walks = effect.recursive && look.state == PathState::kDirectory;
    if (look.state == PathState::kUnknown) return every(SpecifierKind::kPath);
    if (walks) return every_near(effect, look);
    look_up(KeySort::kAlways);
    one_path(effect.path);
    if (look.real != effect.path) one_path(look.real);
  }

  void path(const Effect& effect, std::size_t index) const {
    const PathLook* look =
        index < scene_.situation.paths.size() ? &scene_.situation.paths[index] : nullptr;
    if (look == nullptr || look->state == PathState::kUnknown)
      every(SpecifierKind::kPath);
    else if (effect.recursive || effect.pattern)
      every_near(effect, *look);
    one_path(effect.path);
    if (look != nullptr && !look->real.empty() && look->real != effect.path) one_path(look->real);
  }

  // Rules about what lies around a path that is there, where one of them may be.
  void every_near(const Effect& effect, const PathLook& look) const {
    if (view_.tight_begin(SpecifierKind::kPath) == view_.tight_end(SpecifierKind::kPath)) return;
    const auto near = [&](std::string_view path) {
      return view_.may_be_tight(path, scene_.situation);
    };
    const bool seen = !effect.pattern || !look.walk_cut;
    if (!seen || near(effect.path) || (look.real != effect.path && near(look.real)) ||
        (effect.pattern && (std::ranges::any_of(look.below, near) ||
                            (effect.recursive && near(above_pattern(effect.path))))))
      every(SpecifierKind::kPath);
  }

  void one_path(std::string_view path) const {
    below(Anchor::kFilesystem, path, "/");
    places(Anchor::kHome, path, scene_.situation.home);
    if (view_.path_depths(Anchor::kRoots) != 0)
      for (const Place& root : scene_.situation.roots) places(Anchor::kRoots, path, root);
    if (view_.path_depths(Anchor::kBase) != 0) {
      places(Anchor::kBase, path, scene_.situation.base);
      if (scene_.situation.cwd != scene_.situation.base)
        places(Anchor::kBase, path, scene_.situation.cwd);
    }
    if (!view_.has(KeySort::kPathWord) && !view_.has(KeySort::kPathGram)) return;
    InlineText folded;
    folded.append_lower(path);
    each_component(folded.view(), [&](std::string_view component) {
      look_up(KeySort::kPathWord, component);
      grams(KeySort::kPathGram, component, {});
    });
  }

  void places(Anchor anchor, std::string_view path, const Place& place) const {
    if (view_.path_depths(anchor) == 0) return;
    below(anchor, path, place.written);
    if (place.real != place.written) below(anchor, path, place.real);
  }

  template <class Each>
  static void each_component(std::string_view path, const Each& each) {
    for (std::size_t at = 0; at < path.size();) {
      const std::size_t slash = std::min(path.find('/', at), path.size());
      if (slash > at) each(path.substr(at, slash - at));
      at = slash + 1;
    }
  }

  void below(Anchor anchor, std::string_view path, std::string_view base) const {
    const std::uint32_t depths = view_.path_depths(anchor);
    if (depths == 0) return;
    bool inside = false;
    std::string_view rest = relative_to(path, base, true, inside);
    if (!inside) return;
    while (rest.starts_with('/')) rest.remove_prefix(1);
    if (depths & 1) view_.look_up(path_root_key(anchor), visit_);
    if (view_.may_be_key(anchor, rest)) prefixes(anchor, depths, rest);
  }

  // Prefixes of the path below an anchor, one component longer each time.
  void prefixes(Anchor anchor, std::uint32_t depths, std::string_view below_anchor) const {
    InlineText folded;
    folded.append_lower(below_anchor);
    const std::string_view rest = folded.view();
    Key prefix = path_root_key(anchor);
    std::size_t depth = 1;
    for (std::size_t at = 0;
         at < rest.size() && depth <= kMaxPrefixDepth && depths >> depth != 0;) {
      const std::size_t slash = std::min(rest.find('/', at), rest.size());
      const std::string_view component = rest.substr(at, slash - at);
      at = slash + 1;
      if (component.empty()) continue;
      prefix = extend(prefix, component);
      if (depths >> depth & 1) view_.look_up(prefix, visit_);
      ++depth;
    }
  }

  // Rules filed under literal argument values; where a value is missing, all of that name.
  void arguments(std::string_view tool) const {
    view_.look_up(key(KeySort::kArgumentNames, tool), [&](std::uint32_t rule) {
      const std::string_view name = literal_argument(view_.text(view_.record(rule).specifier)).name;
      if (!values(scene_.call.input, name,
                  [&](std::string_view value) { look_up(KeySort::kArgument, tool, name, value); }))
        look_up(KeySort::kArgumentName, tool, name);
    });
  }

  // Visits the scalars at every reading of a dotted name; false when there is none, or one of
  // them is no plain scalar.
  template <class Each>
  bool values(const json::Value& value, std::string_view name, const Each& each) const {
    if (value.is_array()) {
      bool plain = true;
      for (const json::Value& item : value.items()) plain &= values(item, name, each);
      return plain;
    }
    if (!name.empty()) {
      bool found = false, plain = true;
      each_reading(value, name, [&](const json::Value& member, std::string_view rest) {
        found = true;
        plain &= values(member, rest, each);
      });
      return found && plain;
    }
    switch (value.kind()) {
      case json::Kind::kString:
        each(value.as_string());
        // A value that could be read as another path leaves every pattern in doubt.
        return !has_odd_segments(value.as_string());
      case json::Kind::kNumber:
        each(value.number_text());
        return true;
      case json::Kind::kBool:
        each(value.as_bool() ? "true" : "false");
        return true;
      default:
        return false;
    }
  }

  const PolicyView& view_;
  const Scene& scene_;
  const Visit& visit_;
};

}  // namespace tollgate

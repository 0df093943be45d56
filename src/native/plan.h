// What a policy says of each tool and of each command, before it is said in a client's words.
// Every client file works from these; none reads rules for itself beyond them.
// SAFETY: `open` and every plain command are what the gate allows for sure; in doubt it is judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/client.h"
#include "policy/path_pattern.h"

namespace tollgate::native {

// A command that may run by its text: these words, and perhaps more harmless ones behind them.
struct PlainCommand {
  std::vector<std::string> words;
  bool open = false;
  const Rule* rule = nullptr;

  std::string text() const;  // the words with blanks between
};

// A deny or ask rule about a command, as words; the last may be followed by anything.
struct CommandPattern {
  std::vector<std::string> words;
  bool open = false;

  std::string text() const;  // the words with blanks between
};

// A rule about a command that holds at all times.
struct HeldCommand {
  const Rule* rule = nullptr;
  CommandPattern pattern;
};

// A path pattern of a deny or ask rule that a client can hold.
struct HeldPath {
  std::string pattern;  // as written behind the anchor
  Anchor anchor = Anchor::kBase;
  bool floating = false;
  bool reads = false;
  bool writes = false;
};

class Plan {
 public:
  Plan(const Client& client, const Request& request);

  const Request& request() const { return request_; }
  const AgentPolicy& agent() const { return request_.agent; }
  const std::vector<const Rule*>& rules() const& { return rules_; }
  const std::vector<ToolLine>& tools() const& { return tools_; }
  // Tools of MCP servers that the policy names one by one.
  const std::vector<ToolLine>& mcp_tools() const& { return mcp_tools_; }
  // Servers whose tools all stand alike.
  const std::vector<ToolLine>& servers() const& { return servers_; }
  const std::vector<PlainCommand>& plain_commands() const& { return plain_; }

  Standing standing(std::string_view canonical) const;
  Standing standing_of_kind(ToolKind kind) const;  // the loosest of its tools
  bool everything_inside() const;                  // the ceiling is `*`

  // Whether a deny or ask rule other than the built-in ones speaks of paths.
  bool has_path_rules() const;
  // Reading is quiet: plain files of the workspace may be read unasked.
  bool reads_are_quiet() const;

  // The rule's command as words, where it has no star but the last.
  std::optional<CommandPattern> command_of(const Rule& rule) const;
  std::optional<HeldPath> path_of(const Rule& rule) const;
  // The rules of this verdict about commands, where they hold at all times.
  std::vector<HeldCommand> commands(Verdict verdict) const;

  bool is_timed(const Rule& rule) const { return rule.hours.has_value() || rule.expires != 0; }
  // A deny or ask rule without a specifier that takes tools away as a whole.
  bool is_whole(const Rule& rule) const;
  // The rule speaks of this tool, by name, kind or family.
  bool touches(const Rule& rule, std::string_view canonical, ToolKind kind) const;
  // Every tool of this client that the rule speaks of is refused, or there is none.
  bool holds_by_tools(const Rule& rule) const;
  // The allow rule, as a whole, is why one of these tools is open.
  bool opens(const Rule& rule, const std::vector<ToolLine>& lines) const;
  // A tool of the server is looser than the server, which then cannot be spoken of as a whole.
  bool stands_apart(const ToolLine& server) const;

 private:
  void collect_rules();
  void judge_tools(std::string_view provider);
  void judge_servers();
  void find_plain();
  ToolLine judge(std::string native, std::string canonical) const;
  bool is_inside(std::string_view canonical, ToolKind kind) const;
  bool is_allowed_bare(std::string_view canonical, ToolKind kind) const;
  std::optional<PlainCommand> plain_of(const Rule& rule) const;
  bool has_tight_shell(std::string_view program) const;

  const Request& request_;
  std::vector<const Rule*> rules_;
  std::vector<ToolLine> tools_, mcp_tools_, servers_;
  std::vector<PlainCommand> plain_;
};

// Words that follow an open plain command, as a class of characters: no option, path or operator.
inline constexpr std::string_view kPlainTail = "A-Za-z0-9_:-";

}  // namespace tollgate::native

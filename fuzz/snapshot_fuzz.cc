// Damaged compiled policies: refused, or judged by without a crash, a hang or a read out of bounds.
// An input is a list of edits to a policy that was compiled here, so that seeds outlive a change of
// the layout and mutation does not die at the size field. A leading 0xff means raw bytes instead.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "fuzz/scenes.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "policy/rule.h"

namespace {

using namespace tollgate;
using fuzz::require;

constexpr std::size_t kEditBytes = 7;  // offset (2), how (1), value (4)

std::vector<std::byte> compiled(std::span<const std::string_view> allow,
                                std::span<const std::string_view> deny) {
  PolicySet set = built_in_policy();
  set.agents.push_back({.name = "backend", .servers = {"github"}});
  set.tools.push_back(
      {.name = "deploy.now", .specifier_template = "{where}", .arguments = {}, .where = {}});
  set.zones.push_back({.name = "UTC", .offsets = {{.from = 0, .seconds = 0}}});
  const auto add = [&](Verdict list, std::string_view text) {
    Result<Rule> rule =
        parse_rule(list, text, {.file = "t.yaml", .line = 3, .column = 5, .width = 1, .text = {}},
                   {.tools = set.tools});
    require(rule.has_value());
    if (list != Verdict::kAllow) {
      rule->reason = "not here";
      rule->hours = Hours{.days = 0x1f, .from = 540, .to = 1080, .zone = "UTC"};
    }
    set.rules.push_back(std::move(*rule));
  };
  for (const std::string_view text : allow) add(Verdict::kAllow, text);
  for (const std::string_view text : deny) {
    add(Verdict::kDeny, text);
    add(Verdict::kAsk, text);
  }
  const Policy policy = compile(set);
  return {policy.bytes().begin(), policy.bytes().end()};
}

const std::vector<std::byte>& base(std::size_t which) {
  static const std::vector<std::vector<std::byte>> all = [] {
    constexpr std::string_view kAllow[] = {"Bash(npm run *)",
                                           "Edit(src/**)",
                                           "Read(//etc/hosts)",
                                           "mcp__github",
                                           "Agent(Explore)",
                                           "files.*",
                                           "WebFetch(domain:*.example.com)",
                                           "deploy.now(prod)",
                                           "mcp__github__merge(repo=acme/*, n=1)"};
    constexpr std::string_view kDeny[] = {"Bash(git push --force *)",
                                          "Bash(* --version)",
                                          "Read(**/.env)",
                                          "Edit(~/.ssh/**)",
                                          "WebFetch(domain:evil.example.com)",
                                          "mcp__github__merge(repo=acme/shop)",
                                          "mcp__*__delete",
                                          "WebSearch"};
    std::vector<std::vector<std::byte>> made;
    made.push_back(compiled(kAllow, kDeny));
    made.push_back(compiled({}, kDeny));
    made.push_back(compiled(std::span(kAllow).first(1), {}));
    return made;
  }();
  return all[which % all.size()];
}

void edit(std::vector<std::byte>& block, const std::uint8_t* at) {
  if (block.empty()) return;
  std::uint16_t offset = 0;
  std::uint32_t value = 0;
  std::memcpy(&offset, at, 2);
  std::memcpy(&value, at + 3, 4);
  const std::size_t place = offset % block.size();
  const std::size_t word = place / 4 * 4;
  const bool whole = word + 4 <= block.size();
  switch (at[2] % 6) {
    case 0:
      block[place] = static_cast<std::byte>(value);
      break;
    case 1:
      block[place] ^= static_cast<std::byte>(1u << value % 8);
      break;
    case 2:
      if (whole) std::memcpy(block.data() + word, &value, 4);
      break;
    case 3:
      if (whole) {
        std::uint32_t old = 0;
        std::memcpy(&old, block.data() + word, 4);
        old += static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
        std::memcpy(block.data() + word, &old, 4);
      }
      break;
    case 4:
      if (whole && (value % block.size()) / 4 * 4 + 4 <= block.size())
        std::memmove(block.data() + word, block.data() + (value % block.size()) / 4 * 4, 4);
      break;
    default:
      block.resize(place);
      break;
  }
}

void judge_all(const std::vector<std::byte>& bytes, PolicyCheck check) {
  // Exactly as large as the block, so that the sanitizer sees the first byte beyond it.
  const auto owner = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  const Result<Policy> policy = Policy::open(*owner, owner, check);
  if (!policy) {
    require(policy.error().code == "bad-snapshot" && !policy.error().message.empty());
    return;
  }
  static std::vector<fuzz::Asked> calls = fuzz::asked_calls();
  std::size_t turn = 0;
  for (fuzz::Asked& asked : calls) {
    asked.call.agent = ++turn % 4 == 0 ? "backend" : "";
    const Decision decision = decide(*policy, asked.call, asked.effects, asked.situation);
    require(!decision.reasons.empty());
    if (policy->broken()) require(decision.verdict == Verdict::kDeny);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  if (bytes[0] == 0xff) {
    for (const PolicyCheck check : {PolicyCheck::kWhole, PolicyCheck::kAsRead})
      judge_all({begin + 1, begin + size}, check);
    return 0;
  }
  std::vector<std::byte> block = base(bytes[0]);
  for (std::size_t at = 1; at + kEditBytes <= size; at += kEditBytes) edit(block, bytes + at);
  for (const PolicyCheck check : {PolicyCheck::kWhole, PolicyCheck::kAsRead})
    judge_all(block, check);
  return 0;
}

// `tollgate pending --watch`: plain lines of what comes and what becomes of it.
// The watcher is pure: events of top/feed.h in, text and requests out.
// SAFETY: an answer is taken only for the one question that the prompt names, by whole words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/top/model.h"
#include "explain/layout.h"

namespace tollgate::cli {

enum class Written { kText, kJson };

class Watcher {
 public:
  Watcher(Paint paint, bool prompts) : paint_(paint), prompts_(prompts) {}

  // What is to be printed.
  std::string take(const top::Event& event, top::Requests& out);
  // A line that was typed.
  std::string typed(const std::string& line, top::Requests& out);

 private:
  struct Known {
    json::Value latest;  // in brief
    json::Value whole;
    bool printed = false;
    std::string told;  // what was said about it last
  };
  void hear(const json::Value& message, top::Requests& out);
  void learn(const json::Value& brief, top::Requests& out);
  void reply(const top::Replied& replied);
  void say(const std::string& text);
  void prompt();
  const Known* sole() const;  // the only question that is open, and printed

  Paint paint_;
  bool prompts_;
  std::map<std::string, Known> known_;
  std::string prompted_;  // the id that the prompt on the screen is about
  bool lost_ = false;
  std::string text_;
};

// Until the input ends or somebody interrupts it.
int watch_pending(GateClient& client, Written written, Context& context);

}  // namespace tollgate::cli

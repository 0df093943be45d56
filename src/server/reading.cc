// The reasons of every level, whom they want, and the real paths, written one behind the other.
// Only what a level says by itself: that the world changed is no part of what is asked now.
// SAFETY: parts have their lengths, so that no two readings write the same text.
#include "server/reading.h"

#include "approvals/digest.h"

namespace tollgate::server {
namespace {

class Text {
 public:
  void add(std::string_view part) {
    all_ += std::to_string(part.size()) + ":";
    all_ += part;
  }
  void add(const Decision& decision) {
    add(name(decision.verdict));
    add(decision.approve);
    add(std::to_string(decision.reasons.size()));
    for (const Reason& reason : decision.reasons) {
      add(name(reason.kind));
      add(reason.rule);
      add(reason.text);
    }
  }
  void add(const Situation& situation) {
    add(situation.cwd.real);
    for (const PathLook& look : situation.paths) add(look.real);
  }
  const std::string& all() const& { return all_; }

 private:
  std::string all_ = "tollgate reading 1\n";
};

}  // namespace

std::string reading_of(const Passage& passage, const std::optional<Decision>& asked) {
  Text text;
  text.add(std::to_string(static_cast<int>(passage.needs())));
  text.add(passage.parent());
  for (std::size_t i = 0; i < passage.judged(); ++i) {
    const AuditRecord record = passage.at(i);
    text.add(record.decision);
    text.add(record.situation);
  }
  if (asked) text.add(*asked);
  return approvals::sha256(text.all());
}

}  // namespace tollgate::server

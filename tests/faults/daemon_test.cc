// The daemon's way of a call with each of its system and store calls failing in turn: what may not
// run is never allowed, what was said to be recorded is there, and it goes on when the cause is
// gone. A store in SQLite, by a file system that fails; everything else as in a daemon.
#include <gtest/gtest.h>
#include <unistd.h>

#include "faults/every_point.h"
#include "faults/settled_store.h"
#include "server/test_daemon.h"
#include "store/failing_vfs.h"
#include "store/sqlite_store.h"

namespace tollgate::faults {
namespace {

using server::Outcome;
using server::TestDaemon;

constexpr std::string_view kPolicy = R"yaml(version: 1
settings: {permissionTimeout: 0}
rules:
  allow: ["Bash(make *)", "Bash(cat *)"]
  deny: ["Bash(git push --force *)", "Read(./secret/**)"]
)yaml";

class DaemonFaults : public testing::Test {
 protected:
  DaemonFaults() : daemon_(std::string(kPolicy), &settled_) {
    daemon_.directory.write("work/secret/key", "a key");
    disturb();
    EXPECT_TRUE(daemon_.policies().errors().empty());
  }

  static std::unique_ptr<store::Store> open(const std::string& path) {
    auto opened = store::open_sqlite(path, {.busy_timeout = std::chrono::milliseconds(5),
                                            .vfs = store::FailingVfs::registered()});
    EXPECT_TRUE(opened) << (opened ? "" : render(opened.error()));
    return std::move(*opened);
  }

  // What is kept of the last look at the workspace holds no longer.
  void disturb() {
    const std::string link = daemon_.work() + "/link", made = daemon_.work() + "/made";
    ASSERT_TRUE(::symlink("secret/key", made.c_str()) == 0);
    ASSERT_EQ(::rename(made.c_str(), link.c_str()), 0);
  }

  struct Call {
    std::string id;
    std::string question;
    std::optional<Outcome> outcome;
    Verdict verdict() const { return outcome ? outcome->record.decision.verdict : Verdict::kDeny; }
  };
  enum class Waits { kNo, kYes };

  // Made; `outcome` comes at once, or once a person has answered.
  std::shared_ptr<Call> call(const std::string& command, Waits waits = Waits::kNo) {
    auto made = std::make_shared<Call>();
    made->id = "call-" + std::to_string(++calls_) + "-";
    server::Arrival arrival;
    arrival.session = daemon_.bot;
    arrival.call.id = made->id;
    arrival.call.native_tool = arrival.call.tool = "Bash";
    // The record is searched for what stands in the input.
    arrival.call.input = json::Value::object({{"command", json::Value::string(command)},
                                              {"description", json::Value::string(made->id)}});
    arrival.origin = "test";
    arrival.wait = waits == Waits::kYes;
    const auto settled = daemon_.gate.settle(
        std::move(arrival), [made](const Outcome& outcome) { made->outcome = outcome; },
        [made](const std::string& question) { made->question = question; });
    EXPECT_TRUE(settled);
    daemon_.loop.run();
    return made;
  }

  // INVARIANT under test: an allow has its record on the disk, any other answer its reason.
  void expect_sound(const Call& call, bool may_run) {
    ASSERT_TRUE(call.outcome) << call.id << " was left without an answer";
    EXPECT_FALSE(call.outcome->record.decision.reasons.empty());
    if (call.verdict() != Verdict::kAllow) return;
    EXPECT_TRUE(may_run) << call.id << " was allowed";
    allowed_.push_back(call.id);
    expect_recorded(*store_, call.id);
  }
  static void expect_recorded(store::Store& store, const std::string& id) {
    const auto rows = store.audit({.kind = "call", .verdict = "allow", .grep = id});
    ASSERT_TRUE(rows) << render(rows.error());
    EXPECT_EQ(rows->size(), 1u) << id << " was allowed without a record";
  }

  TestDaemon::Answer answer(const std::string& question, const std::string& how) {
    return daemon_.post_as(daemon_.ann, "/api/permissions/" + question + "/" + how, "{}");
  }

  void expect_recovered() {
    daemon_.policies().refresh(server::Policies::Which::kChanged);
    EXPECT_TRUE(daemon_.policies().errors().empty());
    const auto free = call("make after");
    EXPECT_EQ(free->verdict(), Verdict::kAllow)
        << free->outcome->record.decision.reasons.at(0).text;
    expect_sound(*free, true);
    EXPECT_EQ(call("git push --force origin")->verdict(), Verdict::kDeny);
  }

  // What was acknowledged is there for whoever opens the store next.
  void expect_all_kept() {
    const std::unique_ptr<store::Store> other = open(path());
    for (const std::string& id : allowed_) expect_recorded(*other, id);
    for (const auto& [question, state] : answered_)
      EXPECT_EQ(static_cast<int>(other->question(question).value()->state),
                static_cast<int>(state));
  }

  std::string path() const { return directory_.at("data/tollgate.db"); }

  server::TestDirectory directory_;
  std::unique_ptr<store::Store> store_ = open(path());
  SettledStore settled_{*store_};
  TestDaemon daemon_;
  int calls_ = 0;
  std::vector<std::string> allowed_;
  std::vector<std::pair<std::string, store::QuestionState>> answered_;
};

TEST_F(DaemonFaults, NoFailureOpensTheGateOnTheWayOfACall) {
  const auto struck = at_every_point([this](const auto& failing) {
    std::shared_ptr<Call> refused, led, asked, free;
    disturb();
    failing([&] {
      refused = call("git push --force origin");
      led = call("cat link");
      asked = call("npm ci");
      free = call("make all");
    });
    for (const auto& each : {refused, led, asked}) expect_sound(*each, false);
    expect_sound(*free, true);
    expect_recovered();
  });
  RecordProperty("points", listed(struck));
  std::printf("%s\n", listed(struck).c_str());
  EXPECT_TRUE(struck.contains("lstat") && struck.contains("sqlite-write"));
  expect_all_kept();
}

TEST_F(DaemonFaults, NoFailureLosesOrFakesAnAnswer) {
  const auto struck = at_every_point([this](const auto& failing) {
    std::shared_ptr<Call> asked;
    TestDaemon::Answer said;
    std::string first;
    failing([&] {
      asked = call("npm install left-pad", Waits::kYes);
      first = asked->question;
      if (!first.empty()) said = answer(first, "approve");
    });
    daemon_.loop.run();
    if (said.status == 200) answered_.emplace_back(first, store::QuestionState::kApproved);
    // Nobody heard that it counted, or the failure had changed what was asked about: it is open
    // still, or another question is, and that can be answered now.
    if (!asked->outcome) {
      EXPECT_TRUE(said.status != 200 || asked->question != first)
          << "an answer that counted went nowhere";
      EXPECT_EQ(answer(asked->question, "deny").status, 200);
    }
    expect_sound(*asked, said.status == 200);
    if (asked->verdict() == Verdict::kAllow) {
      EXPECT_EQ(store_->audit({.kind = "answer", .question = asked->question}).value().size(), 1u);
    }
    expect_recovered();
  });
  std::printf("%s\n", listed(struck).c_str());
  EXPECT_TRUE(struck.contains("sqlite-sync"));
  EXPECT_EQ(daemon_.desk.pending_count(), 0u);
  expect_all_kept();
}

TEST_F(DaemonFaults, NoFailureLoosensThePolicyThatIsReadAgain) {
  const auto struck = at_every_point([this](const auto& failing) {
    std::shared_ptr<Call> refused, led;
    failing([&] {
      daemon_.policies().refresh(server::Policies::Which::kAll);
      refused = call("git push --force origin");
      led = call("cat link");
    });
    for (const auto& each : {refused, led}) expect_sound(*each, false);
    expect_recovered();
  });
  std::printf("%s\n", listed(struck).c_str());
  EXPECT_TRUE(struck.contains("open"));
}

}  // namespace
}  // namespace tollgate::faults

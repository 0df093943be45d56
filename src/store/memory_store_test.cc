// The store's twin: when it applies, and how it fails on demand.
// What it shares with SQLite is in store_test.cc, which holds both to the same promises.
#include "store/memory_store.h"

#include <gtest/gtest.h>

namespace tollgate::store {
namespace {

AppendAudit event(const std::string& kind) {
  AuditRow row;
  row.kind = kind;
  return {row};
}

TEST(MemoryStore, AtOnceTellsBeforeSubmitReturns) {
  MemoryStore store;
  bool told = false;
  store.submit({event("a")}, Durability::kGrouped, [&](Result<void> result) {
    told = result.has_value();
    EXPECT_EQ(store.all_audit().size(), 1u);  // no lock is held
  });
  EXPECT_TRUE(told);
}

TEST(MemoryStore, PumpedAppliesInOrderAndOnlyWhenPumped) {
  MemoryStore store(Delivery::kPumped);
  std::string order;
  for (const char* name : {"a", "b", "c"})
    store.submit({event(name)}, Durability::kNow, [&, name](Result<void>) { order += name; });
  EXPECT_EQ(store.waiting(), 3u);
  EXPECT_TRUE(store.all_audit().empty());
  EXPECT_EQ(store.pump(1), 1u);
  EXPECT_EQ(order, "a");
  EXPECT_EQ(store.pump(), 2u);
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(store.all_audit().back().kind, "c");
}

TEST(MemoryStore, FailsWhileItIsToldTo) {
  MemoryStore store;
  store.fail_with(MemoryStore::unavailable());
  const Result<void> failed = submit_and_wait(store, {event("a")});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, "store-unavailable");
  EXPECT_FALSE(store.load(0, 0));
  EXPECT_FALSE(store.audit({}));
  EXPECT_FALSE(store.questions({}));
  EXPECT_FALSE(store.question("q"));
  EXPECT_FALSE(store.grants());
  EXPECT_FALSE(store.spool_mark("f"));
  store.fail_with(std::nullopt);
  EXPECT_TRUE(store.all_audit().empty());
  EXPECT_TRUE(submit_and_wait(store, {event("a")}));
  EXPECT_EQ(store.all_audit().size(), 1u);
}

}  // namespace
}  // namespace tollgate::store

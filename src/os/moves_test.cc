// What another name and a lock are, and that each failure is told.
#include "os/moves.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "os/fault.h"
#include "os/files.h"

namespace tollgate::os {
namespace {

class MovesTest : public testing::Test {
 protected:
  MovesTest() {
    std::string pattern = "/tmp/tollgate-moves-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
    EXPECT_TRUE(write_atomically(at("a"), "one"));
    EXPECT_TRUE(write_atomically(at("b"), "two"));
  }
  ~MovesTest() override {
    for (const char* name : {"a", "b", "c", "lock"}) ::unlink(at(name).c_str());
    ::rmdir(directory_.c_str());
  }
  std::string at(const std::string& name) const { return directory_ + "/" + name; }
  std::string text(const std::string& name) const { return read_file(at(name), 10).value_or("-"); }

  std::string directory_;
};

TEST_F(MovesTest, AMoveReplacesAndANameDoesNot) {
  EXPECT_EQ(name_also(at("a"), at("b")).value(), false);
  EXPECT_EQ(name_also(at("a"), at("c")).value(), true);
  EXPECT_TRUE(move_over(at("a"), at("b")));
  EXPECT_EQ(text("a") + text("b") + text("c"), "-oneone");
}

TEST_F(MovesTest, ALockIsHeldByOneAndEndsWithIt) {
  {
    const Result<std::optional<Descriptor>> first = lock_file(at("lock"));
    ASSERT_TRUE(first && first->has_value());
    EXPECT_EQ(lock_file(at("lock")).value().has_value(), false);
  }
  EXPECT_TRUE(lock_file(at("lock")).value().has_value());
  ASSERT_EQ(::symlink("a", at("c").c_str()), 0);
  EXPECT_FALSE(lock_file(at("c")));
}

TEST_F(MovesTest, EachFailureIsAnErrorAndNothingHasMoved) {
  const auto of = [](const std::string& call, const auto& act) {
    const FaultPlan plan(call, EIO);
    const auto done = act();
    EXPECT_EQ(done ? "" : done.error().code, "file-unwritable") << call;
  };
  of("rename", [&] { return move_over(at("a"), at("b")); });
  of("link", [&] { return name_also(at("a"), at("c")); });
  of("open", [&] { return lock_file(at("lock")); });
  of("flock", [&] { return lock_file(at("lock")); });
  EXPECT_EQ(text("a") + text("b") + text("c"), "onetwo-");
  of("fsync-directory", [&] { return move_over(at("a"), at("b")); });
  of("fsync-directory", [&] { return name_also(at("b"), at("c")); });
}

}  // namespace
}  // namespace tollgate::os

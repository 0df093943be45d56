// Snapshots: fresh ones open, stale ones do not, and forged ones never.
// Forgeries cover every header field, every truncation, owners, modes and file types.
// SAFETY: a failure here would let somebody else's policy be judged by.
#include "config/snapshot.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "config/test_files.h"
#include "os/fault.h"

namespace tollgate::config {
namespace {

class Snapshot : public testing::Test {
 protected:
  void SetUp() override {
    files_.user("rules: {deny: [\"Bash(rm *)\"]}\n");
    const Loaded loaded = files_.load();
    sources_ = loaded.sources;
    policy_ = compile(loaded.set);
    path_ = files_.at("data/policy.snapshot");
    ASSERT_TRUE(write_snapshot(path_, policy_, sources_, "key"));
    good_ = os::read_file(path_, 100u << 20).value();
  }
  // The code that opening gives, "" when it opens.
  std::string opens() const {
    const Result<Policy> policy = open_snapshot(path_, "key");
    return policy ? "" : policy.error().code;
  }
  // Without the wait for the disk that write_atomically takes: there are thousands of forgeries.
  void put(const std::string& bytes, mode_t mode = 0600) {
    ::unlink(path_.c_str());
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    const std::size_t written = std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    ASSERT_EQ(written, bytes.size());
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
  }

  TestFiles files_;
  std::vector<SourceStamp> sources_;
  Policy policy_;
  std::string path_, good_;
};

TEST_F(Snapshot, AFreshOneGivesTheSamePolicy) {
  const Result<Policy> opened = open_snapshot(path_, "key");
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->rule_count(), policy_.rule_count());
  EXPECT_EQ(opened->agents(), policy_.agents());
  EXPECT_TRUE(std::equal(opened->bytes().begin(), opened->bytes().end(), policy_.bytes().begin(),
                         policy_.bytes().end()));
}

TEST_F(Snapshot, AnotherKeyIsStale) {
  EXPECT_EQ(open_snapshot(path_, "other").error().code, "stale-snapshot");
  EXPECT_EQ(open_snapshot(path_, "").error().code, "stale-snapshot");
}

TEST_F(Snapshot, AnyChangeOfASourceMakesItStale) {
  files_.user("rules: {deny: [\"Bash(rm *)\"]}\n");  // the same bytes in a new file
  EXPECT_EQ(opens(), "stale-snapshot");
}

TEST_F(Snapshot, AFileThatAppearsMakesItStale) {
  files_.project("mode: plan\n");
  EXPECT_EQ(opens(), "stale-snapshot");
}

TEST_F(Snapshot, AFileThatGoesMakesItStale) {
  ASSERT_TRUE(os::remove_file(files_.at("home/.config/tollgate/tollgate.yaml")));
  EXPECT_EQ(opens(), "stale-snapshot");
}

TEST_F(Snapshot, ATouchMakesItStale) {
  const std::string file = files_.at("home/.config/tollgate/tollgate.yaml");
  ASSERT_EQ(::chmod(file.c_str(), 0644), 0);  // changes ctime alone
  EXPECT_EQ(opens(), "stale-snapshot");
}

TEST_F(Snapshot, ADirectoryThatOthersCanWriteToIsNoticed) {
  const std::string directory = files_.at("home/.config/tollgate");
  for (const mode_t mode : {0777, 0770, 0702}) {
    ASSERT_EQ(::chmod(directory.c_str(), mode), 0);
    EXPECT_EQ(opens(), "stale-snapshot") << mode;
    EXPECT_EQ(files_.load().set.broken->code, "unsafe-policy-file") << mode;
  }
  ASSERT_EQ(::chmod(directory.c_str(), 0755), 0);
  EXPECT_EQ(opens(), "");
  files_.write("home/.config/tollgate/notes", "x");
  EXPECT_EQ(opens(), "");
  ASSERT_EQ(::mkdir(files_.at("etc").c_str(), 0700), 0);
  EXPECT_EQ(opens(), "");
  ASSERT_EQ(::chmod(files_.at("etc").c_str(), 0777), 0);
  EXPECT_EQ(opens(), "stale-snapshot");
}

TEST_F(Snapshot, WorkInTheRepositoryDoesNot) {
  files_.write("home/project/.git/index", "x");
  EXPECT_EQ(opens(), "");
}

TEST_F(Snapshot, EveryTruncationIsRefused) {
  for (std::size_t size = 0; size < good_.size(); ++size) {
    put(good_.substr(0, size));
    ASSERT_EQ(opens(), "bad-snapshot") << size;
  }
  put(good_ + std::string(8, '\0'));
  EXPECT_EQ(opens(), "bad-snapshot");
}

TEST_F(Snapshot, EveryHeaderFieldIsChecked) {
  const std::uint64_t odd[] = {0, 1, 7, 9, 1u << 20, 1ull << 40, ~0ull, ~0ull - 6};
  for (std::size_t field = 0; field < 8; ++field)
    for (std::uint64_t value : odd) {
      std::string forged = good_;
      std::uint64_t old = 0;
      std::memcpy(&old, forged.data() + field * 8, 8);
      if (old == value) continue;
      std::memcpy(forged.data() + field * 8, &value, 8);
      put(forged);
      EXPECT_NE(opens(), "") << "field " << field << " value " << value;
    }
}

TEST_F(Snapshot, EverySourceFieldIsChecked) {
  constexpr std::size_t kHeader = 64, kRecord = 64;
  std::size_t at = kHeader, present = 0;
  for (const SourceStamp& source : sources_) {
    const bool exact = source.stamp.exists && source.kind == SourceKind::kPolicy;
    present += exact;
    for (std::size_t field = 0; field < 8; ++field) {
      // What an absent file or a border would be is not compared: only its being there is.
      const bool compared = exact || field < 2 || field == 7;
      if (!compared) continue;
      for (std::uint64_t value : {1ull << 62, ~0ull, 1ull << 33}) {
        std::string forged = good_;
        std::memcpy(forged.data() + at + field * 8, &value, 8);
        put(forged);
        EXPECT_NE(opens(), "") << source.path << " field " << field << " value " << value;
      }
    }
    at += kRecord + (source.path.size() + 7) / 8 * 8;
  }
  EXPECT_GT(present, 0u);
}

TEST_F(Snapshot, AFileOthersCanWriteIsRefused) {
  put(good_, 0620);
  EXPECT_EQ(opens(), "bad-snapshot");
  put(good_, 0602);
  EXPECT_EQ(opens(), "bad-snapshot");
}

TEST_F(Snapshot, ADirectoryOthersCanEnterIsRefused) {
  ASSERT_EQ(::chmod(files_.at("data").c_str(), 0755), 0);
  EXPECT_EQ(opens(), "bad-snapshot");
  EXPECT_EQ(write_snapshot(path_, policy_, sources_, "key").error().code, "bad-snapshot");
}

TEST_F(Snapshot, ALinkAFifoAndADirectoryAreRefused) {
  ASSERT_EQ(::rename(path_.c_str(), files_.at("data/real").c_str()), 0);
  ASSERT_EQ(::symlink("real", path_.c_str()), 0);
  EXPECT_EQ(opens(), "bad-snapshot");
  ASSERT_TRUE(os::remove_file(path_));
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(opens(), "bad-snapshot");
  ASSERT_TRUE(os::remove_file(path_));
  ASSERT_EQ(::mkdir(path_.c_str(), 0700), 0);
  EXPECT_EQ(opens(), "bad-snapshot");
}

TEST_F(Snapshot, ALinkedDirectoryIsRefused) {
  ASSERT_EQ(::symlink("data", files_.at("linked").c_str()), 0);
  EXPECT_EQ(open_snapshot(files_.at("linked/policy.snapshot"), "key").error().code, "bad-snapshot");
}

TEST_F(Snapshot, OwnersMustAgree) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(::chown(path_.c_str(), 12345, 0), 0);
  EXPECT_EQ(opens(), "bad-snapshot");
  put(good_);
  ASSERT_EQ(::chown(files_.at("data").c_str(), 12345, 0), 0);
  EXPECT_EQ(opens(), "bad-snapshot");
  ASSERT_EQ(::chown(files_.at("data").c_str(), 0, 0), 0);
  EXPECT_EQ(opens(), "");
  // A project file of somebody else: the snapshot does not count, and is not written either.
  files_.project("mode: plan\n");
  ASSERT_EQ(::chown(files_.at("home/project/tollgate.yaml").c_str(), 12345, 0), 0);
  const Loaded loaded = files_.load();
  EXPECT_EQ(write_snapshot(path_, compile(loaded.set), loaded.sources, "key").error().code,
            "bad-snapshot");
}

TEST_F(Snapshot, AMissingOneIsMissing) {
  ASSERT_TRUE(os::remove_file(path_));
  EXPECT_EQ(opens(), "file-missing");
  EXPECT_EQ(open_snapshot(files_.at("nowhere/x"), "key").error().code, "file-missing");
  EXPECT_EQ(open_snapshot("relative", "key").error().code, "bad-snapshot");
}

TEST_F(Snapshot, ABrokenPolicyIsNotWritten) {
  PolicySet set;
  set.broken = Error{.code = "x", .message = "y", .hint = "z", .where = {}};
  EXPECT_EQ(write_snapshot(path_, compile(set), {}, "key").error().code, "bad-snapshot");
}

TEST_F(Snapshot, FailingCallsAreErrors) {
  for (const char* call : {"open", "fstat", "mmap", "stat"}) {
    os::FaultPlan plan(call, EIO);
    EXPECT_NE(opens(), "") << call;
  }
}

}  // namespace
}  // namespace tollgate::config

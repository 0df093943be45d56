// Random bytes: as many as asked for, never the same, and no secret where the system fails.
#include "os/random.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "os/fault.h"

namespace tollgate::os {
namespace {

TEST(Random, GivesAsManyBytesAsAskedForAndNeverTheSame) {
  for (const std::size_t count : {0u, 1u, 32u, 100'000u}) {
    const Result<std::string> bytes = random_bytes(count);
    ASSERT_TRUE(bytes) << count;
    EXPECT_EQ(bytes->size(), count);
  }
  EXPECT_NE(*random_bytes(32), *random_bytes(32));
}

TEST(Random, AFailureOfTheSystemIsAnErrorAndNoWeakerSecret) {
  const FaultPlan plan("getrandom", ENOSYS);
  const Result<std::string> bytes = random_bytes(32);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, "random-unavailable");
}

}  // namespace
}  // namespace tollgate::os

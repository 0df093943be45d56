// A few connections that only read, lent to whoever asks.
// May be used from any thread; who comes when all are lent waits for one.
// A connection that failed is closed, and the next read opens another.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "store/database_file.h"
#include "store/sqlite.h"

namespace tollgate::store {

class Readers {
 public:
  Readers(DatabaseFile& file, std::size_t most) : file_(file), most_(most) {}
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  // What `read` gives, which takes a Database& and gives a Result.
  template <class Read>
  auto with(Read read) -> decltype(read(std::declval<Database&>())) {
    Result<Database> database = borrow();
    if (!database) return Fail(std::move(database).error());
    auto result = read(*database);
    if (result)
      give_back(std::move(*database));
    else
      drop();
    return result;
  }

 private:
  Result<Database> borrow();
  void give_back(Database database);
  void drop();

  DatabaseFile& file_;
  const std::size_t most_;
  std::mutex lock_;  // guards all below
  std::condition_variable free_;
  std::vector<Database> idle_;
  std::size_t lent_ = 0;
};

}  // namespace tollgate::store

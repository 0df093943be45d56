// Names and parts that the audit's rows refer to by number, as the writer knows them.
// Each text stands once in its table; those used lately are known here without asking it.
// INVARIANT: a number that is known here is in the tables, or in the transaction that is open: who
// undoes any of it calls forget().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "audit/digest.h"
#include "store/sqlite.h"

namespace tollgate::store {

class Interned {
 public:
  // Numbers are above 0; the empty name is 0 and stands in no table. REQUIRES: a transaction.
  Result<std::int64_t> name(Database& database, const std::string& text);
  // The same, for a column: rows that follow each other mostly have the same name there.
  Result<std::int64_t> name_in(Database& database, std::size_t column, const std::string& text);
  struct Part {
    std::shared_ptr<const std::string> text;  // kept, so that its address is no other's
    std::int64_t number = 0;
    Digest digest;  // of the text: what the chain has of it
  };
  // The part lives until the next is asked for.
  Result<const Part*> part(Database& database, const std::shared_ptr<const std::string>& text);

  void forget();

 private:
  struct Name {
    std::string text;
    std::int64_t number = 0;
  };
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> names_;
  std::vector<Name> last_;  // by column
  std::unordered_map<const std::string*, Part> parts_;
};

}  // namespace tollgate::store

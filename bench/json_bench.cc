// What reading and writing one call's JSON costs; every call pays it at least once.
// The payload has the size of an ordinary hook message.
#include <benchmark/benchmark.h>

#include <string>

#include "json/json.h"

namespace {

std::string payload() {
  return R"({"session_id":"4f0c9d1e","tool_name":"Edit","tool_input":{"file_path":"/home/me/shop/src/cart.ts",)"
         R"("old_string":"const total = items.reduce((sum, item) => sum + item.price, 0);",)"
         R"("new_string":"const total = items.reduce((sum, item) => sum + item.price * item.count, 0);",)"
         R"("replace_all":false},"tool_use_id":"toolu_01","cwd":"/home/me/shop","permission_mode":"default"})";
}

void parse(benchmark::State& state) {
  const std::string text = payload();
  for (auto _ : state) benchmark::DoNotOptimize(tollgate::json::parse(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(parse);

void write_canonical(benchmark::State& state) {
  const auto value = tollgate::json::parse(payload());
  for (auto _ : state) benchmark::DoNotOptimize(tollgate::json::canonical(*value));
}
BENCHMARK(write_canonical);

}  // namespace

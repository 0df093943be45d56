// `tollgate db`: copies of the store, beside a daemon that runs, and back in its place without one.
// What a copy is and when it counts is store/copies.h; here are words and names of files.
// SAFETY: the gate denies sessions this command: an older store has grants and credentials again
// that were taken away since.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "explain/layout.h"
#include "hook/daemon.h"
#include "json/json.h"
#include "os/clock.h"
#include "os/user.h"
#include "store/copies.h"

namespace tollgate::cli {
namespace {

using json::Value;
using store::Condition;

constexpr std::array<Option, 3> kOptions = {{
    kDataOption,
    {"yes", "", "of `restore`: do not ask"},
    kJsonOption,
}};

std::string counted(const Condition& condition) {
  return std::to_string(condition.records) + " records, version " +
         std::to_string(condition.version);
}

Value value_of(const std::string& file, const Condition& condition) {
  Value problems = Value::array();
  for (const std::string& each : condition.problems) problems.push(Value::string(each));
  return Value::object({{"file", Value::string(file)},
                        {"records", Value::integer(condition.records)},
                        {"version", Value::integer(condition.version)},
                        {"problems", std::move(problems)}});
}

int say(const Value& value, const std::string& words, const Arguments& arguments,
        Context& context) {
  context.console.out((arguments.has("json") ? json::write(value) : words) + "\n");
  return kDone;
}

int back_up(const std::string& store, const std::string& to, const Arguments& arguments,
            Context& context) {
  const Result<Condition> made = store::back_up(store, to);
  if (!made) return complain(context, made.error());
  return say(value_of(to, *made), visible(to) + ": " + counted(*made), arguments, context);
}

int check(const std::string& file, const Arguments& arguments, Context& context) {
  const Result<Condition> found = store::condition_of(file);
  if (!found) return complain(context, found.error());
  std::string words = visible(file) + ": ";
  if (found->problems.empty())
    words += "whole, " + counted(*found);
  else
    words += "damaged";
  for (const std::string& each : found->problems) words += "\n  " + visible(each);
  say(value_of(file, *found), words, arguments, context);
  return found->problems.empty() ? kDone : kFailed;
}

int restore(const std::string& data, const std::string& from, const std::string& store,
            const Arguments& arguments, Context& context) {
  if (const Result<void> agreed =
          agreement(arguments, "put this copy in the place of " + visible(store) + "?", context);
      !agreed)
    return complain(context, agreed.error());
  const Result<store::Restored> done = store::restore({.from = from,
                                                       .path = store,
                                                       .lock = hook::socket_in(data) + ".lock",
                                                       .uid = os::effective_uid(),
                                                       .now = os::now_milliseconds()});
  if (!done) return complain(context, done.error());
  Value value = value_of(store, done->condition);
  value.set("replaced", Value::string(done->aside));
  std::string words = visible(store) + ": restored, " + counted(done->condition);
  if (!done->aside.empty()) words += "\nwhat was there before: " + visible(done->aside);
  return say(value, words, arguments, context);
}

}  // namespace

const Shape kDbShape = {
    .usage =
        "backup FILE [--data DIR]\nrestore FILE [--data DIR] [--yes]\n"
        "check [FILE] [--data DIR]",
    .about =
        "Copies the store of the daemon into a new file while it runs, puts such a copy back\n"
        "while none runs, or looks through the store or a copy for damage. A copy has what the\n"
        "store has, ids of sessions too: keep it as you keep the store. What was granted at\n"
        "the time of a copy counts again once it is put back; the record says that it was, and\n"
        "the store that was there before stays beside it. Exit status 1 when something is\n"
        "damaged.",
    .options = kOptions,
    .least_words = 1,
    .most_words = 2,
    .examples =
        "tollgate db backup /media/safe/tollgate-monday.db\n"
        "tollgate db check\n"
        "tollgate db restore /media/safe/tollgate-monday.db",
};

int run_db(const Arguments& arguments, Context& context) {
  const std::string& act = arguments.words[0];
  const bool named = arguments.words.size() == 2;
  const bool known = act == "check" || ((act == "backup" || act == "restore") && named);
  if (!known || (arguments.has("yes") && act != "restore"))
    return complain(
        context,
        error_of("bad-usage", "`tollgate db` does not know that", "see `tollgate db --help`"),
        kUsedWrongly);
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  const Result<std::string> file =
      named ? absolute_here(arguments.words[1]) : Result<std::string>();
  if (!file) return complain(context, file.error());
  const std::string store = *data + "/tollgate.db";
  if (act == "backup") return back_up(store, *file, arguments, context);
  if (act == "check") return check(named ? *file : store, arguments, context);
  return restore(*data, *file, store, arguments, context);
}

}  // namespace tollgate::cli

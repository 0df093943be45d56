// `tollgate log verify`: whether the chain of the record holds, and what vouches for it.
// It needs no daemon and no credential: the file is read as it lies there, a store or an export.
// SAFETY: it says what is not attested as loudly as what is; a chain that holds proves order alone.
#include <algorithm>
#include <map>
#include <utility>

#include "audit/anchor.h"
#include "audit/place.h"
#include "audit/spool.h"
#include "base/moment_text.h"
#include "cli/local_gate.h"
#include "cli/log.h"
#include "cli/record_source.h"
#include "cli/registration.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/appended_file.h"
#include "os/files.h"
#include "os/journal.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::size_t kLargestAnchors = 256u << 20;
constexpr std::size_t kLargestSpool = 64u << 20;

// Heads from elsewhere, and what is to be said of where they are from.
struct Heads {
  std::vector<Anchor> all;
  std::vector<std::string> notes;
  std::vector<std::string> others;  // what they say of other stores

  void add(std::vector<Anchor> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
};

Result<void> read_file_of_heads(const std::string& path, Heads& heads) {
  const Result<std::string> text = os::read_file(path, kLargestAnchors);
  if (!text) return Fail(text.error());
  heads.add(anchors_in(*text, path));
  const Result<os::AppendedFile> file = os::appended_file(path);
  const std::string weak =
      file ? weakness_of({.append_only = file->append_only, .own = file->own}) : "";
  if (!weak.empty()) heads.notes.push_back(path + ": " + weak);
  return {};
}

// SAFETY: a store that took the place of another has heads of its own; those of the other are what
// is left of it. Heads from before they named a place do not say where theirs lay.
void tell_other_stores(const ChainStart& start, Heads& heads) {
  std::map<std::string, const Anchor*> last;
  for (const Anchor& each : heads.all) {
    if (each.store == start.store) continue;
    if (!start.place.empty() && each.place == start.place) continue;  // a fault of the chain
    const Anchor*& known = last[each.store];
    if (known == nullptr || known->number <= each.number) known = &each;
  }
  for (const auto& [other, anchor] : last)
    heads.others.push_back(other + ", up to row " + std::to_string(anchor->number) + " at " +
                           moment_text(anchor->at) + ", by heads in " + anchor->from +
                           ": where that record lay here, it was taken away");
}

// Those of the store, and those of other stores that lay at its place.
void read_journal(const ChainStart& start, Heads& heads) {
  const auto read = [&](const os::JournalField& field, bool of_others) {
    const Result<std::vector<std::string>> messages = os::journal_messages(field);
    if (!messages) {
      heads.notes.push_back(messages.error().message);
      return false;
    }
    for (const std::string& message : *messages) {
      std::vector<Anchor> found = anchors_in(message, "the journal");
      std::erase_if(found,
                    [&](const Anchor& each) { return (each.store != start.store) != of_others; });
      heads.add(std::move(found));
    }
    return true;
  };
  if (read({"TOLLGATE_STORE", start.store}, false) && !start.place.empty())
    read({"TOLLGATE_PLACE", start.place}, true);
}

// Where they were told to lie, and where the settings send them.
Result<Heads> heads_for(const ChainStart& start, const Arguments& arguments,
                        const Context& context) {
  Heads heads;
  for (const std::string& given : arguments.all("anchors")) {
    const Result<std::string> path = absolute_here(given);
    if (!path) return Fail(path.error());
    if (Result<void> read = read_file_of_heads(*path, heads); !read) return Fail(read.error());
  }
  if (arguments.has("no-anchors")) return heads;
  const Result<config::Settings> settings = settings_of(arguments, context);
  if (!settings) {
    heads.notes.push_back("the settings cannot be read, so no heads were looked for: " +
                          settings.error().message);
    return heads;
  }
  const std::string& file = settings->anchor.file;
  if (!file.empty())
    if (const Result<void> read = read_file_of_heads(file, heads); !read)
      heads.notes.push_back(read.error().message);
  if (settings->anchor.journal) read_journal(start, heads);
  return heads;
}

// Records that the hooks wrote and no daemon has taken in.
std::size_t waiting_in_spool(store::RecordFile& store, const std::string& data) {
  const std::string file = Spool(data).file();
  const Result<store::MarkSpool> mark = store.spool_mark(file);
  if (!mark) return 0;
  const Result<os::FileText> rest = os::read_part(file, mark->offset, kLargestSpool);
  if (!rest) return 0;
  return static_cast<std::size_t>(std::ranges::count(rest->text, kRecordSeparator));
}

std::string rows_text(std::int64_t first, std::int64_t last) {
  return first == last ? "row " + std::to_string(first)
                       : "rows " + std::to_string(first) + " to " + std::to_string(last);
}

std::string counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

struct Verified {
  ChainReport report;
  Heads heads;
  bool is_slice = false;
  std::int64_t first = 1;  // of the source
  std::size_t in_spool = 0;
};

Value value_of(const Verified& all) {
  const ChainReport& report = all.report;
  Value faults = Value::array();
  for (const ChainFault& fault : report.faults)
    faults.push(Value::object(
        {{"kind",
          Value::string(std::string(kChainFaultNames[static_cast<std::size_t>(fault.kind)]))},
         {"first", Value::integer(fault.first)},
         {"last", Value::integer(fault.last)},
         {"text", Value::string(fault.text)}}));
  Value notes = Value::array();
  for (const std::string& note : all.heads.notes) notes.push(Value::string(note));
  for (const std::string& other : all.heads.others)
    notes.push(Value::string("another store: " + other));
  Value out = Value::object(
      {{"holds", Value::boolean(report.holds())},
       {"store", Value::string(report.store)},
       {"rows", Value::integer(static_cast<std::int64_t>(report.rows))},
       {"first", Value::integer(report.first)},
       {"last", Value::integer(report.last)},
       {"head", Value::string(text_of(report.head))},
       {"attested", Value::integer(report.attested)},
       {"chainedLate", Value::integer(report.chained_late)},
       {"removed", Value::integer(report.removed)},
       {"removedBefore",
        report.removed_before > 0 ? Value::string(moment_text(report.removed_before)) : Value()},
       {"inSpool", Value::integer(static_cast<std::int64_t>(all.in_spool))},
       {"faults", std::move(faults)},
       {"moreFaults", Value::integer(static_cast<std::int64_t>(report.more_faults))},
       {"notes", std::move(notes)}});
  if (report.attested > 0)
    out.set("attestedBy", Value::object({{"from", Value::string(report.by.from)},
                                         {"at", Value::string(moment_text(report.by.at))}}));
  return out;
}

std::string attestation(const ChainReport& report) {
  std::string out;
  const std::int64_t attested = std::min(report.attested, report.last);
  if (attested >= report.first && attested > 0)
    out += "attested    " + rows_text(report.first, attested) + ", by a head in " +
           visible(report.by.from) + " of " + moment_text(report.by.at) + "\n";
  const std::int64_t from = std::max(report.first, attested + 1);
  if (from <= report.last)
    out += "unattested  " + rows_text(from, report.last) +
           ": no head that was kept elsewhere covers " + (from == report.last ? "it" : "them") +
           "\n";
  return out;
}

std::string text_of(const Verified& all) {
  const ChainReport& report = all.report;
  std::string out = "store       " + visible(report.store) + "\n";
  out += report.rows == 0 ? "rows        none\n"
                          : "rows        " + std::to_string(report.first) + " to " +
                                std::to_string(report.last) + "\n";
  if (all.is_slice) out += "            what came before is not part of this export\n";
  if (report.removed > 0)
    out +=
        "            " + rows_text(1, report.removed) + " went by `retention`" +
        (report.removed_before > 0 ? ", as older than " + moment_text(report.removed_before) : "") +
        "\n";
  if (report.chained_late > 0)
    out += "            " + rows_text(1, report.chained_late) +
           ": chained when the store was brought to this version\n";
  for (const ChainFault& fault : report.faults) out += "FAULT       " + visible(fault.text) + "\n";
  if (report.more_faults > 0)
    out += "            and " + std::to_string(report.more_faults) + " more\n";
  if (report.holds()) out += "chain       holds\n";
  out += attestation(report);
  if (all.in_spool > 0)
    out += "unattested  " + counted(all.in_spool, "record") +
           " in the hooks' spool, not in the chain yet\n";
  for (const std::string& other : all.heads.others) out += "OTHER STORE " + visible(other) + "\n";
  for (const std::string& note : all.heads.notes) out += "note        " + visible(note) + "\n";
  return out;
}

Result<Verified> verified(RecordSource& source, const ChainStart& start, Heads heads) {
  Verified out;
  out.is_slice = start.is_slice && start.first > 1;
  ChainCheck check(start, heads.all);
  out.heads = std::move(heads);
  const Result<void> read = source.each([&](LoggedRow& row) -> Result<bool> {
    check.row(row);
    return true;
  });
  if (!read) return Fail(read.error());
  out.report = check.finish(source.head().last);
  return out;
}

}  // namespace

int log_verify(const Arguments& arguments, Context& context) {
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  const bool named = arguments.words.size() > 1;
  const Result<std::string> path =
      named ? absolute_here(arguments.words[1]) : *data + "/tollgate.db";
  if (!path) return complain(context, path.error());
  Result<RecordSource> source = RecordSource::open(*path);
  if (!source) return complain(context, source.error());
  ChainStart start = source->head().start;
  // A copy or an export may lie anywhere; only the store itself has a place that it must be at.
  if (!named) start.place = place_of_store(*data);
  Result<Heads> heads = heads_for(start, arguments, context);
  if (!heads) return complain(context, heads.error());
  tell_other_stores(start, *heads);
  Result<Verified> result = verified(*source, start, std::move(*heads));
  if (!result) return complain(context, result.error());
  if (!named && source->store() != nullptr)
    result->in_spool = waiting_in_spool(*source->store(), *data);
  context.console.out(arguments.has("json") ? json::write(value_of(*result)) + "\n"
                                            : text_of(*result));
  return result->report.holds() ? kDone : kFailed;
}

}  // namespace tollgate::cli

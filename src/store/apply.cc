// One statement or two for every kind of change.
// Conditions stand in the statements themselves, so that a second process cannot come in between.
// INVARIANT: audit numbers have no gaps: those of a batch that failed are given again.
#include "store/apply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "json/append.h"
#include "store/chain.h"
#include "store/names.h"
#include "store/record_text.h"
#include "store/refusals.h"
#include "store/row_codec.h"

namespace tollgate::store {
namespace {

std::int64_t as_signed(std::uint64_t value) { return std::bit_cast<std::int64_t>(value); }

}  // namespace

Result<void> Applier::begin() {
  const Result<Numbers> numbers = read_numbers(database_);
  if (!numbers) return Fail(numbers.error());
  // Another process wrote rows in between.
  if (numbers->last != last_number_ || numbers->listed != listed_) tail_.clear();
  if (numbers->last != last_number_) head_.reset();
  // Or it removed texts: what is known of their numbers may be wrong.
  if (numbers->swept != swept_) interned_.forget();
  kept_number_ = last_number_ = numbers->last;
  listed_ = numbers->listed;
  swept_ = numbers->swept;
  if (head_) return {};
  Result<Digest> head = head_of_chain(database_);
  if (!head) return Fail(std::move(head).error());
  head_ = *head;
  return {};
}

Result<void> Applier::end() {
  if (last_number_ == kept_number_) return {};
  Result<void> done =
      database_.run("UPDATE numbers SET last = ? WHERE name = 'audit'", {last_number_});
  if (done && last_number_ - listed_ >= kSpanRows) done = list_rows();
  return done;
}

void Applier::undone() {
  interned_.forget();
  tail_.clear();
  head_.reset();
}

Result<void> Applier::list_rows() {
  if (std::ssize(tail_) != last_number_ - listed_) {
    tail_.clear();
    if (Result<void> done = list_all(database_); !done) return done;
    Result<std::int64_t> listed = listed_to(database_);
    if (!listed) return Fail(std::move(listed).error());
    listed_ = *listed;
    return {};
  }
  std::span<const IndexedRow> rows(tail_);
  for (; std::ssize(rows) >= kSpanRows; rows = rows.subspan(kSpanRows)) {
    if (Result<void> done = list_span(database_, listed_ + 1, rows.first(kSpanRows)); !done)
      return done;
    listed_ += kSpanRows;
  }
  tail_.erase(tail_.begin(), tail_.end() - std::ssize(rows));
  return {};
}

Result<void> Applier::apply(const std::vector<Change>& batch) {
  // A change is one statement, which undoes itself; most batches are one row of the audit.
  if (batch.size() < 2) return put_all(batch);
  const std::int64_t number = last_number_;
  const std::optional<Digest> head = head_;
  if (Result<void> saved = database_.run("SAVEPOINT batch"); !saved) return saved;
  Result<void> applied = put_all(batch);
  if (!applied) {
    undone();
    last_number_ = number;
    head_ = head;
    // After some failures SQLite has ended the whole transaction by itself.
    if (!database_.in_transaction()) return applied;
    if (Result<void> undone = database_.run("ROLLBACK TO batch"); !undone) return undone;
  }
  if (Result<void> released = database_.run("RELEASE batch"); !released) return released;
  return applied;
}

Result<void> Applier::put_all(const std::vector<Change>& batch) {
  for (const Change& change : batch) {
    Result<void> done = std::visit([this](const auto& each) { return put(each); }, change);
    if (!done) return done;
  }
  return {};
}

Result<void> Applier::put(const PutSession& change) {
  const Session& session = change.session;
  const std::string row = text_of(session);
  return database_.run(
      "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)",
      {session.id, session.parent, session.created, session.seen, session.ended, row});
}

Result<void> Applier::put(const TouchSession& change) {
  return database_.run("UPDATE sessions SET seen = max(seen, ?) WHERE id = ?",
                       {change.seen, change.id});
}

Result<void> Applier::put(const AddQuestion& change) {
  const Question& question = change.question;
  const std::string row = text_of(question);
  Result<void> done =
      database_.run("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    {question.id, question.session, name_in_list(question.state), question.created,
                     question.settlement.at, row});
  if (done && database_.changes() == 0) return Fail(question_exists(question.id));
  return done;
}

Result<void> Applier::put(const ChangeQuestion& change) {
  const Question& question = change.question;
  const std::string row = text_of(question);
  Result<void> done = database_.run(
      "UPDATE questions SET session = ?, state = ?, created = ?, settled = ?, row = ? "
      "WHERE id = ? AND state = ?",
      {question.session, name_in_list(question.state), question.created, question.settlement.at,
       row, question.id, name_in_list(change.expected)});
  if (done && database_.changes() == 0) return Fail(already_answered(question.id));
  return done;
}

Result<void> Applier::put(const PutGrant& change) {
  const Grant& grant = change.grant;
  const std::string row = text_of(grant);
  return database_.run("INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?)",
                       {grant.id, grant.created, grant.expires, grant.revoked, row});
}

Result<void> Applier::put(const PutCredential& change) {
  const std::string row = text_of(change.credential);
  return database_.run("INSERT OR REPLACE INTO credentials VALUES (?, ?)",
                       {change.credential.name, row});
}

Result<void> Applier::put(const PutLogin& change) {
  const Login& login = change.login;
  return database_.run("INSERT OR REPLACE INTO logins VALUES (?, ?, ?, ?, ?, ?)",
                       {login.digest, name_in_list(login.kind), login.credential, login.created,
                        login.expires, login.used});
}

Result<void> Applier::put(const SpendLink& change) {
  Result<void> done = database_.run(
      "UPDATE logins SET used = ? WHERE digest = ? AND kind = 'link' AND used = 0 "
      "AND (expires = 0 OR expires > ?)",
      {change.at, change.digest, change.at});
  if (done && database_.changes() == 0) return Fail(link_spent());
  return done;
}

Result<void> Applier::put(const DropLogins& change) {
  return database_.run(
      "DELETE FROM logins WHERE (?1 <> '' AND credential = ?1) "
      "OR (expires <> 0 AND expires < ?2) OR (used <> 0 AND used < ?2)",
      {change.credential, change.before});
}

Result<void> Applier::put(const PutSetting& change) {
  if (change.text.empty())
    return database_.run("DELETE FROM settings WHERE name = ?", {change.name});
  return database_.run("INSERT OR REPLACE INTO settings VALUES (?, ?)", {change.name, change.text});
}

Result<void> Applier::put(const AppendAudit& change) { return append(change.row); }

Result<void> Applier::put(const RemoveAudit& change) {
  const Result<std::optional<AuditRow>> said = remove_oldest(database_, change);
  if (!said) return Fail(said.error());
  return *said ? append(**said) : Result<void>();
}

// SAFETY: whoever else writes to the file sees that it was swept before it uses a number again.
Result<void> Applier::put(const ForgetTexts& change) {
  interned_.forget();
  ++swept_;
  return forget_texts(database_, change);
}

Result<void> Applier::append(const AuditRow& row) {
  const Result<IndexedRow> indexed = names_of(row);
  if (!indexed) return Fail(indexed.error());
  const Result<std::int64_t> by = interned_.name_in(database_, kAuditFields, row.by);
  if (!by) return Fail(by.error());
  const Result<std::int64_t> origin = interned_.name_in(database_, kAuditFields + 1, row.origin);
  if (!origin) return Fail(origin.error());
  link_.begin(*head_, row.at);
  for (const std::string* name : {&row.kind, &row.session, &row.agent, &row.tool, &row.verdict,
                                  &row.rule, &row.question, &row.by, &row.origin})
    link_.name(*name);
  if (Result<void> kept = keep_text(row); !kept) return kept;
  const std::optional<Digest> digest = link_.digest();
  if (!digest) return Fail(no_digest());
  const auto& names = indexed->names;
  const std::array<Argument, 13> arguments{last_number_ + 1,
                                           row.at,
                                           names[0],
                                           names[1],
                                           names[2],
                                           names[3],
                                           names[4],
                                           names[5],
                                           names[6],
                                           *by,
                                           *origin,
                                           text_,
                                           Argument::blob(digest->view())};
  Result<void> done = database_.run_with(
      "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", arguments);
  if (!done) return done;
  ++last_number_;
  head_ = digest;
  // Rows of another process before it would be missing; then the table is read instead.
  if (std::ssize(tail_) + 1 == last_number_ - listed_) tail_.push_back(*indexed);
  return done;
}

Result<IndexedRow> Applier::names_of(const AuditRow& row) {
  const std::array<const std::string*, kAuditFields> texts{
      &row.kind, &row.session, &row.agent, &row.tool, &row.verdict, &row.rule, &row.question};
  IndexedRow indexed{.at = row.at};
  for (std::size_t i = 0; i < kAuditFields; ++i) {
    const Result<std::int64_t> name = interned_.name_in(database_, i, *texts[i]);
    if (!name) return Fail(name.error());
    indexed.names[i] = *name;
  }
  return indexed;
}

Result<void> Applier::keep_text(const AuditRow& row) {
  text_.clear();
  if (row.text.empty())
    json::append(text_, row.record);
  else if (has_marks(row.text))
    text_ = whole_text(row);
  else if (row.shared.empty())
    text_ = row.text;
  else
    return keep_parts(row);
  link_.own(text_);
  return {};
}

Result<void> Applier::keep_parts(const AuditRow& row) {
  std::size_t written = 0;
  const auto keep_own = [&](std::size_t end) {
    const std::string_view own = std::string_view(row.text).substr(written, end - written);
    text_ += own;
    link_.own(own);
    written = end;
  };
  for (const SharedText& part : row.shared) {
    const Result<const Interned::Part*> kept = interned_.part(database_, part.text);
    if (!kept) return Fail(kept.error());
    keep_own(std::clamp(part.at, written, row.text.size()));
    append_part(text_, (*kept)->number);
    link_.shared((*kept)->digest);
  }
  keep_own(row.text.size());
  return {};
}

Result<void> Applier::put(const MarkSpool& change) {
  return database_.run("INSERT OR REPLACE INTO spools VALUES (?, ?, ?, ?, ?)",
                       {change.file, as_signed(change.device), as_signed(change.inode),
                        as_signed(change.offset), as_signed(change.tail)});
}

}  // namespace tollgate::store

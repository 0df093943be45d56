// The texts of every version, oldest first, and the walk through those that a file lacks.
// Columns are what is searched or changed alone; the rest of a row is JSON in its last column.
// A version is never changed once it was given out; the next one says what becomes of its tables.
#include "store/migrations.h"

#include <iterator>

#include "store/chain.h"
#include "store/postings.h"

namespace tollgate::store {
namespace {

// A text of SQL, and what SQL cannot do.
struct Version {
  std::string_view sql;
  Result<void> (*then)(Database&) = nullptr;
};

constexpr Version kVersions[] = {
    // 1: the first.
    {R"sql(
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, parent TEXT NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL,
  ended INTEGER NOT NULL, row TEXT NOT NULL) STRICT;
CREATE INDEX sessions_running ON sessions (ended) WHERE ended = 0;

CREATE TABLE questions (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL,
  settled INTEGER NOT NULL, row TEXT NOT NULL) STRICT;
CREATE INDEX questions_state ON questions (state, created);
CREATE INDEX questions_session ON questions (session, created);
CREATE INDEX questions_created ON questions (created);
CREATE INDEX questions_settled ON questions (settled);

CREATE TABLE grants (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, expires INTEGER NOT NULL,
  revoked INTEGER NOT NULL, row TEXT NOT NULL) STRICT;

CREATE TABLE credentials (name TEXT PRIMARY KEY, row TEXT NOT NULL) STRICT;

CREATE TABLE logins (
  digest TEXT PRIMARY KEY, kind TEXT NOT NULL, credential TEXT NOT NULL, created INTEGER NOT NULL,
  expires INTEGER NOT NULL, used INTEGER NOT NULL) STRICT;

CREATE TABLE settings (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;

CREATE TABLE spools (
  file TEXT PRIMARY KEY, device INTEGER NOT NULL, inode INTEGER NOT NULL, offset INTEGER NOT NULL,
  tail INTEGER NOT NULL) STRICT;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT, session TEXT, agent TEXT, tool TEXT,
  verdict TEXT, rule TEXT, question TEXT, "by" TEXT, origin TEXT, record TEXT NOT NULL) STRICT;
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_kind ON audit (kind) WHERE kind IS NOT NULL;
CREATE INDEX audit_session ON audit (session) WHERE session IS NOT NULL;
CREATE INDEX audit_agent ON audit (agent) WHERE agent IS NOT NULL;
CREATE INDEX audit_tool ON audit (tool) WHERE tool IS NOT NULL;
CREATE INDEX audit_verdict ON audit (verdict) WHERE verdict IS NOT NULL;
CREATE INDEX audit_rule ON audit (rule) WHERE rule IS NOT NULL;
CREATE INDEX audit_question ON audit (question) WHERE question IS NOT NULL;

-- The last number given; it stays when old rows are removed.
CREATE TABLE numbers (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
INSERT INTO numbers VALUES ('audit', 0);
)sql"},
    // 2: rows of the audit name their texts by number, and are listed behind by postings.h.
    {R"sql(
CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE parts (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX parts_hash ON parts (hash);

CREATE TABLE audit_rows (
  number INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind INTEGER NOT NULL,
  session INTEGER NOT NULL, agent INTEGER NOT NULL, tool INTEGER NOT NULL,
  verdict INTEGER NOT NULL, rule INTEGER NOT NULL, question INTEGER NOT NULL,
  "by" INTEGER NOT NULL, origin INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
INSERT INTO names (text)
  SELECT kind FROM audit WHERE kind IS NOT NULL UNION
  SELECT session FROM audit WHERE session IS NOT NULL UNION
  SELECT agent FROM audit WHERE agent IS NOT NULL UNION
  SELECT tool FROM audit WHERE tool IS NOT NULL UNION
  SELECT verdict FROM audit WHERE verdict IS NOT NULL UNION
  SELECT rule FROM audit WHERE rule IS NOT NULL UNION
  SELECT question FROM audit WHERE question IS NOT NULL UNION
  SELECT "by" FROM audit WHERE "by" IS NOT NULL UNION
  SELECT origin FROM audit WHERE origin IS NOT NULL;
INSERT INTO audit_rows SELECT number, at,
  ifnull((SELECT id FROM names WHERE text = kind), 0),
  ifnull((SELECT id FROM names WHERE text = session), 0),
  ifnull((SELECT id FROM names WHERE text = agent), 0),
  ifnull((SELECT id FROM names WHERE text = tool), 0),
  ifnull((SELECT id FROM names WHERE text = verdict), 0),
  ifnull((SELECT id FROM names WHERE text = rule), 0),
  ifnull((SELECT id FROM names WHERE text = question), 0),
  ifnull((SELECT id FROM names WHERE text = "by"), 0),
  ifnull((SELECT id FROM names WHERE text = origin), 0),
  record FROM audit ORDER BY number;
DROP TABLE audit;
ALTER TABLE audit_rows RENAME TO audit;

-- Lists of row numbers by column and name; spans say what times the rows of a list are of.
CREATE TABLE postings (
  field INTEGER NOT NULL, name INTEGER NOT NULL, first INTEGER NOT NULL, numbers BLOB NOT NULL,
  PRIMARY KEY (field, name, first)) STRICT, WITHOUT ROWID;
CREATE TABLE spans (
  first INTEGER PRIMARY KEY, last INTEGER NOT NULL, earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL) STRICT;
INSERT INTO numbers VALUES ('listed', 0);
)sql"},
    // 3: rows of the audit are chained; those that are there are, at once. `before` is the digest
    // of the row before `first`, where rows were removed; `swept` counts removals of texts.
    {R"sql(
ALTER TABLE audit ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
CREATE TABLE chain (store TEXT NOT NULL, first INTEGER NOT NULL, before BLOB NOT NULL) STRICT;
INSERT INTO chain VALUES (lower(hex(randomblob(16))), 1, x'');
INSERT INTO numbers VALUES ('swept', 0);
)sql",
     chain_what_came},
    // 4: words of the rows, three letters each, filled behind; the rows themselves are not in it.
    {R"sql(
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', columnsize = 0, tokenize = 'trigram');
INSERT INTO numbers VALUES ('worded', 0);
)sql"},
};

Error refused(const std::string& path, const std::string& why, std::string hint) {
  return {.code = "store-unavailable",
          .message = "cannot use `" + path + "`: " + why,
          .hint = std::move(hint),
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

Result<void> bring_to(Database& database, std::int64_t version) {
  if (Result<void> begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  Result<std::int64_t> is = database.integer("PRAGMA user_version");
  Result<void> done = is ? Result<void>() : Fail(is.error());
  // Another process may have been first.
  if (is && *is < version) {
    const Version& next = kVersions[version - 1];
    std::string sql(next.sql);
    sql += "PRAGMA application_id = " + std::to_string(kApplicationId) + ";";
    sql += "PRAGMA user_version = " + std::to_string(version) + ";";
    done = database.script(sql);
    if (done && next.then != nullptr) done = next.then(database);
  }
  if (done) done = database.run("COMMIT");
  if (!done && database.in_transaction()) static_cast<void>(database.script("ROLLBACK"));
  return done;
}

// An older file has rows that no list has.
Result<void> list_what_came(Database& database) {
  const Result<std::int64_t> unlisted = database.integer(
      "SELECT audit.last - listed.last FROM numbers AS audit, numbers AS listed "
      "WHERE audit.name = 'audit' AND listed.name = 'listed'");
  if (!unlisted) return Fail(unlisted.error());
  if (*unlisted < kSpanRows) return {};
  if (Result<void> begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  Result<void> done = list_all(database);
  if (done) done = database.run("COMMIT");
  if (!done && database.in_transaction()) static_cast<void>(database.script("ROLLBACK"));
  return done;
}

}  // namespace

std::int64_t newest_version() { return std::ssize(kVersions); }

Result<void> check_file(Database& database, const std::string& path) {
  const Result<std::int64_t> id = database.integer("PRAGMA application_id");
  if (!id) return Fail(id.error());
  const Result<std::int64_t> version = database.integer("PRAGMA user_version");
  if (!version) return Fail(version.error());
  const Result<std::int64_t> tables = database.integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return Fail(tables.error());
  const bool fresh = *id == 0 && *version == 0 && *tables == 0;
  if (!fresh && *id != kApplicationId)
    return Fail(refused(path, "it is a database of another program",
                        "name another file, or move this one away"));
  if (*version > newest_version())
    return Fail(refused(path,
                        "its version is " + std::to_string(*version) +
                            ", and this program knows versions up to " +
                            std::to_string(newest_version()),
                        "use the newer program that wrote it"));
  return {};
}

Result<void> migrate_to(Database& database, std::int64_t wanted) {
  const Result<std::int64_t> version = database.integer("PRAGMA user_version");
  if (!version) return Fail(version.error());
  for (std::int64_t next = *version + 1; next <= wanted; ++next)
    if (Result<void> done = bring_to(database, next); !done) return done;
  return {};
}

Result<void> migrate(Database& database, const std::string& path) {
  if (Result<void> done = migrate_to(database, newest_version()); !done) return done;
  if (Result<void> listed = list_what_came(database); !listed) return listed;
  return check_file(database, path);
}

}  // namespace tollgate::store

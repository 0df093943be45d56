// What is asked of the tables, as SQL.
// Each function is one statement, or one transaction where several must fit together.
// A row that cannot be read is store-unavailable: half an answer could miss a freeze or a denial.
#pragma once

#include "store/sqlite.h"
#include "store/store.h"

namespace tollgate::store {

Result<Kept> read_kept(Database& database, Millis now, Millis recent);
Result<std::vector<AuditRow>> read_audit(Database& database, const AuditQuery& query);
Result<std::vector<Question>> read_questions(Database& database, const QuestionQuery& query);
Result<std::optional<Question>> read_question(Database& database, const std::string& id);
Result<std::vector<Grant>> read_grants(Database& database);
Result<MarkSpool> read_spool_mark(Database& database, const std::string& file);
Result<RecordState> read_record_state(Database& database);

}  // namespace tollgate::store

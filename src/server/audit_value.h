// A row of the audit as HTTP has it.
#pragma once

#include "json/value.h"
#include "store/rows.h"

namespace tollgate::server {

json::Value row_value(const store::AuditRow& row);

}  // namespace tollgate::server

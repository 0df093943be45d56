// `tollgate approver`: the credentials of those who answer. A new one is shown once.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 5> kOptions = {{
    {"role", "ROLE", "of `add`: a role that rules name; may be given more than once"},
    {"person", "NAME", "of `add`: who it is, where one person has several credentials"},
    {"operator", "", "of `add`: may open sessions and make approvers as well"},
    kDataOption,
    kJsonOption,
}};

bool flag_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  return member != nullptr && member->as_bool();
}

void list(const Value& answer, Context& context) {
  std::vector<std::vector<std::string>> rows = {
      {"name", "person", "roles", "operator", "since", "revoked"}};
  const Value* approvers = answer.find("approvers");
  if (approvers != nullptr)
    for (const Value& each : approvers->items()) {
      std::string roles;
      if (const Value* list = each.find("roles"))
        for (const Value& role : list->items())
          roles += (roles.empty() ? "" : " ") + visible(role.as_string());
      rows.push_back({text_in(each, "name"), text_in(each, "person"), roles,
                      flag_in(each, "operator") ? "yes" : "no", text_in(each, "createdAt"),
                      text_in(each, "revokedAt")});
    }
  context.console.out(table(rows));
}

Value wanted(const Arguments& arguments) {
  Value body = Value::object({{"name", Value::string(arguments.words[1])}});
  if (arguments.has("person")) body.set("person", Value::string(arguments.get("person")));
  Value roles = Value::array();
  for (const std::string& role : arguments.all("role")) roles.push(Value::string(role));
  body.set("roles", std::move(roles));
  body.set("operator", Value::boolean(arguments.has("operator")));
  return body;
}

}  // namespace

const Shape kApproverShape = {
    .usage = "[list]\nadd NAME [--role ROLE]… [--person NAME] [--operator]\nrevoke NAME",
    .about =
        "Makes, lists and revokes the credentials with which people answer. A new one is shown\n"
        "once and kept by nobody but you: the gate has only its digest. Needs an operator's\n"
        "credential, or the link that `tollgate serve` printed.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 2,
    .examples = "tollgate approver add ann --role lead\ntollgate approver revoke ann",
};

int run_approver(const Arguments& arguments, Context& context) {
  const std::string act = arguments.words.empty() ? "list" : arguments.words[0];
  const bool names_one = act == "add" || act == "revoke";
  if ((act != "list" && !names_one) || (names_one && arguments.words.size() != 2))
    return complain(context,
                    error_of("bad-usage", "`tollgate approver` does not know that",
                             "see `tollgate approver --help`"),
                    kUsedWrongly);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> answer =
      act == "list"  ? client->call("GET", "/api/approvers")
      : act == "add" ? client->call("POST", "/api/approvers", wanted(arguments))
                     : client->call("DELETE", "/api/approvers/" + escaped(arguments.words[1]));
  if (!answer) return complain(context, answer.error());
  if (arguments.has("json"))
    context.console.out(json::write(*answer) + "\n");
  else if (act == "list")
    list(*answer, context);
  else if (act == "add")
    context.console.out("credential of " + text_in(*answer, "name") + ", shown this once:\n" +
                        text_in(*answer, "credential") + "\n");
  else
    context.console.out("revoked " + text_in(*answer, "revoked") + "\n");
  return kDone;
}

}  // namespace tollgate::cli

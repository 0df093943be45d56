// What anybody may know of the daemon's certificate before they trust it: who it is for, its
// digest, and the authority that signed it, as a file that phones install. SAFETY: all of it is
// said in every handshake anyway; no key is ever near it.
#include "json/json.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

std::vector<certificates::Facts> chain_of(const Daemon& daemon) {
  return daemon.status.certificates ? daemon.status.certificates()
                                    : std::vector<certificates::Facts>();
}

// The authority of this machine stands behind the server's own certificate; a public one does not.
const certificates::Facts* authority_in(const std::vector<certificates::Facts>& chain) {
  return chain.size() > 1 && chain.back().is_authority ? &chain.back() : nullptr;
}

Value fact_value(const certificates::Facts& facts) {
  return Value::object({{"subject", text_value(facts.subject)},
                        {"sha256", text_value(facts.sha256)},
                        {"expiresAt", moment_value(facts.not_after)}});
}

}  // namespace

void show_certificate(Daemon& daemon, Visit visit) {
  const std::vector<certificates::Facts> chain = chain_of(daemon);
  if (chain.empty())
    return visit.reply(200, Value::object({{"certificate", Value()}, {"authority", Value()}}));
  Value own = fact_value(chain.front());
  Value names = Value::array();
  for (const std::string& name : chain.front().names) names.push(text_value(name));
  own.set("names", std::move(names));
  const certificates::Facts* authority = authority_in(chain);
  visit.reply(200, Value::object({{"certificate", std::move(own)},
                                  {"authority", authority ? fact_value(*authority) : Value()}}));
}

void serve_authority(Daemon& daemon, Visit visit) {
  const std::vector<certificates::Facts> chain = chain_of(daemon);
  const certificates::Facts* authority = authority_in(chain);
  if (authority == nullptr)
    return visit.fail(404, {.code = "unknown-route",
                            .message = "this daemon has no authority of its own",
                            .hint = "`tollgate pair --certificate` makes one",
                            .where = {}});
  Response response;
  response.headers = {{"Content-Type", "application/x-x509-ca-cert"},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = authority->pem;
  visit.exchange->reply(std::move(response));
}

}  // namespace tollgate::server

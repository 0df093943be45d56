#include "cli/pair_certificate.h"

#include "base/host.h"
#include "base/moment_text.h"
#include "certificates/place.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "config/loader.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/addresses.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

using json::Value;

// The host of `https://host:port/`, "" where there is none.
std::string host_of(const std::string& url) {
  const std::size_t begin = url.find("://");
  if (begin == url.npos) return "";
  const std::string rest = url.substr(begin + 3, url.find('/', begin + 3) - begin - 3);
  const std::size_t colon = rest.rfind(':');
  const bool has_port = colon != rest.npos && rest.find(']', colon) == rest.npos;
  return canonical_host(has_port ? rest.substr(0, colon) : rest);
}

std::vector<std::string> names_for(const Arguments& arguments, const config::Settings& settings,
                                   const std::string& machine) {
  std::vector<std::string> names = certificates::usual_names(machine, os::own_addresses());
  if (const std::string known = host_of(settings.public_url); !known.empty())
    names.push_back(known);
  for (const std::string& name : arguments.all("host")) names.push_back(name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + visible(name);
  return out;
}

void tell(const certificates::Place& place, const certificates::Made& made, Context& context) {
  const auto fresh = [](bool is) { return std::string(is ? ", new" : ", kept"); };
  context.console.out(
      table({{"authority", visible(place.authority) + fresh(made.new_authority)},
             {"", "SHA-256 " + certificates::spelled(made.authority.sha256)},
             {"", "until " + moment_text(made.authority.not_after)},
             {"certificate", visible(place.server) + fresh(made.new_server)},
             {"", "SHA-256 " + certificates::spelled(made.server.sha256)},
             {"", "until " + moment_text(made.server.not_after) + "; the daemon renews it"},
             {"", "for " + listed(made.server.names)}}));
  if (made.new_authority)
    context.console.out("\nA phone has to trust the authority once; docs/phone.md says how.\n");
}

Value made_value(const certificates::Place& place, const certificates::Made& made) {
  const auto facts = [](const std::string& file, const certificates::Facts& of, bool fresh) {
    return Value::object({{"file", Value::string(file)},
                          {"sha256", Value::string(of.sha256)},
                          {"expiresAt", Value::string(moment_text(of.not_after))},
                          {"new", Value::boolean(fresh)}});
  };
  Value names = Value::array();
  for (const std::string& name : made.server.names) names.push(Value::string(name));
  Value server = facts(place.server, made.server, made.new_server);
  server.set("names", std::move(names));
  return Value::object({{"authority", facts(place.authority, made.authority, made.new_authority)},
                        {"certificate", std::move(server)}});
}

// What a phone in the same network would write: an address, because not every phone knows `.local`.
std::string address_for_phones() {
  std::string address = os::usual_address();
  if (address.empty() || !os::is_private_address(address)) {
    const std::string machine = canonical_host(os::host_name());
    address = machine.empty() || machine.find('.') != machine.npos ? machine : machine + ".local";
  }
  return address;
}

}  // namespace

std::string settings_for_phones(const std::string& data_dir, std::uint16_t port,
                                const Arguments& arguments, const Context& context) {
  const certificates::Place place = certificates::place_in(data_dir);
  const Result<os::Stamp> made = os::stamp_of(place.server);
  const std::string home = os::home_directory(context.environment).value_or("");
  const std::string file = arguments.has("config") ? arguments.get("config")
                                                   : config::user_file(context.environment, home);
  const std::string address = address_for_phones(), number = std::to_string(port);
  std::string out;
  if (!made || !made->exists)
    out +=
        "First make a certificate with `tollgate pair --certificate`. Then, for a phone in your\n"
        "own network, ";
  else
    out += "For a phone in your own network, ";
  out += "write this into " + visible(file) + "\nand start the daemon again:\n\n";
  out += "settings:\n  listen: 0.0.0.0:" + number + "\n  publicUrl: https://" +
         (address.empty() ? "THIS-MACHINE" : address) + ":" + number +
         "\n  tls:\n    cert: " + visible(place.server) + "\n    key: " + visible(place.server) +
         "\n\n";
  out +=
      "From then on whoever is in one of this machine's networks can connect to port " + number +
      ";\nwithout a login they get no further. Other ways (a VPN, SSH, a proxy): docs/phone.md\n";
  return out;
}

int make_certificate(const Arguments& arguments, Context& context) {
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  const Result<config::Settings> settings = settings_of(arguments, context);
  if (!settings) return complain(context, settings.error());
  std::string machine = canonical_host(os::host_name());
  if (machine.empty()) machine = "this machine";
  const certificates::Place place = certificates::place_in(*data);
  const Result<certificates::Made> made =
      certificates::ensure(place,
                           {.machine = machine,
                            .names = names_for(arguments, *settings, machine),
                            .now = os::now_milliseconds()},
                           arguments.has("new-authority") ? certificates::Authority::kNew
                                                          : certificates::Authority::kKeep);
  if (!made) return complain(context, made.error());
  if (arguments.has("json")) {
    context.console.out(json::write(made_value(place, *made)) + "\n");
    return kDone;
  }
  tell(place, *made, context);
  const bool named = settings->tls && settings->tls->cert == place.server;
  context.console.out(
      "\n" + (named ? "`settings.tls` names it; a daemon that runs takes it over within a minute.\n"
                    : settings_for_phones(*data, settings->listen.port, arguments, context)));
  return kDone;
}

}  // namespace tollgate::cli

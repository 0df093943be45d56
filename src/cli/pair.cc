// `tollgate pair`: a code for a phone's camera that logs it in, once, as a device of one's own.
// The daemon makes the code; this draws it, or says what keeps a phone from getting there.
// SAFETY: an address that no phone can reach gets no code, and none is opened to make it reachable.
#include <array>

#include "certificates/facts.h"
#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/pair_certificate.h"
#include "cli/qr_code.h"
#include "cli/registration.h"
#include "explain/layout.h"
#include "json/json.h"
#include "server/serve.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 11> kOptions = {{
    {"name", "NAME", "what the device is called; `phone` unless told"},
    {"ascii", "", "draw with ASCII characters alone"},
    {"invert", "", "without colours: draw for a light terminal"},
    {"list", "", "list the devices that are paired"},
    {"revoke", "NAME", "end that device's login"},
    {"certificate", "", "make the certificate with which phones reach the daemon, or renew it"},
    {"host", "NAME",
     "of --certificate: also for this name or address; may be given more than once"},
    {"new-authority", "",
     "of --certificate: make the authority anew; phones have to trust it again"},
    {"config", "FILE", "of --certificate: use this configuration instead of the user's"},
    kDataOption,
    kJsonOption,
}};

// LIMIT: a name that nobody chose has so many numbers.
constexpr int kMostNumbers = 20;

int say(const Result<Value>& answer, const Arguments& arguments, Context& context,
        std::string (*text)(const Value&)) {
  if (!answer) return complain(context, answer.error());
  context.console.out(arguments.has("json") ? json::write(*answer) + "\n" : text(*answer));
  return kDone;
}

std::string list_text(const Value& answer) {
  const Value& devices = member_of(answer, "devices");
  if (devices.items().empty()) return "no devices\n";
  std::vector<std::vector<std::string>> rows = {{"name", "person", "since"}};
  for (const Value& each : devices.items())
    rows.push_back({text_in(each, "name"), text_in(each, "person"), text_in(each, "createdAt")});
  return table(rows);
}

std::string revoked_text(const Value& answer) {
  return "revoked " + text_in(answer, "revoked") + "\n";
}

// The port of http://HOST:PORT, which the daemon has whatever its settings say.
std::uint16_t port_in(const std::string& address) {
  std::string host;
  std::uint16_t port = 1615;
  const std::size_t begin = address.find("://");
  if (begin != address.npos)
    static_cast<void>(server::read_listen(address.substr(begin + 3), host, port));
  return port;
}

int say_unreachable(const Value& settings, const Arguments& arguments, Context& context) {
  complain(context, error_of("unreachable-address",
                             "the daemon is at " + text_in(settings, "address") +
                                 ", which no other device can reach",
                             "no code was made; nothing was opened"));
  const Result<std::string> data = data_dir_of(arguments, context);
  if (data)
    context.console.err("\n" + settings_for_phones(*data, port_in(text_in(settings, "address")),
                                                   arguments, context));
  return kFailed;
}

// A name that was not chosen gets a number where it is taken.
Result<Value> pair_device(GateClient& client, const Arguments& arguments) {
  const auto ask = [&](const std::string& name) {
    return client.call("POST", "/api/pair", Value::object({{"device", Value::string(name)}}));
  };
  if (arguments.has("name")) return ask(arguments.get("name"));
  Result<Value> answer = ask("phone");
  for (int number = 2; number <= kMostNumbers && !answer; ++number) {
    if (answer.error().code != "approver-taken") break;
    answer = ask("phone-" + std::to_string(number));
  }
  return answer;
}

void draw(const std::string& url, const Arguments& arguments, Context& context) {
  const Result<QrCode> code = qr_code(url);
  if (!code) return context.console.err(render(code.error()));
  const os::Terminal screen = context.console.screen();
  const bool ascii = arguments.has("ascii");
  const std::size_t columns = ascii ? ascii_columns(*code) : half_block_columns(*code);
  if (screen.is_terminal && static_cast<std::size_t>(screen.width) < columns)
    return context.console.err("the code needs a terminal of " + std::to_string(columns) +
                               " columns; use the link\n");
  const QrLook look = screen.color              ? QrLook::kColor
                      : arguments.has("invert") ? QrLook::kLight
                                                : QrLook::kDark;
  context.console.out(ascii ? in_ascii(*code, look) : in_half_blocks(*code, look));
  if (look == QrLook::kDark)
    context.console.out(
        "(without colours the code is drawn for a dark terminal; --invert is for a "
        "light one)\n");
}

void say_paired(const Value& paired, const Value& certificate, Context& context) {
  std::vector<std::vector<std::string>> rows = {
      {"device", text_in(paired, "device")},
      {"code", "works once, until " + text_in(paired, "expiresAt")},
      {"link", text_in(paired, "url")}};
  const std::string digest = text_in(paired, "sha256");
  if (!digest.empty())
    rows.push_back({"SHA-256", certificates::spelled(digest) +
                                   "; compare it with what the phone's browser shows"});
  const Value& authority = member_of(certificate, "authority");
  if (!digest.empty() && !authority.is_null())
    rows.push_back({"authority", certificates::spelled(text_in(authority, "sha256")) +
                                     "; the phone has to trust it once, see docs/phone.md"});
  context.console.out(table(rows));
  if (text_in(paired, "url").starts_with("http://"))
    context.console.out(
        "This address has no TLS: use it inside a VPN or a forward only. Notices, opening offline\n"
        "and installing the page need HTTPS with a certificate that the phone trusts.\n");
}

int pair(GateClient& client, const Arguments& arguments, Context& context) {
  const Result<Value> settings = client.call("GET", "/api/settings");
  if (!settings) return complain(context, settings.error());
  if (!member_of(*settings, "reachable").as_bool())
    return say_unreachable(*settings, arguments, context);
  const Result<Value> certificate = client.call("GET", "/api/certificate");
  if (!certificate) return complain(context, certificate.error());
  const Result<Value> paired = pair_device(client, arguments);
  if (!paired) return complain(context, paired.error());
  if (arguments.has("json")) {
    context.console.out(json::write(*paired) + "\n");
    return kDone;
  }
  draw(member_of(*paired, "url").as_string(), arguments, context);
  say_paired(*paired, *certificate, context);
  return kDone;
}

}  // namespace

const Shape kPairShape = {
    .usage =
        "[--name NAME] [--ascii] [--invert]\n--list\n--revoke NAME\n"
        "--certificate [--host NAME]… [--new-authority] [--config FILE]",
    .about =
        "Shows a code for a phone's camera. It works once and for five minutes; the phone then\n"
        "answers as you until you revoke it, and is never an operator. Asks for a credential.\n"
        "With --certificate it makes an authority of this machine and a certificate for its\n"
        "names, and says what to write into the settings; it needs no daemon then, and opens\n"
        "nothing.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples =
        "tollgate pair --certificate\ntollgate pair --name \"Ann's phone\"\n"
        "tollgate pair --revoke \"Ann's phone\"",
};

int run_pair(const Arguments& arguments, Context& context) {
  const int acts = arguments.has("list") + arguments.has("revoke") + arguments.has("certificate") +
                   arguments.has("name");
  if (acts > 1)
    return complain(context,
                    error_of("bad-usage", "`tollgate pair` does one thing at a time",
                             "give one of `--name`, `--list`, `--revoke` and `--certificate`"),
                    kUsedWrongly);
  if (arguments.has("certificate")) return make_certificate(arguments, context);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  if (arguments.has("list"))
    return say(client->call("GET", "/api/devices"), arguments, context, list_text);
  if (arguments.has("revoke"))
    return say(client->call("DELETE", "/api/devices/" + escaped(arguments.get("revoke"))),
               arguments, context, revoked_text);
  return pair(*client, arguments, context);
}

}  // namespace tollgate::cli

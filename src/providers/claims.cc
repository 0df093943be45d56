// The table. A row that is added here is missing in two papers, which a test says.
// The first column is a sentence without its subject: an agent can …
// What no row has and the papers do not say is a promise, and needs a test that attacks it.
#include "providers/claims.h"

namespace tollgate::providers {
namespace {

constexpr std::string_view kAnotherDevice =
    "the sandbox, another uid for the agent, or answering from another device";
constexpr std::string_view kAnotherUid = "the sandbox, or another uid for the agent";

constexpr Unheld kUnheld[] = {
    {"read the credential from your terminal, the login from your browser's files, or either from "
     "memory with a debugger",
     kAnotherDevice},
    {"kill the daemon, take its port or its socket, and answer hooks itself", kAnotherUid},
    {"write to the store or the spool, or put an older copy back", kAnotherUid},
    {"change the policy file or a client's registration", kAnotherUid},
    {"read `ca.key` and pass for the gate, towards a phone that trusts its authority, in a network "
     "where it stands between the two",
     kAnotherUid},
    {"bring a person to touch their security key for something else, by drawing over the browser "
     "or taking the daemon's port",
     "answering from another device"},
    {"make credentials in other people's names with an operator's login, and meet a threshold with "
     "them",
     "a security key of each operator"},
    {"run code that a permitted program loads", "the sandbox"},
};

}  // namespace

std::span<const Unheld> unheld() { return kUnheld; }

}  // namespace tollgate::providers

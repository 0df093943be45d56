// Where a command reads from and writes to: files, descriptors, hosts, here-documents.
#include <algorithm>
#include <utility>

#include "base/host.h"
#include "effects/programs/places.h"
#include "effects/shell/walker.h"

namespace tollgate {
namespace {

using shell::Redirection;
using shell::RedirectionOp;

bool is_stream(std::string_view path) {
  constexpr std::string_view kStreams[] = {"/dev/null",   "/dev/stdin", "/dev/stdout",
                                           "/dev/stderr", "/dev/tty",   "/dev/zero"};
  if (std::ranges::find(kStreams, path) != std::end(kStreams)) return true;
  return path.starts_with(kDescriptors) && path.size() > kDescriptors.size() &&
         path.find_first_not_of("0123456789", kDescriptors.size()) == path.npos;
}

bool is_descriptor(std::string_view text) {
  if (text == "-") return true;
  if (text.ends_with('-')) text.remove_suffix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace

void Walker::redirect(const shell::List<Redirection>& list, ShellState& state,
                      std::uint32_t owner) {
  for (const Redirection& one : list) {
    settle(state);
    if (!steps(1)) return;
    Expander words = expander(state);
    if (one.subscripted) cannot_follow("a subscript in a redirection is evaluated", one.span);
    if (!one.variable.empty()) set_variable(one.variable, {a_number()}, one.span, state);
    if (one.here != nullptr) {
      if (one.here->refused) add_unknown("a here-document that cannot be read", one.span);
      // SAFETY: what follows would be commands if bash saw an end where the reader saw none.
      if (!one.here->closed) add_unknown("a here-document that no line ends", one.span);
      const Value body = words.plain(one.here->body);
      if (std::ranges::any_of(body, &Possible::secret)) ++secrets_told_;
      input_ = {Input::Kind::kSome, {}};
      if (body.size() == 1 && body[0].known()) input_ = {Input::Kind::kText, body[0].text};
      continue;
    }
    if (one.op == RedirectionOp::kHereString) {
      const Value body = words.value(one.target);
      if (std::ranges::any_of(body, &Possible::secret)) ++secrets_told_;
      input_ = {Input::Kind::kSome, {}};
      if (body.size() == 1 && body[0].known()) input_ = {Input::Kind::kText, body[0].text + "\n"};
      continue;
    }
    for (const Fields& fields : words.fields(one.target)) {
      if (fields.size() != 1) {
        // Bash refuses to redirect to several files, and so the command does not run.
        add_unknown("a redirection to more than one word", one.span);
        continue;
      }
      redirect_file(one, fields[0], state, owner);
    }
  }
}

void Walker::redirect_file(const Redirection& one, const Word& target, const ShellState& state,
                           std::uint32_t owner) {
  const bool duplicates =
      one.op == RedirectionOp::kDuplicateRead || one.op == RedirectionOp::kDuplicateWrite;
  if (duplicates && target.known && is_descriptor(target.text)) {
    // One that the shell opened before: 0, 1 and 2 are what they always were.
    const bool opened =
        target.text != "-" && target.text.find_first_not_of("012-") != target.text.npos;
    if (!opened && one.op == RedirectionOp::kDuplicateRead && one.descriptor <= 0 &&
        target.text != "0")
      input_ = {Input::Kind::kSome, {}};
    if (!opened) return;
    if (one.op == RedirectionOp::kDuplicateRead)
      input_ = {seldom_->host ? Input::Kind::kFetched : Input::Kind::kSome, {}};
    if (seldom_->host && owner != kNoOwner) {
      out_.push_back(*seldom_->host);
      out_.back().owner = owner;
      out_.back().span = place(one.span);
    }
    return;
  }
  if (target.known && is_stream(target.text)) {
    const bool reads = one.op == RedirectionOp::kRead || one.op == RedirectionOp::kReadWrite;
    const bool given = target.text.starts_with(kDescriptors);
    if (reads && given)
      input_ = {substituted_fetch_ ? Input::Kind::kFetched : Input::Kind::kSome, {}};
    else if (reads && target.text != "/dev/stdin")
      input_ = {};
    return;
  }
  for (const std::string_view network : {"/dev/tcp/", "/dev/udp/"}) {
    if (!target.text.starts_with(network)) continue;
    Effect reach;
    reach.kind = EffectKind::kReach;
    reach.by = EffectBy::kRedirection;
    reach.owner = owner;
    reach.span = place(one.span);
    const std::string rest = target.text.substr(network.size());
    if (target.known) reach.host = canonical_host(rest.substr(0, rest.find('/')));
    seldom_.change().host = reach;
    out_.push_back(std::move(reach));
    input_ = {Input::Kind::kFetched, {}};
    return;
  }
  const bool reads = one.op == RedirectionOp::kRead || one.op == RedirectionOp::kReadWrite ||
                     one.op == RedirectionOp::kDuplicateRead;
  if (reads) {
    input_ = {Input::Kind::kSome, {}};
    add_path({EffectKind::kRead, EffectBy::kRedirection, false}, target, around(state, owner),
             out_);
  }
  const bool writes = one.op != RedirectionOp::kRead && one.op != RedirectionOp::kDuplicateRead;
  if (writes)
    add_path({EffectKind::kWrite, EffectBy::kRedirection, false}, target, around(state, owner),
             out_);
}

}  // namespace tollgate

#include "server/push_shelf.h"

#include <algorithm>
#include <charconv>

#include "approvals/digest.h"
#include "json/json.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "push:";

std::string name_of(const std::string& endpoint) {
  return std::string(kPrefix) + approvals::sha256(endpoint);
}

std::string written(const PushDevice& device) {
  return json::write(Value::object({{"endpoint", text_value(device.subscription.endpoint)},
                                    {"p256dh", text_value(device.subscription.p256dh)},
                                    {"auth", text_value(device.subscription.auth)},
                                    {"credential", text_value(device.credential)},
                                    {"created", Value::integer(device.created)}}));
}

std::optional<PushDevice> read(const std::string& text) {
  const Result<Value> value = json::parse(text);
  if (!value) return std::nullopt;
  PushDevice out;
  out.subscription = {text_in(*value, "endpoint"), text_in(*value, "p256dh"),
                      text_in(*value, "auth")};
  out.credential = text_in(*value, "credential");
  if (const Value* created = value->find("created")) {
    const std::string& number = created->number_text();
    std::from_chars(number.data(), number.data() + number.size(), out.created);
  }
  if (out.subscription.endpoint.empty()) return std::nullopt;
  return out;
}

Error too_many() {
  return {.code = "too-many-requests",
          .message = "so many browsers are subscribed that no more are taken",
          .hint = "switch notices off on a device that no longer needs them",
          .where = {}};
}

}  // namespace

void PushShelf::restore(const std::vector<std::pair<std::string, std::string>>& settings) {
  for (const auto& [name, text] : settings)
    if (name.starts_with(kPrefix))
      if (std::optional<PushDevice> device = read(text))
        devices_[device->subscription.endpoint] = std::move(*device);
}

void PushShelf::write(const std::string& endpoint, std::string text, const Done& done) {
  std::vector<store::Change> batch;
  batch.emplace_back(store::PutSetting{name_of(endpoint), std::move(text)});
  store_.submit(std::move(batch), store::Durability::kNow, [post = post_, done](Result<void> kept) {
    post([done, kept = std::move(kept)] { done(kept); });
  });
}

void PushShelf::add(notify::Subscription subscription, const store::Credential& credential,
                    Millis now, const Done& done) {
  PushDevice device{std::move(subscription), credential.name, now};
  const std::string endpoint = device.subscription.endpoint;
  const auto of_credential = std::ranges::count_if(devices_, [&](const auto& each) {
    return each.second.credential == credential.name && each.first != endpoint;
  });
  if (!devices_.contains(endpoint) &&
      (devices_.size() >= kMostSubscriptions ||
       of_credential >= static_cast<std::ptrdiff_t>(kMostOfCredential)))
    return done(Fail(too_many()));
  write(endpoint, written(device), [this, device, endpoint, done](const Result<void>& kept) {
    if (kept) devices_[endpoint] = device;
    done(kept);
  });
}

void PushShelf::remove(const std::string& endpoint, const store::Credential& credential,
                       const Done& done) {
  const auto found = devices_.find(endpoint);
  if (found == devices_.end() || found->second.credential != credential.name) return done({});
  devices_.erase(found);
  write(endpoint, "", done);
}

void PushShelf::drop(const std::string& endpoint) {
  if (devices_.erase(endpoint) > 0) write(endpoint, "", [](const Result<void>&) {});
}

std::vector<std::pair<PushDevice, store::Credential>> PushShelf::live(
    const std::vector<store::Credential>& credentials, Millis now) {
  std::vector<std::pair<PushDevice, store::Credential>> out;
  std::vector<std::string> ended;
  for (const auto& [endpoint, device] : devices_) {
    const auto owner = std::ranges::find_if(credentials, [&](const store::Credential& each) {
      return each.name == device.credential && each.revoked == 0 && each.approver &&
             (each.expires == 0 || each.expires > now) && each.created <= device.created;
    });
    if (owner == credentials.end())
      ended.push_back(endpoint);
    else
      out.emplace_back(device, *owner);
  }
  for (const std::string& endpoint : ended) drop(endpoint);
  return out;
}

bool PushShelf::has(const std::string& credential) const {
  return std::ranges::any_of(
      devices_, [&](const auto& each) { return each.second.credential == credential; });
}

}  // namespace tollgate::server

// Rows as tests want them: plain ones, and random ones that hold whatever text can hold.
// Included by tests only. The same seed gives the same rows.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "store/store.h"

namespace tollgate::store {

inline AppendAudit audit_of(const std::string& kind, Millis at = 0) {
  AuditRow row;
  row.kind = kind;
  row.at = at;
  return {row};
}

inline Session session_of(const std::string& id, const std::string& parent = "") {
  Session session;
  session.id = id;
  session.parent = parent;
  session.created = 1;
  return session;
}

inline Question question_of(const std::string& id, Millis created = 1) {
  Question question;
  question.id = id;
  question.session = "s";
  question.created = created;
  return question;
}

class RandomRows {
 public:
  explicit RandomRows(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }
  bool coin() { return below(2) == 0; }
  Millis time() {
    static constexpr Millis kOdd[] = {0, -1, 1, INT64_MAX, INT64_MIN, 1'763'400'000'000};
    return coin() ? kOdd[below(std::size(kOdd))] : static_cast<Millis>(random_());
  }

  // Valid UTF-8 with all that is unusual in it.
  std::string text(std::size_t parts = 6) {
    static const std::string kParts[] = {
        std::string(1, '\0'),
        "\x01",
        "\x1b[31m",
        "\x1e",
        "\x7f",
        "\"",
        "\\",
        "\n\r\t",
        "'; DROP --",
        "%_*",
        "\xC2\x85",
        "\xE2\x80\xAE",
        "\xEF\xBB\xBF",
        "\xF0\x9F\x92\xA9",
        "e\xCC\x81",
        "\xEF\xBF\xBF",
        "\xF4\x8F\xBF\xBF",
        "{\"hex\":\"",
        "plain text",
        "\xE2\x80\xA8",
    };
    std::string out;
    for (std::size_t i = below(parts + 1); i > 0; --i) out += kParts[below(std::size(kParts))];
    return out;
  }
  // May be no UTF-8: a path can be anything.
  std::string bytes() {
    std::string out = text();
    if (below(4) == 0) out += "\xff\xc0\x80" + text() + "\xed\xa0\x80";
    return out;
  }
  std::vector<std::string> list() {
    std::vector<std::string> out(below(4));
    for (std::string& each : out) each = bytes();
    return out;
  }
  json::Value value(std::size_t depth = 3) {
    switch (below(depth == 0 ? 4 : 6)) {
      case 0:
        return {};
      case 1:
        return json::Value::boolean(coin());
      case 2:
        return json::Value::integer(time());
      case 3:
        return json::Value::string(text());
      case 4: {
        json::Value out = json::Value::array();
        for (std::size_t i = below(4); i > 0; --i) out.push(value(depth - 1));
        return out;
      }
      default: {
        json::Value out = json::Value::object();
        for (std::size_t i = below(4); i > 0; --i) out.set(text(), value(depth - 1));
        return out;
      }
    }
  }

  Session session() {
    Session row{.id = bytes() + std::to_string(random_()),
                .parent = bytes(),
                .agent = bytes(),
                .provider = bytes(),
                .cwd = bytes(),
                .roots = list(),
                .search_path = bytes()};
    if (coin()) row.mode = static_cast<Mode>(below(5));
    if (coin()) row.answer = static_cast<Answerer>(below(5));
    row.frozen = coin();
    row.from_operator = coin();
    row.made_by = bytes();
    row.client_session = bytes();
    row.child_type = bytes();
    row.created = time();
    row.expires = time();
    row.seen = time();
    return row;
  }
  AuditRecord record() {
    AuditRecord out;
    out.call.id = text();
    out.call.session = text();
    out.call.tool = coin() ? "" : text();
    out.call.input = coin() ? json::Value() : value();
    out.call.stated_reason = text();
    for (std::size_t i = below(3); i > 0; --i) {
      Effect effect;
      effect.kind = EffectKind::kWrite;
      effect.path = effect.text = text();
      out.effects.push_back(effect);
      out.situation.paths.push_back({.state = PathState::kFile, .real = text()});
    }
    out.situation.now = time();
    out.decision.reasons.push_back({.kind = ReasonKind::kRule, .rule = text(), .text = text()});
    out.decision.suggestions = {text(), text()};
    return out;
  }
  Question question() {
    Question row;
    row.id = bytes() + std::to_string(random_());
    row.type = static_cast<QuestionType>(below(2));
    row.session = bytes();
    row.agent = bytes();
    row.chain = list();
    row.for_session = bytes();
    row.root = bytes();
    row.digest = bytes();
    row.asked = record();
    row.context = value();
    row.created = time();
    row.expires = time();
    row.state = static_cast<QuestionState>(below(5));
    for (std::size_t i = below(3); i > 0; --i)
      row.votes.push_back({bytes(), bytes(), coin(), bytes(), bytes(), time()});
    row.settlement = {bytes(), bytes(), static_cast<Scope>(below(4)), bytes(), bytes(), {}, value(),
                      time(),  time()};
    if (coin()) row.settlement.changed = value();
    row.seen = time();
    row.gone = time();
    row.delivered = time();
    row.spent = coin();
    return row;
  }
  Grant grant() {
    return {bytes() + std::to_string(random_()),
            bytes(),
            static_cast<Scope>(below(4)),
            bytes(),
            bytes(),
            bytes(),
            bytes(),
            bytes(),
            time(),
            time(),
            time(),
            bytes()};
  }
  Credential credential() {
    return {bytes() + std::to_string(random_()),
            bytes(),
            list(),
            coin(),
            coin(),
            bytes(),
            bytes(),
            time(),
            time(),
            time()};
  }
  Login login() {
    return {bytes() + std::to_string(random_()),
            coin() ? Login::Kind::kLink : Login::Kind::kCookie,
            bytes(),
            time(),
            time(),
            time()};
  }
  AuditRow audit_row() {
    return {0,       time(),  bytes(), bytes(), bytes(), bytes(),
            bytes(), bytes(), bytes(), bytes(), bytes(), value(5)};
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tollgate::store

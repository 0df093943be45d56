// What the effects of a judged call are called for people, and which parts of its text decided.
// Shared by the explanation on a terminal and by the reading on the page, so that both say the
// same.
// REQUIRES: the record outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/audit_log.h"

namespace tollgate {

class EffectWords {
 public:
  // `main` is the field that spans are about, "" for none; paths below `here` are shown without it.
  EffectWords(const AuditRecord& record, std::string main, std::string here)
      : record_(record), main_(std::move(main)), here_(std::move(here)) {}

  // The text that spans are about; nothing where the call has none.
  const std::string* main_text() const;

  // Deciding reasons have the decision's own verdict; others only add to the story.
  std::vector<Span> deciding_spans() const;
  // Where several effects stand at one place, the innermost program is the one meant.
  bool is_deciding(std::uint32_t index) const;
  // How many runs an effect belongs to, one inside the other.
  std::size_t depth_of(const Effect& effect) const;

  // What the effect is done to, raw: whoever shows it makes it visible.
  std::string object_of(const Effect& effect) const;
  // As a person would type it; what is not known as the call writes it.
  std::string word_of(const Word& word) const;

  // An empty span that is not at the start is where a text ends too early.
  static bool has_place(Span span) { return !span.empty() || span.begin > 0; }

 private:
  std::string written_at(Span span) const;
  std::string unknown_path(const Effect& effect) const;

  const AuditRecord& record_;
  std::string main_;
  std::string here_;
};

}  // namespace tollgate

// What a person fills in: texts and choices, one of them active.
// Pure. One shape for a reason, a rule, another input, an option, a search and a sure-question.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/top/key.h"

namespace tollgate::cli::top {

enum class FieldKind { kLine, kText, kChoice, kSeveral };

struct Field {
  std::string label;  // as it came: whoever draws it makes it visible
  FieldKind kind = FieldKind::kLine;
  std::string text;                  // of kLine and kText
  std::size_t at = 0;                // the cursor, in bytes
  std::vector<std::string> options;  // of kChoice and kSeveral; of kLine, what is offered
  std::vector<std::string> remarks;  // beside them, may be shorter
  std::size_t chosen = 0;            // the cursor among them
  std::vector<char> ticked;          // of kSeveral
  bool is_json = false;              // of kText: what it holds is a JSON value
};

enum class FormKind {
  kDeny,
  kAlways,
  kEdit,
  kReply,
  kAlike,  // of a question
  kMode,
  kAnswerer,
  kEnd,
  kFreezeAll,  // of a session
  kSearch,     // of the history
};

struct Form {
  FormKind kind = FormKind::kDeny;
  std::string about;  // the question's or the session's id
  std::string title;
  std::string send;  // what Enter does, in a word or two
  std::vector<Field> fields;
  std::size_t active = 0;
  std::vector<std::string> notes;  // what the gate said about it
  bool waits = false;              // for the daemon's word on it
  std::string tried;               // the rule that `notes` are about
};

enum class FormDone { kNo, kSend, kCancel };

// One key typed into the form.
FormDone type(Form& form, const Key& key);

// The option that a choice stands on, "" where there is none.
std::string chosen_in(const Field& field);

}  // namespace tollgate::cli::top

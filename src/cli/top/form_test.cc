// Filling in: texts in every script, choices, and what sends.
#include "cli/top/form.h"

#include <gtest/gtest.h>

namespace tollgate::cli::top {
namespace {

Form with(Field field) {
  Form form;
  form.fields.push_back(std::move(field));
  return form;
}

FormDone press(Form& form, KeyKind kind) { return type(form, {kind, ""}); }
void write(Form& form, const std::string& text) { type(form, {KeyKind::kCharacter, text}); }

TEST(Forms, ALineIsWrittenAndMendedByCharacters) {
  Form form = with({.label = "reason"});
  write(form, "ä");
  write(form, "b");
  write(form, "中");
  press(form, KeyKind::kBackspace);
  press(form, KeyKind::kLeft);
  press(form, KeyKind::kLeft);
  write(form, "x");
  EXPECT_EQ(form.fields[0].text, "xäb");
  press(form, KeyKind::kDelete);
  EXPECT_EQ(form.fields[0].text, "xb");
  press(form, KeyKind::kEnd);
  press(form, KeyKind::kClearLine);
  EXPECT_EQ(form.fields[0].text, "");
  EXPECT_EQ(press(form, KeyKind::kEnter), FormDone::kSend);
}

TEST(Forms, ATextOfSeveralLinesIsSentByItsOwnKey) {
  Form form = with({.label = "command", .kind = FieldKind::kText, .text = "ab\ncd", .at = 5});
  press(form, KeyKind::kUp);
  write(form, "x");
  EXPECT_EQ(form.fields[0].text, "abx\ncd");
  EXPECT_EQ(press(form, KeyKind::kEnter), FormDone::kNo);
  EXPECT_EQ(form.fields[0].text, "abx\n\ncd");
  EXPECT_EQ(press(form, KeyKind::kSend), FormDone::kSend);
  EXPECT_EQ(press(form, KeyKind::kEscape), FormDone::kCancel);
}

TEST(Forms, ChoicesMoveWithinTheirEndsAndSeveralAreTicked) {
  Form form = with(
      {.label = "which", .kind = FieldKind::kSeveral, .options = {"a", "b"}, .ticked = {0, 0}});
  press(form, KeyKind::kDown);
  write(form, " ");
  press(form, KeyKind::kDown);
  EXPECT_EQ(form.fields[0].ticked, (std::vector<char>{0, 1}));
  EXPECT_EQ(chosen_in(form.fields[0]), "b");
  write(form, "1");
  EXPECT_EQ(chosen_in(form.fields[0]), "a");
}

TEST(Forms, WhatWasSentIsNotChangedAnyMore) {
  Form form = with({.label = "reason"});
  form.waits = true;
  write(form, "x");
  EXPECT_EQ(form.fields[0].text, "");
  EXPECT_EQ(press(form, KeyKind::kEnter), FormDone::kNo);
}

}  // namespace
}  // namespace tollgate::cli::top

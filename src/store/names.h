// The written names of this room's enumerations, in the order of their enumerators.
// They stand in the database: add names at the end, never change one.
#pragma once

#include <span>
#include <string_view>

#include "core/names.h"
#include "store/rows.h"

namespace tollgate {

inline constexpr std::string_view kQuestionTypeNames[] = {"permission", "escalation"};
inline constexpr std::string_view kQuestionStateNames[] = {"pending", "approved", "denied",
                                                           "expired", "cancelled"};
inline constexpr std::string_view kScopeNames[] = {"once", "session", "agent", "everyone"};
inline constexpr std::string_view kLoginKindNames[] = {"link", "cookie"};

template <>
inline constexpr std::span<const std::string_view> kNamesOf<store::QuestionType>{
    kQuestionTypeNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<store::QuestionState>{
    kQuestionStateNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<store::Scope>{kScopeNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<store::Login::Kind>{kLoginKindNames};

}  // namespace tollgate

// Places that no rule opens by accident: guarded paths, sensitive places, the gate's own files,
// and roots whose loss is a disaster. One table each; all questions are about a path effect.
// A path counts as written and as it really is, in any letter case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "core/situation.h"

namespace tollgate {

// Each gives the name of what it found ("shell start-up file"), or "" for nothing.
std::string_view guarded_place(std::string_view path, const Situation& situation);
std::string_view sensitive_place(std::string_view path, const Situation& situation);
std::string_view gate_place(std::string_view path, const Situation& situation);
std::string_view vital_root(std::string_view path, const Situation& situation);

// For tests: the same without the filters that stand before the tables; and the rows' paths, with
// the beginnings and ends of names that count as well.
std::string_view guarded_unfiltered(std::string_view path, const Situation& situation);
std::string_view sensitive_unfiltered(std::string_view path, const Situation& situation);
std::vector<std::string_view> place_rows();

// As written inside one of the places and really inside it too.
bool inside_places(std::string_view written, std::string_view real,
                   const std::vector<Place>& places);

// A private key or an access token in new text; "" when there is none.
std::string_view secret_in(std::string_view text);

// Every one of them: where it stands, to its end, and what it is.
struct SecretPiece {
  std::size_t at = 0;
  std::size_t size = 0;
  std::string_view name;

  bool operator==(const SecretPiece&) const = default;
};
std::vector<SecretPiece> secrets_in(std::string_view text);

}  // namespace tollgate

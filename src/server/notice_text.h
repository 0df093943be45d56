// What a notice says of a question: the gate's reading in a few words, for screens that others see.
// SAFETY: programs, hosts and files stand in it by plain short names alone; arguments, paths, texts
// and the agent's reasons do not, so that no secret leaves by a notice and no text of the agent's
// choosing is shown as ours. The whole call is behind the link.
#pragma once

#include <string>

#include "notify/notice.h"
#include "store/rows.h"

namespace tollgate::server {

// `base` is the address of the page, without a slash at its end.
notify::Notice notice_of(const store::Question& question, const std::string& base);

// A name as it may stand in a notice; "" where it is none.
std::string plain_name(std::string_view text, std::size_t most = 40);

}  // namespace tollgate::server

// The clients' functions for the table, and what they share in making files.
#pragma once

#include <string>

#include "native/client.h"
#include "native/plan.h"

namespace tollgate::native {

Result<Compiled> compile_antigravity(const Client& client, const Request& request);
Result<Compiled> compile_claude(const Client& client, const Request& request);
Result<Compiled> compile_codex(const Client& client, const Request& request);
Result<Compiled> compile_codex_prompt(const Client& client, const Request& request);
Result<Compiled> compile_copilot(const Client& client, const Request& request);
Result<Compiled> compile_cursor(const Client& client, const Request& request);
Result<Compiled> compile_gemini(const Client& client, const Request& request);
Result<Compiled> compile_grok(const Client& client, const Request& request);
Result<Compiled> compile_kimi(const Client& client, const Request& request);
Result<Compiled> compile_kiro(const Client& client, const Request& request);
Result<Compiled> compile_opencode(const Client& client, const Request& request);
Result<Compiled> compile_q(const Client& client, const Request& request);

// A Compiled with client, agent and tools filled in.
Compiled begin(const Client& client, const Plan& plan);

// The file's name as a flag gives it.
std::string in_directory(const Request& request, std::string_view file);

}  // namespace tollgate::native

// Whole names first, then beginnings and endings; in any letter case for those that clients of
// the network read in lower case.
#include "effects/shell/environment.h"

#include <algorithm>

#include "base/name_set.h"
#include "base/text.h"
#include "core/client_switches.h"

namespace tollgate {
namespace {

constexpr NameSet kNothing({
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_COLLATE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "TERM",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "CLICOLOR",
    "FORCE_COLOR",
    "COLORTERM",
    "CLICOLOR_FORCE",
    "CI",
    "TERM_PROGRAM",
    "GREP_COLOR",
    "GREP_COLORS",
    "LS_COLORS",
    "QUOTING_STYLE",
    "BLOCK_SIZE",
    "BLOCKSIZE",
    "TIME_STYLE",
    "COMPOSE_PROJECT_NAME",
    "HOMEBREW_NO_AUTO_UPDATE",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "NPM_CONFIG_LOGLEVEL",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "CARGO_TERM_COLOR",
    "DEBIAN_FRONTEND",
    "NODE_ENV",
    "GIT_TERMINAL_PROMPT",
    "GIT_OPTIONAL_LOCKS",
    "DOTNET_CLI_TELEMETRY_OPTOUT",
    // Which of the user's own accounts and places, as the options of the same names say.
    "AWS_PROFILE",
    "AWS_DEFAULT_PROFILE",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_DEFAULT_OUTPUT",
    "NEXT_TELEMETRY_DISABLED",
    // Names that scripts give to what they work on, and that nothing reads from outside.
    "BASE",
    "BRANCH",
    "COMMIT",
    "COUNT",
    "DIR",
    "FILE",
    "FILES",
    "NUM",
    "REV",
    "SHA",
});

constexpr NameSet kLoading({
    "PATH",
    "IFS",
    "HOME",
    "SHELL",
    "ENV",
    "PS4",
    "PROMPT_COMMAND",
    "CC",
    "CXX",
    "LD",
    "AR",
    "AS",
    "CPP",
    "FC",
    "RM",
    "LEX",
    "YACC",
    "NM",
    "RANLIB",
    "STRIP",
    "OBJCOPY",
    "INSTALL",
    "MAKEFILES",
    "MAKEFLAGS",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "CDPATH",
    "GLOBIGNORE",
    "PS0",
    "PS1",
    "PS2",
    "SHELLOPTS",
    "FIGNORE",
    "EXECIGNORE",
    "HISTFILE",
    "TMPDIR",
    "TMP",
    "TEMP",
    "DISPLAY",
    "SSH_AUTH_SOCK",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "KUBECONFIG",
    "DOCKER_CONFIG",
    "AWS_CONFIG_FILE",
    "NIX_PATH",
    "FPATH",
    "ZDOTDIR",
    "USER",
    "GCONV_PATH",
    "LOCPATH",
    "NLSPATH",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERMCAP",
    "INPUTRC",
    "HOSTALIASES",
    "RES_OPTIONS",
    "MALLOC_TRACE",
    "OLDPWD",
    "POSIXLY_CORRECT",
    "PWD",
    "WGETRC",
    "CURL_HOME",
    "NETRC",
    "RIPGREP_CONFIG_PATH",
    "BAT_CONFIG_PATH",
    "JAVA_HOME",
    "MAVEN_OPTS",
    "GOROOT",
    "GOFLAGS",
    "GOPROXY",
    "GOPATH",
    "GOBIN",
    "VIMINIT",
    "EXINIT",
    "MYVIMRC",
    "PSQLRC",
    "SQLITE_HISTORY",
    "TAR_OPTIONS",
    "ZIPOPT",
    "UNZIP",
    "GZIP",
    "BZIP",
    "XZ_OPT",
    "RSYNC_RSH",
    "CVS_RSH",
    "JQ_LIBRARY_PATH",
    "AWKLIBPATH",
    "CONFIG_SITE",
    "CONFIG_SHELL",
    "MANPAGER",
    "MANOPT",
    "BASHOPTS",
    "TEXTDOMAIN",
    "TEXTDOMAINDIR",
    "COMSPEC",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "DOTNET_ROOT",
});

constexpr std::string_view kBeginnings[] = {
    "BASH_",     "LD_",       "DYLD_",       "GIT_",     "XDG_",      "PYTHON",     "PERL",
    "RUBY",      "LESS",      "npm_config_", "CARGO_",   "RUSTC",     "RUSTUP_",    "NODE_",
    "JAVA_",     "_JAVA",     "JDK_",        "GEM_",     "BUNDLE_",   "PIP_",       "UV_",
    "POETRY_",   "YARN_",     "NPM_",        "PNPM_",    "COREPACK_", "DENO_",      "BUN_",
    "LUA_",      "PHP",       "COMPOSER_",   "MAKE",     "CMAKE_",    "GRADLE_",    "MVN_",
    "DOCKER_",   "HELM_",     "TF_",         "ANSIBLE_", "AWS_",      "GOOGLE_",    "CLOUDSDK_",
    "AZURE_",    "PG",        "MYSQL_",      "REDIS",    "OPENSSL_",  "GNUPG",      "GPG_",
    "SSH_",      "VIM",       "EMACS",       "CLAUDE",   "CODEX_",    "GEMINI_",    "COPILOT_",
    "OPENCODE_", "TOLLGATE_", "AGENTIC_",    "KIRO_",    "KIMI_",     "ANTHROPIC_", "OPENAI_",
    "GCC_",      "COMPILER_", "CCACHE_",     "DISTCC_",  "MALLOC_",   "GLIBC_",     "LIBC_",
    "SYSTEMD_",  "DBUS_",     "QT_",         "GTK_",     "GIO_",
};

constexpr std::string_view kEndings[] = {
    "PATH",     "PAGER",    "EDITOR",   "OPTS",      "OPTIONS",   "FLAGS", "_HOST",
    "_PROXY",   "_ASKPASS", "_COMMAND", "_SHELL",    "_HOME",     "_URL",  "_WRAPPER",
    "_PRELOAD", "_CONFIG",  "_RC",      "_REGISTRY", "_ENDPOINT",
};

}  // namespace

bool names_secret(std::string_view name) {
  const std::string low = lower(name);
  for (const std::string_view piece : {"secret", "password", "passwd", "token", "api_key", "apikey",
                                       "private_key", "access_key", "credential", "auth_key"})
    if (low.find(piece) != low.npos) return true;
  return false;
}

Sways sways(std::string_view name) {
  if (kNothing.has(name)) return Sways::kNothing;
  const auto begins = [&](std::string_view start) { return name.starts_with(start); };
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  if (kLoading.has(name) || is_client_switch(name) || std::ranges::any_of(kBeginnings, begins) ||
      std::ranges::any_of(kEndings, ends))
    return Sways::kLoading;
  const bool small = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if (!small) return Sways::kProgram;
  // Proxies are also read in lower case, npm's configuration in any.
  const std::string low = lower(name);
  if (low.ends_with("_proxy") || low.starts_with("npm_config_") || low.starts_with("git_"))
    return Sways::kLoading;
  return Sways::kNothing;
}

}  // namespace tollgate

// Words that programs run or evaluate: shell text, scripts, code in other languages, settings.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/acts.h"
#include "effects/programs/calls.h"
#include "effects/programs/other_shells.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"

namespace tollgate {

// What code that is not read is given may be paths.
void Acts::guess_behind_code() {
  const auto& bound = arguments_.bound;
  const auto code = std::ranges::find_if(bound, [](const Bound& one) {
    return one.kind == Kind::kCode || one.kind == Kind::kScript || one.kind == Kind::kInput;
  });
  if (code == bound.end()) return;
  std::vector<Word> words{{.text = {}, .span = argv_[0].span}};
  for (const Bound& one : bound)
    if (one.kind == Kind::kText && one.option.empty()) words.push_back(one.word);
  if (words.size() > 1) add_guesses(words, here(), out_);
  if (edits_in_place())
    for (const Word& word : std::span(words).subspan(1)) path(EffectKind::kWrite, word, false);
}

// perl and ruby with -i, and awk with its library of that name, write what they read.
bool Acts::edits_in_place() const {
  if (!program_.starts_with("perl") && !program_.starts_with("ruby")) return false;
  return std::ranges::any_of(argv_.subspan(1), [](const Word& word) {
    const std::string_view text = word.text;
    return text.starts_with('-') && !text.starts_with("--") &&
           text.substr(0, text.find_first_of("eE")).find('i') != text.npos;
  });
}

bool Acts::awk_edits() {
  if (!program_.ends_with("awk")) return false;
  if (!edits_)
    edits_ = std::ranges::any_of(arguments_.bound, [](const Bound& one) {
      return one.kind == Kind::kScript && one.word.text.find("inplace") != std::string::npos;
    });
  return *edits_;
}

bool Acts::has_word(std::string_view start) const {
  return std::ranges::any_of(argv_, [&](const Word& word) { return word.text.starts_with(start); });
}

bool Acts::takes_options_from_files() {
  if (!options_in_files_) options_in_files_ = !has_word("--verbatim");
  return *options_in_files_;
}

// Shells whose text is not taken apart. It counts as bash for deny and ask.
bool Acts::is_other_shell() const {
  return program_.starts_with("pwsh") || program_.starts_with("powershell") || program_ == "cmd" ||
         program_ == "cmd.exe";
}

// Its words make up one text, which is read where the first of them stands.
void Acts::other_shell(const Bound& one) {
  const auto first = std::ranges::find(arguments_.bound, Kind::kCode, &Bound::kind);
  if (first == arguments_.bound.end() || first->at != one.at) return;
  std::string text;
  for (const Bound& each : arguments_.bound) {
    const bool flag = program_.starts_with("cmd") && each.word.text.starts_with('/');
    if (each.kind == Kind::kCode && each.word.known && !flag) text += each.word.text + ' ';
  }
  inner_.shell({.text = text, .span = one.word.span}, inside(), Lent::kNo);
  unread(kUnreadShell, "text for `" + std::string(program_) + "` is not read", one.word);
}

void Acts::code(const Bound& one) {
  const Word& word = one.word;
  if (is_other_shell()) return other_shell(one);
  if (word.known && is_harmless_code(program_, word.text)) return;
  if (leads_elsewhere(word)) add_any_host(word, here(), out_);
  if (program_ == "socat") return socat(word);
  if (program_ == "git") git_setting(one);
  if (word.known) escapes_in(word.text, word.span);
  unread(kUnreadCode, "`" + std::string(program_) + "` runs code that is not read", word,
         flag_of(one));
}

// Commands of a client's own, and those that it hands to the shell.
void Acts::escapes_in(std::string_view text, Span span) {
  // LIMIT: so many texts in one.
  constexpr std::size_t kMostTexts = 16;
  // What code of a language starts is allowed with the code; it is read for rules that forbid.
  const bool language = is_language(program_);
  const Lent lent = language ? Lent::kYes : Lent::kNo;
  std::vector<std::string> texts =
      language ? calls_in(program_, text) : shell_texts_in(program_, text);
  if (texts.size() > kMostTexts) {
    unread(kUnreadShell, "`" + std::string(program_) + "` is given too many commands", argv_[0]);
    texts.resize(kMostTexts);
  }
  for (std::string& each : texts)
    inner_.shell({.text = std::move(each), .span = span}, inside(), lent);
  if (!is_transfer_client()) return;
  for (std::string& file : sent_by(text))
    path(EffectKind::kRead, {.text = std::move(file), .span = span}, true);
}

// `alias.NAME=WORDS`: where NAME is the subcommand, git puts the words in its place.
void Acts::git_setting(const Bound& one) {
  constexpr std::string_view kAlias = "alias.";
  const std::string_view text = one.word.text;
  if (lower(text.substr(0, kAlias.size())) != kAlias) return;
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = lower(text.substr(kAlias.size(), equals - kAlias.size()));
  const std::string_view value = text.substr(std::min(equals + 1, text.size()));
  const std::size_t at = subcommand_behind(one.at);
  if (at >= argv_.size() || lower(argv_[at].text) != name) return;
  if (!one.word.known || one.option == "config-env")
    return unread(kUnreadShell, "`" + name + "` stands for another command", one.word);
  if (value.starts_with('!')) return;  // that is shell text
  // An alias never leads to itself, so it is left out.
  std::vector<Word> words;
  for (std::size_t i = 0; i < at; ++i)
    if (i != one.at && !(i + 1 == one.at && argv_[i].text == "-c")) words.push_back(argv_[i]);
  for (std::string& each : quoted_words(value))
    words.push_back({.text = std::move(each), .span = one.word.span});
  words.insert(words.end(), argv_.begin() + static_cast<std::ptrdiff_t>(at) + 1, argv_.end());
  inner_.command(words, around_, Lent::kNo);
}

// The subcommand of git, behind an option at `from`.
std::size_t Acts::subcommand_behind(std::size_t from) const {
  constexpr std::string_view kValues[] = {
      "-C",          "-c",           "--git-dir",      "--work-tree",
      "--namespace", "--config-env", "--super-prefix", "--attr-source"};
  std::size_t at = from + 1;
  for (; at < argv_.size() && argv_[at].text.starts_with('-'); ++at)
    if (std::ranges::find(kValues, argv_[at].text) != std::end(kValues)) ++at;
  return at;
}

// Words with blanks between, of which quotes may hold some together.
std::vector<std::string> Acts::quoted_words(std::string_view text) {
  std::vector<std::string> words;
  bool open = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      open = false;
      continue;
    }
    if (!std::exchange(open, true)) words.emplace_back();
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  return words;
}

void Acts::socat(const Word& word) {
  const SocatAddress address = read_socat(word.text);
  const Word text{.text = address.text, .span = word.span, .known = word.known, .rest = word.rest};
  switch (address.kind) {
    case SocatAddress::Kind::kFile:
      path(EffectKind::kRead, text, false);
      path(EffectKind::kWrite, text, false);
      break;
    case SocatAddress::Kind::kShell:
      inner_.shell(text, inside(), Lent::kNo);
      break;
    case SocatAddress::Kind::kHost:
      add_host_word(text, here(), out_);
      break;
    case SocatAddress::Kind::kOther:
      break;
  }
  unread(kUnreadCode, "`socat` opens what this address says", word);
}

// tmux runs what stands in `#(…)` of a format.
void Acts::formats() {
  for (const Word& word : argv_) {
    if (word.text.find("#(") == word.text.npos) continue;
    escapes_in(word.text, word.span);
    if (!word.known) unread(kUnreadShell, "part of the format is not known", word);
    listed_ = false;
  }
}

void Acts::note_secret(const Bound& one) {
  if (around_.owner < out_.size() && one.at < out_[around_.owner].argv.size())
    out_[around_.owner].argv[one.at].secret = true;
}

// The file is read, and something in its directory changes.
void Acts::project(const Word& word) {
  path(EffectKind::kRead, word, false);
  Word place = word;
  const std::string_view name = last_name(word.text);
  const std::size_t slash = word.text.rfind('/');
  if (word.known && name != "." && name != ".." && name.find('.') != name.npos)
    place.text = slash == word.text.npos ? "." : word.text.substr(0, slash + 1);
  path(EffectKind::kWrite, place, false);
}

// make takes variables among its targets, and expands them.
void Acts::goal(const Bound& one) {
  Word word = one.word;
  const std::size_t equals = word.text.find('=');
  if (equals == word.text.npos) return;
  if (is_expanded_by_make(word.text)) return code(one);
  if (word.known && is_usual_setting(word.text)) return;
  // `NAME:=VALUE` and its like set the same name.
  const std::size_t name = word.text.substr(0, equals).find_last_not_of(":+?") + 1;
  word.text.erase(name, equals - name);
  inner_.assignment(word, here());
}

// An expression, or a file where the expression is left out.
void Acts::yq(const Bound& one) {
  const Word& word = one.word;
  if (!word.known || !is_harmless_yq(word.text)) listed_ = false;
  const bool alone = std::ranges::none_of(arguments_.bound, [&](const Bound& other) {
    return other.option.empty() && other.at != one.at;
  });
  const bool field =
      word.text.starts_with('.') && !word.text.starts_with("./") && !word.text.starts_with("../");
  if ((alone && word.text != ".") || !field) path(EffectKind::kRead, word, false);
}

// git runs what stands behind `ext::`.
void Acts::transport(const Word& word) {
  constexpr std::string_view kCommand = "ext::";
  if (program_ != "git" || (!word.text.starts_with(kCommand) && !word.text.starts_with("fd::")))
    return;
  if (word.known && word.text.starts_with(kCommand))
    inner_.shell({.text = word.text.substr(kCommand.size()), .span = word.span}, inside(),
                 Lent::kNo);
  unread(kUnreadShell, "`git` runs the command that this address names", word);
}

// SAFETY: what a script writes and runs is told as far as it goes, and the script stays unread.
void Acts::sed(const Word& word) {
  const auto acts = word.known ? read_sed(word.text) : std::nullopt;
  bool reads_only = acts.has_value();
  for (const SedAct& act : acts.value_or(std::vector<SedAct>{})) {
    const Word text{.text = act.text, .span = word.span};
    if (is_stream(text) && text.text != "-") continue;
    reads_only = reads_only && act.kind == SedAct::Kind::kReads;
    if (act.kind == SedAct::Kind::kRuns)
      inner_.shell(text, inside(), Lent::kNo);
    else
      path(act.kind == SedAct::Kind::kReads ? EffectKind::kRead : EffectKind::kWrite, text, false);
  }
  if (!reads_only)
    unread(kUnreadShell, "`" + std::string(program_) + "` runs a script that is not read", word);
}

// Clients of services take the text from a file or a host where it is written like that.
void Acts::text(const Bound& one) {
  const Word& word = one.word;
  if (!one.option.empty() && is_unpacker(program_)) archive_switch(one);
  if (arguments_.row->does != ProgramDoes::kHome) return;
  const std::string_view text = word.text;
  const bool at =
      text.starts_with('@') && text.size() > 1 && (program_ == "az" || program_ == "gh");
  for (const std::string_view scheme : {"file://", "fileb://", "@"}) {
    if (!text.starts_with(scheme) || (scheme == "@" && !at)) continue;
    Word file = word;
    file.text = text.substr(scheme.size());
    return path(EffectKind::kRead, file, false);
  }
  // The service's own hosts name queues and the like.
  const bool own = text.find(".amazonaws.com/") != text.npos && program_ == "aws";
  if (!own && (text.starts_with("http://") || text.starts_with("https://")))
    add_url_word(word, here(), out_);
}

// 7z and rar: `-i!NAME` takes a file in, and `-i@FILE`, `-x@FILE` and `-n@FILE` those that a file
// names.
void Acts::archive_switch(const Bound& one) {
  const bool known = program_.starts_with("7z") || program_.ends_with("rar");
  if (!known || (one.option != "i" && one.option != "x" && one.option != "n")) return;
  const std::size_t sign = one.word.text.find_first_of("@!");
  if (sign == std::string::npos && one.word.known) return;
  Word file = one.word;
  file.text.erase(0, sign == std::string::npos ? 0 : sign + 1);
  const bool list = sign != std::string::npos && one.word.text[sign] == '@';
  if (list || one.option == "i") path(EffectKind::kRead, file, !list);
  if (list) listed_ = false;
}

void Acts::shell(const Word& text, Lent lent) {
  // The words behind the text are $0, $1 and so on.
  std::vector<Word> parameters;
  if (is_shell(program_))
    for (const Bound& one : arguments_.bound)
      if (one.kind == Kind::kText && one.option.empty()) parameters.push_back(one.word);
  inner_.shell(text, inside(), lent, parameters);
  if (is_shell(program_) && program_ != "bash" && program_ != "rbash" && only_bash_reads(text.text))
    unread(kUnreadCode, "`" + std::string(program_) + "` may read this otherwise than bash", text);
  if (lent == Lent::kYes) listed_ = false;
}

std::size_t Acts::shell_rest(const Bound& first) {
  Word text = first.word;
  for (const Word& word : argv_.subspan(std::min(first.at + 1, argv_.size()))) {
    if (!text.known) break;
    text.text += ' ' + word.text;
    text.known = word.known;
    text.rest = word.rest;
  }
  shell(text, first.kind == Kind::kLentShellRest ? Lent::kYes : Lent::kNo);
  return arguments_.bound.size();
}

void Acts::option_script(const Bound& one) {
  if (is_fetcher(program_)) add_any_host(one.word, here(), out_);  // its options in a file
  path(EffectKind::kRead, one.word, false);
  unread(kUnreadCode, "`" + std::string(program_) + "` runs what an option names", one.word,
         flag_of(one));
}

void Acts::script(const Word& word) {
  if (is_stream(word)) return input(word);
  if (is_fetcher(program_)) add_any_host(word, here(), out_);  // its options in a file
  path(EffectKind::kRead, word, false);
  const bool made = is_shell(program_) && is_made(word.text, here(), out_);
  unread(kUnreadScript, "`" + std::string(program_) + "` runs a script that is not read", word);
  if (made) unread(kUnreadShell, "`" + word.text + "` is made by the same text", word);
}

void Acts::input(const Word& word) {
  const Input none;
  const Input& in = around_.input == nullptr ? none : *around_.input;
  if (in.kind == Input::Kind::kFetched)
    return unread(kUnreadFetched,
                  "`" + std::string(program_) + "` runs what comes from the network", word);
  unread(kUnreadInput, "`" + std::string(program_) + "` runs what comes in by its standard input",
         word);
  const bool later = program_ == "at" || program_ == "batch";
  const bool lines = program_ == "parallel" || program_ == "sem" || program_ == "env_parallel";
  if (in.kind == Input::Kind::kText && (later || lines || is_shell(program_))) {
    Word text{.text = in.text, .span = argv_[0].span};
    inner_.shell(text, inside(), later ? Lent::kYes : Lent::kNo);
  }
}

}  // namespace tollgate

// Calls that hand a command to a shell, as text or as a list of words, and keys for a running one.
// Where the command runs and which shell reads it can be fields of the call.
// SAFETY: fields that change how the command runs and are not understood make it Unknown.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/name_set.h"
#include "base/text.h"
#include "core/client_switches.h"
#include "effects/paths.h"
#include "effects/programs/program.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// Which field of a client's shell tool names the directory. A field that the client does not read
// must not move the command, so any other is only one more possibility.
struct DirectoryRow {
  std::string_view provider;
  std::string_view fields;
};

constexpr DirectoryRow kDirectoryRows[] = {
    {"antigravity", "Cwd"},           {"codex", "workdir"},    {"cursor", "working_directory"},
    {"gemini", "dir_path,directory"}, {"opencode", "workdir"},
};

constexpr std::string_view kDirectoryFields =
    "workdir,cwd,directory,dir_path,working_directory,working_dir,Cwd";
constexpr std::string_view kEnvironmentFields = "env,environment";
// All of these, and the shell: without one of them there is nothing to look for.
constexpr NameSet kCircumstances({"workdir", "cwd", "directory", "dir_path", "working_directory",
                                  "working_dir", "Cwd", "env", "environment", "shell"});

constexpr bool are_circumstances(std::string_view names) {
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (!kCircumstances.has(names.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}
static_assert(are_circumstances(kDirectoryFields) && are_circumstances(kEnvironmentFields));
static_assert(std::ranges::all_of(kDirectoryRows, are_circumstances, &DirectoryRow::fields));

bool names_shell(std::string_view word) {
  constexpr std::array<std::string_view, 4> kShells = {"sh", "bash", "dash", "zsh"};
  return std::ranges::find(kShells, program_name(word)) != kShells.end();
}

std::string_view directory_fields(std::string_view provider) {
  const auto* row = std::ranges::find(kDirectoryRows, provider, &DirectoryRow::provider);
  return row == std::end(kDirectoryRows) ? "" : row->fields;
}

// The directory in a field; "" when it is not known.
std::string directory_in(const Subject& subject, const InputField& field, Effects& out) {
  const json::Value& value = *field.value;
  if (value.is_null() || (value.is_string() && value.as_string().empty())) return subject.call.cwd;
  if (value.is_string())
    if (const auto located =
            locate(value.as_string(), {subject.call.cwd, subject.home, Tilde::kHome}))
      return located->spelled.empty() ? located->path : located->spelled;
  out.push_back(unknown("`" + std::string(field.name) + "` names no directory"));
  return "";
}

// Everywhere the command may run; empty when that is the call's own directory alone.
std::vector<std::string> directories_of(const Subject& subject, Effects& out) {
  const json::Value& input = subject.call.input;
  std::vector<std::string> directories;
  const auto add_each = [&](std::string_view names) {
    if (!may_have_field(input, names)) return;
    for (const std::string_view name : split(names, ','))
      if (const json::Value* value = input.find(name))
        directories.push_back(directory_in(subject, {name, value}, out));
  };
  add_each(directory_fields(subject.call.provider));
  if (!directories.empty() || !may_have_field(input, kDirectoryFields)) return directories;
  directories.push_back(subject.call.cwd);
  add_each(kDirectoryFields);
  return directories;
}

void add_switch(std::string_view name, Effects& out) {
  out.push_back(unknown("`" + std::string(name) + "` " + std::string(kClientSwitchWhy)));
  out.back().target = kClientSwitch;
}

// Variables for the command, as an object or as a list of `NAME=value`.
void read_variables(const json::Value& variables, Effects& out) {
  const auto look = [&](std::string_view name) {
    if (is_client_switch(name)) add_switch(name, out);
  };
  for (const auto& [name, value] : variables.members()) look(name);
  for (const json::Value& item : variables.items())
    look(std::string_view(item.as_string()).substr(0, item.as_string().find('=')));
}

// Whether PowerShell's text sets the variable: `$env:NAME = …`, by an item command or by .NET. The
// text is not read, so that a word of these anywhere in it is enough.
bool sets_in_powershell(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == text.npos) return false;
  for (const std::string_view act :
       {"set-item", "new-item", "si ", "ni ", "remove-item", "setenvi"})
    if (text.find(act) != text.npos) return true;
  for (std::size_t from = at; from != text.npos; from = text.find(name, from + 1)) {
    std::string_view behind = text.substr(from + name.size());
    behind.remove_prefix(std::min(behind.find_first_not_of(" \t}+?"), behind.size()));
    if (behind.starts_with('=')) return true;
  }
  return false;
}

void read_circumstances(const Subject& subject, Effects& out) {
  const InputField variables = field_of(subject.call.input, kEnvironmentFields);
  const bool none = variables.value == nullptr || variables.value->is_null() ||
                    (variables.value->is_object() && variables.value->members().empty());
  if (!none) out.push_back(unknown("`" + std::string(variables.name) + "` sets variables"));
  if (!none) read_variables(*variables.value, out);
  const InputField shell = field_of(subject.call.input, "shell");
  const bool usual = shell.value == nullptr || shell.value->kind() == json::Kind::kNull ||
                     shell.value->kind() == json::Kind::kBool ||
                     (shell.value->is_string() && names_shell(shell.value->as_string()));
  if (!usual) out.push_back(unknown("`shell` names a shell whose text is not read"));
}

// SAFETY: the text counts as bash for deny and ask, so that `rm` is still `rm`, and as Unknown for
// allow.
void read_tool(const Subject& subject, Effects& out) {
  if (subject.call.tool != "PowerShell") return;
  out.push_back(unknown("text for PowerShell is not read"));
  const InputField text = only_field(subject.call.input, main_names(subject.call));
  if (text.value == nullptr || !text.value->is_string()) return;
  const std::string low = lower(text.value->as_string());
  const auto look = [&](std::string_view name) {
    if (sets_in_powershell(low, lower(name))) add_switch(name, out);
  };
  std::ranges::for_each(kLooseningVariables.names(), look);
  std::ranges::for_each(kPolicyVariables.names(), look);
}

std::optional<std::vector<std::string>> words_of(const json::Value& list) {
  std::vector<std::string> words;
  for (const json::Value& item : list.items()) {
    if (!item.is_string()) return std::nullopt;
    words.push_back(item.as_string());
  }
  if (words.empty()) return std::nullopt;
  return words;
}

// `-c` alone or bundled with what only says which start-up files are read.
bool is_command_flag(std::string_view word) {
  return word == "-c" || word == "-lc" || word == "-cl" || word == "-ic" || word == "-lic";
}

void read_word_list(const Subject& subject, const json::Value& list,
                    std::span<const std::string> directories, Effects& out) {
  const auto words = words_of(list);
  if (!words) {
    out.push_back(unknown("the command is not a list of strings"));
    return;
  }
  const auto& argv = *words;
  if (argv.size() >= 3 && names_shell(argv[0]) && is_command_flag(argv[1]))
    return read_shell_text({argv[2], directories, subject.home}, out);
  if (argv.size() == 2 && argv[0] == "apply_patch") return read_patch(subject, argv[1], out);
  read_argv(argv, {{}, directories, subject.home}, out);
}

}  // namespace

void read_shell_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  const bool plain = std::ranges::none_of(
      subject.call.input.members(),
      [](const json::Value::Member& member) { return kCircumstances.has(member.first); });
  const std::vector<std::string> named =
      plain ? std::vector<std::string>() : directories_of(subject, out);
  const std::span<const std::string> directories =
      named.empty() ? std::span(&subject.call.cwd, 1) : std::span(named);
  if (!plain) read_circumstances(subject, out);
  read_tool(subject, out);
  const InputField only = only_field(subject.call.input, names);
  const std::vector<InputField> several =
      only.value == nullptr ? fields_of(subject, names, out) : std::vector<InputField>();
  const std::span<const InputField> fields =
      only.value == nullptr ? std::span(several) : std::span(&only, 1);
  for (const InputField& field : fields) {
    const std::size_t before = out.size();
    if (field.value->is_array())
      read_word_list(subject, *field.value, directories, out);
    else if (field.value->is_string())
      read_shell_text({field.value->as_string(), directories, subject.home}, out);
    else
      out.push_back(unknown_field(names, field));
    if (&field != &fields.front()) forget_spans(out, before);
  }
  if (fields.empty()) out.push_back(unknown_field(names, {}));
}

// SAFETY: nothing in the call proves what process reads these keys, or where it stands. They count
// as shell for deny and ask, and as Unknown for allow. No keys at all only wait for output.
void read_shell_input(const Subject& subject, Effects& out) {
  const std::vector<std::string_view> texts = texts_of(subject, main_names(subject.call), out);
  for (const std::string_view text : texts) {
    if (text.empty()) continue;
    const std::size_t before = out.size();
    out.push_back(unknown("input for a process that is not known", whole(text)));
    read_shell_text({text, {}, subject.home}, out);
    if (text != texts.front()) forget_spans(out, before);
  }
}

}  // namespace tollgate

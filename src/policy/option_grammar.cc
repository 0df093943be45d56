// The rows, and how they are asked. Adding a program is adding a row.
// SAFETY: a flag listed wrongly hides an operand from deny rules, so list only what is one for
// every subcommand; an option left out is merely in doubt.
#include "policy/option_grammar.h"

#include <algorithm>
#include <optional>

#include "policy/glob.h"

namespace tollgate {
namespace {

constexpr OptionTwin kGit[] = {
    {"push", 'f', "force"},
    {"push", 'd', "delete"},
    {"push", 'n', "dry-run"},
    {"push", 'u', "set-upstream"},
    {"clean", 'f', "force"},
    {"clean", 'n', "dry-run"},
    {"branch", 'd', "delete"},
    {"branch", 'f', "force"},
    {"branch", 'm', "move"},
    {"branch", 'c', "copy"},
    {"checkout", 'f', "force"},
    {"add", 'A', "all"},
    {"add", 'f', "force"},
    {"commit", 'a', "all"},
    {"commit", 'm', "message"},
    {"commit", 'n', "no-verify"},
    {"tag", 'd', "delete"},
    {"tag", 'f', "force"},
    {"rm", 'f', "force"},
    {"fetch", 'f', "force"},
    {"fetch", 'p', "prune"},
    {"switch", 'f', "force"},
    {"switch", 'C', "force-create"},
    {"rebase", 'i', "interactive"},
    {"branch", 'a', "all"},
    {"branch", 'r', "remotes"},
    {"pull", 'r', "rebase"},
    {"pull", 'f', "force"},
    {"fetch", 't', "tags"},
    {"commit", 's', "signoff"},
    {"commit", 'S', "gpg-sign"},
    {"commit", 'e', "edit"},
    {"tag", 's', "sign"},
    {"tag", 'a', "annotate"},
    {"tag", 'm', "message"},
    {"merge", 'n', "no-stat"},
    {"revert", 'n', "no-commit"},
    {"cherry-pick", 'n', "no-commit"},
    {"stash", 'u', "include-untracked"},
    {"stash", 'a', "all"},
    {"restore", 'S', "staged"},
    {"restore", 'W', "worktree"},
    {"switch", 'd', "detach"},
    {"checkout", 'd', "detach"},
    {"worktree", 'f', "force"},
    {"clean", 'q', "quiet"},
    {"clean", 'i', "interactive"},
    {"mv", 'f', "force"},
    {"apply", 'R', "reverse"},
};
constexpr OptionTwin kRm[] = {{"", 'r', "recursive"}, {"", 'R', "recursive"},
                              {"", 'f', "force"},     {"", 'i', "interactive"},
                              {"", 'd', "dir"},       {"", 'v', "verbose"}};
constexpr OptionTwin kCopy[] = {
    {"", 'r', "recursive"},      {"", 'R', "recursive"},      {"", 'f', "force"},
    {"", 'a', "archive"},        {"", 'n', "no-clobber"},     {"", 't', "target-directory"},
    {"", 'P', "no-dereference"}, {"", 'd', "no-dereference"}, {"", 'p', "preserve"}};
constexpr OptionTwin kMode[] = {{"", 'R', "recursive"}, {"", 'v', "verbose"}, {"", 'f', "silent"}};
constexpr OptionTwin kCurl[] = {
    {"", 'o', "output"},      {"", 'O', "remote-name"}, {"", 'd', "data"},
    {"", 'X', "request"},     {"", 'H', "header"},      {"", 'F', "form"},
    {"", 'T', "upload-file"}, {"", 'k', "insecure"},    {"", 'L', "location"},
    {"", 'u', "user"},        {"", 'K', "config"}};
constexpr OptionTwin kWget[] = {{"", 'O', "output-document"},
                                {"", 'r', "recursive"},
                                {"", 'P', "directory-prefix"},
                                {"", 'i', "input-file"}};
constexpr OptionTwin kDocker[] = {
    {"run", 'v', "volume"},     {"run", 'd', "detach"},   {"run", 'e', "env"},
    {"run", 'p', "publish"},    {"run", 'u', "user"},     {"run", 'P', "publish-all"},
    {"rm", 'f', "force"},       {"rm", 'v', "volumes"},   {"rmi", 'f', "force"},
    {"exec", 'u', "user"},      {"exec", 'd', "detach"},  {"system", 'a', "all"},
    {"system", 'f', "force"},   {"volume", 'f', "force"}, {"volume", 'a', "all"},
    {"image", 'f', "force"},    {"image", 'a', "all"},    {"compose", 'v', "volumes"},
    {"compose", 'd', "detach"}, {"push", 'a', "all-tags"}};
constexpr OptionTwin kKubectl[] = {{"", 'n', "namespace"},      {"", 'f', "filename"},
                                   {"", 'A', "all-namespaces"}, {"", 'l', "selector"},
                                   {"", 'o', "output"},         {"", 's', "server"},
                                   {"", 'i', "stdin"},          {"", 't', "tty"}};
constexpr OptionTwin kSed[] = {{"", 'i', "in-place"}, {"", 'n', "quiet"}, {"", 'e', "expression"}};
constexpr OptionTwin kTar[] = {{"", 'x', "extract"},
                               {"", 'x', "get"},
                               {"", 'c', "create"},
                               {"", 'f', "file"},
                               {"", 'C', "directory"},
                               {"", 't', "list"},
                               {"", 'r', "append"},
                               {"", 'u', "update"},
                               {"", 'A', "catenate"},
                               {"", 'A', "concatenate"},
                               {"", 'd', "diff"},
                               {"", 'd', "compare"},
                               {"", 'z', "gzip"},
                               {"", 'j', "bzip2"},
                               {"", 'J', "xz"},
                               {"", 'v', "verbose"},
                               {"", 'O', "to-stdout"},
                               {"", 'P', "absolute-names"},
                               {"", 'T', "files-from"},
                               {"", 'X', "exclude-from"},
                               {"", 'I', "use-compress-program"},
                               {"", 'b', "blocking-factor"},
                               {"", 'k', "keep-old-files"}};
constexpr OptionTwin kNpm[] = {{"", 'g', "global"}, {"", 'D', "save-dev"}, {"", 'f', "force"}};

constexpr OptionTwin kGh[] = {{"api", 'X', "method"},
                              {"api", 'f', "raw-field"},
                              {"api", 'F', "field"},
                              {"api", 'H', "header"},
                              {"pr", 'd', "delete-branch"},
                              {"pr", 's', "squash"},
                              {"pr", 'm', "merge"},
                              {"pr", 'r', "rebase"},
                              {"pr", 'a', "approve"},
                              {"pr", 'd', "draft"},
                              {"", 'R', "repo"},
                              {"release", 'y', "yes"},
                              {"release", 'd', "draft"},
                              {"", 'w', "web"},
                              {"secret", 'b', "body"}};
constexpr OptionTwin kHelm[] = {
    {"", 'n', "namespace"}, {"", 'f', "values"}, {"upgrade", 'i', "install"}};
constexpr OptionTwin kCargo[] = {{"", 'p', "package"},
                                 {"", 'r', "release"},
                                 {"", 'F', "features"},
                                 {"", 'j', "jobs"},
                                 {"install", 'f', "force"}};
constexpr OptionTwin kRsync[] = {
    {"", 'n', "dry-run"}, {"", 'e', "rsh"}, {"", 'a', "archive"}, {"", 'r', "recursive"}};
constexpr OptionTwin kPip[] = {{"", 'r', "requirement"}, {"", 'e', "editable"},
                               {"", 'U', "upgrade"},     {"", 't', "target"},
                               {"", 'i', "index-url"},   {"uninstall", 'y', "yes"}};
constexpr OptionTwin kApt[] = {
    {"", 'y', "yes"}, {"", 'y', "assume-yes"}, {"", 's', "simulate"}, {"", 'd', "download-only"}};
constexpr OptionTwin kMake[] = {{"", 'f', "file"},       {"", 'f', "makefile"},
                                {"", 'C', "directory"},  {"", 'B', "always-make"},
                                {"", 'k', "keep-going"}, {"", 'n', "just-print"},
                                {"", 'n', "dry-run"}};
constexpr OptionTwin kLn[] = {{"", 's', "symbolic"}, {"", 'f', "force"}};
constexpr OptionTwin kTee[] = {{"", 'a', "append"}};
constexpr OptionTwin kTruncate[] = {{"", 's', "size"}};
constexpr OptionTwin kShred[] = {{"", 'u', "remove"}, {"", 'f', "force"}, {"", 'z', "zero"}};
constexpr OptionTwin kJournal[] = {{"", 'u', "unit"}, {"", 'f', "follow"}};
constexpr OptionTwin kPkill[] = {
    {"", 'f', "full"},        {"", 'x', "exact"},   {"", 'n', "newest"}, {"", 'o', "oldest"},
    {"", 'i', "ignore-case"}, {"", 'v', "inverse"}, {"", 'e', "echo"},   {"", 'u', "euid"},
    {"", 'U', "uid"},         {"", 'P', "parent"}};
constexpr OptionTwin kKillall[] = {
    {"", 'q', "quiet"},         {"", 'e', "exact"},       {"", 'I', "ignore-case"},
    {"", 'g', "process-group"}, {"", 'i', "interactive"}, {"", 'r', "regexp"},
    {"", 'w', "wait"},          {"", 'v', "verbose"},     {"", 'u', "user"}};

constexpr OptionSum kGitSums[] = {
    {"branch", 'D', "delete force"}, {"branch", 'M', "move force"}, {"branch", 'C', "copy force"}};
constexpr OptionSum kCopySums[] = {{"", 'a', "recursive no-dereference preserve"}};

// Only options that take a word whatever it begins with. No `-m` for all of git: it is a flag of
// branch and of log.
constexpr CommandValues kGitSure[] = {
    {"branch", "-u --set-upstream-to"},
    {"checkout", "-b -B"},
    {"cherry-pick", "-m --mainline"},
    {"clone", "-b --branch -o --origin --depth -c --config"},
    {"commit",
     "-m --message -F --file --author --date -C --reuse-message -c --reedit-message --fixup "
     "--squash --trailer -t --template"},
    {"grep", "-e"},
    {"log", "--author --grep --since --until --after --before -S -G -n"},
    {"merge", "-m -F --file -s --strategy -X --strategy-option"},
    {"push", "-o --push-option --repo --receive-pack --exec"},
    {"revert", "-m --mainline"},
    {"switch", "-c -C"},
    {"tag", "-m --message -F --file -u --local-user"}};
constexpr CommandValues kDockerSure[] = {
    {"build", "-t --tag -f --file --build-arg --target --platform"},
    {"exec", "-e --env -w --workdir -u --user --env-file"},
    {"run",
     "-v --volume -e --env --env-file -p --publish --name --network -w --workdir -u --user --mount "
     "--entrypoint -l --label --platform"}};
constexpr CommandValues kKubectlSure[] = {
    {"",
     "-n --namespace --context --kubeconfig --cluster --user --server --as --as-group --token -l "
     "--selector -o --output"}};
constexpr CommandValues kHelmSure[] = {
    {"", "-n --namespace --kube-context --kubeconfig --set -f --values"}};
constexpr CommandValues kAwsSure[] = {{"", "--profile --region --output --query --endpoint-url"}};
constexpr CommandValues kGcloudSure[] = {
    {"", "--project --account --configuration --format --zone --region"}};
constexpr CommandValues kGhSure[] = {
    {"", "-R --repo"},
    {"issue", "-t --title -b --body -F --body-file -l --label --assignee --milestone"},
    {"pr",
     "-t --title -b --body -F --body-file -B --base -H --head -l --label --assignee --reviewer "
     "--milestone"}};
constexpr CommandValues kCargoSure[] = {
    {"", "--features -F --manifest-path --target-dir --color --config -j --jobs --profile"}};
constexpr CommandValues kSystemctlSure[] = {{"", "-t --type -p --property -n --lines"}};
constexpr CommandValues kTerraformSure[] = {{"", "-var -var-file -target"}};

constexpr std::string_view kGitGlobal =
    "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source";
constexpr std::string_view kGitFlags =
    "-p -P --paginate --bare --version --help --literal-pathspecs --glob-pathspecs "
    "--noglob-pathspecs --icase-pathspecs -q --quiet -v --verbose --tags --all --mirror "
    "--force-with-lease --force-if-includes --atomic --prune --follow-tags --amend --staged "
    "--cached --hard --soft --mixed --continue --abort --skip --stat --oneline --graph "
    "--porcelain --patch --list --remotes --signoff --ff-only --rebase --recursive --init "
    "--name-only --name-status --detach --force --delete";
constexpr std::string_view kDockerGlobal =
    "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey";
constexpr std::string_view kDockerValues =
    "-v -e -p --name --network --volume --env --publish -w -u --mount "
    "--entrypoint --user --workdir";
constexpr std::string_view kDockerFlags =
    "-D --debug --tls --tlsverify --rm -it -ti --detach --privileged --init --interactive --tty "
    "-P --publish-all --read-only -q --quiet --all --force";
constexpr std::string_view kKubectlValues =
    "-n --namespace --context --kubeconfig --cluster --user -s --server -o --output -l --selector "
    "-f --filename --as --as-group --token -v";
constexpr std::string_view kKubectlFlags =
    "--insecure-skip-tls-verify --match-server-version --warnings-as-errors --all --force --now "
    "--wait --recursive -R -w --watch -i -t -it --stdin --tty --server-side --ignore-not-found "
    "--overwrite";
constexpr std::string_view kCopyValues = "-t -S --target-directory --suffix";
constexpr std::string_view kCurlValues =
    "-o -d -X -H -F -T -u -K -A -e -b -c -m -x -w -E -r -U -D -C -Q -z --output --data --request "
    "--header --data-raw --data-binary --data-urlencode --json --url --proxy --max-time --cookie "
    "--cookie-jar --user-agent --referer --write-out --connect-timeout --retry --cacert --cert "
    "--key";
constexpr std::string_view kCurlFlags =
    "-s -S -L -k -f -i -I -v -g -G -O -J -R -n -N -q -Z -a -j -l -p -# -0 -1 -2 -3 -4 -6 --silent "
    "--show-error --location --insecure --fail --include --head --verbose --globoff --get "
    "--compressed --remote-name-all --http1.1 --http2 --ipv4 --ipv6 --append";
constexpr std::string_view kNpmFlags =
    "--global --force --dry-run --json --yes -y --silent -s --quiet -q --verbose -d --production "
    "--save --save-exact -S -E -O -P --legacy-peer-deps --ignore-scripts --workspaces --offline";
constexpr std::string_view kFindValues =
    "-name -iname -path -ipath -regex -iregex -type -maxdepth -mindepth -newer -size -mtime -mmin "
    "-atime -amin -ctime -cmin -perm -user -group";
constexpr std::string_view kSystemctlFlags =
    "-q --quiet -a --all -l --full -f --force --now --user --system --global --runtime --wait";

constexpr CommandName kNpmNames[] = {
    {"i in ins inst insta instal isnt isnta isntal isntall add", "install"},
    {"ic clean-install install-clean isntall-clean", "ci"},
    {"it", "install-test"},
    {"un unlink remove rm r", "uninstall"},
    {"up upgrade udpate u", "update"},
    {"run-script rum urn", "run"},
    {"t tst", "test"},
    {"x", "exec"},
    {"list la ll", "ls"},
    {"info show v", "view"},
    {"ln", "link"},
    {"rb", "rebuild"},
    {"c", "config"},
    {"dist-tags", "dist-tag"},
    {"author", "owner"},
    {"create innit", "init"},
    {"add-user login", "adduser"},
};
constexpr std::string_view kNpmCommands =
    "access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs "
    "doctor "
    "edit exec explain explore find-dupes fund get help help-search hook init install "
    "install-ci-test install-test link ll login logout ls org outdated owner pack ping pkg prefix "
    "profile prune publish query rebuild repo restart root run run-script sbom search set "
    "shrinkwrap star stars start stop team test token uninstall unpublish unstar update version "
    "view whoami";
constexpr CommandName kPnpmNames[] = {
    {"i", "install"},     {"rm uninstall un", "remove"}, {"up upgrade", "update"},
    {"list la ll", "ls"}, {"run-script", "run"},         {"t tst", "test"},
};
constexpr CommandName kCargoNames[] = {
    {"b", "build"}, {"c", "check"}, {"d", "doc"}, {"t", "test"}, {"r", "run"}, {"rm", "remove"},
};
constexpr CommandName kDockerNames[] = {{"remove", "rm"}, {"list ls", "ps"}};
constexpr CommandName kHelmNames[] = {{"del delete un", "uninstall"}, {"ls", "list"}};

constexpr OptionGrammar kGrammars[] = {
    {.program = "git",
     .global_values = kGitGlobal,
     .values = "-m -b -B -o --push-option --receive-pack --repo --recurse-submodules",
     .flags = kGitFlags,
     .twins = kGit,
     .sums = kGitSums,
     .sure_values = kGitSure,
     .subcommands = true},
    {.program = "rm", .flags = "*", .twins = kRm},
    {.program = "cp", .values = kCopyValues, .flags = "*", .twins = kCopy, .sums = kCopySums},
    {.program = "mv", .values = kCopyValues, .flags = "*", .twins = kCopy},
    {.program = "chmod", .values = "--reference", .flags = "*", .twins = kMode},
    {.program = "chown", .values = "--reference --from", .flags = "*", .twins = kMode},
    {.program = "chgrp", .values = "--reference --from", .flags = "*", .twins = kMode},
    {.program = "curl", .values = kCurlValues, .flags = kCurlFlags, .twins = kCurl},
    {.program = "wget", .values = "-O -P -i -o -U -t -T", .twins = kWget},
    {.program = "docker",
     .global_values = kDockerGlobal,
     .values = kDockerValues,
     .flags = kDockerFlags,
     .twins = kDocker,
     .sure_values = kDockerSure,
     .names = kDockerNames,
     .groups = "container",
     .subcommands = true},
    {.program = "podman",
     .global_values = kDockerGlobal,
     .values = kDockerValues,
     .flags = kDockerFlags,
     .twins = kDocker,
     .sure_values = kDockerSure,
     .names = kDockerNames,
     .groups = "container",
     .subcommands = true},
    {.program = "kubectl",
     .global_values = kKubectlValues,
     .values = kKubectlValues,
     .flags = kKubectlFlags,
     .twins = kKubectl,
     .sure_values = kKubectlSure,
     .subcommands = true},
    {.program = "sed", .values = "-e -f --expression --file", .twins = kSed},
    {.program = "tar",
     .values = "-f -C -T -X -I -b",
     .flags = "-p -m -S -a -h -i -w",
     .twins = kTar,
     .bundle_first = true},
    {.program = "find", .values = kFindValues, .single_dash = true},
    {.program = "kill", .values = "-s -n", .signals = true},
    {.program = "pkill",
     .values = "-u --euid -U --uid -G --group -g --pgroup -P --parent -s --session -t --terminal "
               "--signal -F --pidfile",
     .twins = kPkill,
     .signals = true},
    {.program = "killall",
     .values = "-s --signal -u --user -o --older-than -y --younger-than -n --ns",
     .twins = kKillall,
     .signals = true},
    {.program = "ln", .values = "-t -S", .twins = kLn},
    {.program = "tee", .flags = "*", .twins = kTee},
    {.program = "truncate", .values = "-s --size -r", .twins = kTruncate},
    {.program = "shred", .values = "-n -s", .twins = kShred},
    {.program = "rsync", .values = "-e --rsh -f -T -B", .twins = kRsync},
    {.program = "journalctl", .values = "-u --unit -n --lines -S -U", .twins = kJournal},
    {.program = "make",
     .values = "-f --file --makefile -C --directory -I -o -W",
     .twins = kMake,
     .any_operand = true},
    {.program = "gmake",
     .values = "-f --file --makefile -C --directory -I -o -W",
     .twins = kMake,
     .any_operand = true},
    {.program = "ninja", .values = "-C -f -j -k -l -d -w -t", .any_operand = true},
    {.program = "mvn", .values = "-f --file -s --settings -P -pl -T", .any_operand = true},
    {.program = "gradle", .values = "-b -c -p -I -P -x", .any_operand = true},
    {.program = "ant", .any_operand = true},
    {.program = "rake", .any_operand = true},
    {.program = "pip",
     .values = "-r --requirement -c -t --target -i --index-url -e --editable --proxy --log",
     .twins = kPip,
     .subcommands = true},
    {.program = "pip3",
     .values = "-r --requirement -c -t --target -i --index-url -e --editable --proxy --log",
     .twins = kPip,
     .subcommands = true},
    {.program = "apt", .values = "-o -c -t", .twins = kApt, .subcommands = true},
    {.program = "apt-get", .values = "-o -c -t", .twins = kApt, .subcommands = true},
    {.program = "npm",
     .global_values = "--prefix --workspace -w --registry --loglevel",
     .values = "--prefix --workspace -w --registry --loglevel --tag --otp --access",
     .flags = kNpmFlags,
     .twins = kNpm,
     .names = kNpmNames,
     .shortened = kNpmCommands,
     .subcommands = true,
     .dash_ends = true},
    {.program = "pnpm",
     .global_values = "-C --dir --filter",
     .values = "-C --dir --filter",
     .flags = kNpmFlags,
     .twins = kNpm,
     .names = kPnpmNames,
     .subcommands = true,
     .dash_ends = true},
    {.program = "yarn",
     .global_values = "--cwd",
     .values = "--cwd",
     .flags = kNpmFlags,
     .twins = kNpm,
     .subcommands = true,
     .dash_ends = true},
    {.program = "cargo",
     .global_values = "--config -Z --color -C",
     .values = "-p --package -F --features -j --jobs --manifest-path --target",
     .flags = "-v --verbose -q --quiet --frozen --locked --offline --release --dry-run",
     .twins = kCargo,
     .sure_values = kCargoSure,
     .names = kCargoNames,
     .subcommands = true},
    {.program = "terraform",
     .flags = "-auto-approve --auto-approve -json -compact-warnings",
     .sure_values = kTerraformSure,
     .subcommands = true,
     .single_dash = true},
    {.program = "helm",
     .global_values = "-n --namespace --kube-context --kubeconfig --kube-token",
     .values = "-n --namespace -f --values --set",
     .flags = "--debug --wait --atomic --install --force --create-namespace",
     .twins = kHelm,
     .sure_values = kHelmSure,
     .names = kHelmNames,
     .subcommands = true},
    {.program = "aws",
     .global_values = "--profile --region --output --endpoint-url --query",
     .values = "--profile --region --output --query",
     .flags = "--debug --recursive --dryrun --quiet --only-show-errors",
     .sure_values = kAwsSure,
     .subcommands = true},
    {.program = "gcloud",
     .global_values = "--project --account --configuration --format",
     .values = "--project --zone --region --format",
     .flags = "--quiet -q --log-http --async",
     .sure_values = kGcloudSure,
     .subcommands = true},
    {.program = "gh",
     .global_values = "-R --repo",
     .values = "-R --repo -X --method -f --raw-field -F --field -H --header -b --body -s -m -r -a",
     .flags = "--web --yes --draft --squash --admin --auto --delete-branch",
     .twins = kGh,
     .sure_values = kGhSure,
     .subcommands = true},
    {.program = "systemctl",
     .global_values = "-H --host -M --machine",
     .values = "-t --type -p --property",
     .flags = kSystemctlFlags,
     .sure_values = kSystemctlSure,
     .subcommands = true},
};

using Subcommands = std::span<const std::string_view>;

bool belongs(std::string_view command, Subcommands subcommands) {
  return command.empty() || std::ranges::find(subcommands, command) != subcommands.end();
}

template <class Visit>
bool any_twin(const OptionGrammar& grammar, Subcommands subcommands, const Visit& visit) {
  return std::ranges::any_of(grammar.twins, [&](const OptionTwin& twin) {
    return belongs(twin.command, subcommands) && visit(twin);
  });
}

std::string short_form(char letter) { return {'-', letter}; }
std::string long_form(std::string_view name) { return "--" + std::string(name); }

bool is_short(std::string_view option, const OptionTwin& twin) {
  return option.size() == 2 && option[1] == twin.letter;
}
bool is_long(std::string_view option, const OptionTwin& twin) {
  return option.starts_with("--") && option.substr(2) == twin.name;
}

bool listed(const OptionGrammar& grammar, std::string_view list, std::string_view option,
            Subcommands subcommands) {
  if (list.empty()) return false;
  if (in_list(list, option)) return true;
  return any_twin(grammar, subcommands, [&](const OptionTwin& twin) {
    return (is_short(option, twin) && in_list(list, long_form(twin.name))) ||
           (is_long(option, twin) && in_list(list, short_form(twin.letter)));
  });
}

bool is_flag(const OptionGrammar& grammar, std::string_view option, Subcommands subcommands) {
  if (grammar.flags == "*" || in_list(grammar.flags, option) || option.starts_with("--no-"))
    return true;
  if (!summed(&grammar, option, subcommands).empty()) return true;
  return any_twin(grammar, subcommands, [&](const OptionTwin& twin) {
    return is_short(option, twin) || is_long(option, twin);
  });
}

// What the row says of one option; nothing when it does not know it.
std::optional<NextWord> by_row(const OptionGrammar& grammar, std::string_view option,
                               OptionPlace place) {
  if (grammar.subcommands && !place.settled &&
      listed(grammar, grammar.global_values, option, place.subcommands))
    return place.subcommands.empty() ? NextWord::kValue : NextWord::kLikely;
  const bool may_be_behind = !grammar.subcommands || !place.subcommands.empty();
  if (may_be_behind && listed(grammar, grammar.values, option, place.subcommands))
    return grammar.subcommands ? NextWord::kLikely : NextWord::kValue;
  if (is_flag(grammar, option, place.subcommands)) return NextWord::kApart;
  return std::nullopt;
}

}  // namespace

const OptionGrammar* option_grammar(std::string_view program) {
  for (const OptionGrammar& grammar : kGrammars)
    if (grammar.program == program) return &grammar;
  return nullptr;
}

std::string_view command_named(const OptionGrammar& grammar, std::string_view word) {
  for (const CommandName& one : grammar.names)
    if (in_list(one.others, word)) return one.name;
  // Cut short it is the only one that begins so.
  std::string_view found;
  for (std::string_view rest = grammar.shortened; !rest.empty() && !word.empty();) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    if (name == word) return word;
    if (!name.starts_with(word)) continue;
    if (!found.empty()) return word;
    found = name;
  }
  return found.empty() ? word : found;
}

bool in_list(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

NextWord next_word(const OptionGrammar* grammar, std::string_view option, OptionPlace place) {
  if (option.find('=') != option.npos) return NextWord::kApart;
  if (grammar == nullptr) return NextWord::kDoubtful;
  if (const std::optional<NextWord> known = by_row(*grammar, option, place)) return *known;
  if (option.starts_with("--") || option.size() == 2 || grammar->single_dash)
    return NextWord::kDoubtful;
  for (std::size_t i = 1; i < option.size(); ++i) {
    const std::optional<NextWord> known = by_row(*grammar, short_form(option[i]), place);
    if (known == NextWord::kApart) continue;
    // A letter that takes a value takes the rest of the word, where there is a rest.
    const bool attached = known == NextWord::kValue && i + 1 < option.size();
    return attached ? NextWord::kApart : NextWord::kDoubtful;
  }
  return NextWord::kApart;
}

namespace {

// SAFETY: the subcommand must be known for sure where one counts.
bool is_sure_value(const OptionGrammar& grammar, std::string_view option, OptionPlace place) {
  if (grammar.dash_ends) return false;
  if (by_row(grammar, option, place) == NextWord::kValue) return true;
  return place.settled && std::ranges::any_of(grammar.sure_values, [&](const CommandValues& row) {
           return (row.command.empty() || row.command == place.subcommands.back()) &&
                  in_list(row.options, option);
         });
}

}  // namespace

std::size_t value_letter(const OptionGrammar* grammar, std::string_view option, OptionPlace place) {
  if (grammar == nullptr || option.size() < 2) return 0;
  if (option.starts_with("--") || grammar->single_dash)
    return is_sure_value(*grammar, option, place) ? option.size() - 1 : 0;
  for (std::size_t i = 1; i < option.size(); ++i) {
    const std::string letter = short_form(option[i]);
    if (is_sure_value(*grammar, letter, place)) return i;
    if (by_row(*grammar, letter, place) != NextWord::kApart) return 0;
  }
  return 0;
}

void add_subcommands(const OptionGrammar* grammar, std::vector<std::string_view>& subcommands) {
  if (grammar == nullptr) return;
  for (const OptionTwin& twin : grammar->twins) subcommands.push_back(twin.command);
  for (const OptionSum& sum : grammar->sums) subcommands.push_back(sum.command);
}

bool lists_value(const OptionGrammar* grammar, std::string_view option, Subcommands subcommands) {
  return grammar != nullptr && (listed(*grammar, grammar->values, option, subcommands) ||
                                listed(*grammar, grammar->global_values, option, subcommands));
}

OptionSpellings spellings(const OptionGrammar* grammar, std::string_view option,
                          Subcommands subcommands) {
  OptionSpellings all;
  const bool starred = has_star(option);
  const bool is_letter = option.size() == 2 && !starred;
  if (is_letter)
    all.letters += option[1];
  else if (!starred)
    all.names.push_back(option.substr(option.starts_with("--") ? 2 : 1));
  if (grammar == nullptr) return all;
  const auto add_name = [&](std::string_view name) {
    all.names.push_back(name);
    any_twin(*grammar, subcommands, [&](const OptionTwin& twin) {
      if (twin.name == name) all.letters += twin.letter;
      return false;
    });
  };
  any_twin(*grammar, subcommands, [&](const OptionTwin& twin) {
    const bool same = starred ? plain_glob(option, long_form(twin.name))
                              : is_short(option, twin) || is_long(option, twin);
    if (same) add_name(twin.name);
    return false;
  });
  // A letter may have several long names: tar -x is --extract and --get.
  any_twin(*grammar, subcommands, [&](const OptionTwin& twin) {
    if (all.letters.find(twin.letter) != all.letters.npos &&
        std::ranges::find(all.names, twin.name) == all.names.end())
      all.names.push_back(twin.name);
    return false;
  });
  const std::size_t own = all.names.size();
  for (const OptionSum& sum : grammar->sums) {
    const bool part =
        std::ranges::any_of(std::span(all.names).first(own),
                            [&](std::string_view name) { return in_list(sum.names, name); });
    if (!part || !belongs(sum.command, subcommands)) continue;
    all.letters += sum.letter;
    any_twin(*grammar, subcommands, [&](const OptionTwin& twin) {
      if (twin.letter == sum.letter) all.names.push_back(twin.name);
      return false;
    });
  }
  return all;
}

std::vector<std::string_view> summed(const OptionGrammar* grammar, std::string_view option,
                                     Subcommands subcommands) {
  std::vector<std::string_view> names;
  if (grammar == nullptr) return names;
  for (const OptionSum& sum : grammar->sums) {
    const bool is_sum = option == short_form(sum.letter) ||
                        any_twin(*grammar, subcommands, [&](const OptionTwin& twin) {
                          return twin.letter == sum.letter && is_long(option, twin);
                        });
    if (!is_sum || !belongs(sum.command, subcommands)) continue;
    for (std::string_view rest = sum.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      names.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
  }
  return names;
}

}  // namespace tollgate

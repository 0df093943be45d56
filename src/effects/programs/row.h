// What is known of programs: one row for each way of calling one, as data in rows/*.inc.
// A row says what the options and operands are, so that a command's words become effects.
// SAFETY: rows allow, they never forbid. A word that the row does not know makes the run unlisted,
// and an unlisted run is quiet under no circumstances.
#pragma once

#include <cstdint>
#include <string_view>

namespace tollgate {

// What a run comes to once every word of it is understood.
enum class ProgramDoes : std::uint8_t {
  kPlain,    // just what its operands and options say, nothing more
  kSafe,     // the same, and no option of the program does more either, listed or not
  kHome,     // as kPlain, and it asks the service it is configured for: a remote, a registry
  kChanges,  // more than is said here; the words are still told apart
};

// NAME: the program, then the words that choose the subcommand, with single blanks between them.
//   Each word may have alternatives, `grep|egrep`, and stars, `describe-*`.
//   A program has rows for its subcommands and one for itself, whose options stand before the
//   subcommand and whose operands begin with `sub`. Of several rows that fit a command the first
//   one counts that understands every word; where none does, the last one that fits.
//
// OPERANDS: one kind for each operand, blanks between; `...` behind the last means any number.
//   Nothing at all: it takes no operands. A `+` behind a kind: that operand must be there. Behind
//   the kinds `=WORD` stands in where no operand is left for the last kind, `list...=.`; `=input`,
//   `=home` and `=anyhost` where there is none at all: standard input is run as code, the
//   configured home is asked, any host may be.
//
//   text      words that are only printed, compared or looked up
//   number    digits, perhaps with a sign, a dot or a unit; anything else is not understood
//   {a,b,c*}  one of these words; anything else is not understood. {!a,b}: none of these;
//             {,a,b}: several with commas between, {;a,b}: with blanks, each of them one of these
//   at        a text, but `@FILE` and `NAME=@FILE` are files that are read
//   read      a file that is read; `-` is standard input
//   tree      a file or directory that is read with all below it
//   rev       a revision whose text is shown, `REV:PATH`, or a path; behind `--` a path
//   revtree   the same, where a path is read with all below it
//   filter    a pattern of file names, of which only those are read that it matches
//   list      a directory whose names are read, or a file
//   names     a file with the names of files that are read, one a line; `-` is standard input
//   write     a file that is written; `-` is standard output for the programs that say so
//   edit      a file that is read and written
//   create    a file or directory that is made
//   delete    a file that is removed, with all below it under a `!` option
//   remove    a file or directory that is removed with all below it
//   mode      a file whose rights or owner change, with all below it under a `!` option
//   fill      a directory in which files are made or changed, at any depth
//   copy move link   all but the last operand go to the last one, or into it; always the last kind
//   mount     a directory that a container sees: `FROM:TO:MODES` or `src=FROM,…`
//   source    the file behind `src=` in a list of keys
//   dir       a directory from which the paths of all words are seen (git -C)
//   host      a host, perhaps as user@host or host:port
//   url       a URL; without a scheme it is a host with perhaps a path
//   origin    where a repository or package comes from: a URL, host:path, or a path that is read;
//             a bare name is a configured home
//   repo      a repository of a forge: OWNER/NAME is the configured home, HOST/OWNER/NAME a host
//   image     an image of a container: HOST/NAME and HOST:PORT/NAME name a host, NAME/NAME none
//   package   the name of a package, `@scope/name` or `name@version`: the configured home; anything
//             with more in it is an origin
//   anyhost   something that may lead to any host
//   remote    a path that is read, or host:path
//   rcopy     as copy, where each end may be host:path
//   command   this word and all behind it are a command, run as the caller
//   lent      the same, run as another user, on another host or in another root
//   shell     shell text, run as the caller; `shell+`: this and all further words, joined by blanks
//   lentshell the same elsewhere, also with `+`
//   code      code in another language
//   config    a file with settings, which may name programs and hosts
//   flags     words for a compiler or linker, which may name a program
//   goal      a target of make, or one of its variables
//   project   a directory, or a file in one, that the program works in as if it stood there
//   script    a file with code; words behind it are its own: follow it with `text...`
//   input     (only after `=`) code from standard input
//   assign    NAME=VALUE, set for the command that follows; ends at the first word without `=`
//   sub       the word that chooses the subcommand
//   sed awk jq yq find dd test date   words as that program reads them; find, dd and test take all
//
// OPTIONS: names with blanks between; `a,all` are two names of one option. A single letter is a
//   short option, more letters are a long one (`--all`), and a name written with its dash is that
//   very word (`-name`, for programs with long names behind one dash). Behind the names:
//     :        a value: attached, behind `=`, or the next word       :KIND  a value of that kind
//     ?        a value only when attached or behind `=`              ?KIND
//     ;        as `:`, but a next word that begins with a dash is an option of its own
//     !        goes down the tree                 @  follows links, so the tree may lead anywhere
//     &        makes links instead of copies      ^  understood, but it makes the run do more
//     /        it cannot be told where the run writes
//     $        what is read is removed then
//     <        what it runs, it runs in a directory that is not known
//     *        this row fits only when at least one option with a star is there
//   `^` and `*` may stand behind a value's kind too: `o,output:write^`. `name:KIND:KIND` takes two
//   words.
//   Marks that are words of their own, at the beginning:
//     ~        long options may be abbreviated; then the row lists every long option there is, or
//              at least every one that begins like one it lists
//     +        options end at the first operand
//     #        -NUMBER is understood
//     %        words that begin with a dash are operands (echo)
//     +-       options may begin with a plus as well
//     @        a word `@FILE` stands for the words in that file
//     --       options of the program itself may stand here as well as before the subcommand
struct ProgramRow {
  std::string_view name;
  ProgramDoes does;
  std::string_view operands;
  std::string_view options;
};

}  // namespace tollgate

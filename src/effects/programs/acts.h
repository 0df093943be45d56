// What one program does with each of its words.
// The words are bound to kinds by its row; each kind has its act. Programs that run code are in
// acts_code.cc, what comes in by standard input in acts_input.cc, copies and downloads in
// acts_transfer.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effects/programs/arguments.h"
#include "effects/programs/program.h"

namespace tollgate {

// Shells that read their text about as bash does.
bool is_shell(std::string_view program);

// `-`, /dev/stdin and their like.
bool is_stream(const Word& word);

// Last component of a path, without slashes at its end.
std::string_view last_name(std::string_view path);

class Acts {
 public:
  Acts(std::string_view program, std::span<const Word> argv, const ProgramArguments& arguments,
       const Surroundings& around, InnerReader& inner, Effects& out)
      : program_(program),
        argv_(argv),
        arguments_(arguments),
        around_(around),
        inner_(inner),
        out_(out) {}

  ProgramReading run();

 private:
  Surroundings here() const;
  Surroundings inside() const;
  bool runs_elsewhere() const;
  void move_to(const Word& word);
  static bool may_lead_out(const Word& word);
  bool follows_repository() const;
  void add_repository(std::string_view remote);
  void other_repository(const Word& word);
  void path(EffectKind kind, const Word& word, bool recursive);
  const Word& counted(const Bound& one, Word& spelt) const;
  void unread(std::string_view what, std::string why, const Word& word, std::string_view flag = {});
  std::size_t act(std::size_t i);
  void guess_behind_code();
  bool edits_in_place() const;
  bool awk_edits();
  bool has_word(std::string_view start) const;
  bool takes_options_from_files();
  bool binds(std::string_view option) const;
  bool calls_by_address() const;
  void save_by_address();
  bool is_other_shell() const;
  void other_shell(const Bound& one);
  void code(const Bound& one);
  void escapes_in(std::string_view text, Span span);
  bool is_transfer_client() const;
  void git_setting(const Bound& one);
  std::size_t subcommand_behind(std::size_t from) const;
  static std::vector<std::string> quoted_words(std::string_view text);
  void socat(const Word& word);
  bool searches_revisions() const;
  void formats();
  void act_on_input();
  bool runs_remotely() const;
  void remote_shell(const Input& in);
  bool takes_commands() const;
  bool is_given_code() const;
  Word standard_input() const { return {.text = "-", .span = argv_[0].span}; }
  bool reads_objects() const;
  void objects_in(const Input& in);
  void names_in(const Word& word);
  bool is_file_called_dash(const Word& word) const;
  bool takes_globs(const Bound& one) const;
  static std::vector<Word> curl_names(const Word& word);
  void curl_address(const Word& word);
  void form(const Word& word);
  void form_part(std::string_view part, bool files, Span span);
  bool is_certificate(const Bound& one) const;
  bool names_by_globs(const Bound& one) const;
  bool is_list_of_addresses(const Bound& one) const;
  void addresses_in(const Word& word);
  void revision(const Bound& one);
  void note_secret(const Bound& one);
  static bool takes_named_file(const Bound& one);
  void project(const Word& word);
  void goal(const Bound& one);
  void yq(const Bound& one);
  static bool is_path_word(const Word& word);
  void transport(const Word& word);
  void sed(const Word& word);
  void text(const Bound& one);
  void archive_switch(const Bound& one);
  std::string flag_of(const Bound& one) const;
  bool leads_elsewhere(const Word& word) const;
  bool follows_settings() const;
  bool is_transfer();
  static Word destination(Word word);
  // The directory that -t names is the target of a copy, not a place to fill by itself.
  bool fills_target(const Bound& one) { return !one.option.empty() && is_transfer(); }
  std::size_t transfer(std::size_t i);
  void copies(std::size_t i);
  void arrive(EffectKind kind, std::span<const Word> sources, const Word& target, bool into,
              bool tree);
  std::size_t command(std::size_t i, Lent lent);
  std::vector<std::vector<Word>> from_walk(std::vector<Word> command) const;
  std::vector<std::vector<Word>> from_input(const std::vector<Word>& command) const;
  static bool put_in(std::vector<Word>& words, std::string_view marker, const Word* given);
  std::optional<std::vector<std::vector<Word>>> words_of_input(bool lines) const;
  bool has_flag(char letter) const;
  bool has_flag(std::string_view name) const;
  std::span<const Word> own_words() const;
  static std::vector<std::vector<Word>> one_by_one(const std::vector<Word>& names);
  void shell(const Word& text, Lent lent);
  std::size_t shell_rest(const Bound& first);
  void option_script(const Bound& one);
  void script(const Word& word);
  void input(const Word& word);

  std::string_view program_;
  std::span<const Word> argv_;
  const ProgramArguments& arguments_;
  const Surroundings& around_;
  InnerReader& inner_;
  Effects& out_;
  std::vector<std::string> directories_;  // once an option named one
  std::vector<Word> names_;               // that it prints
  std::vector<std::string> remotes_;      // names of repositories, which may be directories
  bool listed_ = false;
  // Found out once, because a command may have very many words.
  std::optional<bool> transfers_, edits_, options_in_files_;
};

}  // namespace tollgate

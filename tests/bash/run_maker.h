// Random scripts for the real bash to run: every construct, over words whose values are known.
// Now and then a script is not static: then anything goes, also what nobody can know beforehand.
// Each construct is a row of a table in run_maker.cc. Every script ends, whatever its programs say.
#pragma once

#include <bitset>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tollgate::bash {

inline constexpr std::size_t kMaxConstructs = 224;
using Constructs = std::bitset<kMaxConstructs>;

std::size_t construct_count();
std::string_view construct_name(std::size_t construct);
// Whether the construct stands in scripts whose words are all known.
bool is_static_construct(std::size_t construct);

struct Made {
  std::string text;
  bool is_static = false;
  Constructs used;
};

class RunMaker {
 public:
  explicit RunMaker(std::uint64_t seed) : engine_(seed) {}
  Made make();

  enum class Sort : std::uint8_t { kPart, kCommand, kRedirection };
  struct Row {
    std::string_view name;
    Sort sort;
    unsigned where;
    std::string (RunMaker::*make)();  // "" where it does not fit
  };
  static const Row* rows();

 private:
  enum class Kind : std::uint8_t { kText, kNumber, kProgram, kArray };
  struct Variable {
    std::string name;
    Kind kind;
    bool single;       // it has one value, on whatever way the script came here
    bool odd = false;  // it holds a pattern, or the name of a substituted file
  };
  struct Function {
    std::string name;
    bool assigns;
  };
  struct Scope {
    std::vector<Variable> variables;
    std::vector<std::string> unset;
    std::vector<Function> functions;
    bool positional = false;
    bool odd_positional = false;  // some of them hold that
  };
  enum class Quoting { kBare, kDouble };

  // ---- chance ----
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <std::size_t kSize>
  std::string pick(const std::string_view (&items)[kSize]) {
    return std::string(items[below(kSize)]);
  }

  // ---- what is known where ----
  const Variable* variable(Kind kind, bool single = false, bool odd = false);
  // "" where there is none. What is odd is only known where it stands in quotes as a whole.
  std::string name_of(Kind kind, bool single = false, bool odd = false);
  bool may_assign() const { return !static_ || !loop_; }
  void assigned(const std::string& name, Kind kind);
  template <class Make>
  std::string aside(Make make);  // in a shell of its own
  template <class Make>
  std::string perhaps(Make make);  // on one of several ways

  // ---- the core ----
  std::string construct(Sort sort, unsigned without = 0);
  std::string named(std::string_view name);
  std::string made_by(std::size_t row);  // "" where it does not fit
  std::string list(std::uint32_t most);
  std::string last_look();
  std::string unset_and_used();
  std::string and_then(const std::string& first, std::string_view name);
  std::string end();
  std::string blank();
  std::string body(std::string_view close);
  std::string command() { return construct(Sort::kCommand); }
  std::string unit();  // a command that can stand in a pipeline
  std::string redirections();
  std::string inner_script(std::uint32_t most);
  std::string quoted(const std::string& text);

  // ---- words ----
  std::string word();
  std::string words(std::uint32_t most);
  std::string tame_words(std::uint32_t most);
  void begin_word() { several_ = 0, odd_ = false; }
  std::string part();
  std::string operand();  // behind an operator inside ${…}
  std::string pattern();
  std::string arithmetic_text(int depth);
  std::string known_output();
  std::string program_words();  // a program with its words

  std::string tame(std::string text);  // none of those with a pattern where they cannot stand
  std::string plain();
  std::string single_quotes();
  std::string double_quotes();
  std::string escaped();
  std::string ansi_quotes();
  std::string locale_quotes();
  std::string empty_quotes();
  std::string plain_variable();
  std::string quoted_variable();
  std::string default_value();
  std::string unset_default();
  std::string assigned_default();
  std::string error_if_unset();
  std::string alternative();
  std::string prefix();
  std::string suffix();
  std::string replacement();
  std::string pattern_replacement();
  std::string substring();
  std::string letter_case();
  std::string case_pattern();
  std::string toggle();
  std::string transform();
  std::string length();
  std::string indirect();
  std::string element();
  std::string elements();
  std::string array_length();
  std::string slice();
  std::string known_slice();
  std::string keys();
  std::string positional();
  std::string all_parameters();
  std::string joined_parameters();
  std::string parameter_count();
  std::string substitution();
  std::string free_substitution();
  std::string backquotes();
  std::string arithmetic();
  std::string old_arithmetic();
  std::string brace_list();
  std::string brace_range();
  std::string tilde();
  std::string process();
  std::string glob();
  std::string extended_glob();
  std::string environment();
  std::string output();
  std::string special();
  std::string directory_variable();

  // ---- commands ----
  std::string program();
  std::string variable_program();
  std::string assignment();
  std::string number_assignment();
  std::string assignment_for_program();
  std::string append();
  std::string array();
  std::string array_append();
  std::string element_assignment();
  std::string known_element();
  std::string associative_array();
  std::string export_variable();
  std::string declare();
  std::string local();
  std::string readonly();
  std::string change_readonly();
  std::string unset();
  std::string attribute();
  std::string name_reference();
  std::string readonly_and_local();
  std::string given_and_unset();
  std::string inherited_local();
  std::string failing_declaration();
  std::string list_in_text();
  std::string function();
  std::string function_word();
  std::string function_in_subshell();
  std::string function_call();
  std::string assignment_for_function();
  std::string shadowing_function();
  std::string recursion();
  std::string exported_function();
  std::string unset_function();
  std::string pipeline();
  std::string pipe_with_errors();
  std::string negation();
  std::string time();
  std::string and_or();
  std::string background();
  std::string subshell();
  std::string group();
  std::string if_command();
  std::string while_command();
  std::string until_command();
  std::string counting_loop();
  std::string reading_loop();
  std::string for_command();
  std::string for_parameters();
  std::string arithmetic_for();
  std::string select();
  std::string case_command();
  std::string case_falling();
  std::string arithmetic_command();
  std::string abandoned_line();
  std::string odd_delimiter();
  std::string evaluated_later();
  std::string filled(std::string_view shape);
  std::string conditional();
  std::string regex();
  std::string coprocess();
  std::string condition(int depth);

  // ---- builtins and wrappers ----
  std::string change_directory();
  std::string push_directory();
  std::string shift();
  std::string set_parameters();
  std::string set_no_glob();
  std::string set_errors();
  std::string set_pipefail();
  std::string set_no_braces();
  std::string shopt_globs();
  std::string shopt_others();
  std::string shopt_lastpipe();
  std::string eval_text();
  std::string eval_words();
  std::string assignment_for_eval();
  std::string trap_exit();
  std::string trap_other();
  std::string exec_program();
  std::string exec_redirection();
  std::string command_builtin();
  std::string command_eval();
  std::string builtin();
  std::string source();
  std::string alias();
  std::string read();
  std::string mapfile();
  std::string getopts();
  std::string let();
  std::string print_into();
  std::string test();
  std::string bracket();
  std::string true_false();
  std::string leave_loop();
  std::string return_early();
  std::string exit_early();
  std::string wait();
  std::string hash();
  std::string enable();
  std::string type();
  std::string echo();
  std::string printf();
  std::string separators();
  std::string test_text();
  std::string env();
  std::string env_assignment();
  std::string env_split();
  std::string timeout();
  std::string nice();
  std::string nohup();
  std::string setsid();
  std::string stdbuf();
  std::string xargs();
  std::string find_exec();
  std::string shell_text(std::string_view shell);
  std::string sh_c();
  std::string bash_c();
  std::string shell_with_parameters();
  std::string shell_input();

  // ---- redirections ----
  std::string input();
  std::string output_file();
  std::string append_output();
  std::string clobber();
  std::string both();
  std::string duplicate();
  std::string close();
  std::string read_write();
  std::string here_string();
  std::string here_document();
  std::string quoted_here_document();
  std::string tabbed_here_document();
  std::string here(bool is_quoted, bool tabs);
  std::string descriptor_variable();

  std::mt19937_64 engine_;
  Constructs used_;
  Scope scope_;
  std::vector<std::string> touched_;  // what was assigned since the last fork in the way
  std::string pending_;               // bodies of here-documents
  int depth_ = 3;
  int names_ = 0;  // functions, counters and delimiters that were named
  bool static_ = true;
  bool posix_ = false;  // for a shell that is not bash
  bool mild_ = false;   // only programs that the rules allow
  bool loop_ = false;   // in a body that may run any number of times
  bool breakable_ = false;
  bool in_function_ = false;
  bool branch_ = false;
  bool in_quotes_ = false;
  bool declared_ = false;  // in the value of a declaration, where braces make several words
  bool last_ = true;       // nothing follows in this word
  bool assigns_ = false;
  bool in_process_ = false;
  bool hidden_ = false;  // bash takes no here-document here: in a command in a substitution
  bool tame_ = false;    // what is quoted here is not quoted where it is used
  bool odd_ = false;     // the word at hand holds what is odd
  int several_ = 0;      // uses of variables with several values in the command at hand
};

// The script of a seed. Some have lines that are continued anywhere, which is no way to write and
// may change what a quote or a comment holds: they count for soundness alone.
Made script_of(std::uint64_t seed);

}  // namespace tollgate::bash

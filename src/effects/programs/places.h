// Words as hosts; paths are added by add_path in program.h.
#pragma once

#include <optional>
#include <string_view>

#include "core/effect.h"
#include "effects/programs/program.h"

namespace tollgate {

void add_home(std::string_view program, const Word& word, const Surroundings& around, Effects& out);
void add_any_host(const Word& word, const Surroundings& around, Effects& out);
void add_host_word(const Word& word, const Surroundings& around, Effects& out);
void add_url_word(const Word& word, const Surroundings& around, Effects& out);
bool is_remote_path(std::string_view text);
void add_remote_host(const Word& word, const Surroundings& around, Effects& out);
void add_origin(const Word& word, std::string_view program, const Surroundings& around,
                Effects& out);
void add_package(const Word& word, std::string_view program, const Surroundings& around,
                 Effects& out);

// A revision of git, REV:PATH or a path. `path`: it is one, since `--` stands before it.
// `tree`: what is named is opened, with all below it.
struct RevisionUse {
  bool path = false;
  bool tree = false;
};
void add_revision(const Word& word, RevisionUse use, const Surroundings& around, Effects& out);
// What a word names where git takes a pathspec: a path, a pattern of paths, or a word that is not
// known where it may be any file. Nothing where the word only leaves files out.
std::optional<Word> path_of_pathspec(const Word& word);
// The registry that the name of an image begins with.
void add_image(const Word& word, const Surroundings& around, Effects& out);
// OWNER/NAME at the configured forge, HOST/OWNER/NAME, or a URL.
void add_forge_repository(const Word& word, std::string_view program, const Surroundings& around,
                          Effects& out);
// What a container sees of this host: PATH:PLACE[:MODES], or KEY=VALUE,…
void add_mount(const Word& word, const Surroundings& around, Effects& out);
// KEY=VALUE,… of which `src=` is a file that is read.
void add_source(const Word& word, const Surroundings& around, Effects& out);
// A pattern that chooses among the files of a walk.
void add_filter(const Word& word, const Surroundings& around, Effects& out);
// A text, `@FILE` or `NAME=@FILE`; with `named` also `NAME@FILE`. `%output{FILE}` is written.
void add_text_or_file(const Word& word, bool named, const Surroundings& around, Effects& out);

// For a program without a row: every path, host and URL that its words may name.
void add_guesses(std::span<const Word> words, const Surroundings& around, Effects& out);

}  // namespace tollgate

// What a process says when it is struck down, by a fault of its own or by its deadline.
// The words are made beforehand: a handler may only write what is there.
// For programs whose silence would be taken for consent.
#pragma once

#include <string>

namespace tollgate::os {

struct LastWord {
  std::string out;  // for standard output
  std::string err;  // for standard error
  int status = 1;
  int unheard = 1;  // the status where the words could not be written
};

// From now on every fatal signal, and the deadline, ends the process with these words. The first
// word counts for good.
void set_last_word(LastWord word);

// Counts real time from now on. One that runs already, set before an exec, stays where it ends
// first: the client does not wait longer for two programs than for one.
void set_deadline(int milliseconds);

}  // namespace tollgate::os

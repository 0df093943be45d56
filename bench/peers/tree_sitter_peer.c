// The bare parse of tree-sitter-bash, timed as shell_bench times a decision: one core, the best
// round for the rate, of each command the median of its rounds for p50 and p99.
// usage: tree_sitter_peer FILE-WITH-COMMANDS, a NUL behind each
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tree_sitter/api.h"

const TSLanguage* tree_sitter_bash(void);

enum { kRounds = 101, kMostBytes = 1 << 24, kMostCommands = 1 << 16 };

static char bytes[kMostBytes];
static const char* commands[kMostCommands];
static double medians[kMostCommands];
static size_t count = 0;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// 1 when the tree has an error.
static int parse(TSParser* parser, const char* text) {
  TSTree* tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)strlen(text));
  if (tree == NULL) abort();
  const int error = ts_node_has_error(ts_tree_root_node(tree));
  ts_tree_delete(tree);
  return error;
}

static int by_size(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static double quantile(double* values, size_t size, double part) {
  qsort(values, size, sizeof *values, by_size);
  return values[(size_t)(part * (double)(size - 1))];
}

static void read_commands(const char* path) {
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  const size_t size = fread(bytes, 1, kMostBytes - 1, file);
  fclose(file);
  for (size_t at = 0; at < size && count < kMostCommands; at += strlen(bytes + at) + 1)
    commands[count++] = bytes + at;
  if (count == 0) abort();
}

static double median_of(TSParser* parser, const char* text) {
  double samples[kRounds];
  for (int i = 0; i < kRounds; ++i) {
    const double begin = seconds(CLOCK_MONOTONIC);
    parse(parser, text);
    samples[i] = (seconds(CLOCK_MONOTONIC) - begin) * 1e6;
  }
  return quantile(samples, kRounds, 0.5);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  read_commands(argv[1]);
  TSParser* parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_bash())) abort();
  size_t errors = 0;
  for (size_t i = 0; i < count; ++i) errors += (size_t)parse(parser, commands[i]);
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < count; ++i) parse(parser, commands[i]);
    const double rate = (double)count / (seconds(CLOCK_THREAD_CPUTIME_ID) - begin);
    if (rate > best) best = rate;
  }
  for (size_t i = 0; i < count; ++i) medians[i] = median_of(parser, commands[i]);
  const double p50 = quantile(medians, count, 0.5);
  printf("%-28s %9zu %12.0f %9.2f %9.2f\n", "tree-sitter-bash, bare parse", count, best, p50,
         quantile(medians, count, 0.99));
  printf("of these read with an error by tree-sitter-bash: %zu\n", errors);
  return 0;
}

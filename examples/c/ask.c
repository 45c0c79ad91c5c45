/* Makes a database of a graph's files and asks it: ask DATABASE FILE... < FORMS
 *
 * FORMS is JSON Lines, a form a line (docs/reference/forms.md). What is answered is a line of JSON each.
 * Built by: cc -std=c99 ask.c $(pkg-config --cflags --libs kgwalk) -o ask */
#include <kgwalk.h>
#include <stdio.h>
#include <string.h>

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, kgwalk_error());
  return 1;
}

static int answer_lines(const kgwalk_graph* graph) {
  char line[65536];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char* json;
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '\0') continue;
    if (kgwalk_graph_query(graph, line, 0, 0, &json) != KGWALK_OK) return failed(line);
    puts(json);
    kgwalk_free(json);
  }
  return 0;
}

int main(int argc, char** argv) {
  kgwalk_graph* graph;
  int status;
  if (argc < 3) {
    fprintf(stderr, "usage: ask DATABASE FILE... < FORMS\n");
    return 2;
  }
  if (kgwalk_ingest(KGWALK_VERSION, argv[1], (const char* const*)argv + 2, (size_t)argc - 2, 1, NULL) !=
      KGWALK_OK)
    return failed("ingest");
  if (kgwalk_graph_open(KGWALK_VERSION, argv[1], &graph) != KGWALK_OK) return failed("open");
  fprintf(stderr, "%u entities, %llu facts\n", (unsigned)kgwalk_graph_num_entities(graph),
          (unsigned long long)kgwalk_graph_num_facts(graph));
  status = answer_lines(graph);
  kgwalk_graph_close(graph);
  return status;
}

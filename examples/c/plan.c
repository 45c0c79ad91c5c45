/* Plans from an entity and says a line in a conversation: plan DATABASE RUN ENTITY LINE
 *
 * A packed model stands in place of DATABASE with "" as RUN.
 * Built by: cc -std=c99 plan.c $(pkg-config --cflags --libs kgwalk) -o plan */
#include <kgwalk.h>
#include <stdio.h>

static int failed(void) {
  fprintf(stderr, "%s\n", kgwalk_error());
  return 1;
}

static int show_plan(const kgwalk_model* model, const char* start) {
  kgwalk_plan_request request = {0};
  kgwalk_plan* plan;
  size_t i, j;
  request.size = sizeof request;
  request.start = start;
  request.k = 3;
  if (kgwalk_model_plan(model, &request, &plan) != KGWALK_OK) return failed();
  for (i = 0; i < kgwalk_plan_num_paths(plan); ++i) {
    const kgwalk_path* path = kgwalk_plan_path(plan, i);
    printf("%8.3f  %s", path->log_prob, path->hops[0].head);
    for (j = 0; j < path->num_hops; ++j) printf(" -[%s]-> %s", path->hops[j].relation, path->hops[j].tail);
    putchar('\n');
  }
  kgwalk_plan_close(plan);
  return 0;
}

static int talk(const kgwalk_model* model, const char* line) {
  kgwalk_conversation* conversation;
  char* said;
  kgwalk_status status;
  if (kgwalk_conversation_open(model, 1, &conversation) != KGWALK_OK) return failed();
  status = kgwalk_conversation_say(conversation, line, &said, NULL, NULL);
  if (status == KGWALK_OK) printf("%s\n", said);
  kgwalk_free(said);
  kgwalk_conversation_close(conversation);
  return status == KGWALK_OK ? 0 : failed();
}

int main(int argc, char** argv) {
  kgwalk_model* model;
  int status;
  if (argc != 5) {
    fprintf(stderr, "usage: plan DATABASE RUN ENTITY LINE\n");
    return 2;
  }
  if (kgwalk_model_open(KGWALK_VERSION, argv[1], argv[2], NULL, &model) != KGWALK_OK) return failed();
  status = show_plan(model, argv[3]);
  if (status == 0) status = talk(model, argv[4]);
  kgwalk_model_close(model);
  return status;
}

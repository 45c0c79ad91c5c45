/* kgwalk for C and for every language that calls C: a knowledge graph, exact questions to it, planned paths
 * and conversations, in libkgwalk.so. C99; the page docs/guides/c.md is a walk through it.
 *
 *   kgwalk_model* model;
 *   if (kgwalk_model_open(KGWALK_VERSION, "films.tar.zst", NULL, NULL, &model) != KGWALK_OK) {
 *     fprintf(stderr, "%s\n", kgwalk_error());
 *     return 1;
 *   }
 *   kgwalk_plan_request request = {.size = sizeof request, .start = "Inception", .k = 3};
 *   kgwalk_plan* plan;
 *   if (kgwalk_model_plan(model, &request, &plan) == KGWALK_OK)
 *     for (size_t i = 0; i < kgwalk_plan_num_paths(plan); ++i) {
 *       const kgwalk_path* path = kgwalk_plan_path(plan, i);
 *       printf("%g  %s\n", path->log_prob, path->hops[path->num_hops - 1].tail);
 *     }
 *   kgwalk_plan_close(plan);
 *   kgwalk_model_close(model);
 *
 * Errors. A function that can fail returns a status; what it was to give is then NULL or 0. kgwalk_error() is
 * a sentence that says what, where and what to do. No call ends the process and no C++ exception leaves the
 * library.
 *
 * Handles. NULL, a handle of another kind and one that was closed are KGWALK_MISUSE and never looked into. (A
 * closed one is known as such until its address is given out again.) The order in which handles are closed
 * does not matter; each keeps alive what it needs. Closing NULL does nothing.
 *
 * Ownership. A `char*` that a function gives is the caller's, to be freed by kgwalk_free(). A `const` pointer
 * is borrowed from the handle that was asked, and valid until that is closed.
 *
 * Text is UTF-8 and ends with a NUL byte; paths of files are taken as the system has them. What has many
 * parts is given as JSON: a later version may tell more without breaking a program, and the members are those
 * of the HTTP interface (docs/reference/openapi.json). Paths of plans, which programs ask for in numbers, are
 * structs.
 *
 * Threads. Every function may be called from any number of threads at once. Calls of one conversation wait
 * for each other; those of a graph and a model do not. A handle may be closed while other threads use it:
 * their calls end as if it had not been. (What they borrowed from it is gone then.)
 *
 * Versions. Structs that a caller fills begin with their size and grow at the end; a member that is 0 or NULL
 * means what is told behind it. Functions are added and never removed under one name of the library
 * (libkgwalk.so.0).
 */
#ifndef KGWALK_H
#define KGWALK_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__GNUC__)
#define KGWALK_API __attribute__((visibility("default")))
#else
#define KGWALK_API
#endif

/* ---- Version ---- */

#define KGWALK_VERSION_MAJOR 0
#define KGWALK_VERSION_MINOR 1
#define KGWALK_VERSION_PATCH 0
/* What is given to the functions that open something, so that a program which was compiled for another
 * library is refused with a sentence. A binding gives the version that it was written for. */
#define KGWALK_VERSION (KGWALK_VERSION_MAJOR * 1000000 + KGWALK_VERSION_MINOR * 1000 + KGWALK_VERSION_PATCH)

/* The version of the library, as KGWALK_VERSION has it, and as text: "0.1.0". */
KGWALK_API int kgwalk_version(void);
KGWALK_API const char* kgwalk_version_text(void);

/* ---- Errors, memory, threads ---- */

typedef enum kgwalk_status {
  KGWALK_OK = 0,
  KGWALK_MISUSE = 1,        /* NULL, a closed handle or one of another kind, a place that is not there */
  KGWALK_VERSION_ERROR = 2, /* compiled for a version that this library cannot stand for */
  KGWALK_INVALID = 3, /* a value that cannot be used: a number out of range, a name that is not in the graph
                         (the nearest ones are told), text that is not UTF-8, a form that cannot be read */
  KGWALK_DATA_ERROR = 4,   /* input data that cannot be read; the sentence begins with file and line */
  KGWALK_STORE_ERROR = 5,  /* a database that is missing, locked, damaged or of another schema */
  KGWALK_FORMAT_ERROR = 6, /* a file of a format of ours that breaks it, or is made for another graph */
  KGWALK_IO_ERROR = 7,     /* the operating system refused: open, write, disk full */
  KGWALK_NO_MEMORY = 8,
  KGWALK_INTERNAL = 9 /* anything else: a bug that should be reported */
} kgwalk_status;

/* Why the last call of this thread that failed did: one sentence, empty before the first. Valid until another
 * call of this thread fails. */
KGWALK_API const char* kgwalk_error(void);
/* A status in a word: "ok", "misuse". Never NULL. */
KGWALK_API const char* kgwalk_status_name(kgwalk_status status);

/* Frees a text that was given as `char*`. NULL does nothing. */
KGWALK_API void kgwalk_free(char* text);

/* Threads that a computation may use, from 1; 0 = all processors. For the whole process; call it first. */
KGWALK_API kgwalk_status kgwalk_set_threads(int count);

/* ---- Graph ---- */

typedef struct kgwalk_graph kgwalk_graph; /* immutable, in memory */

/* An edge out of an entity. A fact is an edge in both directions: the inverse of relation "r" is "~r". */
typedef struct kgwalk_edge {
  uint32_t relation;
  uint32_t tail;
} kgwalk_edge;

/* Makes the database (a folder) of `num_files` files of a graph: triples, N-Triples, Turtle, csv and what
 * else docs/reference/formats/input.md lists, packed or not. It is whole or not there. `replace` 0: a
 * database that exists is an error. `*report`: what was read and what was skipped, as JSON; `report` may be
 * NULL. */
KGWALK_API kgwalk_status kgwalk_ingest(int version, const char* database, const char* const* files,
                                       size_t num_files, int replace, char** report);

/* Trains embeddings of a database's graph and stores them there, for kgwalk_graph_complete. `settings`: JSON
 * of the options of `kgwalk embed`, {"embedding": {"model": "complex", "dim": 128}}; NULL = those that it
 * has. What is not set is what suits the model. `*report`: configuration, loss and ranks as JSON; may be
 * NULL. A graph that was opened before has the vectors when it is opened again. */
KGWALK_API kgwalk_status kgwalk_embed(int version, const char* database, const char* settings, char** report);

/* Loads the graph of a database. */
KGWALK_API kgwalk_status kgwalk_graph_open(int version, const char* database, kgwalk_graph** graph);
KGWALK_API kgwalk_status kgwalk_graph_close(kgwalk_graph* graph);

/* Ids go from 0 to these numbers less one. Relations with inverses; a fact and its inverse are one. 0 for
 * what is no graph. */
KGWALK_API uint32_t kgwalk_graph_num_entities(const kgwalk_graph* graph);
KGWALK_API uint32_t kgwalk_graph_num_relations(const kgwalk_graph* graph);
KGWALK_API uint64_t kgwalk_graph_num_facts(const kgwalk_graph* graph);

/* Ids by name, in any case. KGWALK_INVALID where there is none; the sentence names the nearest ones. */
KGWALK_API kgwalk_status kgwalk_graph_find_entity(const kgwalk_graph* graph, const char* name,
                                                  uint32_t* entity);
KGWALK_API kgwalk_status kgwalk_graph_find_relation(const kgwalk_graph* graph, const char* name,
                                                    uint32_t* relation);
/* Names by id. */
KGWALK_API kgwalk_status kgwalk_graph_entity_name(const kgwalk_graph* graph, uint32_t entity, char** name);
KGWALK_API kgwalk_status kgwalk_graph_relation_name(const kgwalk_graph* graph, uint32_t relation,
                                                    char** name);
KGWALK_API kgwalk_status kgwalk_graph_inverse(const kgwalk_graph* graph, uint32_t relation,
                                              uint32_t* inverse);

/* All edges out of an entity, sorted by relation and tail: borrowed, nothing is copied. */
KGWALK_API kgwalk_status kgwalk_graph_edges(const kgwalk_graph* graph, uint32_t entity,
                                            const kgwalk_edge** edges, size_t* num_edges);

/* At most `count` entities for what was typed of a name so far: {"entities": [{"entity", "edges", "kind",
 * "fit"}]}. */
KGWALK_API kgwalk_status kgwalk_graph_search(const kgwalk_graph* graph, const char* text, size_t count,
                                             char** json);

/* A shortest path: {"distance": hops or null, "path": [{"head", "relation", "tail"}] or null}. */
KGWALK_API kgwalk_status kgwalk_graph_distance(const kgwalk_graph* graph, const char* from, const char* to,
                                               char** json);

/* Answers a question exactly: a form as JSON (docs/reference/forms.md), or SPARQL, SELECT and ASK of a
 * subset. At most `rows` entities are told, 0 = 100, and the question may take `seconds`, 0 = 5. {"said",
 * "words", "form", "sparql", "answer", "rows", "evidence"}. */
KGWALK_API kgwalk_status kgwalk_graph_query(const kgwalk_graph* graph, const char* form, size_t rows,
                                            double seconds, char** json);
KGWALK_API kgwalk_status kgwalk_graph_sparql(const kgwalk_graph* graph, const char* query, size_t rows,
                                             double seconds, char** json);

/* The likeliest facts where one of head, relation and tail is NULL: {"answers": [{"head", "relation", "tail",
 * "distance", "known"}]}, at most `k`, 0 = 10. `known` 0: facts of the graph are left out. KGWALK_STORE_ERROR
 * where the database has no table of embeddings. */
KGWALK_API kgwalk_status kgwalk_graph_complete(const kgwalk_graph* graph, const char* head,
                                               const char* relation, const char* tail, int k, int known,
                                               char** json);

/* ---- Model ---- */

typedef struct kgwalk_model
    kgwalk_model; /* a trained walker with its graph and all that it needs; immutable */

typedef struct kgwalk_model_options {
  size_t size;           /* sizeof(kgwalk_model_options) */
  const char* text;      /* folder of the text encoder; NULL = where it lay at training */
  const char* listener;  /* run of a listener; NULL = that of the model, if any */
  const char* simulator; /* run of a user simulator; NULL = that of a packed model, if any */
  int other_graph;       /* 1: the database may hold another graph than the one trained on */
} kgwalk_model_options;

/* `model` is a packed model, folder or file, and `run` NULL; or `model` is a database and `run` the folder of
 * a walker's run. `options` may be NULL. Takes seconds; a packed file is unpacked once. */
KGWALK_API kgwalk_status kgwalk_model_open(int version, const char* model, const char* run,
                                           const kgwalk_model_options* options, kgwalk_model** opened);
KGWALK_API kgwalk_status kgwalk_model_close(kgwalk_model* model);

/* The graph of the model, as a handle of its own. Nothing is copied. */
KGWALK_API kgwalk_status kgwalk_model_graph(const kgwalk_model* model, kgwalk_graph** graph);

/* ---- Plans ---- */

typedef struct kgwalk_utterance {
  const char* speaker; /* "user" or "assistant" */
  const char* text;
} kgwalk_utterance;

typedef struct kgwalk_hop {
  const char* head;
  const char* relation; /* "~r": walked against its direction */
  const char* tail;
  double probability; /* among all edges out of `head`; not looked at in a request */
} kgwalk_hop;

/* A path of a request. */
typedef struct kgwalk_walk {
  const kgwalk_hop* hops;
  size_t num_hops;
} kgwalk_walk;

typedef struct kgwalk_plan_request {
  size_t size;                     /* sizeof(kgwalk_plan_request) */
  const kgwalk_utterance* history; /* what was said, oldest first */
  size_t num_history;
  const kgwalk_walk* walked; /* paths of earlier turns, oldest first; their hops must be edges of the graph */
  size_t num_walked;
  const char* start; /* entity to walk from; NULL = chosen from what was said */
  const char* goal;  /* entity to come nearer to; NULL = none */
  int k;             /* paths wanted; 0 = 5 */
  int beam;          /* partial paths kept in the search; 0 = 25 */
  int max_hops;      /* longest path, 1 to 4; 0 = 2 */
} kgwalk_plan_request;

/* A path of a plan. Later versions may add members. */
typedef struct kgwalk_path {
  const kgwalk_hop* hops;
  size_t num_hops;         /* from 1 */
  double log_prob;         /* natural logarithm: of all hops and of stopping behind the last */
  double stop_probability; /* from 0 to 1 */
  int distance_to_goal;    /* hops from the last entity; -1 without a goal, and where no path leads there */
} kgwalk_path;

typedef struct kgwalk_plan kgwalk_plan; /* immutable; the model is not needed any more */

/* The paths that a speaker would naturally turn to next, most probable first, and what answers a question. */
KGWALK_API kgwalk_status kgwalk_model_plan(const kgwalk_model* model, const kgwalk_plan_request* request,
                                           kgwalk_plan** plan);
KGWALK_API kgwalk_status kgwalk_plan_close(kgwalk_plan* plan);

/* 0 for what is no plan. */
KGWALK_API size_t kgwalk_plan_num_paths(const kgwalk_plan* plan);
/* NULL where there is none of this place. */
KGWALK_API const kgwalk_path* kgwalk_plan_path(const kgwalk_plan* plan, size_t place);
/* The whole plan, with what was weighed and what is answered: `format` is "text", "json", "dot" or "html". */
KGWALK_API kgwalk_status kgwalk_plan_write(const kgwalk_plan* plan, const char* format, char** text);

/* ---- What else a model is asked ---- */

/* A whole walk to a goal, at most `turns` hops, 0 = 10, as JSON. Needs a walker that heads for goals (stage
 * 2). */
KGWALK_API kgwalk_status kgwalk_model_lead(const kgwalk_model* model, const char* start, const char* goal,
                                           int turns, char** json);

/* The most telling paths between two or more entities: {"links": [{"from", "to", "distance", "paths":
 * [{"hops", "log_prob", "reason", "text"}]}]}. `k` paths of each link, 0 = 3; `detour`: hops more than a
 * shortest path has. */
KGWALK_API kgwalk_status kgwalk_model_connect(const kgwalk_model* model, const char* const* entities,
                                              size_t num_entities, int k, int detour, char** json);

/* Facts that bear on a question, for the prompt of a language model: `*text` has a line a fact and at most
 * `tokens` tokens, 0 = 400. `*json`: {"text", "tokens", "cut", "entities", "facts"}. One of both may be NULL.
 */
KGWALK_API kgwalk_status kgwalk_model_retrieve(const kgwalk_model* model, const char* question, int tokens,
                                               char** text, char** json);

/* ---- Conversations ---- */

typedef struct kgwalk_conversation kgwalk_conversation;

/* A conversation that begins. `seed`: of what a simulated user says. The model may be closed before it. */
KGWALK_API kgwalk_status kgwalk_conversation_open(const kgwalk_model* model, uint64_t seed,
                                                  kgwalk_conversation** conversation);
KGWALK_API kgwalk_status kgwalk_conversation_close(kgwalk_conversation* conversation);

/* Answers a line. `*said`: the assistant's sentences alone; `*shown`: the same with what a terminal shows
 * below. A line that cannot be followed is answered with why. `*over`: 1 once the conversation has ended
 * ("/quit"). Each of the three may be NULL. */
KGWALK_API kgwalk_status kgwalk_conversation_say(kgwalk_conversation* conversation, const char* line,
                                                 char** said, char** shown, int* over);

/* What was said and walked, turn by turn: {"turns", "goal"}. */
KGWALK_API kgwalk_status kgwalk_conversation_transcript(kgwalk_conversation* conversation, char** json);
/* All that it remembers, to be kept, and given to a conversation with the same model, also in another
 * process, which then goes on where this one stands. */
KGWALK_API kgwalk_status kgwalk_conversation_memory(kgwalk_conversation* conversation, char** json);
KGWALK_API kgwalk_status kgwalk_conversation_recall(kgwalk_conversation* conversation, const char* memory);

#if defined(__cplusplus)
}
#endif

#endif /* KGWALK_H */

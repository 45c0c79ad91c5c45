// The door of OpenAI's embeddings.
#pragma once

#include "server/http/router.h"
#include "server/state/model_shelf.h"

namespace kgwalk::server {

// POST /v1/embeddings. The models are borrowed.
void add_embeddings(Router& router, ModelShelf& models);

}  // namespace kgwalk::server

// Our own HTTP door, below /api/v1: the operations, batches of them, conversations, turns without one.
#pragma once

#include "server/http/router.h"
#include "server/state/model_shelf.h"
#include "server/state/sessions.h"

namespace kgwalk::server {

// Adds the routes; they borrow both.
void add_api(Router& router, ModelShelf& models, Sessions& sessions);

}  // namespace kgwalk::server

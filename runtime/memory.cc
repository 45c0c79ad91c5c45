#include "runtime/memory.h"

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kgwalk {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);  // the most that is taken: blocks from there on always go back
  mallopt(M_TRIM_THRESHOLD, 1024 * kMiB);
  mallopt(M_TOP_PAD, 16 * kMiB);
#endif
}

}  // namespace kgwalk

// How the C library's allocator is set. Torch-free.
#pragma once

namespace kgwalk {

// Keeps memory that was freed for what is asked for next, instead of giving it back to the system and
// faulting it in again, page by page: the network's tensors come and go with each answer. A quarter to a
// third of the processor time of the slowest plans on a large graph. For the whole process, so a program
// calls it, not a library; only where the C library is glibc, nothing elsewhere. Memory stays at the most
// that was needed at once.
void keep_freed_memory();

}  // namespace kgwalk

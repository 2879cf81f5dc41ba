// What must be set before Node starts. Plain JavaScript that Node 20 runs; shared by all who start Errata.

// The first marks a Node that was started with the others. Each of the five threads has a young generation of its own:
// one of 32 MB saves 3 to 5 % of the CPU an event, and takes 220 MB more of memory at full load.
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']

// Syncs of the journal wait in the pool beside scans of the column store. Each of the many threads would else get an
// arena of memory to itself, and keep it. Large buffers go back to the system as soon as they are freed: left to itself
// the C library takes the size of the largest it has seen for a small one, and keeps those among what lives on.
export const NODE_ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '524288',
}

// What must be set before Node starts. Plain JavaScript that Node 20 runs; shared by all who start Errata.

// The first marks a Node that was started with the others.
// Most of what is allocated is an event's, dead when the next one comes: a large young generation lets it die there.
// Helper threads would collect what a busy thread could collect itself for an eighth less of all cores together.
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=32',
  '--single-threaded-gc',
]

// Syncs of the journal wait in the pool beside scans of the column store. Each of the many threads would else get an
// arena of memory to itself, and keep it.
export const NODE_ENVIRONMENT = { UV_THREADPOOL_SIZE: '16', MALLOC_ARENA_MAX: '2' }

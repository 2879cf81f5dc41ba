// What must be set before Node starts. Plain JavaScript that Node 20 runs; shared by all who start Errata.
import { totalmem } from 'node:os'

// More than half of what an event costs is spent in Node's own code, 55 MB that no cache of addresses holds in small pages:
// in large ones an event costs 3 to 6 % less. It takes 43 MB of memory that cannot be read from the file again, 10 to 15 MB
// more in all: not where memory is short. `silent`: a system without large pages goes on with small ones.
const LARGE_PAGES_FROM_BYTES = 1_000_000_000

// The first marks a Node that was started with the others. Each of the five threads has a young generation of its own:
// one of 32 MB saves 3 to 5 % of the CPU an event, and takes 220 MB more of memory at full load.
export const NODE_FLAGS = nodeFlags(givenBytes())

/** Flags where there are so many bytes of memory. */
export function nodeFlags(bytes) {
  const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']
  return bytes < LARGE_PAGES_FROM_BYTES ? flags : [...flags, '--use-largepages=silent']
}

// Syncs of the journal wait in the pool beside scans of the column store. Each of the many threads would else get an
// arena of memory to itself, and keep it. Large buffers go back to the system as soon as they are freed: left to itself
// the C library takes the size of the largest it has seen for a small one, and keeps those among what lives on.
export const NODE_ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '524288',
}

/** Memory of the machine, or of the container. */
function givenBytes() {
  const ofContainer = process.constrainedMemory?.() ?? 0
  return ofContainer > 0 ? Math.min(ofContainer, totalmem()) : totalmem()
}

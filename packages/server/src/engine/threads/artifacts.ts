/** The thread of artifacts: holds their files and their database, takes uploads in, makes maps ready. */
import { parentPort } from 'node:worker_threads'
import { createArtifacts } from '#artifacts/artifacts.ts'
import { createLookUps } from '#artifacts/look-ups.ts'
import { createReadying } from '#artifacts/readying.ts'
import { reconcile } from '#artifacts/reconcile.ts'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { openArtifactFiles } from '#store/artifact-files/artifact-directory.ts'
import { openArtifactIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { artifactIndexPath, artifactsPath } from '../directory/paths.ts'
import { CompileThread } from './compile-thread.ts'
import { tellDamage } from './damage.ts'
import { giveMemoryBack } from './idle-memory.ts'
import { createLateMaps } from './late-maps.ts'
import { tellMapsReady } from './maps-ready.ts'
import { serveRemote } from './remote.ts'
import { threadMaps } from './thread-maps.ts'
import { threadStart } from './thread-start.ts'

const port = parentPort
assert(port !== null, 'runs as a thread')
const start = threadStart()
const log = createLog({ level: start.logLevel, thread: 'artifacts' })
giveMemoryBack(log)
const clock = clockOf(start.clock)
const index = openArtifactIndex({
  ...{ path: artifactIndexPath(start.data), log },
  onDamage: tellDamage(port, log),
})
const files = await openArtifactFiles(artifactsPath(start.data))
const entry = import.meta.url.endsWith('.ts') ? './compile-map.ts' : './engine-compile-map.js'
const compiler = new CompileThread(new URL(entry, import.meta.url))
await reconcile({ files, index, log })
const readying = createReadying({
  ...{ files, index, log },
  compile: (map) => compiler.compile(map),
  stopCompiling: () => compiler.close(),
  onReady: () => tellMapsReady(port),
})

const maps = threadMaps({
  ...{ data: start.data, clock },
  onUsed: (org, mapKey) => index.noteUsed(org, [mapKey], clock.now()),
})

readying.wake()
serveRemote(port, {
  artifacts: createArtifacts({
    ...{ files, index, clock, log },
    onAdded: () => readying.wake(),
    // Compiled maps take about as much again.
    bytesMax: start.maxDiskBytes === null ? null : start.maxDiskBytes / max('artifactDiskShare'),
  }),
  lateMaps: createLateMaps({ index, maps }),
  lookUps: createLookUps({ index, maps }),
  thread: {
    async close() {
      await readying.close()
      index.close()
    },
  },
})
port.postMessage({ ready: true })

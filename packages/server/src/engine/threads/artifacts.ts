/** The thread of artifacts: holds their files and their database, takes uploads in, makes maps ready. */
import { parentPort, workerData } from 'node:worker_threads'
import { createReadying } from '#artifacts/readying.ts'
import { createUploads } from '#artifacts/uploads.ts'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import type { OrgId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import type { Artifacts, BundlesToRemove } from '#ports/artifacts.ts'
import { openArtifactFiles } from '#store/artifact-files/artifact-directory.ts'
import { openArtifactIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { artifactIndexPath, artifactsPath, type ThreadStart } from '../directory/paths.ts'
import { CompileThread } from './compile-thread.ts'
import { tellDamage } from './damage.ts'
import { giveMemoryBack } from './idle-memory.ts'
import { serveRemote } from './remote.ts'

assert(parentPort !== null, 'runs as a thread')
const start = workerData as ThreadStart // written by engine.ts
const log = createLog({ level: start.logLevel, thread: 'artifacts' })
giveMemoryBack(log)
const clock = clockOf(start.clock)
const index = openArtifactIndex({
  ...{ path: artifactIndexPath(start.data), log },
  onDamage: tellDamage(parentPort, log),
})
const files = await openArtifactFiles(artifactsPath(start.data))
const entry = import.meta.url.endsWith('.ts') ? './compile-map.ts' : './engine-compile-map.js'
const compiler = new CompileThread(new URL(entry, import.meta.url))
const readying = createReadying({
  ...{ files, index, log },
  compile: (map) => compiler.compile(map),
  onReady: () => {},
})
const uploads = createUploads({ files, index, clock, log, onAdded: () => readying.wake() })

async function remove(org: OrgId, which: BundlesToRemove): Promise<number> {
  const { bundles, mapKeys } = index.remove(org, which)
  for (const { sha1 } of bundles) await files.dropBundle(org, sha1)
  for (const mapKey of mapKeys) await files.dropMap(org, mapKey)
  return bundles.length
}

const artifacts: Artifacts = {
  ...uploads,
  bundles: async (scope, filter) => index.bundles(scope, filter),
  files: async (scope, bundle, limit) => index.files(scope, bundle, limit),
  failures: async (scope, limit) => index.failures(scope, limit),
  usage: async (org) => index.usage(org),
  fail: async (failure) => index.addFailure(failure),
  bundlesOf: async (scope, ids) => ids.filter((id) => index.files(scope, id, 0) !== null),
  remove,
}
readying.wake()
serveRemote(parentPort, {
  artifacts,
  thread: {
    async close() {
      await readying.close()
      await compiler.close()
      index.close()
    },
  },
})
parentPort.postMessage({ ready: true })

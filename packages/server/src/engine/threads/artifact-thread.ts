/** The thread of artifacts as the engine sees it. */
import { existsSync } from 'node:fs'
import type { Log } from '#base/log.ts'
import type { Artifacts } from '#ports/artifacts.ts'
import { artifactIndexPath, type ThreadStart } from '../directory/paths.ts'
import { EngineThread } from './engine-thread.ts'
import { LazyThread } from './lazy-thread.ts'
import { isMapsReady } from './maps-ready.ts'

/** Begun at once where maps may wait to be made ready, else with the first upload. */
export function artifactThread(
  url: URL,
  start: ThreadStart,
  { log, whenMapsReady }: { readonly log: Log; readonly whenMapsReady: () => void },
): LazyThread {
  const onMessage = (message: unknown) => {
    if (isMapsReady(message)) whenMapsReady()
  }
  const thread = new LazyThread(() =>
    EngineThread.start({ name: 'artifacts', url, start, log, whenDead: 'restart', onMessage }),
  )
  const tell = (cause: unknown) =>
    log.error('the thread of artifacts does not start', { reason: String(cause).slice(0, 200) })
  if (existsSync(artifactIndexPath(start.data))) thread.wake().catch(tell)
  return thread
}

/** What is answered while nothing was ever uploaded. */
const NOTHING = {
  ...{ bundles: [], files: null, releaseFiles: [], failures: [], bundlesOf: [] },
  usage: { bundles: 0, bytes: 0 },
  held: { organisations: [], projects: [] },
  ...{ remove: 0, removeOldChunks: 0, noteUsed: undefined },
} satisfies { readonly [M in keyof Artifacts]?: Awaited<ReturnType<Artifacts[M]>> }

/** Who only asks, or removes, does not begin a thread and a database for it. */
export function artifactsPort(thread: LazyThread, data: string): Artifacts {
  const path = artifactIndexPath(data)
  const answers = new Map<string, unknown>(Object.entries(NOTHING))
  return thread.port<Artifacts>('artifacts', null, (method) =>
    answers.has(method) && !existsSync(path) ? { answer: answers.get(method) } : null,
  )
}

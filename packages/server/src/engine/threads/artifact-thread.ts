/** The thread of artifacts as the engine sees it. */
import { existsSync } from 'node:fs'
import type { Log } from '#base/log.ts'
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

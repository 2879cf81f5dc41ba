/** Stored events as they are shown: with original frames as soon as there are maps, and why a frame has none. */

import type { LateMaps } from '#artifacts/late-maps.ts'
import type { ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { NOTHING_UPLOADED } from '#model/map-lookup.ts'
import type { LateProject } from '#ports/late-maps.ts'
import type { QueryParts } from '#queries/queries.ts'
import { symbolicateEvent } from '#symbolicate/symbolicate.ts'
import type { LazyThread } from './threads/lazy-thread.ts'

export interface ReadAgainParts {
  readonly thread: LazyThread
  /** `null` for a project that is gone. */
  readonly project: (id: ProjectId) => LateProject | null
  readonly log: Log
}

/** Never begins the thread: where nothing was uploaded, the reasons are known without it. */
export function createReadAgain({ thread, project, log }: ReadAgainParts): QueryParts['readAgain'] {
  const maps = thread.port<LateMaps>('lateMaps', max('originalFramesMs'))
  return async ({ projectId, missedMaps }, event) => {
    const { event: unread, missed } = symbolicateEvent(event, { maps: NOTHING_UPLOADED, tellsWhy: true })
    // Of rows that are older than the column it is not known: those with nothing to resolve are left alone.
    if (missedMaps === null && (missed.length === 0 || hasOriginals(event))) return event
    const known = project(projectId)
    if (!thread.isBegun || known === null) return { ...event, ...unread }
    try {
      return await maps.symbolicate(known, event)
    } catch (cause) {
      log.warn('an event is shown without original frames', { reason: String(cause).slice(0, 200) })
      return event
    }
  }
}

/** Every map of it was found when it came. */
function hasOriginals({ exception, threads, raw_stacktrace: own }: ScrubbedEvent): boolean {
  const traced = [...(exception?.values ?? []), ...(threads?.values ?? [])]
  return own !== undefined || traced.some(({ raw_stacktrace: ran }) => ran !== undefined)
}

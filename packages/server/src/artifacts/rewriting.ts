/**
 * Stored events that missed maps which are there now are stored anew, with what was written: search finds it, exports
 * hold it, and the maps may go. Newest first and bounded; what is beyond the bounds is resolved whenever it is read.
 */
import { ErrataError, type ErrorCode } from '#base/errors.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { type FileName, fileStem } from '#model/file-name.ts'
import type { Care, EventChange } from '#ports/care.ts'
import type { LateBundle, LateProject } from '#ports/late-maps.ts'
import type {
  EventPlace,
  MissedMapsQuery,
  MissedMapsRead,
  PayloadSegments,
  TelemetryStore,
} from '#ports/telemetry.ts'
import type { LateMaps } from './late-maps.ts'

export interface RewritingParts {
  readonly maps: Pick<LateMaps, 'rewrite'>
  readonly telemetry: MissedMapsRead & Pick<TelemetryStore, 'files'>
  readonly payloads: Pick<PayloadSegments, 'read'>
  readonly care: Pick<Care, 'changeEvents' | 'payloadBytes'>
  /** `null` for a project that is gone. */
  readonly project: (id: ProjectId) => LateProject | null
  readonly now: () => number
  readonly log: Log
}

type Wanted = Omit<MissedMapsQuery, 'groupsMax'>

/**
 * Stores events anew that came before their source maps, until all are done or it is told to stop. `stopped`: told to
 * before the end.
 */
export async function rewriteLate(
  parts: RewritingParts,
  lates: readonly LateBundle[],
  stop: AbortSignal,
): Promise<'done' | 'later' | 'stopped'> {
  const wanted = joinWanted(lates)
  const newestFirst = [...(await parts.telemetry.files())].sort((a, b) => b.day - a.day)
  const isOpen = await openFiles(parts)
  let left = max('mendEventsMax')
  let end: 'done' | 'later' = 'done'
  for (const file of newestFirst.slice(0, max('mendFilesMax'))) {
    if (left <= 0) break
    if (stop.aborted) return 'stopped'
    const events = await eventsOf(parts, file, { wanted, limit: left })
    if (events.length > 0 && isOpen.has(fileStem(file))) {
      end = 'later'
      continue
    }
    const changes = await changesOf(parts, { file, events }, stop)
    if (changes.length === 0) continue
    left -= changes.length
    if ((await store(parts, file, changes)) === 'held') end = 'later'
  }
  return end
}

/** Uploads to the same projects for the same release are asked for at once. */
function joinWanted(lates: readonly LateBundle[]): readonly Wanted[] {
  const found = new Map<string, { readonly of: Omit<Wanted, 'debugIds'>; readonly ids: Set<string> }>()
  for (const { projects, release, debugIds } of lates) {
    const name = JSON.stringify([release, projects.toSorted((a, b) => a - b)])
    const known = found.get(name) ?? { of: { projects, release }, ids: new Set<string>() }
    for (const id of debugIds) known.ids.add(id)
    found.set(name, known)
  }
  return [...found.values()].map(({ of, ids }) => ({ ...of, debugIds: [...ids] }))
}

/** Files of days that are not over, which are too large to be written anew while they still grow. */
async function openFiles({ care, now }: RewritingParts): Promise<ReadonlySet<string>> {
  const today = dayOf(now())
  const files = await care.payloadBytes()
  const large = files.filter(({ file, bytes }) => file.day >= today && bytes > max('mendOpenFileBytesMax'))
  return new Set(large.map(({ file }) => fileStem(file)))
}

/** Each once, newest first of each upload. */
async function eventsOf(
  { telemetry }: RewritingParts,
  file: FileName,
  { wanted, limit }: { readonly wanted: readonly Wanted[]; readonly limit: number },
): Promise<readonly EventPlace[]> {
  const found = new Map<string, EventPlace>()
  for (const query of wanted) {
    for (const event of await telemetry.eventsThatMissed(file, query, limit)) {
      if (found.size < limit) found.set(`${event.projectId}:${event.eventId}`, event)
    }
  }
  return [...found.values()]
}

interface FileEvents {
  readonly file: FileName
  readonly events: readonly EventPlace[]
}

async function changesOf(
  parts: RewritingParts,
  { file, events }: FileEvents,
  stop: AbortSignal,
): Promise<readonly EventChange[]> {
  const changes: EventChange[] = []
  let bytes = 0
  for (const event of events) {
    if (stop.aborted || bytes > max('mendEventBytesMax')) break
    const project = parts.project(event.projectId)
    const payload = project === null ? null : await payloadOf(parts, file, event)
    if (project === null || payload === null) continue
    const rewritten = await parts.maps.rewrite(project, payload)
    if (rewritten === null) continue
    changes.push({ ...event, ...rewritten })
    bytes += rewritten.payload.length
  }
  return changes
}

async function store(
  { care, log }: RewritingParts,
  file: FileName,
  changes: readonly EventChange[],
): Promise<'changed' | 'held' | 'lacking'> {
  try {
    const end = await care.changeEvents(file, changes)
    if (end === 'changed') {
      log.info('stored events were rewritten with late source maps', {
        events: changes.length,
        file: fileStem(file),
      })
    }
    return end
  } catch (cause) {
    if (isPassing(cause)) throw cause
    // A file that cannot be written anew keeps no other from its turn; its events are resolved when they are read.
    log.error('stored events could not be rewritten', {
      file: fileStem(file),
      reason: String(cause).slice(0, 200),
    })
    return 'lacking'
  }
}

/** Errors that end by themselves: everything is tried again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['store_timeout', 'overloaded', 'stopping'])

function isPassing(cause: unknown): boolean {
  return cause instanceof ErrataError && PASSING.has(cause.code)
}

/** `null` where none was kept, or where it cannot be read. */
export async function payloadOf(
  { payloads, log }: Pick<RewritingParts, 'payloads' | 'log'>,
  file: FileName,
  { projectId, eventId }: EventPlace,
): Promise<Uint8Array | null> {
  const payload = await payloads.read(file, projectId, eventId).catch((cause: unknown) => {
    if (isPassing(cause)) throw cause
    // One that is damaged is no reason to leave the others: it tells so where it is looked at.
    log.warn('an event cannot be read again', { event: eventId, reason: String(cause).slice(0, 200) })
    return null
  })
  return payload === null || payload.length === 0 ? null : payload
}

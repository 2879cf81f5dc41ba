/** Halves of stale clicks that errors tell of. */
import { type GroupHash, type ProjectId, projectId } from '#base/ids.ts'

import type { ScrubbedEvent } from '#model/event.ts'
import type { Recognised, SkewSide } from '#model/recognised.ts'
import { tabReleaseOf } from '#model/tab-release.ts'
import { hashUser } from '#model/user-hash.ts'
import type { StaleClickSeen, ToldClick } from '#ports/skew.ts'
import { eventIdAt, type RowColumns } from '../row-columns.ts'
import type { EventRow } from './fields.ts'

/** Facts of a skew event that its row does not have. */
export type StaleEvent = Pick<StaleClickSeen, 'failure' | 'side' | 'sdk' | 'httpStatus' | 'tabRelease'>

/**
 * Returns what an event tells of a click in a tab of an old build. `null` for what a server logs of skew that it does
 * not answer itself.
 */
export function staleEvent(
  event: ScrubbedEvent,
  recognised: Recognised | null,
  { kind, trace }: { readonly kind: EventRow['requestKind']; readonly trace: unknown },
): StaleEvent | null {
  if (recognised?.category !== 'skew') return null
  const side = skewSide(kind)
  const tabRelease = side === 'server' ? tabReleaseOf(trace, event.release ?? null) : null
  return { failure: recognised.failure, side, sdk: event.sdk?.name ?? null, httpStatus: null, tabRelease }
}

export function skewSide(kind: EventRow['requestKind']): SkewSide {
  return kind === 'browser' ? 'browser' : 'server'
}

/** Stale event as it travels: JSON, in which hashes are text. */
export interface PackedStale extends StaleEvent {
  readonly place: number
  readonly environment: string | null
  readonly release: string | null
  readonly subject: string | null
  readonly route: string | null
  readonly traceId: string | null
  readonly user: string | null
  readonly group: GroupHash
}

export function packStale(place: number, row: EventRow, stale: StaleEvent): PackedStale {
  const { environment, release, route, traceId, skewSubject: subject, groupHash: group } = row
  const user = row.user === null ? null : String(hashUser(row.user))
  return { ...stale, place, environment, release, subject, route, traceId, user, group }
}

/** Returns clicks of the stored events. */
export function staleClicks(
  columns: RowColumns & { readonly stale: readonly PackedStale[] },
  places: readonly number[],
): readonly ToldClick[] {
  if (columns.stale.length === 0) return []
  const stored = new Set(places)
  return columns.stale
    .filter(({ place }) => stored.has(place))
    .map(({ place, user, ...half }) => ({
      ...half,
      projectId: projectOf(columns, place),
      source: 'event',
      user: user === null ? null : BigInt(user),
      eventId: eventIdAt(columns, place),
      ...{ atMs: columns.timestampMs[place] ?? 0, receivedMs: columns.receivedMs[place] ?? 0 },
    }))
}

function projectOf(columns: RowColumns, place: number): ProjectId {
  return projectId(columns.projectId[place] ?? 0)
}

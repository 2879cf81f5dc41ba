/**
 * Groups whose issue is past its cap of payloads, as the commit told. Process threads leave out payloads that the
 * commit would not keep, so that a flood costs no compression. Best effort: the commit decides anyway, by the same
 * rule, and sampling never falls within an hour, so that what is known late only leaves out less.
 */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import { hourSinceEpoch, isSampled, type PayloadSampling } from '#issues/payload-sampling.ts'
import { max } from '#limits/limits.ts'
import type { PendingRow } from '#model/batch.ts'
import type { HintMemory, Thinner } from '../kind.ts'
import type { EventRow } from './fields.ts'
import type { EventOwn } from './sum.ts'

type PendingEvent = PendingRow<EventRow, EventOwn>

export interface CappedGroup {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** Hour of receipt since 1970: events received in another hour are not capped yet. */
  readonly hour: number
  readonly every: PayloadSampling
}

/** Memory of capped groups between the commit and the process threads; the groups told of last. */
export class CappedGroups implements HintMemory {
  readonly #groups = new Map<string, CappedGroup>()

  note(hint: unknown): void {
    const groups = cappedIn(hint)
    for (const group of groups) {
      const key = cappedGroupKey(group)
      this.#groups.delete(key)
      this.#groups.set(key, group)
    }
    const newest = groups.reduce((hour, group) => Math.max(hour, group.hour), 0)
    for (const [key, { hour }] of this.#groups) {
      const isOver = hour < newest - 1
      if (isOver || this.#groups.size > max('cappedGroupsMax')) this.#groups.delete(key)
    }
  }

  list(): readonly CappedGroup[] | null {
    return this.#groups.size === 0 ? null : [...this.#groups.values()]
  }

  /** A project may keep more than before. */
  clear(): void {
    this.#groups.clear()
  }
}

const NO_PAYLOAD = new Uint8Array()

/** Sampler of payloads in a process thread. */
export class PayloadSampler implements Thinner<EventRow, EventOwn> {
  /**
   * Digests that this thread let through, by group, with the first seq of each: the commit keeps that event's payload.
   * A range that comes again, after a commit that failed, must bring the same payloads, however it is cut.
   */
  readonly #firstSeqs = new Map<string, number>()

  /** The events, those without their payload that the commit would not keep. */
  thin(events: readonly PendingEvent[], hint: unknown): readonly PendingEvent[] {
    const capped = cappedIn(hint)
    if (capped.length === 0) return events
    const groups = new Map(capped.map((group) => [cappedGroupKey(group), group]))
    return events.map((event) => {
      const { row } = event
      const group = groups.get(`${row.projectId}:${row.groupHash}`)
      if (group === undefined || hourSinceEpoch(row.receivedMs) !== group.hour) return event
      if (isSampled(row.seq, group.every) || this.#isFirstOfDigest(event)) return event
      return { ...event, payload: NO_PAYLOAD }
    })
  }

  #isFirstOfDigest({ row, own }: PendingEvent): boolean {
    let isFirst = false
    for (const { digest } of own.digests) {
      const key = `${row.projectId}:${row.groupHash}:${digest}`
      const known = this.#firstSeqs.get(key)
      if (known !== undefined && known < row.seq) continue
      // Begun anew, not at its end: a few payloads more go to the commit.
      if (this.#firstSeqs.size >= max('digestsSampledMax')) this.#firstSeqs.clear()
      this.#firstSeqs.set(key, row.seq)
      isFirst = true
    }
    return isFirst
  }
}

function cappedGroupKey({ projectId, hash }: Pick<CappedGroup, 'projectId' | 'hash'>): string {
  return `${projectId}:${hash}`
}

function cappedIn(hint: unknown): readonly CappedGroup[] {
  return hint === null ? [] : (hint as readonly CappedGroup[]) // as `settle` answered and `list` gave on
}

/** Request as `accept` has read it, and the answers to it. */
import { formatRateLimits, retryAfterSeconds } from '@errata/protocol'
import type { ContentCoding } from '#model/record.ts'
import type { ArrivedAttachment } from './attachment-intake.ts'
import type { CameWith } from './attachments.ts'
import type { OutlineItem } from './outline.ts'
import type { Admission } from './rate-limits.ts'
import type { AcceptAnswer } from './types.ts'

/** A body that was read: what goes into the journal, and what it holds. */
export interface TakenBody {
  readonly format: 'envelope' | 'store'
  readonly body: Uint8Array
  readonly encodings: readonly ContentCoding[]
  readonly eventId: string | null
  readonly items: readonly OutlineItem[]
  /** Items that nothing would be able to read. */
  readonly tooDeep: readonly number[]
  /** Attachments, which are on the disk and have no names yet. */
  readonly attachments?: CameWith
  /** Nothing of it is stored. */
  readonly isSignal?: true
}

export const NO_BODY = new Uint8Array()
export const NO_ITEMS: readonly number[] = []
export const NO_ENCODINGS: readonly ContentCoding[] = []
/** Nothing was sent, as the wire allows. */
export const NOTHING: TakenBody = {
  ...{ format: 'envelope', body: NO_BODY, encodings: NO_ENCODINGS, eventId: null },
  ...{ items: [], tooDeep: NO_ITEMS },
}

/** Attachments that are not taken, while the rest is. */
export function leftOutOf({ attachments }: TakenBody): readonly ArrivedAttachment[] {
  return attachments?.intake.arrived.filter(({ leftOut }) => leftOut !== null) ?? NONE
}

const NONE: readonly ArrivedAttachment[] = []

export function skippedItems(taken: TakenBody, { limited }: Admission): readonly number[] {
  const { tooDeep } = taken
  const leftOut = leftOutOf(taken)
  if (tooDeep.length === 0 && limited.length === 0 && leftOut.length === 0) return NO_ITEMS
  const indices = [...leftOut.map(({ index }) => index), ...limited.map(({ item }) => item.index)]
  return [...tooDeep, ...indices].sort((a, b) => a - b)
}

export function answerStored(taken: TakenBody, { active }: Admission): AcceptAnswer {
  const rateLimits = active.length === 0 ? null : formatRateLimits(active)
  const answer = { status: 200, eventId: taken.eventId, error: null, rateLimits, retryAfter: null }
  return taken.isSignal === undefined ? answer : { ...answer, unsupported: taken.items[0]?.quantity ?? 0 }
}

export function limitedAnswer(taken: TakenBody, admission: Admission): AcceptAnswer {
  return {
    status: 429,
    eventId: taken.isSignal === undefined ? null : taken.eventId,
    error: {
      code: 'rate_limited',
      detail: limitDetail(admission),
      causes: [],
    },
    rateLimits: formatRateLimits(admission.active),
    retryAfter: retryAfterSeconds(admission.active),
  }
}

function limitDetail({ limited }: Admission): string {
  return limited.every(({ reason }) => reason === 'spike_protection')
    ? 'spike protection caps the project until the next hour'
    : 'a rate limit of the key or the project was reached'
}

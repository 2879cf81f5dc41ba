/** Reads attachments, whose payloads accept has put aside already. docs/wire.md, section "Attachments". */
import { ATTACHMENT_BYTES, isEventLike } from '@errata/protocol'
import { eventId, type GroupHash, projectId, readEventId, groupHash as toGroupHash } from '#base/ids.ts'
import type { PendingRow } from '#model/batch.ts'
import type { RowValues } from '#model/fields.ts'
import { ATTACHMENT_NAME, readLargeName } from '#model/large-item.ts'
import type { Outcome } from '#model/outcome.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import { scrubEvent } from '#scrub/scrub.ts'
import {
  type EnvelopeContext,
  type ItemAnswer,
  type ItemInput,
  leftOutWith,
  refused,
  stored,
} from '../item.ts'
import { ATTACHMENT_CATEGORY, type AttachmentRow } from './fields.ts'
import { cleanContentType, cleanName, cleanType } from './name.ts'

/** Data that the reader passes on beside the row. */
export type AttachmentOwn = Pick<StoredAttachment, 'name' | 'contentType' | 'type' | 'groupHash' | 'people'>

export function readAttachment({ header, setAside, envelope }: ItemInput): ItemAnswer {
  const event = readEventId(envelope.eventId)
  const name = setAside === null ? null : readLargeName(setAside.name)
  // Records of a version that kept none hold the payload still.
  if (setAside === null || name === null || event === null) {
    return refused(lostAttachment({ outcome: 'unsupported', reason: 'unsupported_kind' }))
  }
  const { file, id } = name
  const row: AttachmentRow = {
    ...{ seq: envelope.seq, projectId: projectId(name.projectId), eventId: eventId(id) },
    // Its blob's, so that both go together.
    ...{ day: file.day, retentionDays: file.retentionDays },
    ...{ timestampMs: envelope.receivedMs, receivedMs: envelope.receivedMs },
    ...{ event: eventId(event), bytes: setAside.bytes, sha256: setAside.sha256 },
  }
  const own: AttachmentOwn = {
    name: scrubName(cleanName(header.filename), envelope),
    contentType: cleanContentType(header.content_type),
    type: cleanType(header.attachment_type),
    ...{ groupHash: null, people: [] },
  }
  return stored({ rows: [pendingRow(row, own, envelope)] })
}

/** By the rules of any text of an event. */
function scrubName(name: string, { scrubber, eventId: id }: EnvelopeContext): string {
  const event = {
    event_id: eventId(id ?? ''),
    timestamp: 0,
    received: 0,
    level: 'info',
    platform: 'other',
  } as const
  const named = { ...event, tags: [], problems: [], extra: { file: name } }
  return cleanName(scrubEvent(named, scrubber, { clientAddress: null }).extra?.file)
}

function pendingRow(row: AttachmentRow, own: AttachmentOwn, { keyId }: EnvelopeContext): PendingRow {
  return { kind: ATTACHMENT_NAME, row, keyId, payload: NO_PAYLOAD, own }
}

const NO_PAYLOAD = new Uint8Array(0)

type Lost = Pick<Outcome, 'outcome' | 'reason'>

function lostAttachment(lost: Lost & { readonly outcome: 'unsupported' }) {
  return { ...lost, category: ATTACHMENT_CATEGORY, quantity: 1, example: 'attachment' } as const
}

/** Answer of another item of the same envelope. */
interface Beside {
  readonly type: string
  readonly answer: ItemAnswer
}

/**
 * An attachment goes with its event: it is left out with one that is, and belongs to the group and the people of one that
 * is stored.
 */
export function followEvent(answer: ItemAnswer, beside: readonly Beside[]): ItemAnswer {
  const event = beside.find(({ type }) => isEventLike(type))?.answer
  if (event === undefined || answer.rows.length === 0) return answer
  const isGone = event.rows.length + event.made.length === 0
  const why = event.outcomes[0]
  if (isGone && why !== undefined) {
    const bytes = answer.rows.reduce((sum, { row }) => sum + bytesOf(row), 0)
    const { outcome, reason } = why
    const left = { outcome, reason, example: 'attachment of an event that is not stored' }
    return leftOutWith([
      { ...left, category: ATTACHMENT_CATEGORY, quantity: 1 },
      { ...left, category: ATTACHMENT_BYTES, quantity: Math.max(1, bytes) },
    ])
  }
  const facts = attachedFacts(event)
  return stored({ rows: answer.rows.map((row) => withFacts(row, facts)) })
}

interface EventFacts {
  readonly groupHash: GroupHash | null
  readonly people: readonly string[]
}

function attachedFacts({ rows }: ItemAnswer): EventFacts {
  for (const { row } of rows) {
    const { groupHash, people }: RowValues = row
    if (typeof groupHash === 'string') {
      return { groupHash: toGroupHash(groupHash), people: listTexts(people) }
    }
  }
  return { groupHash: null, people: rows.flatMap(({ row }) => peopleOf(row)) }
}

function peopleOf({ people }: RowValues): readonly string[] {
  return listTexts(people)
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function withFacts(row: PendingRow, facts: EventFacts): PendingRow {
  return { ...row, own: { ...(row.own as AttachmentOwn), ...facts } } // made by `readAttachment`
}

function bytesOf(row: PendingRow['row']): number {
  const { bytes }: RowValues = row
  return typeof bytes === 'number' ? bytes : 0
}

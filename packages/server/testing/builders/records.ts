/** Builders of what a processor is given, and readers of what it makes. */
import assert from 'node:assert/strict'
import * as zlib from 'node:zlib'
import { writeEnvelope } from '@errata/protocol'
import { keyId, orgId, projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import type { EventOwn } from '#kinds/error/sum.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { FragmentOwn } from '#kinds/span/facts.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import type { BatchPart, PackedRow, PayloadBlock, ProcessedBatch } from '#model/batch.ts'
import type { NormalizedEvent } from '#model/event.ts'
import type { EnvelopeRecord, JournalRange, SequencedRecord } from '#model/record.ts'
import { type IngestDirectory, PROJECT_OPTIONS_DEFAULT, type ProjectOptions } from '#ports/projects.ts'
import { createProcessor } from '#process/process.ts'

export const RECEIVED_MS = Date.parse('2026-11-21T10:00:00Z')
export const ID = '9ec79c33ec9942ab8353589fcb2e04dc'

export function directoryWith(options: Partial<ProjectOptions> = {}): IngestDirectory {
  const project = {
    ...{
      id: projectId(7),
      orgId: orgId(1),
      slug: 'shop',
      name: 'Shop',
      platform: null,
      teams: [],
      formerSlugs: [],
      isSelf: false,
    },
    ...{ options: { ...PROJECT_OPTIONS_DEFAULT, ...options }, createdMs: 0, firstEventMs: null },
  }
  return { organisations: [], projects: [project], keys: [] }
}

export function anEnvelope(body: Uint8Array | string, change: Partial<EnvelopeRecord> = {}): EnvelopeRecord {
  return {
    ...{ type: 'envelope', projectId: projectId(7), keyId: keyId(9), receivedMs: RECEIVED_MS },
    ...{ clientAddress: '203.0.113.9', userAgent: null, client: null, encodings: [], format: 'envelope' },
    ...{ eventId: null, skippedItems: [], body: typeof body === 'string' ? Buffer.from(body) : body },
    ...change,
  }
}

export function envelopeOf(
  ...items: readonly (readonly [type: string, payload: string | object, header?: object])[]
): Uint8Array {
  return writeEnvelope(
    {},
    items.map(([type, payload, header]) => ({
      header: { type, ...header },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })),
  )
}

export function journalRange(records: readonly unknown[]): JournalRange {
  return { file: '', start: 0, end: 1, firstSeq: seq(1), lastSeq: seq(records.length) }
}

export function processRecords(
  records: readonly (EnvelopeRecord | SequencedRecord)[],
  options: Partial<ProjectOptions> = {},
  quarantine: readonly number[] = [],
): ProcessedBatch {
  const processor = createProcessor({ kinds: KINDS, directory: directoryWith(options), log: silentLog })
  const sequenced = records.map((record, at): SequencedRecord => ({ ...record, seq: seq(at + 1) }))
  return processor.process(sequenced, journalRange(records), { quarantine: new Set(quarantine.map(seq)) })
}

/** The stored events of a batch. */
export function eventsOf({ parts }: Pick<ProcessedBatch, 'parts'>): readonly PackedRow<EventRow, EventOwn>[] {
  const rows = parts.find(({ kind }) => kind === ERROR)?.rows ?? []
  return rows as readonly PackedRow<EventRow, EventOwn>[] // what the kind's own reader made
}

/** The stored fragments of a batch. */
export function storedFragments({
  parts,
}: Pick<ProcessedBatch, 'parts'>): readonly PackedRow<FragmentRow, FragmentOwn>[] {
  const rows = parts.find(({ kind }) => kind === SPAN)?.rows ?? []
  return rows as readonly PackedRow<FragmentRow, FragmentOwn>[] // what the kind's own reader made
}

export function blocksOf({
  parts,
}: {
  readonly parts: readonly Pick<BatchPart, 'blocks'>[]
}): readonly PayloadBlock[] {
  return parts.flatMap(({ blocks }) => blocks)
}

export function storedText(batch: ProcessedBatch, at = 0): string {
  const event = eventsOf(batch)[at]
  assert.ok(event !== undefined, 'no such event')
  const block = blocksOf(batch)[event.block]
  assert.ok(block !== undefined, 'no such block')
  return zlib
    .zstdDecompressSync(block.compressed)
    .subarray(event.offset, event.offset + event.bytes)
    .toString('utf8')
}

export function eventOfBatch(batch: ProcessedBatch, at = 0): NormalizedEvent {
  return JSON.parse(storedText(batch, at)) as NormalizedEvent // written by the code under test
}

export function outcomesOf(batch: Pick<ProcessedBatch, 'outcomes'>): string[] {
  return batch.outcomes.map(
    ({ outcome, reason, category, quantity }) => `${outcome} ${reason} ${category} ${quantity}`,
  )
}

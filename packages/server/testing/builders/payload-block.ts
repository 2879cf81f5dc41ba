/** Builders of payload blocks for tests of stores. */
import { zstdCompressSync } from 'node:zlib'
import { type EventId, type ProjectId, type Seq, seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { AppendedBlock } from '#ports/telemetry.ts'
import { eventIdOf, SHOP } from './ids.ts'

export interface PayloadSpec {
  readonly projectId: ProjectId
  readonly eventId: EventId
  readonly seq: Seq
  readonly text: string
}

export function aPayload(number: number): PayloadSpec {
  const eventId = eventIdOf(number * 7_919)
  return {
    projectId: SHOP,
    eventId,
    seq: seq(number),
    text: JSON.stringify({ event_id: eventId, message: `Grüße №${number} ${'x'.repeat(number % 50)} 😀` }),
  }
}

/** The payloads in one block, with where each lies in it. */
export function aBlock(file: FileName, payloads: readonly PayloadSpec[]): AppendedBlock {
  const parts = payloads.map(({ text }) => Buffer.from(text))
  let offset = 0
  const entries = payloads.map(({ projectId, eventId, seq: at }, index) => {
    const bytes = parts[index]?.length ?? 0
    const entry = { projectId, eventId, seq: at, offset, bytes, rowBytes: 0 }
    offset += bytes
    return entry
  })
  return { block: { file, rawBytes: offset, compressed: zstdCompressSync(Buffer.concat(parts)) }, entries }
}

/** Envelopes as the journal numbers them, brought through process and commit as often as a test begins anew. */
import { dayOf, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { type CommitStep, createCommit } from '#commit/commit.ts'
import type { SequencedRecord } from '#model/record.ts'
import { createProcessor } from '#process/process.ts'
import { packBatch, unpackBatch } from '#process/transfer.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { deepCheck } from '#store/embedded/care/deep-check.ts'
import { anEnvelope, journalRange } from '../builders/records.ts'
import type { Opened, World } from './retention.ts'

/** Returns envelopes of the world's shop, received now and numbered from `first` on. */
export function recordsOf(
  { shop, clock }: World,
  bodies: readonly Uint8Array[],
  first = 1,
): readonly SequencedRecord[] {
  return bodies.map((body, index) => ({
    ...anEnvelope(body, { ...shop, receivedMs: clock.now() }),
    seq: seq(first + index),
  }))
}

/** Brings what is not applied yet, two envelopes at a time: wire → process → threads' buffer → commit. */
export async function bringRecords(
  { house }: Opened,
  records: readonly SequencedRecord[],
  onStep: (step: CommitStep) => void = () => undefined,
): Promise<void> {
  const { kinds } = house
  const processor = createProcessor({
    ...{ kinds, directory: await house.reader.ingestDirectory(), log: silentLog },
  })
  const commit = createCommit({ ...house, encoding: encodeRows, log: silentLog, onStep })
  const applied = await commit.recover()
  const rest = records.filter((record) => record.seq > applied)
  for (let at = 0; at < rest.length; at += 2) {
    const some = rest.slice(at, at + 2)
    const [first, last] = [some[0], some.at(-1)]
    if (first === undefined || last === undefined) return
    const range = { ...journalRange(some), firstSeq: first.seq, lastSeq: last.seq }
    const batch = processor.process(some, range, { quarantine: new Set() })
    const { message } = packBatch(batch, { kinds, encoding: encodeRows })
    await commit.commit(unpackBatch(structuredClone(message), kinds))
  }
}

/** Returns what the deep check finds wrong, a line each; none where all is sound. */
export async function findWrongs({ house }: Opened, { clock }: World): Promise<readonly string[]> {
  const { kinds, segments, telemetry, eventIds, control, reader } = house
  const findings = await deepCheck({
    ...{ kinds, control: reader, segments, telemetry, eventIds },
    ...{ appliedSeq: await control.appliedSeq(), hidden: await control.hidden() },
    today: dayOf(clock.now()),
  })
  return findings.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
}

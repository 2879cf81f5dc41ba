import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { SPANS } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { orNull, type RowOf, rowTable, text } from '#model/fields.ts'
import { HiddenRules, NOTHING_HIDDEN } from '#model/hidden.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { PATIENCE } from '#testing/patience.ts'
import { writtenRow } from './row-lines.ts'
import { openTelemetry } from './telemetry.ts'

const BATCH = 20_000

const SAMPLES = rowTable(
  'sample',
  { name: text(), place: orNull(text()) },
  { hasEventId: false, neighbours: ['name', 'place'] },
)

const { projectId, day, retentionDays, timestampMs, receivedMs } = anEventRow({ seq: seq(1) })

/** Rows whose order by name, place and time is another than that of their numbers; every third has no place. */
function sample(number: number): RowOf<typeof SAMPLES> {
  const at = {
    seq: seq(number),
    projectId,
    day,
    retentionDays,
    receivedMs,
    timestampMs: timestampMs - number,
  }
  return { ...at, name: `name ${number % 7}`, place: number % 3 === 0 ? null : `place ${number % 2}` }
}

describe('rewriting a day of more rows than three slices', () => {
  it('keeps each row once', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const stores = { tables: [ERRORS, SAMPLES], events: ERRORS, fragments: SPANS }
    const store = await openTelemetry({
      ...PATIENCE,
      ...stores,
      directory,
      log: silentLog,
      clock: systemClock,
    })
    t.after(() => store.close())
    const last = 3 * max('compactionRowsPerSlice') + 1
    for (let from = 1; from <= last; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, last + 1 - from) }, (_, index) => from + index)
      await store.append(
        numbers.map((number) => writtenRow(SAMPLES, sample(number))),
        seq(numbers.at(-1) ?? from),
      )
    }
    const file = { kind: SAMPLES.kind, day, retentionDays }
    const whole = { rules: new HiddenRules(NOTHING_HIDDEN, day), upToSeq: seq(last) }
    // One that is stopped leaves the rows as they were: the old file serves on.
    const stopped = assert.rejects(store.rewrite(file, whole))
    await setImmediate()
    await store.stopRewriting()
    await stopped
    await store.rewrite(file, whole)
    let after = 0
    while (after < last) {
      const rows = await store.rows(file, seq(after), BATCH)
      assert.deepEqual(
        rows,
        rows.map((_, index) => sample(after + index + 1)),
      )
      assert.notEqual(rows.length, 0, `nothing behind ${after}`)
      after += rows.length
    }
    assert.deepEqual(await store.rows(file, seq(last), 10), [])
  })
})

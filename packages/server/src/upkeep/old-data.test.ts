import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { dayOf, type EventId, orgId, projectId } from '#base/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/contract/control/builders.ts'
import { openHouse } from '#testing/worlds/stores.ts'
import { deepCheck } from './deep-check.ts'
import { rebuildColumns } from './rebuild.ts'

const FIXTURES = new URL('../../../../tests/fixtures/data/', import.meta.url)

interface Described {
  readonly dsn: string
  readonly events: readonly string[]
}

describe('a data directory of schema 1', () => {
  it('opens with every event it held, and its columns can be made anew', async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'errata-old-'))
    const stored = zstdDecompressSync(readFileSync(new URL('schema-1.tar.zst', FIXTURES)))
    execFileSync('tar', ['-xf', '-', '-C', data], { input: stored })
    const { dsn, events } = JSON.parse(readFileSync(new URL('schema-1.json', FIXTURES), 'utf8')) as Described // lies beside it
    const house = await openHouse(data)
    t.after(async () => {
      await house.close()
      rmSync(data, { recursive: true, force: true })
    })
    const appliedSeq = await house.commit.recover()
    const project = projectId(Number(new URL(dsn).pathname.slice(1)))
    const scope = scopeForTest({ orgId: orgId(1), projects: [project] })
    const rowsOf = () =>
      Promise.all(
        events.map(async (event) => {
          const id = event as EventId // 32 hex characters, written by the product
          const [file] = await house.eventIds.find(project, id)
          assert.ok(file !== undefined)
          assert.ok((await house.segments.read(file, project, id)) !== null)
          return house.telemetry.event(scope, file, project, id)
        }),
      )
    const before = await rowsOf()
    assert.ok(before.every((row) => row !== null))
    assert.equal((await house.reader.counters()).eventsStored, new Set(events).size)

    const { segments, telemetry, eventIds, control, reader } = house
    await rebuildColumns({ segments, telemetry, appliedSeq })
    const hidden = await control.hidden()
    const stores = { control: reader, segments, telemetry, eventIds }
    const findings = await deepCheck({ ...stores, appliedSeq, hidden, today: dayOf(NOW) })
    assert.deepEqual(
      findings.filter(({ ok }) => !ok),
      [],
    )
    // Rows made of payloads name everybody whom the event names, where the old ones knew the foremost alone.
    const after = await rowsOf()
    assert.deepEqual(
      after.map((row) => ({ ...row, people: [] })),
      before.map((row) => ({ ...row, people: [] })),
    )
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { type Journal, openJournal } from '#journal/writer.ts'
import { healthOf, partsHealth } from './health.ts'

const WELL = {
  dispatch: { failing: () => null },
  threads: {
    commit: { name: 'commit', ended: false, damage: null },
    read: { name: 'read', ended: false, damage: null },
  },
  overload: { states: () => [] },
  verification: { damages: () => [] },
}

function journalPart(journal: Journal) {
  const parts = partsHealth(
    {
      ...WELL,
      journal,
      acceptThreads: null,
      notices: { mail: () => ({ sent: 0, failed: 0, failing: null }) },
    },
    { isKnown: false, why: 'not asked' },
  )
  return parts.find(({ name }) => name === 'journal')
}

describe('the health of the journal', () => {
  it('tells what earlier runs left damaged, and is well all the same', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-health-'))
    t.after(() => rm(directory, { recursive: true }))
    const open = () => openJournal({ directory, clock: manualClock(0), appliedSeq: seq(0), log: silentLog })
    const sound = await open()
    assert.deepEqual(journalPart(sound), { name: 'journal', ok: true, detail: 'writes and syncs' })
    await sound.close()
    await writeFile(join(directory, 'journal-0000000000000001.log'), 'x'.repeat(100))
    const damaged = await open()
    const said = journalPart(damaged)
    assert.equal(said?.ok, true)
    assert.match(said?.detail ?? '', /^writes and syncs; 1 damaged stretches \(100 bytes\) of earlier runs/)
    assert.equal(healthOf({ ...WELL, journal: damaged }).ok, true)
    await damaged.close()
  })
})

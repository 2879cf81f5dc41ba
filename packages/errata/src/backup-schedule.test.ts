import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '@errata/server/clock'
import { silentLog } from '@errata/server/log'
import { readBackupStatus, writeBackupStatus } from '@errata/server/offline/backup'
import { BackupSchedule, isBackupDue } from './backup-schedule.ts'

const HOUR = 3_600_000
const last = (ok: boolean) => ({ atMs: 100 * HOUR, ok, detail: '', directory: '/backups' })

describe('a scheduled backup', () => {
  it('is due when there is none', () => {
    assert.equal(isBackupDue(null, 0, 24), true)
  })

  it('is due when the last one is as old as the setting says', () => {
    assert.equal(isBackupDue(last(true), 123 * HOUR, 24), false)
    assert.equal(isBackupDue(last(true), 124 * HOUR, 24), true)
  })

  it('is tried again after an hour when it failed', () => {
    assert.equal(isBackupDue(last(false), 100.5 * HOUR, 24), false)
    assert.equal(isBackupDue(last(false), 101 * HOUR, 24), true)
  })

  it('is due when the last one is of a time that has not come yet', () => {
    assert.equal(isBackupDue(last(true), 99 * HOUR, 24), true)
    assert.equal(isBackupDue(last(false), 99 * HOUR, 24), true)
  })

  it('that is killed is noted, and tried again after an hour', async (t) => {
    const { schedule, data, clock, tries } = aSchedule(t, 'killed')
    await schedule.look()
    assert.deepEqual(await readBackupStatus(data), {
      ...{ atMs: 100 * HOUR, ok: false, detail: 'Error: it was killed', directory: '/backups' },
    })
    clock.advance(HOUR / 2)
    await schedule.look()
    assert.equal(tries(), 1)
    clock.advance(HOUR / 2)
    await schedule.look()
    assert.equal(tries(), 2)
  })

  it('whose outcome can be neither read nor noted ends nothing, and is tried again after an hour', async (t) => {
    const { schedule, data, clock, tries } = aSchedule(t, 'killed')
    mkdirSync(join(data, 'backup-status.json', 'in the way'), { recursive: true })
    await schedule.look()
    await schedule.look()
    assert.equal(tries(), 1)
    clock.advance(HOUR)
    await schedule.look()
    assert.equal(tries(), 2)
  })

  it('that says itself why it failed keeps its words', async (t) => {
    const { schedule, data } = aSchedule(t, 'the disk is full')
    await schedule.look()
    assert.equal((await readBackupStatus(data))?.detail, 'the disk is full')
  })
})

/** Backups that fail: killed, or with a reason that they note. */
function aSchedule(t: TestContext, fails: string) {
  const data = mkdtempSync(join(tmpdir(), 'errata-schedule-'))
  t.after(() => rmSync(data, { recursive: true }))
  const clock = manualClock(100 * HOUR)
  const [directory, log] = ['/backups', silentLog]
  let tries = 0
  const schedule = new BackupSchedule({
    ...{ data, directory, everyHours: 24, log, now: () => clock.now() },
    async make() {
      tries++
      if (fails === 'killed') throw new Error('it was killed')
      await writeBackupStatus(data, { atMs: clock.now(), ok: false, detail: fails, directory })
      throw new Error('it ended with 1')
    },
  })
  return { schedule, data, clock, tries: () => tries }
}

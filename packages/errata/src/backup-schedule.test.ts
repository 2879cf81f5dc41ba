import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isBackupDue } from './backup-schedule.ts'

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
})

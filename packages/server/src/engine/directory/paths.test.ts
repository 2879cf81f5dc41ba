import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Connection } from '#store/sqlite/connection.ts'
import { lockDirectory } from './lock.ts'
import { controlPath, lockPath, makeDataDirectory } from './paths.ts'

describe('a data directory that cannot be used', () => {
  const root = mkdtempSync(join(tmpdir(), 'errata-paths-'))
  after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'file')
  writeFileSync(file, 'this is no database, and no directory either'.repeat(100))

  it('is named together with what stands in its way', () => {
    for (const path of [file, join(file, 'below')]) {
      assert.throws(() => makeDataDirectory(path), {
        message: `${path} cannot be the data directory: a file is in its place; choose another with --data`,
      })
    }
  })

  it('names the control database that is none', () => {
    const data = join(root, 'damaged')
    makeDataDirectory(data)
    writeFileSync(controlPath(data), 'no database'.repeat(1000))
    assert.throws(() => Connection.openWriter(controlPath(data)), {
      message: `the control database ${controlPath(data)} cannot be opened: file is not a database`,
    })
  })

  it('tells a lock that another process holds from one that cannot be taken', () => {
    const data = join(root, 'held')
    makeDataDirectory(data)
    const release = lockDirectory(data, lockPath(data))
    assert.throws(() => lockDirectory(data, lockPath(data)), /another Errata process uses/)
    release()
    writeFileSync(lockPath(data), 'no database'.repeat(1000))
    assert.throws(() => lockDirectory(data, lockPath(data)), /lock\.sqlite cannot be locked/)
    const unwritable = join(root, 'unwritable')
    mkdirSync(lockPath(unwritable), { recursive: true })
    assert.throws(() => lockDirectory(unwritable, lockPath(unwritable)), /Errata has to write there: is the/)
    const missing = join(root, 'missing')
    assert.throws(() => lockDirectory(missing, lockPath(missing)), {
      message: `there is no data directory ${missing}`,
    })
  })
})

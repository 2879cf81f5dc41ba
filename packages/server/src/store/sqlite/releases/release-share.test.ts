import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { orgId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { Connection } from '../connection.ts'
import { openControlWriter } from '../control-writer.ts'
import { readReleasesOfProjects } from './releases-read.ts'

const [LOUD, QUIET] = [projectId(1), projectId(2)]
const SCOPE = { orgId: orgId(1), projects: [LOUD, QUIET] }
const MOST = max('releasesOfProjectsMax')

describe('releases of projects that are looked among', () => {
  it('are the newest of each project first, where there are more than are looked among', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-shares-'))
    const path = join(directory, 'control.sqlite')
    await openControlWriter({ path, clock: systemClock, log: silentLog }).close()
    const db = Connection.openWriter(path)
    t.after(() => {
      db.close()
      rmSync(directory, { recursive: true })
    })
    db.script(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 0);
      INSERT INTO projects (id, org_id, slug, name, created_ms, options)
        VALUES (${LOUD}, 1, 'loud', 'Loud', 0, '{}'), (${QUIET}, 1, 'quiet', 'Quiet', 0, '{}')`)
    const add = (project: number, from: number, to: number) =>
      db.transaction(() => {
        const numbers = `WITH RECURSIVE n (at) AS (SELECT ${from} UNION ALL SELECT at + 1 FROM n WHERE at < ${to})`
        db.run(`${numbers} INSERT INTO releases (id, org_id, version, folded, status, created_ms)
          SELECT at, 1, 'v' || at, 'v' || at, 'open', at FROM n`)
        db.run(
          `${numbers} INSERT INTO release_projects (release_id, project_id) SELECT at, ${project} FROM n`,
        )
      })
    const found = () => {
      const rows = readReleasesOfProjects(db, SCOPE, null)
      assert.deepEqual(
        rows.map(({ atMs }) => atMs),
        rows.map(({ atMs }) => atMs).toSorted((a, b) => b - a),
      )
      return Map.groupBy(rows, (row) => row.projectId)
    }
    add(QUIET, 1, 2)
    add(LOUD, 3, MOST)
    assert.deepEqual([found().get(QUIET)?.length, found().get(LOUD)?.length], [2, MOST - 2])
    add(LOUD, MOST + 1, MOST + 100)
    const quiet = found().get(QUIET)
    assert.deepEqual(
      [quiet?.map(({ version }) => version), found().get(LOUD)?.length, found().get(LOUD)?.[0]?.version],
      [['v2', 'v1'], MOST - 2, `v${MOST + 100}`],
    )
  })
})

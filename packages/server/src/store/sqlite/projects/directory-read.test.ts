import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { countedConnection } from '#testing/counted-connection.ts'
import { Connection } from '../connection.ts'
import { openControlWriter } from '../control-writer.ts'
import { directoryChange, directoryVersion, ingestDirectory } from './directory-read.ts'

const SHOP = 1
const BLOG = 2

interface Ran {
  readonly project: number
  readonly release: number
  /** Environments that its events named. */
  readonly environments?: readonly string[]
}

interface Deployed {
  readonly release: number
  readonly environment: string
}

/** A store with two projects. */
async function storeOf(
  t: TestContext,
  { ran, deploys = [] }: { readonly ran: readonly Ran[]; readonly deploys?: readonly Deployed[] },
): Promise<Connection> {
  const directory = mkdtempSync(join(tmpdir(), 'errata-builds-'))
  const path = join(directory, 'control.sqlite')
  await openControlWriter({ path, clock: systemClock, log: silentLog }).close()
  const db = Connection.openWriter(path)
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  db.script(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 0)`)
  for (const [id, slug] of [
    [SHOP, 'shop'],
    [BLOG, 'blog'],
  ] as const)
    db.run(
      `INSERT INTO projects (id, org_id, slug, name, created_ms, options) VALUES (?, 1, ?, ?, 0, '{}')`,
      [id, slug, slug],
    )
  for (const release of new Set(ran.map((one) => one.release)))
    db.run(
      `INSERT INTO releases (id, org_id, version, folded, status, created_ms) VALUES (?, 1, ?, ?, 'open', 0)`,
      [release, `v${release}`, `v${release}`],
    )
  for (const { project, release, environments = [] } of ran) {
    db.run('INSERT INTO release_projects (release_id, project_id) VALUES (?, ?)', [release, project])
    for (const environment of environments)
      db.run(
        'INSERT INTO release_environments (release_id, project_id, environment, event_count) VALUES (?, ?, ?, 1)',
        [release, project, environment],
      )
  }
  for (const { release, environment } of deploys)
    db.run('INSERT INTO deploys (release_id, environment, finished_ms) VALUES (?, ?, 0)', [
      release,
      environment,
    ])
  return db
}

function buildsOf(db: Connection, project: number): readonly string[] {
  const { builds = [] } = ingestDirectory(db)
  return builds
    .filter(({ projectId }) => projectId === project)
    .map(({ environment, release }) => `${environment} ${release}`)
    .sort()
}

describe('builds of a project that tabs may be of', () => {
  it('are the two newest of each of its environments', async (t) => {
    const all = ['production', 'staging']
    const db = await storeOf(t, {
      ran: [
        { project: SHOP, release: 1, environments: all },
        { project: SHOP, release: 2, environments: all },
        { project: SHOP, release: 3, environments: ['production'] },
        { project: BLOG, release: 4, environments: ['production'] },
      ],
    })
    assert.deepEqual(buildsOf(db, SHOP), ['production v2', 'production v3', 'staging v1', 'staging v2'])
    assert.deepEqual(buildsOf(db, BLOG), ['production v4'])
  })

  it('of which no environment is known stand for themselves', async (t) => {
    const db = await storeOf(t, {
      ran: [
        { project: SHOP, release: 1 },
        { project: SHOP, release: 2, environments: ['production'] },
      ],
    })
    assert.deepEqual(buildsOf(db, SHOP), [' v1', 'production v2'])
  })

  it('ran where they were deployed, in each project of the release, counted once where events say so too', async (t) => {
    const db = await storeOf(t, {
      ran: [
        { project: SHOP, release: 1, environments: ['production'] },
        { project: SHOP, release: 2, environments: ['production'] },
        { project: SHOP, release: 3, environments: ['production'] },
        { project: BLOG, release: 3, environments: ['preview'] },
      ],
      deploys: [
        { release: 3, environment: 'production' },
        { release: 3, environment: 'production' },
        { release: 3, environment: 'eu' },
      ],
    })
    assert.deepEqual(buildsOf(db, SHOP), ['eu v3', 'production v2', 'production v3'])
    assert.deepEqual(buildsOf(db, BLOG), ['eu v3', 'preview v3', 'production v3'])
  })

  it('are among its newest releases, up to the bound', async (t) => {
    const most = max('skewBuildsOfProjectMax')
    const newer = Array.from({ length: most - 1 }, (_, at) => ({
      ...{ project: SHOP, release: at + 3, environments: ['production'] },
    }))
    const db = await storeOf(t, {
      ran: [
        { project: SHOP, release: 1, environments: ['beyond'] },
        { project: SHOP, release: 2, environments: ['within'] },
        ...newer,
      ],
    })
    assert.deepEqual(buildsOf(db, SHOP), [`production v${most}`, `production v${most + 1}`, 'within v2'])
  })
})

describe('builds of many projects', () => {
  for (const [count, calls] of [
    [99, 2],
    [100, 2],
    [101, 4],
  ] as const)
    it(`are read of a hundred projects at once: of ${count} in ${calls} calls`, async (t) => {
      const ran = { project: SHOP, release: 1, environments: ['production'] }
      const db = await storeOf(t, { ran: [ran, { ...ran, project: BLOG }] })
      const copy = `INSERT INTO projects (id, org_id, slug, name, created_ms, options)
        VALUES (?, 1, ?, 'Copy', 0, '{}')`
      const others = Array.from({ length: count - 2 }, (_, at) => 1_000 + at)
      db.runEach(
        copy,
        others.map((id) => [id, `copy-${id}`]),
      )
      db.runEach(
        'INSERT INTO release_projects (release_id, project_id) VALUES (1, ?)',
        others.map((id) => [id]),
      )
      const empty = await storeOf(t, { ran: [] })
      assert.equal(callsOf(db) - callsOf(empty), calls - 2)
      assert.deepEqual(
        ingestDirectory(db).builds?.map(({ projectId }) => Number(projectId)),
        [...new Set([SHOP, BLOG, ...others])].sort((a, b) => a - b),
      )
    })

  function callsOf(db: Connection): number {
    let calls = 0
    ingestDirectory(countedConnection(db, () => calls++))
    return calls
  }
})

describe('changes of projects since a version', () => {
  it('are told while each of them has its row, and not at all where one is missing', async (t) => {
    const db = await storeOf(t, { ran: [] })
    const from = directoryVersion(db)
    const rename = (project: number) =>
      db.run('UPDATE projects SET slug = ? WHERE id = ?', [`slug-${project}`, project])
    const told = (since = from) => directoryChange(db, since)?.projects ?? null
    assert.deepEqual(told(), [])
    rename(SHOP)
    rename(BLOG)
    assert.deepEqual([told(), told(from + 1), told(from + 2)], [[SHOP, BLOG], [BLOG], []])
    db.run('DELETE FROM directory_changes WHERE id = ?', [from + 2])
    assert.deepEqual([told(), told(from + 1), told(from + 2)], [null, null, []])
    rename(SHOP)
    assert.deepEqual([told(), told(from + 1), told(from + 2)], [null, null, [SHOP]])
  })

  it('are not told of a version that is yet to come: the store is an older one', async (t) => {
    const db = await storeOf(t, { ran: [] })
    assert.equal(directoryChange(db, directoryVersion(db) + 1), null)
  })
})

/** Halves of stale clicks by sets: a batch of many leaves what the same halves one by one leave. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { manualClock } from '#base/clock.ts'
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { StaleClickSeen, ToldClick } from '#ports/skew.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { aHash, anEventId } from '#testing/builders/ids.ts'
import { aStaleClick, NEW, OLD } from '#testing/builders/stale-click.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { openNewControl } from '#testing/new-control.ts'
import { setUpTwoProjects } from '#testing/worlds/two-projects.ts'
import { NO_STORY } from '../commit/batch-at-hand.ts'
import { rememberAll } from '../commit/remembered.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'
import { Memory } from '../memory.ts'
import { SKEW_STEP } from './counting.ts'
import { staleGroups } from './stale-groups.ts'

const HALVES = 60
const BEFORE = {
  ...{ appliedSeq: 0, prunedDay: 0, alertsVersion: 0, hasSpanFailures: 0, hasMirrors: 0 },
  ...{ lastGroup: 0, lastIssue: 0, lastKey: 0 },
}
const RECORDED_SEEDS = 12
const SEEDS = 8
/**
 * Hashes of the rows that halves left behind when they were stored one by one, by seed. The groups of three seeds are those
 * since halves are not compared with clicks of another organisation that names the same trace.
 */
const RECORDED: Readonly<Record<'room' | 'full' | 'groups', readonly string[]>> = {
  room: [
    '5f639a33',
    '440e13ae',
    '28dc4c0f',
    '74089be6',
    'ff78ecce',
    '3ce2382c',
    'a5b2f398',
    '81385143',
    '45a9ad3a',
    'b4faf01c',
    '8974c909',
    'c2c8e5eb',
  ],
  full: [
    '11079cc5',
    '35d84392',
    'c00d3739',
    'ea17a40e',
    'a800f35f',
    'cc77180e',
    '2e8b7814',
    '0274a910',
    'a1447f4d',
    '2c12cf41',
    '67356669',
    'ac192e97',
  ],
  groups: [
    '8a74fb77',
    '38b12e70',
    '62892a96',
    '6a5cb6bb',
    '80e31426',
    '90cb3d9c',
    'f2301357',
    '58ee0685',
    'd05d0444',
    '7de3e9ea',
    'd7789507',
    'e526088a',
  ],
}

const GROUPS = ['a', 'b', 'c', 'd', 'e']
const SECOND = 1_000

/** Numbers below `count`, the same for a seed in every run. */
function drawing(seed: number) {
  let state = seed * 2_654_435_761 + 1
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  return { below, of: <T>(all: readonly [T, ...T[]]): T => all[below(all.length)] ?? all[0] }
}

function halvesOf(seed: number, projects: readonly [ProjectId, ...ProjectId[]]): readonly StaleClickSeen[] {
  const { below, of } = drawing(seed)
  return Array.from({ length: HALVES }, (_, at) => {
    const side = of(['browser', 'server'] as const)
    const source = of(['event', 'event', 'span'] as const)
    const projectId = of(projects)
    const atMs = NOW + of([0, 0, 0, HOUR]) + below(6) * below(5) * SECOND + below(2) * 0.5
    return aStaleClick({
      ...{ projectId, side, source, atMs },
      ...{ environment: of(['production', 'production', 'preview', null]) },
      release: of(side === 'browser' ? [OLD, 'web@0.9.0', null] : [NEW, 'web@1.2.0', null]),
      tabRelease: of([null, OLD]),
      failure: of(['action', 'action', 'key', 'chunk', 'page-data', 'crawler']),
      subject: of(['40f1c2', '/assets/12.js', '12', null]),
      route: of(['/cart', '/', null]),
      traceId: of([aHash('one'), aHash('two'), aHash('three'), null]),
      user: of([null, 1n, 2n, 3n]),
      httpStatus: of([null, 404]),
      eventId: source === 'event' ? anEventId(`${seed} ${at}`) : null,
      group: source === 'event' ? aHash(of(['a', 'b', 'c', 'd', 'e', 'unknown'])) : null,
      receivedMs: NOW + HOUR,
    })
  })
}

/** Lists in a row: of one each, of all, or of what the seed says. */
function inLists<T>(all: readonly T[], lengths: () => number): readonly (readonly T[])[] {
  const lists: T[][] = []
  for (let at = 0; at < all.length; ) {
    const length = Math.max(1, lengths())
    lists.push(all.slice(at, at + length))
    at += length
  }
  return lists
}

describe('stale clicks of a batch', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-stale-clicks-'))
  const world = join(directory, 'world.sqlite')
  const full = join(directory, 'full.sqlite')
  let projects: readonly [ProjectId, ...ProjectId[]]
  let orgs: ReadonlyMap<ProjectId, OrgId>
  let files = 0
  before(async () => {
    const clock = manualClock(NOW)
    const control = openNewControl({ path: world, clock, log })
    const reader = openControlReader({ path: world, clock, log })
    const { shop, blog, org } = await setUpTwoProjects({ control, reader })
    await reader.close()
    // Their ids follow from their names, and stand in what was recorded: no other suite of the process may change them.
    const events = [shop, blog].flatMap(({ projectId }, ofProject) =>
      GROUPS.map((group, at) => {
        const name = `unnamed ${ofProject * GROUPS.length + at + 1}`
        return anEvent({ projectId, group, name, category: 'skew', release: OLD, receivedMs: NOW })
      }),
    )
    await control.applyBatch(aBatch(1, events))
    await control.close()
    const db = Connection.openWriter(world)
    const other = db.get<{ id: ProjectId }>('SELECT id FROM projects WHERE org_id <> ?', [org])
    projects = [shop.projectId, shop.projectId, blog.projectId, ...(other === undefined ? [] : [other.id])]
    type Row = { id: ProjectId; org: OrgId }
    const rows = db.all<Row>('SELECT id, org_id AS org FROM projects')
    orgs = new Map(rows.map(({ id, org: of }) => [id, of]))
    // What runs where, as far as a tool told; and an issue that a person merged.
    db.run(
      `INSERT INTO deploys (release_id, environment, finished_ms) SELECT id, 'production', ? FROM releases LIMIT 1`,
      [NOW - HOUR],
    )
    db.run(`INSERT INTO releases (org_id, version, folded, status, created_ms) VALUES (?, ?, ?, 'open', ?)`, [
      ...[org, 'web@1.3.0', 'web@1.3.0', NOW + 10 * SECOND],
    ])
    const added = `INSERT INTO release_projects (release_id, project_id, event_count)
      SELECT id, ?, 1 FROM releases WHERE version = 'web@1.3.0'`
    db.run(added, [shop.projectId])
    db.run(
      'UPDATE groups SET issue_id = (SELECT issue_id FROM groups WHERE hash = ?1 AND project_id = ?3) WHERE hash = ?2 AND project_id = ?3',
      [Buffer.from(aHash('d'), 'hex'), Buffer.from(aHash('e'), 'hex'), shop.projectId],
    )
    db.script('PRAGMA wal_checkpoint(TRUNCATE)')
    copyFileSync(world, full)
    db.close()
    fill(full, shop.projectId)
  })
  after(() => rmSync(directory, { recursive: true }))

  /** Nearly as many series and clicks as a project may have. */
  function fill(path: string, project: ProjectId) {
    const db = Connection.openWriter(path)
    const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
    const series = `${numbers} INSERT INTO stale_series (project_id, environment, release, from_release, failure, route, example,
        first_ms, last_ms) SELECT ?, '', '', '', 'action', '/' || i, '{}', ?, ? FROM n`
    db.run(series, [max('staleSeriesPerProjectMax') - 3, project, NOW, NOW])
    const clicks = `${numbers} INSERT INTO stale_clicks (project_id, day, at_ms, trace, series_id, slot, click)
      SELECT ?, 1, i, NULL, 1, 1, '{}' FROM n`
    db.run(clicks, [max('staleClicksPerProjectMax') - 10, project])
    db.script('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
  }

  /** Answers the issues that became part of others. A batch names the organisations of its own projects alone. */
  function counted(db: Connection, seen: readonly StaleClickSeen[]) {
    const counter = { number: 0, begun: { hour: 0, events: 0 } }
    const named = new Map(
      seen.flatMap(({ projectId }) => {
        const orgId = orgs.get(projectId)
        const flags = { isSilent: false, hasOwnership: false }
        return orgId === undefined ? [] : [[projectId, { orgId, ...flags, counter }]]
      }),
    )
    return db.transactionOf(async () => {
      const told = await SKEW_STEP.run(db, {
        ...NO_STORY,
        ...{ batch: aBatch(1, []), before: BEFORE, nowMs: NOW, projects: named, isChanged: false },
        ...{ remembered: rememberAll(new Memory()), kinds: [], deltas: [], sessions: [], requests: [] },
        ...{ failures: [], attachments: [], stale: seen },
      })
      return told?.moved ?? new Map<IssueId, IssueId>()
    })
  }

  /** All that is left of halves that came in these lists, as text. */
  async function left(from: string, lists: readonly (readonly StaleClickSeen[])[]): Promise<string> {
    const path = join(directory, `${++files}.sqlite`)
    copyFileSync(from, path)
    const db = Connection.openWriter(path)
    try {
      const moved = new Map<number, number>()
      for (const list of lists) for (const [was, now] of await counted(db, list)) moved.set(was, now)
      return told([...moved], rowsOf(db))
    } finally {
      db.close()
      rmSync(path)
    }
  }

  function rowsOf(db: Connection): unknown {
    const clicks = db.all<{ click: string }>(
      `SELECT id, project_id, day, at_ms, trace, series_id, slot, click FROM stale_clicks
        WHERE id > (SELECT count(*) FROM stale_clicks WHERE day = 1) ORDER BY id`,
    )
    const tables = [
      `SELECT id, project_id, environment, release, from_release, failure, route, example, first_ms, last_ms
        FROM stale_series WHERE example <> '{}' ORDER BY id`,
      'SELECT series_id, slot, count, users, users_exact FROM stale_slots ORDER BY series_id, slot',
      'SELECT group_id, org_id, environment, release FROM skew_groups ORDER BY group_id',
      'SELECT group_id, matched, confidence FROM mirrors ORDER BY group_id',
      'SELECT id, issue_id, folded_into FROM groups ORDER BY id',
      'SELECT id, status, substatus, event_count, user_count, group_count FROM issues ORDER BY id',
      'SELECT id, number, issue_id FROM issue_redirects ORDER BY id',
      'SELECT issue_id, kind, detail FROM activities ORDER BY id',
    ].map((sql) => db.all(sql))
    return [clicks.map((row) => ({ ...row, click: partsOf(row.click) })), tables]
  }

  /** Parts of a click, whatever their order. */
  function partsOf(text: string): readonly (readonly [string, unknown])[] {
    const parts: object = JSON.parse(text)
    const own = ['id', 'seriesId', 'slot']
    return Object.entries(parts)
      .filter(([name]) => !own.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  }

  function told(...all: readonly unknown[]): string {
    return JSON.stringify(all, (_, value: unknown) =>
      typeof value === 'bigint' || value instanceof Uint8Array ? value.toString() : value,
    )
  }

  const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

  for (const [name, from] of [
    ['room', world],
    ['full', full],
  ] as const) {
    it(`leave what they left before there were sets, where there is ${name}`, async () => {
      const found: string[] = []
      for (let seed = 0; seed < RECORDED_SEEDS; seed++)
        found.push(shortHash(await left(from, [halvesOf(seed, projects)])))
      assert.deepEqual(found, RECORDED[name])
    })

    it(`leave what the same leave one by one, and in lists of any length, where there is ${name}`, async () => {
      for (let seed = 100; seed < 100 + SEEDS; seed++) {
        const halves = halvesOf(seed, projects)
        const { below } = drawing(seed)
        const oneByOne = await left(
          from,
          inLists(halves, () => 1),
        )
        assert.equal(await left(from, [halves]), oneByOne, `seed ${seed}`)
        assert.equal(
          await left(
            from,
            inLists(halves, () => below(20)),
          ),
          oneByOne,
          `seed ${seed} in lists`,
        )
      }
    })
  }

  it('place a group that both of its halves tell of once', async () => {
    const path = join(directory, `${++files}.sqlite`)
    copyFileSync(world, path)
    const db = Connection.openWriter(path)
    const [projectId] = projects
    const half = { projectId, group: aHash('a'), source: 'event' } as const
    const seen = [
      aStaleClick({ ...half, release: null }),
      aStaleClick({ ...half, side: 'server', release: NEW }),
    ]
    try {
      await counted(db, seen)
      assert.deepEqual(db.all('SELECT environment, release FROM skew_groups'), [
        { environment: 'production', release: NEW },
      ])
    } finally {
      db.close()
    }
  })

  it('fill a project to its last click and series, and join issues', async () => {
    const told = Array.from({ length: SEEDS }, (_, seed) => halvesOf(100 + seed, projects))
    const ofShop = told.flat().filter(({ projectId }) => projectId === projects[0])
    const path = join(directory, `${++files}.sqlite`)
    copyFileSync(full, path)
    const db = Connection.openWriter(path)
    try {
      await counted(db, ofShop)
      const count = (sql: string) => db.get<{ count: number }>(sql, [projects[0]])?.count ?? 0
      const own = 'WHERE project_id = ?'
      assert.equal(
        count(`SELECT count(*) AS count FROM stale_clicks ${own}`),
        max('staleClicksPerProjectMax'),
      )
      const series = count(
        `SELECT count(*) AS count FROM stale_series ${own} AND (route <> '' OR release <> '')`,
      )
      assert.ok(series <= max('staleSeriesPerProjectMax'), `${series} series`)
      assert.ok(count(`SELECT count(*) AS count FROM stale_series ${own} AND route = ''`) > 0)
      assert.ok(count(`SELECT count(*) AS count FROM mirrors WHERE matched = 'deploy' AND ? > 0`) > 0)
    } finally {
      db.close()
    }
  })

  it('are stored in the groups that they were stored in before there were sets', async () => {
    const path = join(directory, `${++files}.sqlite`)
    copyFileSync(world, path)
    const db = Connection.openWriter(path)
    try {
      const isTold = (half: StaleClickSeen): half is ToldClick => half.group !== null
      const found: string[] = []
      for (let seed = 200; seed < 200 + RECORDED_SEEDS; seed++) {
        const halves = halvesOf(seed, projects)
        const groups = await staleGroups(db, halves.filter(isTold), () => setImmediate())
        await counted(db, halves)
        found.push(shortHash(told(groups)))
      }
      assert.deepEqual(found, RECORDED.groups)
    } finally {
      db.close()
    }
  })
})

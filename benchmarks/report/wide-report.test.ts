import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WideReport } from '../measures/wide.ts'
import type { PageLooks } from '../measures/wide-pages.ts'
import { whyNot } from './limits.ts'
import { describeWide } from './wide-report.ts'

/** Everything took a million times as long, or was as many times as large, as it may. */
const TOO_MUCH = 1e9

function looks({ refused = {}, moved = {} }: Partial<PageLooks> = {}): PageLooks {
  return {
    largest: { path: '/bench/issues', kilobytes: TOO_MUCH },
    slowest: [{ path: '/bench/people', ms: TOO_MUCH }],
    p95Ms: TOO_MUCH,
    mainThread: { path: '/bench/alerts', ms: TOO_MUCH },
    scans: {
      ...{ 'issues by tag': TOO_MUCH, 'traces of 30 days': TOO_MUCH },
      ...{ 'outcomes of 30 days': TOO_MUCH, projects: TOO_MUCH },
    },
    refused,
    moved,
  }
}

function aReport(owner: Partial<PageLooks> = {}): WideReport {
  return {
    width: {
      ...{ organisations: 1, projects: 2, otherProjects: 3, people: 4, teams: 5, rules: 6, issues: 7 },
      ...{ errors: 8, spans: 9 },
    },
    history: { organisation: 'bench', builtInSeconds: TOO_MUCH, errors: 1, spans: 1 },
    costs: { earlyProject: 1, lateProject: TOO_MUCH, key: TOO_MUCH, search: TOO_MUCH },
    startedInMs: 1,
    drained: { wide: 1, narrow: TOO_MUCH },
    idle: { owner: looks(owner), guest: looks() },
    beside: { owner: looks(), guest: looks() },
    flood: { rate: 1, waiting: 0, readable: { p50Ms: TOO_MUCH, p95Ms: TOO_MUCH, mostMs: TOO_MUCH } },
    memory: { peak: TOO_MUCH, after: TOO_MUCH },
  }
}

describe('the report of a wide installation', () => {
  it('has a reason for every goal that may be missed', () => {
    const { rows } = describeWide(aReport())
    const goals = rows.filter(({ goal }) => goal !== '')
    assert.ok(goals.length > 20)
    assert.deepEqual(
      goals.filter(({ met }) => met !== false),
      [],
    )
    assert.deepEqual(
      whyNot(rows).filter((line) => line.includes('something is wrong')),
      [],
    )
  })

  it('tells an old address that leads to a page from one that is refused', () => {
    const moved = { '/bench/old': '/bench/new' }
    const { notes = [] } = describeWide(aReport({ moved, refused: { '/bench/closed': 403 } }))
    const told = notes.join('\n')
    assert.match(told, /otherwise than 200 for the owner: \/bench\/closed 403$/m)
    assert.match(told, /lead to a page, .*: \/bench\/old to \/bench\/new$/m)
    assert.doesNotMatch(told, /guest/)
  })
})

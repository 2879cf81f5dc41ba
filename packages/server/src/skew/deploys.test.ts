import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { KnownBuild, StaleSum } from '#ports/skew.ts'
import { BLOG, SHOP } from '#testing/builders/ids.ts'
import { NOW } from '#testing/builders/times.ts'
import { SLOT_MS } from './clicks.ts'
import { replacedBy, skewedDeploys } from './deploys.ts'
import { clicksSince, deployFigures, skewHours, skewPlaces } from './figures.ts'

const users = { isExact: true, state: new Uint8Array() }
/** `counts`: by minutes since `NOW`. */
function aSum(counts: Readonly<Record<number, number>>, change: Partial<StaleSum> = {}): StaleSum {
  const slots = Object.entries(counts).map(([minutes, count]) => {
    const startMs = Math.floor((NOW + Number(minutes) * MINUTE_MS) / SLOT_MS) * SLOT_MS
    return { startMs, count, users }
  })
  const [first, last] = [slots[0]?.startMs ?? NOW, slots.at(-1)?.startMs ?? NOW]
  return {
    ...{ projectId: SHOP, environment: 'production', release: '', fromRelease: 'v1', failure: 'chunk' },
    ...{ route: '/', slots, firstMs: first + MINUTE_MS, lastMs: last + MINUTE_MS },
    example: { eventId: null, traceId: null, subject: null, httpStatus: null, sdk: null, atMs: last },
    ...change,
  }
}

const build = (version: string, hours: number, change: Partial<KnownBuild> = {}): KnownBuild => ({
  ...{ projectId: SHOP, environment: 'production', version, atMs: NOW + hours * HOUR_MS, isDeploy: true },
  ...change,
})
const seen = (version: string, hours: number) => build(version, hours, { isDeploy: false })
const found = (sums: readonly StaleSum[], builds: readonly KnownBuild[]) =>
  skewedDeploys(sums, builds).map((deploy) => [deploy.release, deployFigures(deploy).count])

describe('the deploy of a stale click', () => {
  const OUT = [build('v1', -48), build('v2', -1)]

  it('is the release that answered, where a server says it', () => {
    assert.deepEqual(found([aSum({ 0: 2 }, { release: 'v2' })], OUT), [['v2', 2]])
    assert.deepEqual(found([aSum({ 0: 2 }, { release: 'unheard' })], []), [['unheard', 2]])
  })

  it('is the one that ran then, where nobody says it', () => {
    const builds = [...OUT, build('v3', 3)]
    assert.deepEqual(found([aSum({ 0: 2, 200: 5 })], builds), [
      ['v3', 5],
      ['v2', 2],
    ])
  })

  it('is not of another environment or project', () => {
    const builds = [...OUT, build('v3', -0.5, { environment: 'staging' })]
    assert.deepEqual(found([aSum({ 0: 1 })], builds), [['v2', 1]])
  })

  it('goes by when releases were first seen, where no tool tells of deploys', () => {
    assert.deepEqual(found([aSum({ 0: 1 })], [seen('v1', -30), seen('v2', -2)]), [['v2', 1]])
  })

  it('is the next release, where the click is the first that shows it', () => {
    assert.deepEqual(found([aSum({ 0: 1 })], [seen('v1', -30), seen('v2', 2)]), [['v2', 1]])
    assert.deepEqual(found([aSum({ 0: 1 })], [seen('v1', -30), seen('v2', 40)]), [[null, 1]])
  })

  it('is the one before, where the tab’s own release was seen after all others', () => {
    assert.deepEqual(found([aSum({ 0: 1 })], [seen('v2', -2), seen('v1', -0.01)]), [['v2', 1]])
  })

  it('is the one that answered tabs of the same build, where nothing else is known', () => {
    const answered = aSum({ 0: 1 }, { failure: 'action', release: 'v1' })
    assert.deepEqual(found([answered, aSum({ 0: 1 })], [seen('v1', -30)]), [['v1', 2]])
  })

  it('is one though page and server are two projects', () => {
    const clicks = [aSum({ 0: 3 }, { projectId: BLOG }), aSum({ 0: 1 }, { release: 'v2' })]
    const builds = [build('v2', -1), build('v2', -1.2, { projectId: BLOG }), build('v1', -40)]
    const deploys = skewedDeploys(clicks, builds)
    assert.deepEqual(
      deploys.map(({ release, projectIds, atMs }) => [release, projectIds, atMs]),
      [['v2', [BLOG, SHOP], NOW - 1.2 * HOUR_MS]],
    )
    const later = [aSum({ 0: 3 }, { projectId: BLOG, release: 'v2' }), aSum({ 4000: 1 }, { release: 'v2' })]
    assert.equal(skewedDeploys(later, []).length, 2, 'days apart is another deploy')
  })

  it('knows a release that came back', () => {
    const builds = [build('v1', -48), build('v2', -4), build('v1', -1)]
    const [deploy] = skewedDeploys([aSum({ 0: 3 }, { fromRelease: 'v2' })], builds)
    assert.deepEqual([deploy?.release, deploy?.atMs], ['v1', NOW - HOUR_MS])
  })
})

describe('figures of a deploy', () => {
  const of = (sums: readonly StaleSum[]) => {
    const [deploy] = skewedDeploys(sums, [build('v1', -48), build('v2', 0)])
    assert.ok(deploy !== undefined)
    return { deploy, figures: deployFigures(deploy) }
  }

  it('say when half of the clicks were over', () => {
    const { figures } = of([aSum({ 0: 40, 60: 30, 120: 20, 180: 10 })])
    assert.equal(Math.round((figures.halfLifeMs ?? 0) / MINUTE_MS), 63)
  })

  it('say it of clicks that are all within one span of time', () => {
    const after = (minutes: number) => NOW + minutes * MINUTE_MS
    const { figures } = of([aSum({ 0: 4 }, { firstMs: after(2), lastMs: after(4) })])
    assert.equal(figures.halfLifeMs, 3 * MINUTE_MS)
  })

  it('leave out what the framework reloaded by itself', () => {
    const { figures } = of([aSum({ 0: 4 }), aSum({ 0: 9 }, { failure: 'reload' })])
    assert.deepEqual(
      [figures.count, figures.reloads, figures.kinds],
      [4, 9, { action: 0, chunk: 4, 'page-data': 0 }],
    )
    assert.equal(of([aSum({ 0: 9 }, { failure: 'reload' })]).figures.halfLifeMs, null)
  })

  it('tell a key that differs from a build that changed', () => {
    const action = { failure: 'action' } as const
    const names = (sums: readonly StaleSum[]) =>
      of(sums).figures.causes.map(({ name, count }) => [name, count])
    assert.deepEqual(names([aSum({ 0: 3 }, { ...action, release: 'v2' }), aSum({ 0: 1 })]), [
      ['build', 3],
      ['assets', 1],
    ])
    assert.deepEqual(names([aSum({ 0: 2 }, { ...action, release: 'v2', fromRelease: 'v2' })]), [['key', 2]])
    assert.deepEqual(names([aSum({ 0: 2 }, { failure: 'key' })]), [['key', 2]])
  })

  it('count files that crawlers ask for apart', () => {
    const { deploy, figures } = of([aSum({ 0: 4 }), aSum({ 0: 9, 90: 1 }, { failure: 'crawler' })])
    assert.deepEqual([deploy.crawled, figures.count, figures.reloads], [10, 4, 0])
    assert.deepEqual(skewedDeploys([aSum({ 0: 9 }, { failure: 'crawler' })], []), [], 'no deploy of its own')
  })

  it('are shown by the hour since the deploy, every click once', () => {
    const { deploy } = of([aSum({ 0: 4, 61: 2 }), aSum({ 130: 3 }, { failure: 'action' })])
    const { widthMs, hours } = skewHours(deploy, NOW + 5 * HOUR_MS)
    assert.equal(widthMs, HOUR_MS)
    assert.equal(hours[0]?.startMs, NOW)
    assert.deepEqual(
      hours.map(({ action, files }) => [action, files]),
      [
        [0, 4],
        [0, 2],
        [3, 0],
        [0, 0],
      ],
    )
  })

  it('are shown by wider bars after days', () => {
    const { deploy } = of([aSum({ 0: 4, 7200: 2 })])
    const { widthMs, hours } = skewHours(deploy, NOW + 200 * HOUR_MS)
    assert.equal(widthMs, 6 * HOUR_MS)
    assert.equal(
      hours.reduce((sum, { files }) => sum + files, 0),
      6,
    )
  })
})

describe('edges of deploys', () => {
  const click = { projectId: SHOP, environment: 'production', fromRelease: 'v1', atMs: NOW }
  const replaced = (...builds: readonly KnownBuild[]) => replacedBy(click, { builds, answered: [] })
  const at = (version: string, atMs: number, isDeploy: boolean) => build(version, 0, { atMs, isDeploy })
  const FIRST = at('v1', NOW - 40 * HOUR_MS, true)

  it('a release runs from the moment on in which it is told', () => {
    const end = NOW + SLOT_MS
    const later = at('v3', end + HOUR_MS / 100, true)
    const of = (ms: number) => replaced(FIRST, at('v2', end - HOUR_MS, true), at('v3', end + ms, true))
    assert.deepEqual([-1, 0, 1].map(of), ['v3', 'v3', 'v2'])
    assert.equal(replaced(FIRST, later), 'v3', 'the next one, within its slack')
  })

  for (const [isDeploy, slack] of [
    [true, max('skewDeploySlackMs')],
    [false, max('skewSuccessorMs')],
  ] as const)
    it(`a release that is ${isDeploy ? 'deployed' : 'seen'} later took the tab’s place within its slack`, () => {
      const of = (ms: number) => replaced(FIRST, at('v2', NOW + SLOT_MS + slack + ms, isDeploy))
      assert.deepEqual([-1, 0, 1].map(of), ['v2', 'v2', null])
    })

  it('are one over projects up to the time of a successor', () => {
    const counted = (apart: number) =>
      skewedDeploys(
        [aSum({ 0: 3 }, { projectId: BLOG, release: 'v2' }), aSum({ 0: 1 }, { release: 'v2' })],
        [
          build('v2', 0, { atMs: NOW - 90 * HOUR_MS }),
          build('v2', 0, { atMs: NOW - 90 * HOUR_MS + apart, projectId: BLOG }),
        ],
      ).length
    const most = max('skewSuccessorMs')
    assert.deepEqual([most - 1, most, most + 1].map(counted), [1, 1, 2])
  })

  it('half of the clicks have come when a slot ends with exactly the half', () => {
    const sums = [aSum({ 0: 1 }, { route: '/a' }), aSum({ 120: 1 }, { route: '/b' })]
    const [ofBoth] = skewedDeploys(
      sums.map((sum) => ({ ...sum, release: 'v2' })),
      [],
    )
    const half = ofBoth === undefined ? null : deployFigures(ofBoth).halfLifeMs
    assert.ok(half !== null && half <= SLOT_MS, `${half} ms`)
  })

  const [deploy] = skewedDeploys([aSum({ 0: 1 }, { release: 'v2' })], [])
  assert.ok(deploy !== undefined)
  const parts = (...sums: readonly StaleSum[]) =>
    skewedDeploys(
      sums.map((sum) => ({ ...sum, release: 'v2' })),
      [build('v2', -1)],
    ).flatMap((one) => one.parts)

  it('count clicks of a slot that reaches into the time, and no other', () => {
    const [part] = parts(aSum({ 0: 4 }))
    const startMs = part?.slots[0]?.startMs ?? 0
    const since = (ms: number) => clicksSince(part === undefined ? [] : [part], startMs + SLOT_MS + ms)
    assert.deepEqual([-1, 0, 1].map(since), [4, 0, 0])
  })

  it('list places by their clicks, what only was loaded anew last', () => {
    const sums = [
      aSum({ 0: 2 }, { route: '/few' }),
      aSum({ 0: 9 }, { route: '/again', failure: 'reload' }),
      aSum({ 0: 5 }, { route: '/many' }),
    ]
    for (const all of [sums, sums.toReversed()])
      assert.deepEqual(
        skewPlaces(parts(...all)).map(({ route }) => route),
        ['/many', '/few', '/again'],
      )
  })

  it('name the SDK of the newest report that has one', () => {
    const by = (sdk: string | null, atMs: number, route: string) =>
      aSum({ 0: 1 }, { route, example: { ...aSum({ 0: 1 }).example, sdk, atMs } })
    const sums = [by('old', NOW, '/a'), by('new', NOW + 5, '/b'), by(null, NOW + 9, '/c')]
    for (const all of [sums, sums.toReversed()])
      assert.equal(deployFigures({ ...deploy, parts: parts(...all) }).sdk, 'new')
  })
})

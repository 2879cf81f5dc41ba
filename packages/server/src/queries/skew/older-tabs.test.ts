import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { orgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { RequestsQuery, RequestsRead } from '#ports/requests.ts'
import type { KnownBuild } from '#ports/skew.ts'
import { skewedDeploys } from '#skew/deploys.ts'
import { skewHours } from '#skew/figures.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { olderTabs } from './older-tabs.ts'

const START = Math.ceil(NOW / HOUR_MS) * HOUR_MS
const build = (version: string, hours: number): KnownBuild => ({
  ...{ projectId: SHOP, environment: 'production', version, atMs: START + hours * HOUR_MS, isDeploy: true },
})
const BUILDS = [...Array.from({ length: 14 }, (_, at) => build(`v${at}`, at * 10 - 140)), build('new', 0)]

function deployed() {
  const users = { isExact: true, state: new Uint8Array() }
  const slots = [0, 2].map((hours) => ({ startMs: START + hours * HOUR_MS, count: 1, users }))
  const example = { eventId: null, traceId: null, subject: null, httpStatus: null, sdk: null, atMs: START }
  const series = { projectId: SHOP, environment: 'production', release: 'new', fromRelease: 'v0' } as const
  const times = { firstMs: START, lastMs: START + 2 * HOUR_MS }
  const [deploy] = skewedDeploys(
    [{ ...series, ...times, failure: 'chunk', route: '/', slots, example }],
    BUILDS,
  )
  assert.ok(deploy)
  return { deploy, builds: BUILDS, ...skewHours(deploy, START + 3 * HOUR_MS) }
}

/** Answers so many views in each hour of the range, of each release that is asked for. */
function reading(views: number) {
  const asked: RequestsQuery[] = []
  const requestSeries: RequestsRead['requestSeries'] = async (_, query, bucketMs) => {
    asked.push(query)
    const none = { failed: 0, failedBehind200: 0, aborted: 0, totalMs: 0 }
    const figures = { ...none, p50Ms: null, p75Ms: null, p95Ms: null, p99Ms: null, p75Bounds: null }
    const count = Math.ceil((query.endMs - query.startMs) / bucketMs)
    return Array.from({ length: count }, (_unused, at) => ({
      ...{ ...figures, startMs: query.startMs + at * bucketMs, count: views, isEstimated: views > 1 },
    }))
  }
  return { asked, requestSeries }
}

const scope = scopeForTest({ orgId: orgId(1), projects: [SHOP] })

describe('tabs on older builds', () => {
  it('are those of the builds that failed, and of the newest before the deploy', async () => {
    const requests = reading(1)
    const since = deployed()
    const tabs = await olderTabs(requests, scope, since)
    const releases = requests.asked.map(({ release }) => release)
    assert.equal(releases.length, max('skewOlderBuildsMax'))
    assert.deepEqual(releases.slice(0, 3), ['v0', 'v13', 'v12'])
    assert.ok(
      requests.asked.every(({ kind, environment }) => kind === 'browser' && environment === 'production'),
    )
    assert.deepEqual(tabs, { views: since.hours.map(() => releases.length), isEstimated: false })
  })

  it('are extrapolated where the SDK samples, and unknown where no browser sends spans', async () => {
    assert.equal((await olderTabs(reading(4), scope, deployed()))?.isEstimated, true)
    assert.equal(await olderTabs(reading(0), scope, deployed()), null)
  })
})

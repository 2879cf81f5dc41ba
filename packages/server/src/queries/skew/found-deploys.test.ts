/** Failed clicks of several deploys, summed up for the first screen. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { orgId } from '#base/ids.ts'
import { encodeUsers, NO_USERS, withUsers } from '#issues/user-set.ts'
import type { Project } from '#ports/projects.ts'
import type { KnownBuild, StaleSum } from '#ports/skew.ts'
import { SLOT_MS } from '#skew/clicks.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { skewedDeployRows, worstSkew } from './found-deploys.ts'

const START = Math.floor(NOW / SLOT_MS) * SLOT_MS
const scope = scopeForTest({ orgId: orgId(1), projects: [SHOP] })
const filter = { range: { startMs: START, endMs: START + HOUR_MS }, project: null, environment: null }
const build = (version: string, hours: number): KnownBuild => ({
  ...{ projectId: SHOP, environment: 'production', version, atMs: START + hours * HOUR_MS, isDeploy: true },
})
const BUILDS = [build('v1', -9), build('v2', -2), build('v3', -1)]

function clicked(release: string, count: number, change: Partial<StaleSum> = {}): StaleSum {
  const users = { isExact: true, state: encodeUsers(withUsers(NO_USERS, [BigInt(count), 1n])) }
  const example = { eventId: null, traceId: null, subject: null, httpStatus: null, sdk: null, atMs: START }
  return {
    ...{ projectId: SHOP, environment: 'production', release, fromRelease: 'v1', failure: 'chunk' },
    ...{ route: '/', slots: [{ startMs: START, count, users }], example },
    ...{ firstMs: START + count, lastMs: START + 10 * count, ...change },
  }
}

async function both(sums: readonly StaleSum[]) {
  const parts = {
    skew: { staleSums: async () => sums, knownBuilds: async () => BUILDS },
    projects: { projects: async () => [{ id: SHOP, slug: 'shop', name: 'Shop' } as Project] },
  }
  return { worst: await worstSkew(parts, scope, filter), rows: await skewedDeployRows(parts, scope, filter) }
}

describe('the worst of several deploys', () => {
  it('is the one with most failed clicks, with its people and its last click', async () => {
    const { worst, rows } = await both([
      clicked('v2', 5),
      clicked('v3', 4),
      clicked('v3', 9, { failure: 'reload', route: '/b' }),
    ])
    const row = rows.find(({ release }) => release === 'v2')
    assert.ok(row !== undefined && worst !== null)
    const { id, release, atMs, users, lastMs } = row
    assert.deepEqual(worst, { clicks: 9, deploy: { id, release, atMs }, users, lastMs })
    assert.deepEqual([release, users, lastMs], ['v2', { count: 2, isExact: true }, START + 50])
  })

  it('is the newest of those with as many', async () => {
    const { worst } = await both([clicked('v2', 5), clicked('v3', 5)])
    assert.deepEqual([worst?.clicks, worst?.deploy.release], [10, 'v3'])
  })

  it('is none where no click failed', async () => {
    assert.equal((await both([])).worst, null)
    assert.equal((await both([clicked('v2', 3, { failure: 'reload' })])).worst, null)
  })
})

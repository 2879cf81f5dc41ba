import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEMO_DAYS, RELEASES, releaseName } from './plan-events.ts'
import { planFigures, planMinutes, planOutcomes } from './plan-figures.ts'

const NOW = Date.parse('2026-11-23T14:20:00Z')
const DAY_MS = 86_400_000
const [SHOP, WAREHOUSE] = [1, 2] as const
type Projects = Parameters<typeof planFigures>[0]

function planned() {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  return { nowMs: NOW, random }
}

describe('the figures of the demo', () => {
  const projects = { shop: SHOP, warehouse: WAREHOUSE } as unknown as Projects // ids are branded numbers
  const rows = planFigures(projects, planned())
  const own = rows.filter(({ projectId }) => Number(projectId) === SHOP)
  const counted = own.filter(({ kind }) => kind !== 'browser' && kind !== 'prefetch')

  it('are of more than 20,000 requests a day, of which 1 to 3 % failed', () => {
    const count = counted.reduce((sum, row) => sum + row.count, 0)
    const failed = counted.reduce((sum, row) => sum + row.failed, 0)
    assert.ok(count / DEMO_DAYS > 20_000, `${count / DEMO_DAYS} a day`)
    assert.ok(failed / count > 0.01 && failed / count < 0.03, `${failed / count} failed`)
    for (const row of rows) assert.ok(row.failed <= row.count && row.failedBehind200 <= row.failed)
  })

  it('cover two weeks until now, and nothing that has not happened', () => {
    const times = rows.map(({ atMs }) => atMs)
    assert.ok(Math.min(...times) < NOW - (DEMO_DAYS - 1) * DAY_MS)
    assert.ok(Math.max(...times) <= NOW)
  })

  it('have one route that the newest release made clearly slower', () => {
    const medians = (release: number) => {
      const byPlace = new Map<string, number>()
      for (const { route, kind, release: of, durationsMs } of counted)
        if (of === releaseName(release)) byPlace.set(`${route} ${kind}`, durationsMs[10] ?? 0)
      return byPlace
    }
    const [before, now] = [medians(RELEASES.length - 2), medians(RELEASES.length - 1)]
    const slower = [...now]
      .filter(([place, ms]) => ms > 1.5 * (before.get(place) ?? ms))
      .map(([place]) => place)
    assert.deepEqual(slower.toSorted(), ['/orders/[id] document', '/orders/[id] page-data'])
  })

  it('stand in the ledger as what the SDKs sent, and what they left to sampling', () => {
    const outcomes = planOutcomes(
      { ...projects, shopKey: 3 } as unknown as Parameters<typeof planOutcomes>[0],
      planned(),
    ) // as above
    const sum = (wanted: string) =>
      outcomes.reduce((all, { outcome, quantity }) => all + (outcome === wanted ? quantity : 0), 0)
    assert.ok(sum('client_discard') / DEMO_DAYS > 19_000)
    assert.ok(sum('accepted') > 0 && sum('accepted') < sum('client_discard'))
    assert.ok(outcomes.every(({ atMs }) => atMs < NOW && atMs > NOW - DEMO_DAYS * DAY_MS))
  })

  it('are counted minute by minute for a rule', () => {
    const minutes = planMinutes(3, planned())
    assert.ok(minutes.every(({ atMs, failed, count }) => atMs < NOW && failed < count))
    assert.equal(new Set(minutes.map(({ atMs }) => atMs)).size, minutes.length)
  })
})

/** Messages shown if projects have more tags than are kept apart. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop } from '#testing/worlds/api.ts'
import type { IssueListParams } from './types.ts'

const HOUR_MS = 3_600_000
const RANGE = { startMs: NOW - 24 * HOUR_MS, endMs: NOW + HOUR_MS }
const LIST: IssueListParams = {
  ...{ query: '', projects: [], environments: [], range: RANGE },
  ...{ sort: 'date', limit: 25, cursor: null },
}

describe('bounds of tags', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    const { projects } = await shop.reader.ingestDirectory()
    const idOf = (name: string) => projects.find(({ slug }) => slug === name)?.id ?? projectId(0)
    const more = max('facetValuesPerProjectMax') + 1
    const busy = Array.from({ length: 101 }, (_, index) => `busy${index}`)
    const halves = [busy.slice(0, 50), busy.slice(50)]
    const large = halves.flatMap((keys, half) =>
      Array.from({ length: more + 1 }, (_, index) => {
        const tags = Object.fromEntries(keys.map((key) => [key, String(index)]))
        return anEvent({ projectId: idOf('vault'), group: `half ${half}`, name: `${half} ${index}`, tags })
      }),
    )
    const small = Array.from({ length: more }, (_, index) =>
      anEvent({ projectId: idOf('shop'), name: `small ${index}`, tags: { environment: String(index) } }),
    )
    await shop.control.applyBatch(aBatch(1, [...large, ...small]))
  })
  after(() => shop.close())

  it('are named of the chosen project, however large those of others are, and the rest is counted', async () => {
    const scope = await shop.people.owner.scope()
    const all = await shop.queries.outcomes(scope, { range: RANGE, project: null, key: null })
    assert.deepEqual([all.bounds.shown.length, all.bounds.more], [10, 92])
    const { bounds } = await shop.queries.outcomes(scope, { range: RANGE, project: 'shop', key: null })
    assert.deepEqual(
      bounds.shown.map(({ project, key, otherCount }) => [project.slug, key, otherCount]),
      [['shop', 'environment', 1]],
    )
    assert.equal(bounds.more, 0)
  })

  it('are told in the menu of environments, however large those of other keys are', async () => {
    const list = await shop.queries.issueList(await shop.people.owner.scope(), LIST)
    assert.equal(list.environmentsBeyond?.otherEvents, 1)
  })
})

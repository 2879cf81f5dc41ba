/** The overview counts several searches by one question, which must not wait behind searches of many words. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isLong } from '../../packages/server/src/engine/threads/read-threads.ts'
import type { IssuesRead } from '../../packages/server/src/ports/issues.ts'
import { searchTotals } from '../../packages/server/src/queries/issue-list.ts'
import { createIssueSearch } from '../../packages/server/src/queries/search/issue-search.ts'
import { NOW } from '../../packages/server/testing/builders/times.ts'
import { openShop, type Shop } from '../../packages/server/testing/worlds/api.ts'
import { STALE_SEARCH, UNASSIGNED_SEARCH } from '../../packages/web/src/features/overview/needs.ts'

const QUERIES = [`is:unresolved ${UNASSIGNED_SEARCH}`, 'is:unresolved', `is:unresolved ${STALE_SEARCH}`]

describe('the totals of the overview', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  /** Whether each question that the store is asked for the searches counts as long. */
  async function areLong(queries: readonly string[], projects: readonly string[]) {
    const asked: boolean[] = []
    const issues: Pick<IssuesRead, 'totals'> = {
      totals: async (scope, filters) => {
        asked.push(isLong([scope, filters]))
        return shop.reader.totals(scope, filters)
      },
    }
    const search = createIssueSearch({
      ...{ accounts: shop.reader, projects: shop.reader, issues: shop.reader, releases: shop.reader },
      ...{ telemetry: shop.telemetry, routesOf: () => null, findEvent: async () => null, clock: shop.clock },
    })
    const range = { startMs: NOW - 86_400_000, endMs: NOW }
    const place = { projects, environments: [], range, sort: 'user' as const }
    const totals = await searchTotals({ search, issues }, await shop.people.owner.scope(), { queries, place })
    assert.deepEqual(
      totals,
      queries.map(() => 0),
    )
    return asked
  }

  it('are one short question, of all projects and of one', async () => {
    assert.deepEqual(await areLong(QUERIES, []), [false])
    assert.deepEqual(await areLong(QUERIES, ['shop']), [false])
  })

  it('would be a long one with another search as long', async () => {
    assert.deepEqual(await areLong([...QUERIES, `${STALE_SEARCH} is:unassigned`], []), [true])
  })
})

/** Reads Errata's findings about an app that was deployed twice, once everything has arrived. */
import assert from 'node:assert/strict'
import { apiGet, issues } from '../support/api.ts'
import type { SetUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { requestFigures } from './findings.ts'

/** SDKs keep spans for seconds, and a mirror waits as long for its server’s half. */
const WITHIN_MS = 45_000

/** Waits until what is found is what is wanted; fails with the difference. */
async function settled<T>(wanted: T, find: () => Promise<T>): Promise<void> {
  let last = await find()
  await waitFor(
    'what is wanted',
    async () => {
      last = await find()
      return JSON.stringify(last) === JSON.stringify(wanted) ? last : null
    },
    WITHIN_MS,
  ).catch(() => assert.deepEqual(last, wanted))
}

/** `count title` of each issue that a search finds. */
export function assertIssues(shop: SetUp, wanted: readonly string[], query = ''): Promise<void> {
  const find = async () => (await issues(shop, query)).map(({ count, title }) => `${count} ${title}`).sort()
  return settled([...wanted].sort(), find)
}

/** Titles of all issues, each once, where the framework decides how often it asks. */
export function assertTitles(shop: SetUp, wanted: readonly string[]): Promise<void> {
  const find = async () => (await issues(shop)).map(({ title }) => title).sort()
  return settled([...wanted].sort(), find)
}

/** `kind route` of all requests that failed, likewise, but for those that a pointer begins on its way to a click. */
export function assertFailing(shop: SetUp, wanted: readonly string[]): Promise<void> {
  return settled([...wanted].sort(), async () => {
    const all = await requestFigures(shop)
    return all
      .filter(({ key, failed }) => failed > 0 && !key.startsWith('prefetch '))
      .map(({ key }) => key)
      .sort()
  })
}

/**
 * `kind route count failed behind200` of requests, those that are wanted and all that failed. `routes`: of addresses that
 * are one until the first request that went well has told it, which takes Errata a second to learn.
 */
export function assertFigures(
  shop: SetUp,
  wanted: readonly string[],
  routes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const keys = new Set(wanted.map((figure) => figure.split(' ').slice(0, 2).join(' ')))
  return settled([...wanted].sort(), async () => {
    const sums = new Map<string, readonly number[]>()
    for (const { text } of await requestFigures(shop)) {
      const [kind = '', route = '', ...counts] = text.split(' ')
      const key = `${kind} ${routes[route] ?? route}`
      const before = sums.get(key) ?? []
      sums.set(
        key,
        counts.map((count, nth) => Number(count) + (before[nth] ?? 0)),
      )
    }
    const shown = [...sums].filter(([key, [, failed = 0]]) => failed > 0 || keys.has(key))
    return shown.map(([key, counts]) => `${key} ${counts.join(' ')}`).sort()
  })
}

interface Deploy {
  readonly id: string
  readonly release: string | null
  readonly fromReleases: readonly string[]
  readonly causes: Readonly<Record<string, number>>
}

interface Place {
  readonly failure: string
  readonly route: string | null
  readonly subject: string | null
}

/** `release from causes` of the one deploy, and `failure route subject` of each of its places. */
export async function assertSkew(
  shop: SetUp,
  { deploy, places }: { readonly deploy: string; readonly places: readonly RegExp[] },
): Promise<void> {
  const path = `/organizations/${shop.organisation}/skew/`
  const deploys = async () => (await apiGet<{ readonly data: readonly Deploy[] }>(shop, path)).data
  const told = ({ release, fromReleases, causes }: Deploy) => {
    const of = Object.entries(causes).flatMap(([cause, count]) => (count > 0 ? [`${count} ${cause}`] : []))
    return [release, 'for', ...fromReleases, ...of].join(' ')
  }
  await settled([deploy], async () => (await deploys()).map(told))
  const [{ id } = { id: '' }] = await deploys()
  const found = await apiGet<{ readonly places: readonly Place[] }>(shop, `${path}${id}/`)
  const shown = found.places.map(({ failure, route, subject }) => `${failure} ${route} ${subject}`).sort()
  assert.equal(shown.length, places.length, shown.join('\n'))
  for (const [nth, place] of places.entries()) assert.match(shown[nth] ?? '', place)
}

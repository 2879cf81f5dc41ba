/** Searching by releases, over the web API: projects, versions, stages, and what is said of what nobody can compare. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

const DAY_S = 86_400

/** Builds an event whose title makes one group. */
const failing = (type: string, release: string, change: Readonly<Record<string, unknown>> = {}) =>
  anError({ exception: { values: [{ type, value: 'boom' }] }, release, ...change })

describe('searching by releases', () => {
  let shop: Shop
  let asked: (query: string, rest?: string) => Promise<{ readonly status: number; readonly body: unknown }>

  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    asked = (query, rest = '') =>
      call(shop.token, `GET /organizations/acme/issues/?query=${encodeURIComponent(query)}${rest}`)
    const longAgo = { timestamp: NOW / 1000 - 9 * DAY_S }
    const released = async (release: string, project: string, daysAgo: number) => {
      const body = {
        ...{ version: release, projects: [project] },
        dateReleased: new Date(NOW - daysAgo * DAY_S * 1000).toISOString(),
      }
      const made = await call(shop.people.owner, 'POST /organizations/acme/releases/', body)
      assert.equal(made.status, 201)
    }
    await released('web@1.2.0+7', 'shop', 20)
    await released('web@1.10.0+12', 'shop', 9)
    await released('web@1.10.1-rc.1', 'shop', 2)
    await released('tool@1.2.0', 'vault', 1)
    await send(shop, shop.dsn, failing('Old', 'web@1.2.0+7', longAgo))
    await send(shop, shop.dsn, failing('Mid', 'web@1.2.0+7', longAgo))
    for (let index = 0; index < 20; index++) await send(shop, shop.dsn, failing('Mid', 'web@1.10.0+12'))
    await send(shop, shop.dsn, failing('New', 'web@1.10.1-rc.1'))
    await send(shop, shop.dsn, failing('Hash', 'feature/a b'))
    await send(shop, shop.vaultDsn, failing('Tool', 'tool@1.2.0'))
  })
  after(() => shop.close())

  const titles = async (query: string): Promise<readonly string[]> => {
    const { status, body } = await asked(query)
    assert.equal(status, 200, JSON.stringify(body))
    // The answer of the call.
    const rows = body as readonly { readonly title: string }[]
    return rows.map(({ title }) => title.replace(': boom', '')).sort()
  }

  const found: readonly (readonly [query: string, expected: readonly string[]])[] = [
    ['release:latest', ['Hash', 'Tool']],
    ['!release:latest', ['Mid', 'New', 'Old']],
    ['release:latest project:vault', ['Tool']],
    ['release:>=1.10', ['Mid', 'New']],
    ['release:>1.2', ['Mid', 'New']],
    ['release:<1.10.1', ['Mid', 'New', 'Old', 'Tool']],
    ['release:<=web@1.2', ['Mid', 'Old']],
    ['release:>9', []],
    ['release:1.2.0', ['Mid', 'Old', 'Tool']],
    ['release:1.10.0+12', ['Mid']],
    ['release:1.10*', ['Mid', 'New']],
    ['release:[1.2.0, 1.10.1-rc.1]', ['Mid', 'New', 'Old', 'Tool']],
    ['!release:1.2.0', ['Hash', 'Mid', 'New']],
    ['firstRelease:1.2.0', ['Mid', 'Old', 'Tool']],
    ['release:1.3.0', []],
    ['tags[release]:1.2.0', []],
    ['release.version:1.2', ['Mid', 'Old', 'Tool']],
    ['release.version:1.10.*', ['Mid', 'New']],
    ['release.version:>=1.10.1-rc.1', ['New']],
    ['release.package:web', ['Mid', 'New', 'Old']],
    ['release.package:t*l', ['Tool']],
    ['!release.package:web', ['Hash', 'Tool']],
    ['release.build:7', ['Mid', 'Old']],
    ['release.build:>=10', ['Mid']],
    ['has:release.build', ['Mid', 'Old']],
    ['!has:release.package', ['Hash']],
    ['release.stage:adopted', ['Mid', 'Tool']],
    ['release.stage:replaced', ['Mid', 'Old']],
    ['release.stage:low_adoption', ['Hash', 'New']],
    ['!release.stage:adopted', ['Hash', 'Mid', 'New', 'Old']],
    ['first_release:latest', ['Hash', 'Tool']],
    ['first-release:<1.10', ['Mid', 'Old', 'Tool']],
    ['firstRelease:>=1.10 last_release:>=1.10', ['New']],
    ['last_release:web@1.10.0*', ['Mid']],
    ['!last_release:<2', ['Hash']],
    ['release:web@*', ['Mid', 'New', 'Old']],
    ['release:"feature/a b"', ['Hash']],
    ['tags[release]:latest', []],
  ]
  for (const [query, expected] of found) {
    it(`finds ${expected.join(', ') || 'nothing'} by ${query}`, async () => {
      assert.deepEqual(await titles(query), expected)
    })
  }

  const refused: readonly (readonly [query: string, says: RegExp])[] = [
    ['plan:gold release:>=soon', /“release:>=soon”: “release:” compares versions, such as >=1\.2\.0/],
    ['first_release:<', /“first_release:<”: “firstRelease:” compares versions/],
    ['release.version:>abc', /“release.version:” compares versions/],
    ['release.build:>=a', /“release.build:” compares numbers/],
    ['release.package:>=web', /“release.package:” takes a name/],
    ['release.stage:adpted', /takes adopted, low_adoption, replaced\. Did you mean release\.stage:adopted\?/],
  ]
  for (const [query, says] of refused) {
    it(`says what is wrong with ${query}`, async () => {
      const { status, body } = await asked(query)
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), says)
    })
  }

  it('searches an issue’s events, and says what events cannot be asked', async () => {
    const call = callerOf(shop)
    const events = async (query: string) => {
      const [row] = (await asked('title:Mid')).body as readonly { readonly id: string }[] // as above
      return call(
        shop.token,
        `GET /organizations/acme/issues/${row?.id}/events/?query=${encodeURIComponent(query)}`,
      )
    }
    const count = async (query: string) => {
      const { status, body } = await events(query)
      assert.equal(status, 200, JSON.stringify(body))
      return Array.isArray(body) ? body.length : -1
    }
    assert.deepEqual(
      [await count('release:<1.10'), await count('!release:<1.10'), await count('release.build:12')],
      [1, 20, 20],
    )
    assert.equal(await count('release.stage:adopted'), 20)
    assert.equal((await events('release:>=soon')).status, 400)
    assert.match(JSON.stringify((await events('first_release:1')).body), /can’t be searched among events/)
  })

  it('asks the events where groups have more releases than are counted apart', async () => {
    for (let index = 0; index <= max('facetValuesMax'); index++)
      await send(shop, shop.dsn, failing('Many', `bulk@0.${index}.0`))
    assert.deepEqual(await titles(`release:>=bulk@0.${max('facetValuesMax')}`), ['Many'])
    assert.deepEqual(await titles(`release:>bulk@0.${max('facetValuesMax')}`), [])
    assert.deepEqual(await titles('release.package:tool'), ['Tool'])
  })
})

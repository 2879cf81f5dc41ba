/** Made-up values, many of them, through the real commit: what grows, and what people are told. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { orgId } from '#base/ids.ts'
import { DERIVED_KEYS } from '#issues/tag-caps.ts'
import { max } from '#limits/limits.ts'
import { UNCOUNTED_TAG_KEYS } from '#ports/issues.ts'
import { aHash } from '#testing/builders/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { type House, type ProcessedEnvelope, processedEnvelope } from '#testing/worlds/stores.ts'
import { aDirectory, bring, type TrafficSender } from '#testing/worlds/traffic.ts'

const BATCH = 500
/** Keys that Errata derives, but for the one whose values no issue counts. */
const DERIVED = [...DERIVED_KEYS].filter((key) => !UNCOUNTED_TAG_KEYS.has(key))

async function opened(t: TestContext) {
  const { open, shop, directory } = await aDirectory(t)
  const house = await open()
  const database = new DatabaseSync(join(directory, 'control.sqlite'), { readOnly: true })
  t.after(() => database.close())
  const rows = (table: string) => database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count
  return { house, shop, rows, scope: scopeForTest({ orgId: orgId(1), projects: [shop.projectId] }) }
}

function events(
  shop: TrafficSender,
  count: number,
  shape: (number: number) => NonNullable<Parameters<typeof processedEnvelope>[2]>,
): ProcessedEnvelope[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    return processedEnvelope(number, shop, {
      group: 'one',
      receivedMs: NOW + number,
      timestampMs: NOW + number,
      ...shape(number),
    })
  })
}

/** Returns which groups were found and with how many events: when those happened is not asked here. */
function onlyGroups(found: Awaited<ReturnType<House['telemetry']['groupsMatching']>>) {
  return found.map(({ projectId, hash, events }) => ({ projectId, hash, events }))
}

async function issueId(house: House, scope: ReturnType<typeof scopeForTest>, shop: TrafficSender) {
  const issue = await house.reader.issueOfGroup(scope, shop.projectId, aHash('one'))
  assert.ok(issue !== null)
  return issue.id
}

describe('values without end', () => {
  it('of releases, environments, users and a tag grow no table, and are counted as other', async (t) => {
    const { house, shop, rows, scope } = await opened(t)
    const count = 3_000
    const all = events(shop, count, (number) => {
      const tags = {
        environment: `env-${number}`,
        release: `shop@1.0.${number}`,
        user: `id:u${number}`,
        order: `order-${number}`,
      }
      const { environment, release, user } = tags
      return { tags, environment, release, user, people: [user] }
    })
    await bring(house, all, BATCH)
    const keys = 4
    assert.equal(rows('facets'), keys * max('facetValuesMax'))
    assert.equal(rows('project_facets'), keys * max('facetValuesPerProjectMax'))
    assert.equal(rows('tag_keys'), keys)
    const id = await issueId(house, scope, shop)
    for (const { total, values, valuesKept, otherCount } of await house.reader.tags(
      scope,
      id,
      max('facetValuesMax'),
    )) {
      assert.deepEqual(
        [total, values.length, valuesKept],
        [count, max('facetValuesMax'), max('facetValuesMax')],
      )
      assert.equal(otherCount, count - max('facetValuesMax'))
    }
    const beyond = count - max('facetValuesPerProjectMax')
    const { bounds } = await house.reader.boundsMet(scope, { projects: null, key: null, limit: 10 })
    assert.deepEqual(
      bounds.map(({ key, otherCount }) => [key, otherCount]).sort(),
      ['environment', 'order', 'release', 'user'].map((key) => [key, beyond]),
    )
    const newest = `shop@1.0.${count}`
    assert.deepEqual(
      (await house.reader.facetValues(scope, 'release', newest, 1)).map(({ value }) => value),
      [newest],
      'the newest stay',
    )
    const issue = await house.reader.issue(scope, String(id))
    assert.equal(issue?.users.isExact, false)
    assert.ok(Math.abs((issue?.users.count ?? 0) / count - 1) < 0.1, `≈ ${issue?.users.count} users`)
    // The column holds every true value, and the facets know that they do not.
    assert.ok(await house.reader.facetsLack(scope, 'environment'))
    const found = await house.telemetry.groupsMatching(
      scope,
      {
        files: await house.telemetry.files(),
        tags: [{ key: 'environment', value: 'env-777', negated: false }],
      },
      10,
    )
    assert.deepEqual(onlyGroups(found), [{ projectId: shop.projectId, hash: aHash('one'), events: 1 }])
  })

  it('of tag keys are bounded per group and project; those that Errata derives stay', async (t) => {
    const { house, shop, rows, scope } = await opened(t)
    const groups = 30
    const perEvent = 40
    const all = events(shop, 600, (number) => {
      const made = Array.from({ length: perEvent }, (_, index) => [`a${number}-${index}`, 'x'] as const)
      return { group: number > groups ? 'one' : `group ${number}`, tags: Object.fromEntries(made) }
    })
    const last = processedEnvelope(601, shop, {
      ...{ group: 'one', receivedMs: NOW + 601, timestampMs: NOW + 601 },
      ...{ tags: { environment: 'production', release: 'shop@2', zzz: 'x' }, environment: 'production' },
    })
    await bring(house, [...all, last], BATCH)
    const derived = 2
    assert.equal(rows('tag_keys'), max('facetKeysPerProjectMax') + derived)
    assert.equal(rows('project_facet_keys WHERE key_id <> 0'), max('facetKeysPerProjectMax') + derived)
    assert.ok(Number(rows('facets')) <= (groups + 1) * (max('facetKeysMax') + derived))
    const id = await issueId(house, scope, shop)
    const tags = await house.reader.tags(scope, id, 10)
    assert.deepEqual(
      tags.map(({ key }) => key),
      ['environment', 'release'],
      'the project had no room for any other key of this issue',
    )
    const { isFull, tags: leftOut } = await house.reader.tagsBeyond(scope, id)
    assert.deepEqual([isFull, leftOut], [true, (600 - groups) * perEvent + 1])
    const met = (await house.reader.boundsMet(scope, { projects: null, key: null, limit: 10 })).bounds[0]
    assert.equal(met?.key, null)
    assert.ok((met?.otherCount ?? 0) >= leftOut)
    assert.deepEqual(
      (await house.reader.facetValues(scope, 'environment', '', 5)).map(({ value }) => value),
      ['production'],
    )
    const found = await house.telemetry.groupsMatching(
      scope,
      { files: await house.telemetry.files(), tags: [{ key: 'a500-7', value: 'x', negated: false }] },
      10,
    )
    assert.deepEqual(onlyGroups(found), [{ projectId: shop.projectId, hash: aHash('one'), events: 1 }])
    assert.ok(await house.reader.facetsLack(scope, 'a500-7'), 'so a search asks the events')
  })

  it('of derived keys take no room from those of the app', async (t) => {
    const { house, shop, scope } = await opened(t)
    const derived = Object.fromEntries(DERIVED.map((key) => [key, 'x']))
    const made = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'x']))
    const keysMax = max('facetKeysMax')
    const first = events(shop, 2, (number) => ({ tags: number === 1 ? derived : made(keysMax, 'own-') }))
    await bring(house, first, 1)
    const id = await issueId(house, scope, shop)
    assert.equal((await house.reader.tags(scope, id, 1)).length, DERIVED.length + keysMax)
    assert.deepEqual(await house.reader.tagsBeyond(scope, id), { isFull: false, tags: 0 })
    const groups = max('facetKeysPerProjectMax') / keysMax
    const others = events(shop, 2 + groups, (number) => ({
      group: `group ${number}`,
      tags: made(keysMax, number === 3 ? 'own-' : `own-${number}-`),
    }))
    const full = events(shop, 4 + groups, () => ({
      tags: { 'own-40': 'x', 'own-41': 'x', late: 'x' },
    })).slice(-2)
    await bring(house, [...first, ...others.slice(2), ...full], BATCH)
    const { total, bounds } = await house.reader.boundsMet(scope, { projects: null, key: null, limit: 10 })
    assert.deepEqual([total, bounds[0]?.key, bounds[0]?.otherCount], [1, null, 2], '“late” alone, twice')
    const kept = await house.reader.facetKeys(scope, 'own-', 1_000)
    assert.equal(kept.length, max('facetKeysPerProjectMax'))
  })

  it('of keys beyond an issue still count for a project that keeps the key', async (t) => {
    const { house, shop, scope } = await opened(t)
    const made = (prefix: string) =>
      Object.fromEntries(
        Array.from({ length: max('facetKeysMax') }, (_, index) => [`${prefix}${index}`, 'x']),
      )
    const groups = max('facetKeysPerProjectMax') / max('facetKeysMax')
    const filling = events(shop, groups, (number) => ({
      group: number === 1 ? 'one' : `group ${number}`,
      tags: made(`${number}-`),
    }))
    const beyond = events(shop, groups + 1, () => ({ tags: { '2-7': 'new', unheard: 'x' } })).slice(-1)
    await bring(house, filling, BATCH)
    await bring(house, beyond, BATCH)
    const { isFull, tags } = await house.reader.tagsBeyond(scope, await issueId(house, scope, shop))
    assert.deepEqual([isFull, tags], [true, 2])
    assert.deepEqual(
      (await house.reader.facetValues(scope, '2-7', '', 5)).map(({ value }) => value),
      ['new', 'x'],
    )
    const { bounds } = await house.reader.boundsMet(scope, { projects: null, key: null, limit: 10 })
    assert.deepEqual(
      bounds.map(({ key, otherCount }) => [key, otherCount]),
      [[null, 1]],
    )
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ErrataError } from '#base/errors.ts'
import { groupHash } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { EventReads } from '#ports/telemetry.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { asking, openShop, type Shop, send } from '#testing/worlds/api.ts'
import { SEARCH_FIELDS } from './fields.ts'
import { createIssueSearch } from './issue-search.ts'

const RANGE = { startMs: NOW - 86_400_000, endMs: NOW + 1 }
const PARAMS = { query: '', projects: [], environments: ['a', 'b'], range: RANGE }

describe('a search that only the events can answer', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    await send(shop, shop.dsn, anError())
  })
  after(() => shop.close())

  const searchWith = (groupsMatching: EventReads<EventRow>['groupsMatching']) =>
    createIssueSearch({
      accounts: shop.reader,
      projects: shop.reader,
      issues: shop.reader,
      releases: shop.reader,
      telemetry: {
        files: () => shop.telemetry.files(),
        events: (...asked) => shop.telemetry.events(...asked),
        groupsMatching,
      },
      routesOf: () => null,
      findEvent: async () => null,
      clock: shop.clock,
    })

  it('is told to be narrower when it takes too long', async () => {
    const search = searchWith(async () => {
      throw new ErrataError('store_timeout', 'too slow')
    })
    const { filter, problems } = await search.resolve(await shop.people.owner.scope(), PARAMS)
    assert.equal(filter, null)
    assert.match(problems[0]?.message ?? '', /took too long/)
  })

  it('is told to be narrower when it finds too much, instead of showing a part', async () => {
    const one = { projectId: shop.shop.id, hash: groupHash('a'.repeat(32)), events: 1, firstMs: 1, lastMs: 1 }
    const search = searchWith(async (_, __, limit) => Array.from({ length: limit }, () => one))
    const { filter, problems } = await search.resolve(await shop.people.owner.scope(), PARAMS)
    assert.equal(filter, null)
    assert.match(problems[0]?.message ?? '', /too many groups/)
  })

  it('looks into the files that can hold events of the range alone', async () => {
    let asked = -1
    const search = searchWith(async (_, filter) => {
      asked = filter.files.length
      return []
    })
    const scope = await shop.people.owner.scope()
    await search.resolve(scope, PARAMS)
    assert.equal(asked, 1)
    const later = { startMs: NOW + 30 * 86_400_000, endMs: NOW + 31 * 86_400_000 }
    await search.resolve(scope, { ...PARAMS, range: later })
    assert.equal(asked, 0)
  })

  it('knows which project, member and whole value were probably meant', async () => {
    const scope = await shop.people.owner.scope()
    const { email } = shop.people.owner
    const { slug } = shop.shop
    const asked = `project:${slug}x assigned:${email.slice(0, 3)} TypeError`
    const { problems } = await shop.queries.search.resolve(scope, { ...PARAMS, query: asked })
    const meant = problems.map(({ meant: one, start, end }) => [asked.slice(start, end), one?.text])
    assert.deepEqual(meant, [
      [`project:${slug}x`, `project:${slug}`],
      [`assigned:${email.slice(0, 3)}`, `assigned:${email}`],
    ])
    const { looser } = await shop.queries.search.resolve(scope, {
      ...PARAMS,
      query: 'error.value:amount is:new release:1.0 !plan:gold oops',
    })
    assert.equal(looser, 'error.value:*amount* is:new release:1.0 !plan:gold oops')
  })

  it('knows with “has:” every field, or says why it can’t be asked', async () => {
    const scope = await shop.people.owner.scope()
    const plain = { ...PARAMS, environments: [] }
    const listed = async (query: string) => {
      const filter = { ...plain, query, sort: 'date', limit: 10, cursor: null } as const
      const { rows, problems } = await shop.queries.issueList(scope, filter)
      return problems.length > 0 ? problems.map(({ message }) => message) : rows.length
    }
    const refused: string[] = []
    for (const { name, filter } of SEARCH_FIELDS) {
      const [has, lacks] = [await listed(`has:${name}`), await listed(`!has:${name}`)]
      if (typeof has === 'number' && typeof lacks === 'number') assert.equal(has + lacks, 1, name)
      else {
        refused.push(name)
        const sentence =
          filter.by === 'nothing'
            ? `“has:${name}”: “${name}:” can’t be searched; ${filter.instead}.`
            : `“has:${name}”: “${name}:” is never missing; a tag of that name is tags[${name}]:*.`
        assert.deepEqual([has, lacks], [[sentence], [sentence]])
      }
    }
    assert.deepEqual(refused, [
      ...['is', 'priority', 'project', 'events', 'firstSeen', 'lastSeen', 'age', 'timestamp', 'issue', 'has'],
      ...['title', 'message', 'userSeen'],
    ])
    const { value: issue } = await shop.queries.search
      .select(scope, { query: 'TypeError', projects: [] })
      .then((found) => ({ value: found.ok ? found.value[0] : undefined }))
    assert.ok(issue !== undefined)
    // No event here has a tag of these names.
    assert.deepEqual(await Promise.all(['has:culprit', 'has:assigned', 'has:level'].map(listed)), [1, 0, 1])
    const events = await shop.queries.issueEvents(scope, String(issue.id), {
      query: 'has:culprit',
      limit: 5,
      cursor: null,
    })
    assert.equal(events?.rows.length, 1)
    assert.match(String(await listed('(has:title OR has:nothing)')), /“title:” is never missing/)
    assert.match(String(await listed('has:[plan,title]')), /“title:” is never missing/)
  })

  it('selects for a bulk change what it finds, and refuses what it does not understand', async () => {
    const scope = await shop.people.owner.scope()
    const { search } = shop.queries
    const found = await search.select(scope, { query: 'TypeError', projects: [] })
    assert.ok(found.ok)
    assert.equal(found.value.length, 1)
    const refused = await search.select(scope, { query: 'is:lost', projects: [] })
    assert.ok(!refused.ok)
    assert.equal(refused.code, 'query_invalid')
  })

  it('changes everything that a list finds, and takes it back exactly', async () => {
    const owner = await shop.people.owner.viewer()
    const scope = await shop.people.owner.scope()
    const who = asking(owner, scope)
    const list = {
      query: 'TypeError',
      projects: ['shop'],
      environments: [],
      range: RANGE,
      tab: 'unresolved' as const,
    }
    const stateOf = async () => {
      const issue = await shop.reader.issue(scope, 'SHOP-1')
      return [issue?.status, issue?.substatus, issue?.statusChangedMs]
    }
    const before = await stateOf()
    const earlier = { startMs: NOW - 9 * 86_400_000, endMs: NOW - 8 * 86_400_000 }
    const none = await shop.commands.run('resolveIssues', who, { selection: { ...list, range: earlier } })
    assert.deepEqual(none.ok && none.value, [])
    const changed = await shop.commands.run('resolveIssues', who, { selection: list })
    assert.ok(changed.ok)
    assert.equal(changed.value.length, 1)
    assert.equal((await stateOf())[0], 'resolved')
    // It has left the list, so that the undo names the issues that were changed.
    const again = await shop.commands.run('resolveIssues', who, { selection: list })
    assert.deepEqual(again.ok && again.value, [])
    const undone = await shop.commands.run('undoIssues', who, { refs: changed.value.map(String) })
    assert.deepEqual(undone.ok && undone.value, changed.value)
    assert.deepEqual(await stateOf(), before)
  })
})

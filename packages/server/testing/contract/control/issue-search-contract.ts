/** Contract of what a search asks of issues themselves: patterns, fields, counts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WantedValue } from '#model/tag-condition.ts'
import type { IssueFilter } from '#ports/issues.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'

export function issueSearchContract(open: ControlFactory): void {
  describe('a search for issues', () => {
    const { stores, world, send } = openForEachTest(open)

    const found = async (change: Partial<IssueFilter>) => {
      const page = { sort: 'date', limit: 25, cursor: null } as const
      const { rows } = await stores.read.list(world.scope, aFilter(change), page)
      return rows.map((row) => row.value).sort()
    }
    const text = (value: string, negated = false) => ({ text: [{ value, negated }] })
    const tag = (key: string, value: string) => ({ tags: [{ key, value, negated: false }] })

    it('takes a star in a text for any text', async () => {
      await send(
        { group: 'cart', facts: { title: 'Cannot read [cart] of user 7', culprit: 'GET /cart' } },
        { group: 'other', facts: { title: 'Cannot write cart', culprit: 'POST /orders' } },
      )
      assert.deepEqual(await found(text('CANNOT*cart')), ['cart', 'other'])
      assert.deepEqual(await found(text('read*user')), ['cart'])
      assert.deepEqual(await found(text('user*read')), [])
      assert.deepEqual(await found(text('[c*t]')), ['cart'])
      assert.deepEqual(await found(text('r*d', true)), [])
      assert.deepEqual(await found(text('*')), ['cart', 'other'])
    })

    it('calls an issue as its newest event does, be it as before the last one', async () => {
      for (const title of ['Error: one', 'Error: two', 'Error: one', 'Error: ÜBER', 'Error: one'])
        await send({ group: 'a', title, facts: { value: title } })
      assert.deepEqual(await found(text('two')), [])
      assert.deepEqual(await found(text('über')), [])
      assert.deepEqual(await found(text('one')), ['Error: one'])
    })

    it('tells values apart by every sign of theirs', async () => {
      const values = [
        ...[
          '',
          'a',
          'A',
          '~a',
          '~A',
          '~~a',
          'a b',
          'a  b',
          'a\tb',
          'a\nb',
          'a"b',
          "a'b",
          'a?b',
          'é',
          'É',
          '日本',
        ],
        ...['ⅎ~', 'a AND b', '"', '~', '~~', 'NEAR(a b)', '\u0085', '\u007f', `${'x'.repeat(199)}Y`],
      ]
      await send(...values.map((sign, index) => ({ group: `${index}`, tags: { sign } })))
      for (const [index, value] of values.entries())
        assert.deepEqual(await found(tag('sign', value)), [`${index}`], JSON.stringify(value))
      const some = (start: string) =>
        values.flatMap((value, index) => (value.startsWith(start) ? `${index}` : [])).sort()
      for (const start of ['a', 'A', '~', 'a ', 'a\t', '"', '日', 'x', ''])
        assert.deepEqual(await found(tag('sign', `${start}*`)), some(start), JSON.stringify(start))
      const pairs = ['A', '日本'].map((value) => ({ projectId: world.shop, value }))
      const either = await found({ tags: [{ key: 'sign', value: pairs, negated: false }] })
      assert.deepEqual(either, some('A').concat(some('日')).sort())
    })

    it('finds a value that a known group says first in a later batch, and none of another key', async () => {
      await send({ group: 'old', tags: { plan: 'free' } }, { group: 'older', tags: { plan: 'free' } })
      await send({ group: 'older', tags: { plan: 'paid' } }, { group: 'young', tags: { plan: 'paid' } })
      await send({ group: 'old', tags: { plan: 'paid', tier: 'free' } })
      assert.deepEqual(await found(tag('plan', 'paid')), ['old', 'older', 'young'])
      assert.deepEqual(await found(tag('plan', 'free')), ['old', 'older'])
      assert.deepEqual(await found(tag('tier', 'free')), ['old'])
    })

    it('filters by what an issue has one of, in any case: any of the wanted, none of the unwanted', async () => {
      await send(
        { group: 'type', facts: { type: 'TypeError', platform: 'node' }, release: 'shop@1.0' },
        { group: 'range', facts: { type: 'RangeError', platform: 'javascript' }, release: 'shop@2.0' },
        { group: 'python', facts: { type: 'ValueError', platform: 'python' } },
      )
      const by = (...fields: IssueFilter['fields']) => found({ fields })
      const one = (field: IssueFilter['fields'][number]['field'], wanted: string, negated = false) => ({
        ...{ field, value: wanted, negated },
      })
      assert.deepEqual(await by(one('type', 'typeerror')), ['type'])
      assert.deepEqual(await by(one('type', 'TypeError'), one('type', 'Value*')), ['python', 'type'])
      assert.deepEqual(await by(one('type', '*Error'), one('platform', 'node', true)), ['python', 'range'])
      assert.deepEqual(await by(one('type', 'R?ngeError')), [])
      assert.deepEqual(await by(one('value', 'rang*')), ['range'])
      assert.deepEqual(await by(one('firstRelease', 'shop@1*')), ['type'])
      assert.deepEqual(await by(one('firstRelease', '*', true)), ['python'])
      assert.deepEqual(await by(one('lastRelease', 'shop@2.0', true)), ['python', 'type'])
    })

    it('filters by several values, each in its own project', async () => {
      await send(
        { group: 'old', release: '1', tags: { release: '1' } },
        { group: 'both', release: '1', tags: { release: '1' } },
        { group: 'both', release: '2', tags: { release: '2' } },
        { group: 'none' },
        { projectId: world.blog, group: 'blog', release: '1', tags: { release: '1' } },
      )
      const [one, two] = [
        { projectId: world.shop, value: '1' },
        { projectId: world.shop, value: '2' },
      ]
      const tag = (among: WantedValue, negated = false) =>
        found({ tags: [{ key: 'release', value: among, negated }] })
      assert.deepEqual(await tag([one]), ['both', 'old'])
      assert.deepEqual(await tag([two, { projectId: world.blog, value: '2' }]), ['both'])
      assert.deepEqual(await tag([one, two, { projectId: world.blog, value: '1' }]), ['blog', 'both', 'old'])
      assert.deepEqual(await tag([one], true), ['blog', 'both', 'none'])
      assert.deepEqual([await tag([]), (await tag([], true)).length], [[], 4])
      const first = (among: WantedValue, negated = false) =>
        found({ fields: [{ field: 'firstRelease', value: among, negated }] })
      assert.deepEqual(await first([one]), ['both', 'old'])
      assert.deepEqual(await first([one], true), ['blog', 'none'])
      assert.deepEqual(await first([]), [])
      const last = { field: 'lastRelease', value: [two], negated: false } as const
      assert.deepEqual(await found({ fields: [last] }), ['both'])
    })

    it('filters by category, which follows the newest event', async () => {
      await send(
        { group: 'skewed', facts: { category: 'skew' } },
        { group: 'hydrating', facts: { category: 'hydration' }, timestampMs: NOW - HOUR },
      )
      const by = (wanted: string, negated = false) =>
        found({ fields: [{ field: 'category', value: wanted, negated }] })
      assert.deepEqual(await by('hydration'), ['hydrating'])
      assert.deepEqual((await by('hydration', true)).includes('skewed'), true)
      const later = anEvent({ projectId: world.shop, group: 'hydrating', facts: { category: 'client' } })
      await stores.write.applyBatch(aBatch(3, [later]))
      assert.deepEqual([await by('hydration'), await by('CLIENT')], [[], ['hydrating']])
    })

    it('counts the issues that have a value of a field', async () => {
      await send(
        { group: 'a', facts: { type: 'TypeError' }, release: 'shop@1.0' },
        { group: 'b', facts: { type: 'TypeError' } },
        { group: 'c', facts: { type: 'RangeError' } },
        { projectId: world.blog, group: 'd', facts: { type: 'TypeError' } },
      )
      const values = async (field: 'type' | 'lastRelease', prefix: string, limit = 5) =>
        (await stores.read.issueValues(world.shopScope, field, { prefix, limit })).map(({ value, count }) => [
          value,
          count,
        ])
      assert.deepEqual(await values('type', ''), [
        ['TypeError', 2],
        ['RangeError', 1],
      ])
      assert.deepEqual(await values('type', 'range'), [['RangeError', 1]])
      assert.deepEqual([await values('type', '', 1), await values('type', 'x')], [[['TypeError', 2]], []])
      assert.deepEqual(await values('lastRelease', 'SHOP@'), [['shop@1.0', 1]])
    })

    it('filters by events in the range and by users', async () => {
      const some = (group: string, count: number, timestampMs = NOW - HOUR) =>
        Array.from({ length: count }, (_, index) => ({ group, timestampMs, user: `id:${index}` }))
      await send(...some('few', 2), ...some('many', 5), ...some('old', 9, NOW - 9 * DAY), ...some('old', 1))
      const by = (of: 'events' | 'users', least: number, most: number, negated = false) => ({
        counts: [{ of, least, most, negated }],
      })
      assert.deepEqual(await found(by('events', 5, 1_000)), ['many', 'old'])
      assert.deepEqual(await found({ ...by('events', 5, 1_000), startMs: NOW - DAY }), ['many'])
      assert.deepEqual(await found({ ...by('events', 5, 1_000, true), startMs: NOW - DAY }), ['few', 'old'])
      assert.deepEqual(await found(by('events', 2, 2)), ['few'])
      assert.deepEqual(await found(by('users', 3, 8)), ['many'])
      assert.deepEqual(await found(by('users', 3, 8, true)), ['few', 'old'])
      const filter = aFilter(by('events', 5, 1_000))
      assert.equal((await stores.read.countByStatus(world.scope, filter)).all, 2)
    })
  })
}

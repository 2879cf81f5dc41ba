/** Contract of what rules mean that tools for Sentry write: all moments at once, comparisons of tags, the archive, owners. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OwnersOtherwise, RuleCondition, TagComparison } from '#model/alert-rule.ts'
import { anIssueRule } from '../../builders/alert-rule.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { alertWorld } from './alert-rules-world.ts'
import { type ControlFactory, value } from './stores.ts'

const MINUTE = 60_000

export function alertMeaningsContract(open: ControlFactory): void {
  describe('Alert rules of tools', () => {
    const { at, rule, evaluate, firings, messages, arrive, change, actor } = alertWorld(open)
    const onlyIf = (match: 'all' | 'any' | 'none', ...conditions: readonly RuleCondition[]) =>
      anIssueRule({ on: 'new' }, { if: { match, conditions } })
    const fired = async () => (await evaluate()).fired

    it('fire where all of several moments are met at once', async () => {
      const both = anIssueRule({ on: 'new' })
      assert.ok(both.kind === 'issue')
      const often = { on: 'frequency', of: 'events', atLeast: 2, withinMinutes: 5 } as const
      await rule({ ...both, when: [{ on: 'new' }, often], whenMatch: 'all' })
      await arrive({ group: 'a' })
      assert.equal(await fired(), 0, 'new alone')
      await arrive({ group: 'a' }, { group: 'a' })
      assert.equal(await fired(), 0, 'often alone')
      await arrive({ group: 'b' }, { group: 'b' })
      assert.equal(await fired(), 1)
      assert.match((await firings())[0]?.because ?? '', /first time, and 2 events/)
    })

    const tag = (how: TagComparison, wanted = 'PRO') =>
      ({ is: 'tag', key: 'plan', how, value: wanted }) as const
    const HOLDS: readonly (readonly [
      TagComparison,
      string,
      of: readonly [set: boolean, missing: boolean],
    ])[] = [
      ['is', 'PRO-yearly', [true, false]],
      ['is not', 'PRO-yearly', [false, true]],
      ['contains', 'o-Y', [true, false]],
      ['does not contain', 'o-Y', [false, true]],
      ['starts with', 'Pro', [true, false]],
      ['does not start with', 'Pro', [false, true]],
      ['ends with', 'LY', [true, false]],
      ['does not end with', 'LY', [false, true]],
      ['is set', '', [true, false]],
      ['is not set', '', [false, true]],
    ]
    for (const [how, wanted, holds] of HOLDS)
      it(`hold where a tag ${how} a text, in any case, and of events without it`, async () => {
        await rule(onlyIf('all', tag(how, wanted)))
        const count = anIssueRule({ on: 'frequency', of: 'events', atLeast: 1, withinMinutes: 5 })
        await rule({ ...count, if: { match: 'all', conditions: [tag(how, wanted)] } })
        await arrive({ group: 'set', tags: { plan: 'pro-yearly' } })
        assert.equal(await fired(), holds[0] ? 2 : 0, 'with the tag')
        await arrive({ group: 'missing' })
        assert.equal(await fired(), holds[1] ? 2 : 0, 'without it')
      })

    it('hold where none of their conditions does', async () => {
      await rule(onlyIf('none', tag('is set', ''), { is: 'level', how: 'at least', level: 'fatal' }))
      await arrive({ group: 'a', tags: { plan: 'pro' } }, { group: 'b', level: 'fatal' }, { group: 'c' })
      assert.equal(await fired(), 1)
    })

    it('tell what comes back from the archive from what was resolved', async () => {
      await rule(anIssueRule({ on: 'regressed' }, { name: 'regressed' }))
      await rule(anIssueRule({ on: 'escalating' }, { name: 'reappeared' }))
      await arrive({ group: 'a' }, { group: 'b' })
      assert.equal(await fired(), 0)
      const [one, other] = [await change('SHOP-1'), await change('SHOP-2')]
      value(await at.stores.write.archive(one, archivedUntil({ eventsMore: 1 }), actor()))
      value(await at.stores.write.resolve(other, actor()))
      at.clock.advance(MINUTE)
      await arrive({ group: 'a' }, { group: 'b' })
      assert.equal(await fired(), 2)
      const told = (await firings()).map(({ issue, because }) => `${issue}: ${because}`)
      assert.deepEqual(told.sort(), ['SHOP-1: it was unarchived', 'SHOP-2: a resolved issue regressed'])
    })

    const toOwners = (otherwise: OwnersOtherwise) => ({
      notify: [{ target: { to: 'owners', otherwise }, fromLevel: 'warning' }] as const,
    })
    it('email the owners of an issue, and nobody where there are none and nobody is wanted', async () => {
      await rule(anIssueRule({ on: 'new' }, toOwners('nobody')))
      await arrive({ group: 'a' })
      assert.equal(await fired(), 1)
      assert.deepEqual(
        (await messages()).map(({ state, says }) => [state, says]),
        [['cancelled', 'No code owner of the issue can be emailed.']],
      )
      await rule(anIssueRule({ on: 'resolved' }, toOwners('nobody')))
      value(await at.stores.write.assign(await change('SHOP-1'), at.world.owner, actor()))
      value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
      await evaluate()
      assert.equal((await messages()).filter(({ state }) => state === 'waiting').length, 1)
    })

    it('email members, or those who were here lately, where an issue has no owners', async () => {
      await rule(anIssueRule({ on: 'new' }, toOwners('members')))
      await arrive({ group: 'a' })
      await evaluate()
      const members = (await messages()).filter(({ state }) => state === 'waiting').length
      assert.ok(members > 0)
      await rule(anIssueRule({ on: 'resolved' }, toOwners('active')))
      value(await at.stores.write.resolve(await change('SHOP-1'), actor()))
      await evaluate()
      const active = (await messages()).filter(
        ({ moment, state }) => moment === 'resolved' && state === 'waiting',
      )
      assert.ok(active.length < members, 'nobody has a session here')
    })
  })
}

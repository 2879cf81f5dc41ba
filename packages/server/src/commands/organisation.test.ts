import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { userId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import { asking, openShop, type Shop, unwrap } from '#testing/worlds/api.ts'

const DAY_MS = 86_400_000

describe('who comes and who goes', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  const who = async ({ viewer, scope }: Shop['people']['owner']) => asking(await viewer(), await scope())
  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.code)

  it('revokes the tokens of whoever is removed only where asked, and tells who made those that stay', async () => {
    const { commands, queries, people } = shop
    const owner = await who(people.owner)
    const named = async (name: string) =>
      (await queries.tokens(owner.scope)).filter((token) => token.name === name)
    for (const [role, revokesTokens] of [
      ['manager', false],
      ['member', true],
    ] as const) {
      const { viewer } = people[role]
      const { user } = await viewer()
      if (role === 'member') unwrap(await commands.run('setRole', owner, { user: user.id, role: 'manager' }))
      const theirs = await who(people[role])
      unwrap(await commands.createToken(theirs, { name: role, scopes: ['org:ci'], personal: false }))
      unwrap(await commands.run('removeMember', owner, { user: user.id, revokesTokens }))
      const left = (await named(role)).map(({ createdBy }) => createdBy)
      assert.deepEqual(left, revokesTokens ? [] : [{ userId: userId(user.id), name: role }])
    }
  })

  it('renews an invitation that has expired: same person and role, another link', async () => {
    const { commands, queries, clock, people } = shop
    const invited = { email: 'late@example.com', role: 'viewer', teams: [] } as const
    const owner = await who(people.owner)
    unwrap(await commands.run('invite', owner, invited))
    clock.advance(8 * DAY_MS)
    const open = async () => (await queries.invitations(owner.scope)).map(({ email, role }) => [email, role])
    assert.deepEqual(await open(), [])
    const [expired] = await queries.expiredInvitations(owner.scope)
    assert.ok(expired !== undefined)
    const renewed = unwrap(await commands.run('renewInvitation', owner, expired.codeHash))
    assert.equal(renewed.byMail, false)
    assert.match(renewed.url, /\/join\//)
    assert.deepEqual(await open(), [[invited.email, invited.role]])
    assert.deepEqual(await queries.expiredInvitations(owner.scope), [])
    assert.equal(codeOf(await commands.run('renewInvitation', owner, expired.codeHash)), 'not_found')
  })
})

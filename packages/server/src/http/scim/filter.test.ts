import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openShop, type Shop } from '#testing/worlds/api.ts'
import { askScim, okta, patch, tokenWith } from '#testing/worlds/scim.ts'
import { URN } from './values.ts'

describe('SCIM, as compliance suites ask', () => {
  let shop: Shop
  let token: string
  before(async () => {
    shop = await openShop()
    token = await tokenWith(shop, 'scim:write')
  })
  after(() => shop?.close())

  const ask = (line: string, given: { readonly body?: unknown } = {}) =>
    askScim(shop, line, { bearer: token, ...given })
  const create = async (userName: string) =>
    String((await ask('POST /Users', { body: okta(userName) })).json.id)

  it('takes a user name that is no email, once, beside an email', async () => {
    const person = okta('zoe', { emails: [{ value: 'zoe@acme.test', primary: true, type: 'work' }] })
    const made = await ask('POST /Users', { body: person })
    assert.deepEqual(
      [made.status, made.json.userName, made.json.emails[0].value],
      [201, 'zoe', 'zoe@acme.test'],
    )
    const again = okta('Zoe', { emails: [{ value: 'other@acme.test' }] })
    assert.equal((await ask('POST /Users', { body: again })).status, 409)
    const found = await ask(`GET /Users?filter=${encodeURIComponent('UserName EQ "ZOE"')}`)
    assert.deepEqual(found.json.Resources[0].id, made.json.id)
    const change = patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'zoe.b@acme.test' })
    const moved = await ask(`PATCH /Users/${made.json.id}`, change)
    assert.deepEqual([moved.json.userName, moved.json.emails[0].value], ['zoe', 'zoe.b@acme.test'])
  })

  it('filters by terms in parentheses, by not, by order and by parts of a value', async () => {
    const id = await create('una@acme.test')
    const group = await ask('POST /Groups', {
      body: { schemas: [URN.group], displayName: 'Filtered', members: [{ value: id }] },
    })
    const found = async (kind: string, filter: string): Promise<readonly string[]> => {
      const { json } = await ask(`GET /${kind}?filter=${encodeURIComponent(filter)}`)
      return json.Resources.map((one: { id: string }) => one.id)
    }
    for (const filter of [
      'not (not (userName eq "una@acme.test"))',
      '(userName eq "una@acme.test" or userName eq "nobody") and (active eq true)',
      'USERNAME Eq "una@acme.test" AND NOT (name.familyName co "zzz")',
      'emails[type eq "work" and value eq "una@acme.test"]',
      'emails[type eq "work"].value eq "una@acme.test"',
      'userName ge "una@acme.test" and userName le "una@acme.test"',
      'userName eq "una@acme.test" and meta.created gt "2011-05-13T04:42:34Z"',
    ])
      assert.deepEqual(await found('Users', filter), [id], filter)
    for (const filter of [
      'emails[type eq "home"].value eq "una@acme.test"',
      'userName eq "una@acme.test" and meta.created lt "2011-05-13T04:42:34Z"',
    ])
      assert.deepEqual(await found('Users', filter), [], filter)
    assert.deepEqual(await found('Groups', `members[value eq "${id}"] and displayName eq "Filtered"`), [
      group.json.id,
    ])
    assert.deepEqual(
      await found('Groups', `not (members[value eq "${id}"]) and displayName eq "Filtered"`),
      [],
    )
  })
})

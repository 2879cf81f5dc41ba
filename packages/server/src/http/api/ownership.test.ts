import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerOf, openShop, type Shop } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const PATH = '/projects/acme/shop/ownership/'

describe('ownership over the web API', () => {
  let shop: Shop
  let call: (path: string, body?: unknown) => Promise<{ status: number; body: Json }>

  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (path, body) => caller(shop.people.owner, path, body)
  })
  after(() => shop.close())

  it('answers in the words of Sentry, and keeps what is set', async () => {
    const before = (await call(`GET ${PATH}`)).body
    assert.deepEqual(before, {
      raw: null,
      codeowners: null,
      fallthrough: false,
      isActive: true,
      autoAssignment: 'Turn off Auto-Assignment',
      codeownersAutoSync: false,
      dateCreated: null,
      lastUpdated: null,
      errata: { problems: { rules: [], codeOwners: [] }, cut: null },
    })
    const [team] = (await call('GET /organizations/acme/teams/')).body
    const raw = `path:src/* #${team.slug}`
    const body = { raw, autoAssignment: 'Auto Assign to Issue Owner', fallthrough: true }
    const set = await call(`PUT ${PATH}`, body)
    assert.deepEqual([set.status, set.body.raw, set.body.autoAssignment], [200, raw, body.autoAssignment])
    assert.ok(typeof set.body.dateCreated === 'string')
    const suspects = { autoAssignment: 'Auto Assign to Suspect Commits' }
    const changed = await call(`PUT ${PATH}`, suspects)
    assert.equal(changed.body.autoAssignment, suspects.autoAssignment)
  })

  it('refuses rules that are not understood or name nobody, line by line', async () => {
    const wrong = await call(`PUT ${PATH}`, { raw: 'path:a\npath:b #nobody' })
    assert.equal(wrong.status, 400)
    assert.match(JSON.stringify(wrong.body), /Line 1: It names no owner.*Line 2: No team/)
    assert.equal((await call(`PUT ${PATH}`, { autoAssignment: 'yes' })).status, 400)
  })

  it('takes a CODEOWNERS file whose names nobody has, and says so', async () => {
    const set = await call(`PUT ${PATH}`, { codeowners: '* @nobody-at-all\n' })
    assert.equal(set.status, 200)
    assert.equal(set.body.errata.problems.codeOwners[0].line, 1)
  })
})

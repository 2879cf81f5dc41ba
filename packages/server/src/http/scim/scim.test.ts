import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SCOPES } from '#access/permissions.ts'
import { asking, openShop, type Shop, URL_HERE, value } from '#testing/worlds/api.ts'
import { URN } from './values.ts'

/** Requests after RFC 7644, as Okta and Entra ID send them. */
describe('SCIM', () => {
  let shop: Shop
  let token: string
  before(async () => {
    shop = await openShop()
    token = await tokenWith('scim:write')
  })
  after(() => shop?.close())

  async function tokenWith(scope: string, who = shop.people.owner): Promise<string> {
    const input = { name: scope, scopes: [scope], personal: false }
    return value(await shop.commands.createToken(asking(await who.viewer(), await who.scope()), input)).token
  }

  async function ask(
    line: string,
    { body, bearer = token }: { readonly body?: unknown; readonly bearer?: string | null } = {},
  ) {
    const [method = '', path = ''] = line.split(/ (.*)/)
    const request = new Request(`${URL_HERE}/scim/v2/acme${path}`, {
      method,
      headers: {
        'content-type': 'application/scim+json',
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const answer = await shop.api(request, { clientAddress: '192.0.2.1' })
    assert.ok(answer !== null)
    const text = await answer.text()
    // biome-ignore lint/suspicious/noExplicitAny: what the wire answers is looked at field by field
    const json: any = text === '' ? null : JSON.parse(text)
    return { status: answer.status, headers: answer.headers, json }
  }
  const okta = (userName: string, more: object = {}) => ({
    schemas: [URN.user],
    userName,
    name: { givenName: 'Nia', familyName: 'Okoye' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Nia Okoye',
    locale: 'en-US',
    externalId: `okta-${userName}`,
    groups: [],
    password: 'not kept',
    active: true,
    ...more,
  })
  const filtered = (attribute: string, wanted: string) =>
    `GET /Users?filter=${encodeURIComponent(`${attribute} eq "${wanted}"`)}&startIndex=1&count=100`
  const patch = (...Operations: object[]) => ({ body: { schemas: [URN.patch], Operations } })
  const create = async (userName: string) =>
    String((await ask('POST /Users', { body: okta(userName) })).json.id)
  const isMember = async (email: string) =>
    (await shop.queries.members(await shop.people.owner.scope())).some((one) => one.email === email)

  it('describes itself', async () => {
    const config = await ask('GET /ServiceProviderConfig')
    assert.equal(config.headers.get('content-type'), 'application/scim+json')
    assert.deepEqual([config.json.patch.supported, config.json.bulk.supported], [true, false])
    assert.deepEqual(
      (await ask('GET /ResourceTypes')).json.Resources.map(({ id }: { id: string }) => id),
      ['User', 'Group'],
    )
    assert.equal((await ask(`GET /Schemas/${URN.user}`)).json.name, 'User')
    assert.equal((await ask('GET /Schemas/unknown')).status, 404)
  })

  it('takes Okta’s set: look for, create, read, change all, deactivate', async () => {
    const email = 'nia@acme.test'
    const none = await ask(filtered('userName', email))
    assert.deepEqual([none.status, none.json.totalResults, none.json.Resources], [200, 0, []])
    const made = await ask('POST /Users', { body: okta(email) })
    assert.equal(made.status, 201)
    assert.equal(made.headers.get('location'), `${URL_HERE}/scim/v2/acme/Users/${made.json.id}`)
    const { userName, externalId, active, name } = made.json
    assert.deepEqual([userName, externalId, active], [email, `okta-${email}`, true])
    assert.deepEqual(name, { formatted: 'Nia Okoye', givenName: 'Nia', familyName: 'Okoye' })
    assert.ok(!('password' in made.json) && (await isMember(email)))
    const again = await ask('POST /Users', { body: okta(email) })
    assert.deepEqual(
      [again.status, again.json.scimType, again.json.schemas],
      [409, 'uniqueness', [URN.error]],
    )
    assert.equal((await ask(filtered('userName', email.toUpperCase()))).json.Resources[0].id, made.json.id)
    const renamed = okta('nia.o@acme.test', { displayName: 'Nia', name: { formatted: 'Nia O.' } })
    const put = await ask(`PUT /Users/${made.json.id}`, { body: renamed })
    assert.deepEqual(
      [put.status, put.json.userName, put.json.displayName],
      [200, 'nia.o@acme.test', 'Nia O.'],
    )
    const off = await ask(`PATCH /Users/${made.json.id}`, patch({ op: 'replace', value: { active: false } }))
    assert.deepEqual([off.status, off.json.active, await isMember('nia.o@acme.test')], [200, false, false])
    assert.equal((await ask(`GET /Users/${made.json.id}`)).json.active, false)
    const on = await ask(`PATCH /Users/${made.json.id}`, patch({ op: 'replace', value: { active: true } }))
    assert.deepEqual([on.json.active, await isMember('nia.o@acme.test')], [true, true])
  })

  it('takes Entra’s set: operations with paths, words for booleans, deletion', async () => {
    const id = await create('leo@acme.test')
    const changed = await ask(
      `PATCH /Users/${id}`,
      patch(
        { op: 'Replace', path: 'displayName', value: 'Leo Park' },
        { op: 'Add', path: 'name.familyName', value: 'Parker' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ignored@acme.test' },
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'Web',
        },
      ),
    )
    assert.deepEqual(
      [changed.status, changed.json.displayName, changed.json.userName],
      [200, 'Leo Parker', 'leo@acme.test'],
    )
    const off = await ask(`PATCH /Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
    assert.equal(off.json.active, false)
    assert.equal((await ask(`DELETE /Users/${id}`)).status, 204)
    assert.equal((await ask(`GET /Users/${id}`)).status, 404)
    assert.equal((await ask(`DELETE /Users/${id}`)).status, 404)
  })

  it('keeps groups as teams', async () => {
    const [one, two] = [await create('one@acme.test'), await create('two@acme.test')]
    const body = {
      schemas: [URN.group],
      displayName: 'Platform',
      externalId: 'g-1',
      members: [{ value: one }],
    }
    const made = await ask('POST /Groups', { body })
    assert.equal(made.status, 201)
    const { id } = made.json
    const members = async () =>
      (await ask(`GET /Groups/${id}`)).json.members.map(({ value: each }: { value: string }) => each)
    assert.deepEqual(await members(), [one])
    const find = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "platform"')}`
    const [found] = (await ask(`GET ${find}`)).json.Resources
    assert.deepEqual([found.id, found.externalId, 'members' in found], [id, 'g-1', false])
    await ask(`PATCH /Groups/${id}`, patch({ op: 'Add', path: 'members', value: [{ value: two }] }))
    assert.deepEqual(await members(), [one, two])
    await ask(`PATCH /Groups/${id}`, patch({ op: 'remove', path: `members[value eq "${one}"]` }))
    assert.deepEqual(await members(), [two])
    await ask(`PATCH /Groups/${id}`, patch({ op: 'replace', value: { id, displayName: 'Platforms' } }))
    const teams = await shop.queries.teams(await shop.people.owner.scope())
    assert.deepEqual(
      teams
        .filter((team) => String(team.id) === id)
        .map(({ name, members: inIt }) => [name, inIt.map(String)]),
      [['Platforms', [two]]],
    )
    const put = await ask(`PUT /Groups/${id}`, { body: { ...body, displayName: 'Ops', members: [] } })
    assert.deepEqual([put.status, put.json.displayName, put.json.members], [200, 'Ops', []])
    const strangers = { ...body, displayName: 'Strangers', members: [{ value: '999999' }] }
    assert.equal((await ask('POST /Groups', { body: strangers })).status, 400)
    assert.ok(
      !(await ask('GET /Groups')).json.Resources.some(
        (each: { displayName: string }) => each.displayName === 'Strangers',
      ),
    )
    assert.equal((await ask(`DELETE /Groups/${id}`)).status, 204)
    assert.equal((await ask(`GET /Groups/${id}`)).status, 404)
  })

  it('pages, and says which filters it does not speak', async () => {
    const all = (await ask('GET /Users')).json
    const page = (await ask('GET /Users?startIndex=2&count=1')).json
    assert.deepEqual([page.totalResults, page.startIndex, page.itemsPerPage], [all.totalResults, 2, 1])
    assert.equal(page.Resources[0].id, all.Resources[1].id)
    for (const filter of ['userName co "a"', 'title eq "x"', 'userName eq "a" or active eq true']) {
      const { status, json } = await ask(`GET /Users?filter=${encodeURIComponent(filter)}`)
      assert.deepEqual([status, json.scimType], [400, 'invalidFilter'], filter)
    }
    assert.equal((await ask('POST /Users', { body: { userName: 'no email' } })).status, 400)
    assert.equal((await ask('PATCH /Users/1', { body: {} })).status, 400)
    assert.equal((await ask('POST /Bulk', { body: {} })).status, 405)
  })

  it('never removes the last owner, and renames nobody who is more than this organisation’s', async () => {
    const owner = (await ask(filtered('userName', 'owner@acme.test'))).json.Resources[0]
    assert.equal((await ask(`DELETE /Users/${owner.id}`)).status, 409)
    assert.equal(
      (await ask(`PATCH /Users/${owner.id}`, patch({ op: 'replace', path: 'active', value: false }))).status,
      409,
    )
    const taken = patch({ op: 'replace', path: 'userName', value: 'mine@evil.test' })
    assert.equal((await ask(`PATCH /Users/${owner.id}`, taken)).status, 403)
    assert.ok(await isMember('owner@acme.test'))
  })

  it('describes every resource type and schema, in lists and one by one', async () => {
    for (const [kind, ids] of [
      ['ResourceTypes', ['User', 'Group']],
      ['Schemas', [URN.user, URN.group]],
    ] as const) {
      const { status, json } = await ask(`GET /${kind}`)
      assert.deepEqual([status, json.schemas, json.totalResults], [200, [URN.list], 2])
      for (const id of ids) assert.equal((await ask(`GET /${kind}/${id}`)).json.id, id)
    }
  })

  it('answers every refusal in SCIM’s shape', async () => {
    const id = await create('shape@acme.test')
    const cases: readonly [line: string, status: number, scimType: string | undefined, body?: unknown][] = [
      ['GET /Nothing', 404, undefined],
      ['GET /Users/999999', 404, undefined],
      ['GET /Groups/none', 404, undefined],
      ['GET /Users/1/more', 404, undefined],
      ['PUT /Users', 405, undefined, {}],
      ['POST /Schemas', 405, undefined, {}],
      ['GET /Users?startIndex=x', 400, 'invalidValue'],
      ['GET /Groups?filter=name%20eq%20%22x%22', 400, 'invalidFilter'],
      ['POST /Users', 400, 'invalidValue', {}],
      ['POST /Groups', 400, 'invalidValue', {}],
      [`PATCH /Users/${id}`, 400, 'invalidSyntax', {}],
      ['POST /Users', 409, 'uniqueness', okta('shape@acme.test')],
    ]
    for (const [line, status, scimType, body] of cases) {
      const answer = await ask(line, body === undefined ? {} : { body })
      const { schemas, status: said, scimType: type, detail } = answer.json
      assert.deepEqual(
        [answer.status, schemas, said, type],
        [status, [URN.error], String(status), scimType],
        line,
      )
      assert.ok(typeof detail === 'string' && detail !== '', line)
      assert.equal(answer.headers.get('content-type'), 'application/scim+json')
    }
  })

  it('finds users and groups by every attribute that it says it filters by', async () => {
    const id = await create('filters@acme.test')
    const group = {
      schemas: [URN.group],
      displayName: 'Filters',
      externalId: 'g-f',
      members: [{ value: id }],
    }
    const made = await ask('POST /Groups', { body: group })
    const found = async (kind: string, filter: string) =>
      (await ask(`GET /${kind}?filter=${encodeURIComponent(filter)}`)).json.Resources.map(
        (one: { id: string }) => one.id,
      )
    for (const filter of [
      'userName eq "Filters@acme.test"',
      'externalId eq "okta-filters@acme.test"',
      `id eq "${id}"`,
      'emails.value eq "filters@acme.test"',
    ])
      assert.deepEqual(await found('Users', filter), [id], filter)
    for (const filter of ['displayName eq "Nia Okoye"', 'active eq true'])
      assert.ok((await found('Users', filter)).includes(id), filter)
    for (const filter of ['displayName eq "filters"', 'externalId eq "g-f"', `id eq "${made.json.id}"`])
      assert.deepEqual(await found('Groups', filter), [made.json.id], filter)
    // Whoever is provisioned is in the organisation's own team as well.
    assert.deepEqual(await found('Groups', `members.value eq "${id}"`), ['1', made.json.id])
  })

  it('gives whom it provisions the organisation’s default role, and leaves guests out of groups', async () => {
    const { owner, guest } = shop.people
    value(await shop.commands.setRoleDefault(asking(await owner.viewer(), await owner.scope()), 'viewer'))
    await create('fresh@acme.test')
    const members = await shop.queries.members(await owner.scope())
    assert.equal(members.find(({ email }) => email === 'fresh@acme.test')?.role, 'viewer')
    const user = String((await guest.viewer()).user.id)
    const group = { schemas: [URN.group], displayName: 'With a guest', members: [{ value: user }] }
    assert.equal((await ask('POST /Groups', { body: group })).status, 400)
    assert.deepEqual((await guest.scope()).projects, [shop.shop.id])
  })

  it('opens to a token of its scope alone, in its own organisation', async () => {
    for (const scope of SCOPES) {
      const { status } = await ask('GET /Users', { bearer: await tokenWith(scope) })
      assert.equal(status, scope === 'scim:write' ? 200 : 403, scope)
    }
    const rival = await shop.people.rival.scope('rival')
    const input = { name: 'rival', scopes: ['scim:write'], personal: false }
    const theirs = value(
      await shop.commands.createToken(asking(await shop.people.rival.viewer(), rival), input),
    ).token
    for (const line of ['GET /Users', 'GET /Groups', 'GET /ServiceProviderConfig', 'DELETE /Users/1'])
      assert.equal((await ask(line, { bearer: theirs })).status, 404, line)
    assert.equal((await ask('GET /Users', { bearer: null })).status, 401)
    assert.equal((await ask('GET /Users', { bearer: 'made up' })).status, 401)
  })
})

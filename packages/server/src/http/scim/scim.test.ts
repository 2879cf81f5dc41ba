import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SCOPES } from '#access/permissions.ts'
import { asking, openShop, type Shop, URL_HERE, unwrap } from '#testing/worlds/api.ts'
import { askScim, tokenWith as makeToken, okta, patch } from '#testing/worlds/scim.ts'
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

  const tokenWith = (scope: string, who = shop.people.owner) => makeToken(shop, scope, who)

  const ask = (line: string, given: { readonly body?: unknown; readonly bearer?: string | null } = {}) =>
    askScim(shop, line, { bearer: token, ...given })
  const filtered = (attribute: string, wanted: string) =>
    `GET /Users?filter=${encodeURIComponent(`${attribute} eq "${wanted}"`)}&startIndex=1&count=100`
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
      [put.status, put.json.userName, put.json.displayName, put.json.name.formatted],
      [200, 'nia.o@acme.test', 'Nia', 'Nia O.'],
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
      [changed.status, changed.json.displayName, changed.json.name.familyName, changed.json.userName],
      [200, 'Leo Park', 'Parker', 'leo@acme.test'],
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
    for (const filter of [
      ...[
        'userName is "a"',
        'title eq "x"',
        'not userName eq "a"',
        '(userName eq "a"',
        'emails[type eq "work"',
      ],
      ...[
        'userName eq "a")',
        `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
        `userName eq "${'a'.repeat(600)}"`,
      ],
      ...['userName eq "a" and', 'userName eq "a" and title pr', 'and', 'userName eq a'],
    ]) {
      const { status, json } = await ask(`GET /Users?filter=${encodeURIComponent(filter)}`)
      assert.deepEqual([status, json.scimType], [400, 'invalidFilter'], filter)
    }
    assert.equal((await ask('POST /Users', { body: { userName: 'no email' } })).status, 400)
    assert.equal((await ask('PATCH /Users/1', { body: {} })).status, 400)
    assert.equal((await ask('POST /Bulk', { body: {} })).status, 501)
    assert.equal((await ask('GET /Me')).status, 501)
    assert.equal((await ask('GET /Schemas?filter=id%20pr')).status, 403)
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

  it('filters by what begins with, contains, ends with, is there and is not, joined by and and or', async () => {
    const [ada, adele] = [await create('ada@filter.test'), await create('adele@filter.test')]
    await ask(`PATCH /Users/${adele}`, patch({ op: 'replace', path: 'active', value: 'False' }))
    const found = async (filter: string) =>
      (await ask(`GET /Users?filter=${encodeURIComponent(filter)}`)).json.Resources.map(
        (one: { id: string }) => one.id,
      )
    for (const [filter, ids] of [
      ['userName sw "AD" and userName ew "@filter.test"', [ada, adele]],
      ['userName co "a@filter"', [ada]],
      ['userName co "@filter.test" and active eq false', [adele]],
      ['userName eq "ada@filter.test" or userName eq "adele@filter.test"', [ada, adele]],
      ['userName eq "ada@filter.test" or userName eq "adele@filter.test" and active eq true', [ada]],
      ['emails[type eq "work"].value eq "ada@filter.test"', [ada]],
      [`${URN.user}:userName eq "ada@filter.test"`, [ada]],
      ['userName sw "ad" and active ne "true" and externalId pr', [adele]],
      ['userName co "@filter.test" and name.familyName eq "okoye" and name.givenName eq "Nia"', [ada, adele]],
      ['externalId eq "OKTA-ada@filter.test"', []],
      ['userName eq "and \\"or\\" and"', []],
    ] as const)
      assert.deepEqual(await found(filter), ids, filter)
  })

  it('lists by a search whose filter stands in no address', async () => {
    const id = await create('quiet@search.test')
    const filter = 'userName eq "quiet@search.test"'
    const search = (line: string, body: object) => ask(line, { body: { schemas: [URN.search], ...body } })
    for (const line of ['POST /Users/.search', 'POST /.search']) {
      const { status, json } = await search(line, { filter, attributes: ['userName'], count: 5 })
      assert.equal(status, 200, JSON.stringify(json))
      assert.deepEqual(
        json.Resources.map((one: { id: string; userName: string }) => [one.id, one.userName]),
        [[id, 'quiet@search.test']],
      )
      assert.deepEqual(Object.keys(json.Resources[0]).sort(), ['id', 'schemas', 'userName'])
    }
    assert.equal(
      (await search('POST /Groups/.search', { filter: 'displayName eq "nobody"' })).json.totalResults,
      0,
    )
    assert.equal((await search('POST /Users/.search', { filter: 'userName' })).json.scimType, 'invalidFilter')
    assert.equal((await ask('POST /Users/.search', { body: { filter } })).json.scimType, 'invalidSyntax')
    assert.equal((await ask('GET /Users/.search')).status, 404)
    assert.equal((await ask('GET /.search')).status, 405)
  })

  it('answers the attributes that are asked for, or without those that are not wanted', async () => {
    const id = await create('part@acme.test')
    const keys = async (query: string, line = `GET /Users/${id}`) =>
      Object.keys((await ask(`${line}?${query}`)).json).sort()
    assert.deepEqual(await keys('attributes=userName'), ['id', 'schemas', 'userName'])
    assert.deepEqual(await keys(`attributes=${URN.user}:userName,ACTIVE`), [
      'active',
      'id',
      'schemas',
      'userName',
    ])
    assert.deepEqual(await keys('excludedAttributes=name,emails,meta,id'), [
      ...['active', 'displayName', 'externalId', 'id', 'schemas', 'userName'],
    ])
    const { json } = await ask(`GET /Users/${id}?attributes=name.givenName,emails.value`)
    assert.deepEqual([json.name, json.emails], [{ givenName: 'Nia' }, [{ value: 'part@acme.test' }]])
    const find = `filter=${encodeURIComponent('userName eq "part@acme.test"')}`
    const list = (await ask(`GET /Users?${find}&attributes=userName`)).json
    assert.deepEqual(Object.keys(list.Resources[0]).sort(), ['id', 'schemas', 'userName'])
    assert.equal(list.totalResults, 1)
    const group = { schemas: [URN.group], displayName: 'Parts', members: [{ value: id }] }
    const made = await ask('POST /Groups?excludedAttributes=members', { body: group })
    assert.ok(made.status === 201 && !('members' in made.json))
    assert.deepEqual(await keys('excludedAttributes=members,meta', `GET /Groups/${made.json.id}`), [
      ...['displayName', 'id', 'schemas'],
    ])
    assert.deepEqual(await keys('attributes=displayName', `GET /Groups/${made.json.id}`), [
      ...['displayName', 'id', 'schemas'],
    ])
  })

  it('keeps given and family names apart, of more than one word too', async () => {
    const name = { givenName: 'Mary Jane', familyName: 'van Dyke' }
    const made = (await ask('POST /Users', { body: okta('mary@acme.test', { name, displayName: 'MJ' }) }))
      .json
    assert.deepEqual(made.name, { formatted: 'Mary Jane van Dyke', ...name })
    const path = `/Users/${made.id}`
    assert.deepEqual((await ask(`GET ${path}`)).json.name, made.name)
    const married = await ask(
      `PATCH ${path}`,
      patch({ op: 'Replace', path: 'name.familyName', value: 'de la Cruz' }),
    )
    assert.deepEqual(married.json.name, {
      ...{ formatted: 'Mary Jane de la Cruz', givenName: 'Mary Jane', familyName: 'de la Cruz' },
    })
    const both = await ask(`PATCH ${path}`, patch({ op: 'Add', value: { name: { givenName: 'Ana Maria' } } }))
    assert.deepEqual([both.json.name.givenName, both.json.name.familyName], ['Ana Maria', 'de la Cruz'])
    const off = await ask(`PATCH ${path}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
    assert.deepEqual(off.json.name, both.json.name)
    const other = await ask(`PATCH ${path}`, patch({ op: 'Replace', path: 'displayName', value: 'Bo Li' }))
    assert.deepEqual(
      [other.json.displayName, other.json.name.givenName, other.json.name.familyName],
      ['Bo Li', 'Ana Maria', 'de la Cruz'],
    )
    const whole = await ask(
      `PATCH ${path}`,
      patch(
        { op: 'Replace', path: 'displayName', value: 'A. Cruz' },
        { op: 'Replace', path: 'name.formatted', value: 'Dr. Ana Cruz' },
        { op: 'Replace', path: 'name.givenName', value: 'Ana' },
      ),
    )
    const { displayName, name: names } = whole.json
    assert.deepEqual(
      [displayName, names],
      ['A. Cruz', { formatted: 'Dr. Ana Cruz', givenName: 'Ana', familyName: 'de la Cruz' }],
    )
    const without = await ask(
      `PATCH ${path}`,
      patch({ op: 'remove', path: 'name.familyName' }, { op: 'remove', path: 'displayName' }),
    )
    assert.deepEqual(Object.keys(without.json.name), ['formatted', 'givenName'])
    assert.ok(!('displayName' in without.json))
  })

  it('passes over what it does not keep, and refuses paths that there are not', async () => {
    const id = await create('paths@acme.test')
    const group = (
      await ask('POST /Groups', { body: { schemas: [URN.group], displayName: 'Paths', members: [] } })
    ).json
    const change = (path: string, value: unknown = 'x', op = 'Replace') => patch({ op, path, value })
    for (const path of [
      ...[
        'title',
        'emails[type eq "work"].value',
        'phoneNumbers[type eq "mobile"].value',
        'preferredLanguage',
      ],
      ...['addresses[type eq "work"].formatted', `${URN.user}:nickName`, 'name.middleName', 'roles'],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
    ])
      assert.equal((await ask(`PATCH /Users/${id}`, change(path))).status, 200, path)
    const named = patch({ op: 'Add', value: { 'name.givenName': 'Pat', favouriteTea: 'green', id: 'x' } })
    assert.equal((await ask(`PATCH /Users/${id}`, named)).json.name.givenName, 'Pat')
    for (const [line, body, scimType] of [
      [`/Users/${id}`, change('favouriteTea'), 'invalidPath'],
      [`/Users/${id}`, change('emails[type eq "work"'), 'invalidPath'],
      [`/Users/${id}`, change('name.nick'), 'invalidPath'],
      [`/Users/${id}`, change(''), 'invalidPath'],
      [`/Users/${id}`, change(`${URN.user}:favouriteTea`), 'invalidPath'],
      [`/Users/${id}`, change('id'), 'mutability'],
      [`/Users/${id}`, change('userName', undefined, 'Remove'), 'mutability'],
      [`/Users/${id}`, patch({ op: 'remove' }), 'noTarget'],
      [`/Users/${id}`, change('active', 'perhaps'), 'invalidValue'],
      [`/Groups/${group.id}`, change('title'), 'invalidPath'],
      [`/Groups/${group.id}`, change('members[value eq "1"].display'), 'invalidPath'],
      [`/Groups/${group.id}`, change('displayName', 7), 'invalidValue'],
      [`/Groups/${group.id}`, change('displayName', undefined, 'remove'), 'mutability'],
      [`/Groups/${group.id}`, patch({ op: 'remove' }), 'noTarget'],
    ] as const) {
      const { status, json } = await ask(`PATCH ${line}`, body)
      assert.deepEqual([status, json.scimType], [400, scimType], JSON.stringify(body))
    }
    assert.equal((await ask(`GET /Groups/${group.id}`)).json.displayName, 'Paths')
  })

  it('says of its groups’ members what it answers of them', async () => {
    const schema = (await ask(`GET /Schemas/${URN.group}`)).json
    const members = schema.attributes.find(({ name }: { name: string }) => name === 'members')
    const id = await create('typed@acme.test')
    const body = { schemas: [URN.group], displayName: 'Typed', members: [{ value: id, type: 'User' }] }
    const [member] = (await ask('POST /Groups', { body })).json.members
    assert.deepEqual(
      members.subAttributes.map(({ name }: { name: string }) => name).sort(),
      Object.keys(member).sort(),
    )
  })

  it('gives whom it provisions the organisation’s default role, and leaves guests out of groups', async () => {
    const { owner, guest } = shop.people
    unwrap(
      await shop.commands.run('setRoleDefault', asking(await owner.viewer(), await owner.scope()), 'viewer'),
    )
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
    const theirs = unwrap(
      await shop.commands.createToken(asking(await shop.people.rival.viewer(), rival), input),
    ).token
    for (const line of ['GET /Users', 'GET /Groups', 'GET /ServiceProviderConfig', 'DELETE /Users/1'])
      assert.equal((await ask(line, { bearer: theirs })).status, 404, line)
    assert.equal((await ask('GET /Users', { bearer: null })).status, 401)
    assert.equal((await ask('GET /Users', { bearer: 'made up' })).status, 401)
  })
})

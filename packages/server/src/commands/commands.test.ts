import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SCOPES } from '#access/permissions.ts'
import type { Viewer } from '#access/viewer.ts'
import { issueId, keyId, projectId, teamId, tokenId, userId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import { ROLES, type Role } from '#ports/accounts.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anError, FACTS, openShop, type Person, type Shop, send, value } from '#testing/worlds/api.ts'
import type { Commands } from './types.ts'

type Run = (commands: Commands, viewer: Viewer, scope: ReadScope) => Promise<Result<unknown>>
const NOBODY = userId(999)
const FOR_EVER = { eventsMore: null, usersMore: null, minutes: null }
const NOTHING = { refs: ['999999'] }

/** Each command with input that changes nothing, and who may run it. */
const TABLE: readonly [name: string, roles: readonly Role[], run: Run][] = [
  ['renameOrganisation', ['owner'], (c, v, s) => c.renameOrganisation(v, s, { name: '', slug: 'x' }, FACTS)],
  [
    'invite',
    ['owner', 'manager'],
    (c, v, s) => c.invite(v, s, { email: '', role: 'viewer', teams: [] }, FACTS),
  ],
  ['revokeInvitation', ['owner', 'manager'], (c, v, s) => c.revokeInvitation(v, s, 'nope', FACTS)],
  ['setRole', ['owner', 'manager'], (c, v, s) => c.setRole(v, s, NOBODY, 'viewer', FACTS)],
  ['removeMember', ['owner', 'manager'], (c, v, s) => c.removeMember(v, s, NOBODY, FACTS)],
  ['createTeam', ['owner', 'manager'], (c, v, s) => c.createTeam(v, s, '', FACTS)],
  ['setTeam', ['owner', 'manager'], (c, v, s) => c.setTeam(v, s, teamId(999), {}, FACTS)],
  ['deleteTeam', ['owner', 'manager'], (c, v, s) => c.deleteTeam(v, s, teamId(999), FACTS)],
  [
    'createToken',
    ['owner', 'manager'],
    (c, v, s) => c.createToken(v, s, { name: '', scopes: [], personal: false }, FACTS),
  ],
  [
    'createToken (personal)',
    ROLES,
    (c, v, s) => c.createToken(v, s, { name: '', scopes: [], personal: true }, FACTS),
  ],
  ['revokeToken', ['owner', 'manager'], (c, v, s) => c.revokeToken(v, s, tokenId(999), FACTS)],
  [
    'createProject',
    ['owner', 'manager'],
    (c, v, s) => c.createProject(v, s, { name: '', platform: null, teams: [] }, FACTS),
  ],
  ['updateProject', ['owner', 'manager'], (c, v, s) => c.updateProject(v, s, projectId(999), {}, FACTS)],
  ['deleteProject', ['owner', 'manager'], (c, v, s) => c.deleteProject(v, s, projectId(999), FACTS)],
  [
    'createKey',
    ['owner', 'manager'],
    (c, v, s) => c.createKey(v, s, projectId(999), { name: 'x', rateLimit: null }, FACTS),
  ],
  ['updateKey', ['owner', 'manager'], (c, v, s) => c.updateKey(v, s, projectId(999), keyId(1), {}, FACTS)],
  ['rotateKey', ['owner', 'manager'], (c, v, s) => c.rotateKey(v, s, projectId(999), keyId(1), FACTS)],
  ['deleteKey', ['owner', 'manager'], (c, v, s) => c.deleteKey(v, s, projectId(999), keyId(1), FACTS)],
  ['sendTestEvent', ['owner', 'manager'], (c, v, s) => c.sendTestEvent(v, s, projectId(999), FACTS)],
  ['resolveIssues', ['owner', 'manager', 'member'], (c, v, s) => c.resolveIssues(v, s, NOTHING, FACTS)],
  ['unresolveIssues', ['owner', 'manager', 'member'], (c, v, s) => c.unresolveIssues(v, s, NOTHING, FACTS)],
  [
    'archiveIssues',
    ['owner', 'manager', 'member'],
    (c, v, s) => c.archiveIssues(v, s, NOTHING, FOR_EVER, FACTS),
  ],
  [
    'archiveIssues (bad count)',
    ['owner', 'manager', 'member'],
    (c, v, s) => c.archiveIssues(v, s, NOTHING, { ...FOR_EVER, eventsMore: -1 }, FACTS),
  ],
  ['assignIssues', ['owner', 'manager', 'member'], (c, v, s) => c.assignIssues(v, s, NOTHING, null, FACTS)],
  ['mergeIssues', ['owner', 'manager', 'member'], (c, v, s) => c.mergeIssues(v, s, NOTHING, FACTS)],
  [
    'commentIssue',
    ['owner', 'manager', 'member'],
    (c, v, s) => c.commentIssue(v, s, '999999', 'words', FACTS),
  ],
  ['deleteIssues', ['owner', 'manager'], (c, v, s) => c.deleteIssues(v, s, NOTHING, FACTS)],
]

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.code)

describe('the permission of every command', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  for (const [name, roles, run] of TABLE) {
    it(`${name} is for ${roles.join(', ')}`, async () => {
      for (const role of ROLES) {
        const person = shop.people[role]
        const result = await run(shop.commands, await person.viewer(), await person.scope())
        assert.equal(codeOf(result) === 'forbidden', !roles.includes(role), `${role}: ${codeOf(result)}`)
      }
    })

    it(`${name} is for nobody of another organisation`, async () => {
      const result = await run(
        shop.commands,
        await shop.people.rival.viewer(),
        await shop.people.owner.scope(),
      )
      assert.ok(['forbidden', 'not_found'].includes(codeOf(result)), codeOf(result))
    })
  }

  it('creating an organisation is for the operator', async () => {
    assert.equal(
      codeOf(await shop.commands.createOrganisation(await shop.people.manager.viewer(), 'Mine', FACTS)),
      'forbidden',
    )
    const { slug } = value(
      await shop.commands.createOrganisation(await shop.people.owner.viewer(), 'Setup', FACTS),
    )
    assert.equal(slug, 'setup-2', '“setup” is a page')
  })
})

describe('owners and managers', () => {
  let shop: Shop
  const who = async (person: Person) => [await person.viewer(), await person.scope()] as const
  const idOf = async (person: Person) => (await person.viewer()).user.id
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('managers cannot make, change or remove owners', async () => {
    const { commands, people } = shop
    const [viewer, scope] = await who(people.manager)
    const owner = await idOf(people.owner)
    const member = await idOf(people.member)
    assert.equal(codeOf(await commands.setRole(viewer, scope, owner, 'member', FACTS)), 'forbidden')
    assert.equal(codeOf(await commands.setRole(viewer, scope, member, 'owner', FACTS)), 'forbidden')
    assert.equal(codeOf(await commands.setRole(viewer, scope, viewer.user.id, 'owner', FACTS)), 'forbidden')
    assert.equal(codeOf(await commands.removeMember(viewer, scope, owner, FACTS)), 'forbidden')
    assert.equal(
      codeOf(await commands.invite(viewer, scope, { email: 'x@acme.test', role: 'owner', teams: [] }, FACTS)),
      'forbidden',
    )
    assert.equal(codeOf(await commands.setRole(viewer, scope, member, 'viewer', FACTS)), 'ok')
    assert.equal(codeOf(await commands.setRole(viewer, scope, member, 'member', FACTS)), 'ok')
  })

  it('the last owner stays', async () => {
    const [viewer, scope] = await who(shop.people.owner)
    assert.equal(
      codeOf(await shop.commands.setRole(viewer, scope, viewer.user.id, 'viewer', FACTS)),
      'conflict',
    )
    assert.equal(codeOf(await shop.commands.removeMember(viewer, scope, viewer.user.id, FACTS)), 'conflict')
  })

  it('nobody gives a token what they may not do themselves', async () => {
    const { commands, people } = shop
    const [manager, scope] = await who(people.manager)
    for (const each of SCOPES) {
      const made = await commands.createToken(
        manager,
        scope,
        { name: each, scopes: [each], personal: false },
        FACTS,
      )
      assert.equal(codeOf(made), each === 'org:write' || each === 'org:admin' ? 'forbidden' : 'ok', each)
    }
  })

  it('a token makes no tokens and signs nobody in', async () => {
    const token = await shop.access.authenticateToken(shop.token, shop.clock.now())
    assert.ok(token !== null)
    const scope = shop.access.scope(token, 'acme')
    assert.ok(scope !== null)
    const input = { name: 'more', scopes: ['event:read'], personal: false }
    assert.equal(codeOf(await shop.commands.createToken(token, scope, input, FACTS)), 'forbidden')
    assert.equal(shop.access.scope(token, 'rival'), null)
  })

  it('everybody ends their own personal token, and nobody another’s', async () => {
    const { commands, people } = shop
    const [viewer, scope] = await who(people.viewer)
    const { id } = value(
      await commands.createToken(
        viewer,
        scope,
        { name: 'mine', scopes: ['event:read'], personal: true },
        FACTS,
      ),
    )
    assert.equal(codeOf(await commands.revokeToken(...(await who(people.member)), id, FACTS)), 'forbidden')
    assert.equal(codeOf(await commands.revokeToken(viewer, scope, id, FACTS)), 'ok')
  })

  it('renaming refuses addresses of Errata itself and slugs that are taken', async () => {
    const [viewer, scope] = await who(shop.people.owner)
    for (const [slug, code] of [
      ['setup', 'invalid_input'],
      ['rival', 'conflict'],
      ['A', 'invalid_input'],
      ['acme-two', 'ok'],
      ['acme', 'ok'],
    ] as const) {
      assert.equal(
        codeOf(await shop.commands.renameOrganisation(viewer, scope, { name: 'Acme', slug }, FACTS)),
        code,
        slug,
      )
    }
  })

  it('every security-relevant change is in the audit log', async () => {
    const actions = (await shop.queries.audit(await shop.people.owner.scope(), null)).map(
      ({ action }) => action,
    )
    for (const action of ['member.role_changed', 'token.created', 'token.revoked', 'organisation.renamed']) {
      assert.ok(actions.includes(action), `${action} of ${[...new Set(actions)].join(', ')}`)
    }
  })
})

describe('projects and test events', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('rotating a key makes a new one and ends the old', async () => {
    const [viewer, scope] = [await shop.people.owner.viewer(), await shop.people.owner.scope()]
    const [old] = await shop.queries.keys(scope, shop.shop.id)
    assert.ok(old !== undefined)
    const made = value(await shop.commands.rotateKey(viewer, scope, shop.shop.id, old.id, FACTS))
    assert.notEqual(made.public, old.public)
    assert.equal(made.name, old.name)
    await assert.rejects(send(shop, shop.queries.dsn(old), anError()), /not accepted/)
    await send(shop, shop.queries.dsn(made), anError())
  })

  it('a test event goes the way of every other', async () => {
    const [viewer, scope] = [await shop.people.owner.viewer(), await shop.people.owner.scope()]
    const { eventId } = value(await shop.commands.sendTestEvent(viewer, scope, shop.shop.id, FACTS))
    await shop.drain()
    const place = await shop.queries.eventPlace(scope, eventId)
    assert.equal(place?.project.slug, 'shop')
    const first = await shop.queries.firstEvent(scope, 'shop')
    assert.ok((first?.accepted ?? 0) >= 1)
  })

  it('options are checked whole', async () => {
    const [viewer, scope] = [await shop.people.owner.viewer(), await shop.people.owner.scope()]
    const options = {
      ...PROJECT_OPTIONS_DEFAULT,
      allowedDomains: ['shop.test', 'https://*.shop.test:8443', '*'],
    }
    assert.equal(
      codeOf(await shop.commands.updateProject(viewer, scope, shop.shop.id, { options }, FACTS)),
      'ok',
    )
    const wrong = { ...options, allowedDomains: ['//evil', 'a b', 'a..b', 'a.test:65536'] }
    const refused = await shop.commands.updateProject(viewer, scope, shop.shop.id, { options: wrong }, FACTS)
    assert.ok(!refused.ok)
    assert.deepEqual(
      Object.keys(refused.fields ?? {}),
      [0, 1, 2, 3].map((index) => `options.allowedDomains.${index}`),
    )
  })

  it('issues of hidden projects are not changed with others', async () => {
    await send(shop, shop.vaultDsn, anError())
    const owner = await shop.people.owner.scope()
    const [hidden] = (
      await shop.queries.issueList(owner, {
        query: 'project:vault',
        projects: [],
        environments: [],
        range: { startMs: 0, endMs: shop.clock.now() },
        sort: 'date',
        limit: 1,
        cursor: null,
      })
    ).rows
    assert.ok(hidden !== undefined)
    const [viewer, scope] = [await shop.people.member.viewer(), await shop.people.member.scope()]
    const changed = value(
      await shop.commands.resolveIssues(viewer, scope, { refs: [String(hidden.id), 'SHOP-1'] }, FACTS),
    )
    assert.ok(!changed.includes(issueId(hidden.id)))
    assert.equal(
      codeOf(await shop.commands.resolveIssues(viewer, scope, { refs: [String(hidden.id)] }, FACTS)),
      'not_found',
    )
    assert.equal((await shop.reader.issue(owner, String(hidden.id)))?.status, 'unresolved')
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SCOPES } from '#access/permissions.ts'
import { issueId, keyId, type ProjectId, projectId, teamId, tokenId, userId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import { ROLES, type Role } from '#ports/accounts.ts'
import { PROJECT_OPTIONS_DEFAULT, type SeenSettings } from '#ports/projects.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { type ApiPerson, asking, FACTS, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'
import type { Asking } from './asking.ts'
import type { Commands } from './commands.ts'

type Run = (commands: Commands, asking: Asking) => Promise<Result<unknown>>
const NOBODY = userId(999)
const FOR_EVER = { eventsMore: null, usersMore: null, minutes: null }
const NOTHING = { refs: ['999999'] }

/** Each command with input that changes nothing, and who may run it. */
const TABLE: readonly [name: string, roles: readonly Role[], run: Run][] = [
  ['renameOrganisation', ['owner'], (c, a) => c.run('renameOrganisation', a, { name: '', slug: 'x' })],
  ['invite', ['owner', 'manager'], (c, a) => c.run('invite', a, { email: '', role: 'viewer', teams: [] })],
  ['revokeInvitation', ['owner', 'manager'], (c, a) => c.run('revokeInvitation', a, 'nope')],
  [
    'changeInvitation',
    ['owner', 'manager'],
    (c, a) => c.run('changeInvitation', a, { codeHash: 'nope', role: 'viewer', teams: [], projects: [] }),
  ],
  ['setRole', ['owner', 'manager'], (c, a) => c.run('setRole', a, { user: NOBODY, role: 'viewer' })],
  ['setRoleDefault', ['owner'], (c, a) => c.run('setRoleDefault', a, 'viewer')],
  ['requireSecondFactor', ['owner'], (c, a) => c.run('requireSecondFactor', a, true)],
  ['removeProvider', ['owner'], (c, a) => c.run('removeProvider', a, 'github')],
  ['proveDomain', ['owner'], (c, a) => c.run('proveDomain', a, 'nope.example')],
  ['removeDirectoryUser', ['owner'], (c, a) => c.run('removeDirectoryUser', a, NOBODY)],
  ['tellFlagChanges', ['owner', 'manager', 'member'], (c, a) => c.run('tellFlagChanges', a, { data: [] })],
  ['setArtifactQuota', ['owner', 'manager'], (c, a) => c.run('setArtifactQuota', a, null)],
  [
    'setNotices',
    ['owner', 'manager'],
    (c, a) => c.run('setNotices', a, { project: projectId(999), change: { mail: true, quietHours: 1 } }),
  ],
  [
    'setWebhook',
    ['owner', 'manager'],
    (c, a) => c.run('setWebhook', a, { project: projectId(999), url: 'https://hook.example/' }),
  ],
  ['renewWebhookSecret', ['owner', 'manager'], (c, a) => c.run('renewWebhookSecret', a, projectId(999))],
  ['removeWebhook', ['owner', 'manager'], (c, a) => c.run('removeWebhook', a, projectId(999))],
  ['sendMessageAgain', ['owner', 'manager'], (c, a) => c.run('sendMessageAgain', a, 999)],
  ['noteAuditExport', ['owner', 'manager'], (c, a) => c.noteAuditExport(a, { format: 'CSV', asked: '' })],
  ['renewInvitation', ['owner', 'manager'], (c, a) => c.run('renewInvitation', a, 'nope')],
  ['removeMember', ['owner', 'manager'], (c, a) => c.run('removeMember', a, { user: NOBODY })],
  ['createTeam', ['owner', 'manager'], (c, a) => c.run('createTeam', a, { name: '' })],
  ['setTeam', ['owner', 'manager'], (c, a) => c.run('setTeam', a, { team: teamId(999), change: {} })],
  ['deleteTeam', ['owner', 'manager'], (c, a) => c.run('deleteTeam', a, teamId(999))],
  [
    'createToken',
    ['owner', 'manager'],
    (c, a) => c.createToken(a, { name: '', scopes: [], personal: false }),
  ],
  ['createToken (personal)', ROLES, (c, a) => c.createToken(a, { name: '', scopes: [], personal: true })],
  ['revokeToken', ['owner', 'manager'], (c, a) => c.revokeToken(a, tokenId(999))],
  [
    'createProject',
    ['owner', 'manager'],
    (c, a) => c.run('createProject', a, { name: '', platform: null, teams: [] }),
  ],
  [
    'updateProject',
    ['owner', 'manager'],
    (c, a) => c.run('updateProject', a, { project: projectId(999), change: {} }),
  ],
  ['deleteProject', ['owner', 'manager'], (c, a) => c.run('deleteProject', a, projectId(999))],
  [
    'createKey',
    ['owner', 'manager'],
    (c, a) => c.run('createKey', a, { project: projectId(999), name: 'x', rateLimit: null }),
  ],
  [
    'updateKey',
    ['owner', 'manager'],
    (c, a) => c.run('updateKey', a, { project: projectId(999), key: keyId(1), change: {} }),
  ],
  [
    'rotateKey',
    ['owner', 'manager'],
    (c, a) => c.run('rotateKey', a, { project: projectId(999), key: keyId(1) }),
  ],
  [
    'deleteKey',
    ['owner', 'manager'],
    (c, a) => c.run('deleteKey', a, { project: projectId(999), key: keyId(1) }),
  ],
  ['sendTestEvent', ['owner', 'manager'], (c, a) => c.sendTestEvent(a, projectId(999))],
  [
    'resolveIssues',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('resolveIssues', a, { selection: NOTHING }),
  ],
  [
    'unresolveIssues',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('unresolveIssues', a, NOTHING),
  ],
  ['undoIssues', ['owner', 'manager', 'member', 'guest'], (c, a) => c.run('undoIssues', a, NOTHING)],
  [
    'undoChoices',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('undoChoices', a, { selection: NOTHING, of: 'assignee' }),
  ],
  [
    'archiveIssues',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('archiveIssues', a, { selection: NOTHING, until: FOR_EVER }),
  ],
  [
    'archiveIssues (bad count)',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('archiveIssues', a, { selection: NOTHING, until: { ...FOR_EVER, eventsMore: -1 } }),
  ],
  [
    'assignIssues',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('assignIssues', a, { selection: NOTHING, assignee: null }),
  ],
  [
    'mergeIssues',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('mergeIssues', a, { selection: NOTHING }),
  ],
  [
    'unmergeIssue',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('unmergeIssue', a, { ref: '1', groups: ['a'.repeat(32)], reason: null }),
  ],
  [
    'keepMirrorsApart',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('keepMirrorsApart', a, { ref: '1', groups: null }),
  ],
  [
    'commentIssue',
    ['owner', 'manager', 'member', 'guest'],
    (c, a) => c.run('commentIssue', a, { ref: '999999', text: 'words' }),
  ],
  ['deleteIssues', ['owner', 'manager'], (c, a) => c.run('deleteIssues', a, NOTHING)],
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
        const result = await run(shop.commands, asking(await person.viewer(), await person.scope()))
        assert.equal(codeOf(result) === 'forbidden', !roles.includes(role), `${role}: ${codeOf(result)}`)
      }
    })

    it(`${name} is for nobody of another organisation`, async () => {
      const stranger = asking(await shop.people.rival.viewer(), await shop.people.owner.scope())
      const result = await run(shop.commands, stranger)
      assert.ok(['forbidden', 'not_found'].includes(codeOf(result)), codeOf(result))
    })
  }

  it('creating an organisation is for the operator', async () => {
    assert.equal(
      codeOf(
        await shop.commands.createOrganisation(
          { viewer: await shop.people.manager.viewer(), ...FACTS },
          'Mine',
        ),
      ),
      'forbidden',
    )
    const { slug } = unwrap(
      await shop.commands.createOrganisation({ viewer: await shop.people.owner.viewer(), ...FACTS }, 'Setup'),
    )
    assert.equal(slug, 'setup-2', '“setup” is a page')
  })
})

describe('owners and managers', () => {
  let shop: Shop
  const who = async (person: ApiPerson) => [await person.viewer(), await person.scope()] as const
  const idOf = async (person: ApiPerson) => (await person.viewer()).user.id
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('managers cannot make, change or remove owners', async () => {
    const { commands, people } = shop
    const [viewer, scope] = await who(people.manager)
    const owner = await idOf(people.owner)
    const member = await idOf(people.member)
    assert.equal(
      codeOf(await commands.run('setRole', asking(viewer, scope), { user: owner, role: 'member' })),
      'forbidden',
    )
    assert.equal(
      codeOf(await commands.run('setRole', asking(viewer, scope), { user: member, role: 'owner' })),
      'forbidden',
    )
    assert.equal(
      codeOf(await commands.run('setRole', asking(viewer, scope), { user: viewer.user.id, role: 'owner' })),
      'forbidden',
    )
    assert.equal(
      codeOf(await commands.run('removeMember', asking(viewer, scope), { user: owner })),
      'forbidden',
    )
    assert.equal(
      codeOf(
        await commands.run('invite', asking(viewer, scope), {
          email: 'x@acme.test',
          role: 'owner',
          teams: [],
        }),
      ),
      'forbidden',
    )
    assert.equal(
      codeOf(await commands.run('setRole', asking(viewer, scope), { user: member, role: 'viewer' })),
      'ok',
    )
    assert.equal(
      codeOf(await commands.run('setRole', asking(viewer, scope), { user: member, role: 'member' })),
      'ok',
    )
  })

  it('nobody sets a role or projects whose change they have not seen', async () => {
    const { commands, people, queries } = shop
    const [viewer, scope] = await who(people.owner)
    const guest = await idOf(people.guest)
    const setRole = (projects: readonly ProjectId[], seen: SeenSettings) =>
      commands.run('setRole', asking(viewer, scope), { user: guest, role: 'guest', projects, seen })
    const projectsOf = async () =>
      (await queries.members(scope)).find(({ userId }) => userId === guest)?.projects ?? []
    const before = await projectsOf()
    const all = scope.projects.toSorted((a, b) => a - b)
    const seen = { role: 'guest', projects: before }
    assert.notDeepEqual(before, all)
    assert.equal(codeOf(await setRole(all, seen)), 'ok')
    assert.equal(codeOf(await setRole(before, seen)), 'conflict')
    assert.deepEqual(await projectsOf(), all)
    assert.equal(codeOf(await setRole(before, { role: 'guest', projects: all })), 'ok')
  })

  it('the last owner stays', async () => {
    const [viewer, scope] = await who(shop.people.owner)
    assert.equal(
      codeOf(
        await shop.commands.run('setRole', asking(viewer, scope), { user: viewer.user.id, role: 'viewer' }),
      ),
      'conflict',
    )
    assert.equal(
      codeOf(await shop.commands.run('removeMember', asking(viewer, scope), { user: viewer.user.id })),
      'conflict',
    )
  })

  it('nobody gives a token what they may not do themselves', async () => {
    const { commands, people } = shop
    const [manager, scope] = await who(people.manager)
    for (const each of SCOPES) {
      const made = await commands.createToken(asking(manager, scope), {
        name: each,
        scopes: [each],
        personal: false,
      })
      const isOwners = ['org:write', 'org:admin', 'scim:write'].includes(each)
      assert.equal(codeOf(made), isOwners ? 'forbidden' : 'ok', each)
    }
  })

  it('a token makes no tokens and signs nobody in', async () => {
    const token = await shop.access.authenticateToken(shop.token, shop.clock.now())
    assert.ok(token !== null)
    const scope = shop.access.scope(token, 'acme')
    assert.ok(scope !== null)
    const input = { name: 'more', scopes: ['event:read'], personal: false }
    assert.equal(codeOf(await shop.commands.createToken(asking(token, scope), input)), 'forbidden')
    assert.equal(shop.access.scope(token, 'rival'), null)
  })

  it('everybody ends their own personal token, and nobody another’s', async () => {
    const { commands, people } = shop
    const [viewer, scope] = await who(people.viewer)
    const { id } = unwrap(
      await commands.createToken(asking(viewer, scope), {
        name: 'mine',
        scopes: ['event:read'],
        personal: true,
      }),
    )
    assert.equal(codeOf(await commands.revokeToken(asking(...(await who(people.member))), id)), 'forbidden')
    assert.equal(codeOf(await commands.revokeToken(asking(viewer, scope), id)), 'ok')
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
        codeOf(await shop.commands.run('renameOrganisation', asking(viewer, scope), { name: 'Acme', slug })),
        code,
        slug,
      )
    }
  })

  it('every security-relevant change is in the audit log', async () => {
    const actions = (await shop.queries.audit(await shop.people.owner.scope(), { before: null })).map(
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
    const made = unwrap(
      await shop.commands.run('rotateKey', asking(viewer, scope), { project: shop.shop.id, key: old.id }),
    )
    assert.notEqual(made.public, old.public)
    assert.equal(made.name, old.name)
    await assert.rejects(send(shop, shop.queries.dsn(old), anError()), /not accepted/)
    await send(shop, shop.queries.dsn(made), anError())
  })

  it('a name whose slug is taken is refused with one that is free, unless a number may be added', async () => {
    const asker = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const input = { name: 'Shop', platform: null, teams: [] }
    const before = (await shop.queries.projects(asker.scope)).length
    const refused = await shop.commands.run('createProject', asker, input)
    assert.ok(!refused.ok)
    assert.equal(refused.code, 'conflict')
    assert.deepEqual(refused.fields, { slug: ['“shop” is taken; “shop-2” is free.'] })
    assert.equal((await shop.queries.projects(asker.scope)).length, before)
    const numbered = unwrap(await shop.commands.run('createProject', asker, { ...input, numbered: true }))
    assert.equal(numbered.project.slug, 'shop-2')
    const alike = { ...input, name: `${'many'.repeat(30)}`.slice(0, 100), numbered: true }
    const atOnce = await Promise.all(
      Array.from({ length: 6 }, () => shop.commands.run('createProject', asker, alike)),
    )
    assert.equal(new Set(atOnce.map((each) => unwrap(each).project.slug)).size, 6)
    const chosen = await shop.commands.run('createProject', asker, { ...input, slug: 'shop', numbered: true })
    assert.equal(codeOf(chosen), 'conflict')
  })

  it('so is a team whose slug is taken', async () => {
    const asker = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    assert.equal(unwrap(await shop.commands.run('createTeam', asker, { name: 'Front' })).slug, 'front')
    const before = (await shop.queries.teams(asker.scope)).length
    for (const options of [{}, { slug: 'front' }, { slug: 'front', numbered: true }]) {
      const refused = await shop.commands.run('createTeam', asker, { name: 'Front', ...options })
      assert.ok(!refused.ok)
      assert.equal(refused.code, 'conflict')
      assert.deepEqual(refused.fields, { slug: ['“front” is taken; “front-2” is free.'] })
    }
    assert.equal((await shop.queries.teams(asker.scope)).length, before)
    const numbered = unwrap(await shop.commands.run('createTeam', asker, { name: 'Front', numbered: true }))
    assert.equal(numbered.slug, 'front-2')
  })

  it('a test event goes the way of every other, and is no sign of the app', async () => {
    const [viewer, scope] = [await shop.people.owner.viewer(), await shop.people.owner.scope()]
    const before = await shop.queries.firstEvent(scope, 'shop')
    const { eventId } = unwrap(await shop.commands.sendTestEvent(asking(viewer, scope), shop.shop.id))
    await shop.drain()
    const place = await shop.queries.eventPlace(scope, eventId)
    assert.equal(place?.project.slug, 'shop')
    const first = await shop.queries.firstEvent(scope, 'shop')
    assert.equal(first?.testEvent?.eventId, eventId)
    const { accepted, serverSeenMs, browserSeenMs, firstIssue, latestEvent } = first
    assert.deepEqual(
      { accepted, serverSeenMs, browserSeenMs, firstIssue, latestEvent },
      {
        ...{ accepted: before?.accepted, serverSeenMs: before?.serverSeenMs },
        ...{ browserSeenMs: before?.browserSeenMs, firstIssue: before?.firstIssue },
        latestEvent: before?.latestEvent,
      },
    )
    const event = await shop.queries.event(scope, 'shop', eventId)
    assert.match(JSON.stringify(event), /ErrataTestError.*This is a test that Errata sent to itself/)
  })

  it('options are checked whole', async () => {
    const [viewer, scope] = [await shop.people.owner.viewer(), await shop.people.owner.scope()]
    const options = {
      ...PROJECT_OPTIONS_DEFAULT,
      allowedDomains: ['shop.test', 'https://*.shop.test:8443', '*'],
    }
    assert.equal(
      codeOf(
        await shop.commands.run('updateProject', asking(viewer, scope), {
          project: shop.shop.id,
          change: { options },
        }),
      ),
      'ok',
    )
    const wrong = { ...options, allowedDomains: ['//evil', 'a b', 'a..b', 'a.test:65536'] }
    const refused = await shop.commands.run('updateProject', asking(viewer, scope), {
      project: shop.shop.id,
      change: { options: wrong },
    })
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
    const changed = unwrap(
      await shop.commands.run('resolveIssues', asking(viewer, scope), {
        selection: { refs: [String(hidden.id), 'SHOP-1'] },
      }),
    )
    assert.ok(!changed.includes(issueId(hidden.id)))
    assert.equal(
      codeOf(
        await shop.commands.run('resolveIssues', asking(viewer, scope), {
          selection: { refs: [String(hidden.id)] },
        }),
      ),
      'not_found',
    )
    assert.equal((await shop.reader.issue(owner, String(hidden.id)))?.status, 'unresolved')
  })

  it('ingest is told when something was deleted, and only then', async () => {
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const before = shop.deletions()
    assert.equal(codeOf(await shop.commands.run('deleteIssues', owner, { refs: ['SHOP-999'] })), 'not_found')
    assert.equal(shop.deletions(), before)
    unwrap(await shop.commands.run('deleteIssues', owner, { query: '', projects: ['shop'] }))
    assert.equal(shop.deletions(), before + 1)
  })
})

/** Contract of the projects port. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { withChange } from '#ports/directory-change.ts'
import {
  type IngestDirectory,
  type OptionsChange,
  PROJECT_OPTIONS_DEFAULT,
  type SeenSettings,
} from '#ports/projects.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { commit } from './world.ts'

export function projectsContract(open: ControlFactory): void {
  describe('ProjectsRead and ProjectsWrite', () => {
    const { stores, world } = openForEachTest(open)

    it('creates a project with a key, in the default team when none is given', async () => {
      const { read, write } = stores
      const project = value(
        await write.createProject(
          {
            orgId: world.org,
            slug: 'api',
            name: 'API',
            platform: 'go',
            teams: [],
            keyPublic: '1'.repeat(32),
          },
          anActor(),
        ),
      )
      assert.deepEqual(project, {
        id: project.id,
        orgId: world.org,
        slug: 'api',
        formerSlugs: [],
        name: 'API',
        platform: 'go',
        teams: [world.team],
        options: PROJECT_OPTIONS_DEFAULT,
        isSelf: false,
        createdMs: NOW,
        firstEventMs: null,
      })
      const { projects, keys } = await read.ingestDirectory()
      assert.deepEqual(
        projects.find(({ id }) => id === project.id),
        project,
      )
      assert.ok(keys.some((key) => key.projectId === project.id && key.public === '1'.repeat(32)))
    })

    it('tells project by project what changed of what ingest knows, and nothing where that is as it was', async () => {
      const { read, write } = stores
      const { org, shop, blog } = world
      const settings = (name: string) => write.updateProject(org, shop, { name }, anActor())
      const made = {
        orgId: org,
        slug: 'api',
        name: 'API',
        platform: null,
        teams: [],
        keyPublic: '2'.repeat(32),
      }
      const key = { public: '3'.repeat(32), name: 'More', rateLimit: null }
      const steps: readonly (readonly [string, () => Promise<unknown>, readonly number[]])[] = [
        ['a name', () => settings('Shop of boats'), [shop]],
        ['a key', () => write.createKey(org, blog, key, anActor()), [blog]],
        ['a project', () => write.createProject(made, anActor()), []],
        [
          'nothing but a line in the log',
          () => write.noteAudit(org, { action: 'x', target: '' }, anActor()),
          [],
        ],
        ['an organisation', () => write.renameOrganisation(org, { slug: 'boats', name: 'B' }, anActor()), []],
        ['a project that is gone', () => write.deleteProject(org, blog, anActor()), [blog]],
      ]
      for (const [what, step, changed] of steps) {
        const before = await read.ingestDirectory()
        await step()
        const change = await read.directoryChange(before.version ?? 0)
        assert.ok(change !== null, what)
        const after = withChange(before, change)
        assert.deepEqual(sortDirectory(after), sortDirectory(await read.ingestDirectory()), what)
        assert.equal(change.now.version, await read.directoryVersion(), what)
        const news = change.now.projects.filter(({ id }) => before.projects.every((one) => one.id !== id))
        assert.deepEqual([...change.projects].sort(), [...changed, ...news.map(({ id }) => id)].sort(), what)
        if (what.startsWith('nothing')) assert.equal(change.now.version, before.version)
      }
    })

    it('has all of it read anew where more changed than is told one by one', async () => {
      const { version = 0 } = await stores.read.ingestDirectory()
      for (let at = 0; at < 3; at++)
        value(await stores.write.updateProject(world.org, world.shop, { name: `Shop ${at}` }, anActor()))
      assert.deepEqual((await stores.read.directoryChange(version))?.projects, [world.shop])
      // One that was never told is as one that is told no more.
      assert.equal(await stores.read.directoryChange(version - 10_000), null)
    })

    it('refuses a slug or key that is taken', async () => {
      const make = (slug: string, keyPublic: string) =>
        stores.write.createProject(
          { orgId: world.org, slug, name: slug, platform: null, teams: [], keyPublic },
          anActor(),
        )
      assert.equal(refusal(await make('shop', '1'.repeat(32))), 'conflict')
      assert.equal(refusal(await make('new', 'a'.repeat(32))), 'conflict')
      const again = await stores.write.updateProject(world.org, world.blog, { slug: 'shop' }, anActor())
      assert.equal(refusal(again), 'conflict')
    })

    it('changes what is given and leaves the rest', async () => {
      const { read, write } = stores
      const options = {
        ...PROJECT_OPTIONS_DEFAULT,
        allowedDomains: ['example.com'],
        retentionDays: 30,
      } as const
      value(await write.updateProject(world.org, world.shop, { options }, anActor()))
      const updated = value(await write.updateProject(world.org, world.shop, { platform: null }, anActor()))
      assert.deepEqual([updated.slug, updated.platform, updated.options], ['shop', null, options])
      assert.deepEqual(await read.project(world.scope, 'shop'), updated)
    })

    it('merges the options that are given into those of now', async () => {
      const { read, write } = stores
      const change = (options: OptionsChange) =>
        write.updateProject(world.org, world.shop, { options }, anActor())
      value(await change({ scrub: { extraKeys: ['pin'] }, retentionDays: 30 }))
      value(await change({ filters: { crawlers: true } }))
      value(await change({ scrub: { clientAddress: 'drop' }, rateLimit: undefined }))
      const merged = value(await change({ allowedDomains: ['a.example'] }))
      assert.deepEqual(merged.options, {
        ...PROJECT_OPTIONS_DEFAULT,
        scrub: { extraKeys: ['pin'], allowedKeys: [], clientAddress: 'drop' },
        filters: { ...PROJECT_OPTIONS_DEFAULT.filters, crawlers: true },
        retentionDays: 30,
        allowedDomains: ['a.example'],
      })
      assert.deepEqual(await read.project(world.scope, 'shop'), merged)
      const entry = (await read.audit(world.scope, { limit: 1, before: null }))[0]
      assert.equal(entry?.detail.changed, 'options.allowedDomains')
    })

    it('changes nothing for who has not seen what stands there', async () => {
      const { read, write } = stores
      const { scrub, filters } = PROJECT_OPTIONS_DEFAULT
      const change = (options: OptionsChange, seen: SeenSettings) =>
        write.updateProject(world.org, world.shop, { options, seen }, anActor())
      const opened = { options: { scrub, allowedDomains: [] } }
      value(await change({ scrub: { ...scrub, extraKeys: ['pin'] } }, opened))
      const before = await read.project(world.scope, 'shop')
      assert.equal(refusal(await change({ scrub, allowedDomains: ['a.example'] }, opened)), 'conflict')
      assert.deepEqual(await read.project(world.scope, 'shop'), before)
      // Another form shows other fields.
      value(await change({ filters: { localhost: true } }, { options: { filters } }))
      value(await change({ scrub }, { name: 'Shop', options: { scrub: { extraKeys: ['pin'] } } }))
      for (const seen of [{ name: 'Store' }, { nothing: 1 }, { options: { scrub: { extraKeys: ['pin'] } } }])
        assert.equal(refusal(await change({ scrub }, seen)), 'conflict')
    })

    it('gives options of an older version what they lack, also inside their parts', async () => {
      const { read, write } = stores
      const old = JSON.parse(
        '{"allowedDomains":["a.example"],"filters":{"crawlers":true},"scrub":{"extraKeys":["pin"]}}',
      )
      value(await write.updateProject(world.org, world.shop, { options: old }, anActor()))
      const expected = {
        ...PROJECT_OPTIONS_DEFAULT,
        allowedDomains: ['a.example'],
        filters: { ...PROJECT_OPTIONS_DEFAULT.filters, crawlers: true },
        scrub: { ...PROJECT_OPTIONS_DEFAULT.scrub, extraKeys: ['pin'] },
      }
      assert.deepEqual((await read.project(world.scope, 'shop'))?.options, expected)
      const { projects } = await read.ingestDirectory()
      assert.deepEqual(projects.find(({ id }) => id === world.shop)?.options, expected)
    })

    it('shows issues under the prefix of the slug of today', async () => {
      const [issue] = await commit(stores, world.scope, aBatch(1, [anEvent({ projectId: world.shop })]))
      assert.equal(issue?.shortId, 'SHOP-1')
      value(await stores.write.updateProject(world.org, world.shop, { slug: 'store' }, anActor()))
      assert.equal((await stores.read.issue(world.scope, 'store-1'))?.id, issue?.id)
      assert.equal((await stores.read.issue(world.scope, 'STORE-1'))?.shortId, 'STORE-1')
      // Ids that were handed out lead to their issue for ever.
      assert.equal((await stores.read.issue(world.scope, 'SHOP-1'))?.shortId, 'STORE-1')
      assert.deepEqual((await stores.read.project(world.scope, 'shop'))?.formerSlugs, ['shop'])
      const taken = { slug: 'shop' }
      assert.equal((await stores.write.updateProject(world.org, world.blog, taken, anActor())).ok, false)
    })

    it('finds by slug, then by a slug of before, by id, by a number beside it, and what may be read alone', async () => {
      const { read, write } = stores
      const { org, scope, shop, blog } = world
      const found = async (ref: string, projects = scope.projects) =>
        (await read.project({ ...scope, projects }, ref))?.id ?? null
      const change = async (id: typeof shop, changed: Parameters<typeof write.updateProject>[2]) =>
        value(await write.updateProject(org, id, changed, anActor()))
      const [ofBlog, ofShop] = [String(blog), String(shop)]
      await change(shop, { options: { ...PROJECT_OPTIONS_DEFAULT, furtherNumbers: [ofBlog, '770077'] } })
      assert.deepEqual(
        [await found(ofBlog), await found('770077'), await found('770078')],
        [blog, shop, null],
      )
      assert.deepEqual([await found(ofBlog, [shop]), await found('770077', [blog])], [shop, null])
      await change(shop, { slug: ofBlog })
      assert.deepEqual([await found(ofBlog), await found(ofBlog, [blog])], [shop, blog])
      await change(shop, { slug: 'store' })
      assert.deepEqual([await found(ofBlog), await found('shop'), await found('store')], [shop, shop, shop])
      assert.deepEqual(
        [await found('shop', [blog]), await found(ofShop, [blog]), await found(ofShop)],
        [null, null, shop],
      )
    })

    it('finds a project by slug or id, and lists by name', async () => {
      const { read } = stores
      assert.equal((await read.project(world.scope, String(world.blog)))?.slug, 'blog')
      assert.equal(await read.project(world.scope, 'nothing'), null)
      assert.deepEqual(
        (await read.projects(world.scope)).map(({ slug }) => slug),
        ['blog', 'shop'],
      )
    })

    it('creates, changes and deletes keys', async () => {
      const { read, write } = stores
      const rateLimit = { window: 60, count: 100 }
      const key = value(
        await write.createKey(
          world.org,
          world.shop,
          { public: '2'.repeat(32), name: 'CI', rateLimit },
          anActor(),
        ),
      )
      assert.deepEqual(
        [key.projectId, key.name, key.isActive, key.rateLimit, key.usedMs],
        [world.shop, 'CI', true, rateLimit, null],
      )
      const changed = value(
        await write.updateKey(
          { org: world.org, project: world.shop, id: key.id },
          { isActive: false, rateLimit: null },
          anActor(),
        ),
      )
      assert.deepEqual([changed.name, changed.isActive, changed.rateLimit], ['CI', false, null])
      assert.deepEqual((await read.keys(world.scope, world.shop))[1], changed)
      const elsewhere = await write.updateKey(
        { org: world.org, project: world.blog, id: key.id },
        { name: 'x' },
        anActor(),
      )
      assert.equal(refusal(elsewhere), 'not_found')
      assert.equal(
        refusal(await write.deleteKey({ org: world.otherOrg, project: world.shop, id: key.id }, anActor())),
        'not_found',
      )
      value(await write.deleteKey({ org: world.org, project: world.shop, id: key.id }, anActor()))
      assert.equal((await read.keys(world.scope, world.shop)).length, 1)
      assert.equal(
        refusal(await write.deleteKey({ org: world.org, project: world.shop, id: keyId(999) }, anActor())),
        'not_found',
      )
      const taken = await write.createKey(
        world.org,
        world.shop,
        { public: 'a'.repeat(32), name: '', rateLimit: null },
        anActor(),
      )
      assert.equal(refusal(taken), 'conflict')
    })

    it('bounds the keys of a project', async () => {
      for (let index = 1; index < max('keysPerProjectMax'); index++) {
        const key = { public: String(index).padStart(32, '0'), name: `key ${index}`, rateLimit: null }
        value(await stores.write.createKey(world.org, world.shop, key, anActor()))
      }
      const more = { public: '9'.repeat(32), name: 'more', rateLimit: null }
      assert.equal(refusal(await stores.write.createKey(world.org, world.shop, more, anActor())), 'conflict')
    })

    it('says what deleting would delete, and deletes within the organisation alone', async () => {
      const { read, write } = stores
      await commit(
        stores,
        world.scope,
        aBatch(1, [
          anEvent({ projectId: world.shop, group: 'a' }),
          anEvent({ projectId: world.shop, group: 'a' }),
          anEvent({ projectId: world.shop, group: 'b' }),
        ]),
      )
      assert.deepEqual(await read.size(world.scope, world.shop), { issues: 2, events: 3, keys: 1 })
      assert.equal(refusal(await write.deleteProject(world.otherOrg, world.shop, anActor())), 'not_found')
      value(await write.deleteProject(world.org, world.shop, anActor()))
      assert.equal(await read.project(world.scope, 'shop'), null)
      assert.deepEqual(await read.size(world.scope, world.shop), { issues: 0, events: 0, keys: 0 })
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.target], ['project.deleted', 'Shop'])
    })
  })
}

/** Sorts a directory, so that order does not matter. */
function sortDirectory({ projects, keys, ...rest }: IngestDirectory) {
  const byId = (one: { readonly id: number }, other: { readonly id: number }) => one.id - other.id
  return { ...rest, projects: projects.toSorted(byId), keys: keys.toSorted(byId) }
}

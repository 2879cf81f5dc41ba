/** Contract of releases: made by tools and by events, seen by whoever may read one of their projects. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ReleaseQuestion } from '#model/release-question.ts'
import type { ResolveIn } from '#ports/issues.ts'
import type { ReleaseChange, ReleaseFilter, ReleasePlace } from '#ports/releases.ts'
import { anActor } from '../../builders/actor.ts'
import { aCommit } from '../../builders/commit.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

const WEB = 'web@1.4.0'

const ALL: ReleaseFilter = { projects: null, status: null, text: '', environments: [], sort: 'date' }

export function releasesContract(open: ControlFactory): void {
  describe('Releases', () => {
    const { stores, world, nextSeq } = openForEachTest(open)

    const place = (version = WEB, readable = world.scope.projects): ReleasePlace => ({
      orgId: world.org,
      readable,
      version,
    })
    const put = (version = WEB, change: ReleaseChange = {}, atMs = NOW) =>
      stores.write.putRelease(place(version), { projects: [world.shop], ...change }, anActor(atMs))
    const send = (
      release: string | null,
      change: {
        readonly group?: string
        readonly atMs?: number
        readonly environment?: string
        readonly projectId?: ProjectId
      } = {},
    ) => {
      const { group = 'a', atMs = NOW, environment = 'production', projectId = world.shop } = change
      const event = anEvent({
        environment,
        ...{ projectId, group, release, receivedMs: atMs, timestampMs: atMs },
        tags: release === null ? {} : { release },
      })
      return stores.write.applyBatch(aBatch(nextSeq(), [event]))
    }
    const names = async (scope = world.scope, projects: readonly ProjectId[] | null = null) => {
      const filter = { ...ALL, projects }
      return (await stores.read.releases(scope, filter, { offset: 0, limit: 50 })).rows.map(
        ({ version }) => version,
      )
    }
    const one = async (version = WEB) => {
      const release = await stores.read.release(world.scope, version)
      assert.ok(release !== null, `no release ${version}`)
      return release
    }
    const issue = async (ref = 'SHOP-1') => {
      const found = await stores.read.issue(world.scope, ref)
      assert.ok(found !== null)
      return found
    }
    const resolveIn = async (within: ResolveIn, atMs: number) =>
      stores.write.resolve(
        { orgId: world.org, projects: world.scope.projects, ids: [(await issue()).id] },
        anActor(atMs),
        within,
      )

    it('are made once, and changed by what is said of them', async () => {
      assert.deepEqual(value(await put()), { isNew: true })
      const change = {
        projects: [world.blog],
        ref: 'main',
        url: 'https://ci.example.com/7',
        releasedMs: NOW + 5,
      }
      assert.deepEqual(value(await put(WEB, change, NOW + 9)), { isNew: false })
      const release = await one()
      assert.deepEqual(
        release.projects.map(({ slug }) => slug),
        ['blog', 'shop'],
      )
      const { status, ref, url, createdMs, startedMs, releasedMs } = release
      assert.deepEqual(
        [status, ref, url, createdMs, startedMs, releasedMs],
        ['open', 'main', 'https://ci.example.com/7', NOW, null, NOW + 5],
      )
      await put(WEB, { status: 'archived', ref: null })
      assert.deepEqual([(await one()).status, (await one()).ref], ['archived', null])
    })

    it('need a project of the organisation that whoever asks may read', async () => {
      for (const projects of [[], [world.otherShop]])
        assert.equal(refusal(await put('new', { projects })), 'invalid_input')
      const shopOnly = place('new', [world.shop])
      const refused = await stores.write.putRelease(shopOnly, { projects: [world.blog] }, anActor())
      assert.equal(refusal(refused), 'invalid_input')
      assert.deepEqual(await names(), [])
    })

    it('keep odd names as they are', async () => {
      const odd = ['a b', 'web@1.0.0+5', 'feature/x', '%2F', '@shop/web@1', 'Ü']
      for (const [index, name] of odd.entries()) await put(name, {}, NOW + index)
      assert.deepEqual(await names(), odd.toReversed())
      for (const name of odd) assert.equal((await one(name)).version, name)
      const found = await stores.read.releases(world.scope, { ...ALL, text: 'ü' }, { offset: 0, limit: 9 })
      assert.deepEqual(
        found.rows.map(({ version }) => version),
        ['Ü', 'feature/x'],
      )
      for (const text of ['u', 'Ü', 'U\u0308']) {
        const bare = await stores.read.releases(world.scope, { ...ALL, text }, { offset: 0, limit: 9 })
        assert.equal(bare.rows[0]?.version, 'Ü', text)
      }
    })

    it('are not there for others, nor for members who may read none of their projects', async () => {
      await put()
      await put('blog@1', { projects: [world.blog] })
      assert.deepEqual(await names(world.otherScope), [])
      assert.deepEqual(await names(world.shopScope), [WEB])
      assert.deepEqual(await names(world.scope, [world.blog]), ['blog@1'])
      assert.equal(await stores.read.release(world.otherScope, WEB), null)
      assert.equal(await stores.read.release(world.shopScope, 'blog@1'), null)
      const forged = scopeForTest({ orgId: world.otherOrg, projects: [world.shop] })
      assert.deepEqual(await names(forged), [])
      assert.deepEqual(await stores.read.releaseTimes(forged, null), [])
      const theirs = place('blog@1', [world.shop])
      assert.equal(refusal(await stores.write.setCommits(theirs, [aCommit('1')], anActor())), 'not_found')
      assert.equal(refusal(await stores.write.deleteRelease(theirs, anActor())), 'not_found')
    })

    it('are listed newest first, by pages, by status', async () => {
      for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) await put(name, {}, NOW + index)
      await put('a', { releasedMs: NOW + 50 })
      await put('b', { status: 'archived' })
      const page = (status: 'open' | null, offset: number) =>
        stores.read.releases(world.scope, { ...ALL, status }, { offset, limit: 2 })
      assert.deepEqual(
        [(await page(null, 0)).rows, (await page(null, 2)).rows, (await page('open', 0)).rows].map((rows) =>
          rows.map(({ version }) => version).join(''),
        ),
        ['ad', 'cb', 'ad'],
      )
      assert.deepEqual([(await page(null, 0)).total, (await page('open', 0)).total], [4, 3])
      assert.deepEqual((await stores.read.releaseTimes(world.scope, null))[0], {
        version: 'a',
        atMs: NOW + 50,
      })
    })

    const found = async (change: Partial<ReleaseFilter>, scope = world.scope) => {
      const { rows } = await stores.read.releases(scope, { ...ALL, ...change }, { offset: 0, limit: 50 })
      return rows.map(({ version }) => version)
    }

    it('are ordered by version within a package, and by what happened with them', async () => {
      for (const [index, name] of [
        'web@1.9.0',
        'api@2.0.0',
        'web@1.10.0',
        'web@nightly',
        'web@1.2.0',
      ].entries())
        await put(name, {}, NOW + index)
      const versions = ['web@1.10.0', 'web@1.9.0', 'web@1.2.0', 'web@nightly', 'api@2.0.0']
      assert.deepEqual(await found({ sort: 'semver' }), versions)
      const page = await stores.read.releases(
        world.scope,
        { ...ALL, sort: 'semver' },
        { offset: 1, limit: 2 },
      )
      assert.deepEqual([page.rows.map(({ version }) => version), page.total], [versions.slice(1, 3), 5])
      await send('api@2.0.0', { group: 'x' })
      await send('api@2.0.0', { group: 'y' })
      for (const atMs of [NOW, NOW + 1, NOW + 2]) await send('web@1.2.0', { group: 'z', atMs })
      assert.deepEqual((await found({ sort: 'new' })).slice(0, 2), ['api@2.0.0', 'web@1.2.0'])
      assert.deepEqual((await found({ sort: 'events' })).slice(0, 2), ['web@1.2.0', 'api@2.0.0'])
    })

    it('stand with their project in the order of versions', async () => {
      const other = world.blog
      for (const [index, [version, project]] of (
        [
          ['1.0.0', world.shop],
          ['2.0.0', other],
          ['1.1.0', world.shop],
          ['1.10.0', other],
        ] as const
      ).entries())
        await stores.write.putRelease(place(version), { projects: [project] }, anActor(NOW + index))
      const { rows } = await stores.read.releases(
        world.scope,
        { ...ALL, sort: 'semver' },
        { offset: 0, limit: 10 },
      )
      assert.deepEqual(
        rows.map(({ version }) => version),
        ['2.0.0', '1.10.0', '1.1.0', '1.0.0'],
      )
    })

    it('are found by where they run: by their events, and by their deploys', async () => {
      await send('web@1.0.0', { environment: 'staging' })
      await send('web@1.0.0', { environment: 'production', atMs: NOW + 1 })
      await send('web@1.0.0', { environment: 'production', atMs: NOW + 2 })
      await put('web@1.1.0')
      const deploy = { environment: 'canary', name: null, url: null, startedMs: null, finishedMs: NOW }
      value(await stores.write.addDeploy(place('web@1.1.0'), deploy, anActor()))
      assert.deepEqual(await found({ environments: ['staging'] }), ['web@1.0.0'])
      assert.deepEqual(await found({ environments: ['canary'] }), ['web@1.1.0'])
      assert.deepEqual((await found({ environments: ['canary', 'production'] })).toSorted(), [
        'web@1.0.0',
        'web@1.1.0',
      ])
      assert.deepEqual(await found({ environments: ['none'] }), [])
      assert.deepEqual(await found({ environments: ['staging'] }, world.otherScope), [])
      assert.deepEqual((await one('web@1.0.0')).environments, [
        { name: 'production', eventCount: 2 },
        { name: 'staging', eventCount: 1 },
      ])
      assert.deepEqual(await stores.read.releaseEnvironments(world.scope, 9), [
        'canary',
        'production',
        'staging',
      ])
      assert.deepEqual(await stores.read.releaseEnvironments(world.scope, 1), ['canary'])
      assert.deepEqual(await stores.read.releaseEnvironments(world.otherScope, 9), [])
    })

    it('count so many environments each, and go on counting those', async () => {
      const most = max('releaseEnvironmentsMax')
      for (let index = 0; index <= most; index++) await send(WEB, { environment: `preview-${index}` })
      await send(WEB, { environment: 'preview-0' })
      const { environments } = await one()
      assert.deepEqual([environments.length, environments[0]], [most, { name: 'preview-0', eventCount: 2 }])
    })

    it('are found by the beginning of a commit', async () => {
      await put()
      await put('web@2.0.0')
      value(await stores.write.setCommits(place(), [aCommit('c41f9e2aa'), aCommit('b00')], anActor()))
      assert.deepEqual(await found({ text: 'c41f9e2' }), [WEB])
      assert.deepEqual(await found({ text: 'C41F9E2AA' }), [WEB])
      assert.deepEqual(await found({ text: 'c41f9e3' }), [])
      assert.deepEqual(await found({ text: 'b00' }), [])
    })

    it('name what they were built from: a ref, and the newest commit of each repository', async () => {
      await put(WEB, { ref: 'main' })
      const docs = { repository: 'shop/docs' }
      const commits = [aCommit('3'), aCommit('2', docs), aCommit('1', docs), aCommit('0')]
      value(await stores.write.setCommits(place(), commits, anActor()))
      assert.deepEqual(await stores.read.revision(world.scope, WEB), {
        ref: 'main',
        heads: [
          { repository: 'shop/web', commit: '3' },
          { repository: 'shop/docs', commit: '2' },
        ],
      })
      assert.equal(await stores.read.revision(world.otherScope, WEB), null)
    })

    it('are made by the first event that names them, and count their events', async () => {
      await send(WEB, { atMs: NOW + 5 })
      await send(WEB, { atMs: NOW + 9 })
      await send(WEB, { group: 'b', atMs: NOW + 7 })
      await send(null, { group: 'c' })
      assert.deepEqual(await names(), [WEB])
      const { createdMs, projects } = await one()
      const seen = { firstEventMs: NOW + 5, lastEventMs: NOW + 9, eventCount: 3, newIssues: 2 }
      assert.deepEqual(
        [createdMs, projects],
        [NOW + 5, [{ projectId: world.shop, slug: 'shop', name: 'Shop', ...seen }]],
      )
    })

    it('are meant by questions of a search, project by project', async () => {
      await put('tool@1.0.0', { projects: [world.blog], releasedMs: NOW - 3 * DAY })
      await send(WEB, { atMs: NOW - DAY })
      await send(WEB, { atMs: NOW })
      const ask = async (question: ReleaseQuestion, scope = world.scope, of: ProjectId[] | null = null) => {
        const found = await stores.read.releasesMeant(scope, {
          nowMs: NOW,
          projects: of,
          questions: [question],
        })
        return found === 'too many' ? found : (found[0] ?? null)
      }
      const web = { projectId: world.shop, value: WEB }
      const [tool, latest] = [{ projectId: world.blog, value: 'tool@1.0.0' }, { is: 'latest' } as const]
      assert.deepEqual(await ask(latest), [web, tool])
      assert.deepEqual(await ask(latest, world.shopScope), [web])
      assert.deepEqual(await ask(latest, world.otherScope), [])
      assert.deepEqual(await ask({ is: 'staged', stage: 'adopted' }), [web])
      assert.deepEqual(await ask({ is: 'shown', pattern: 'tool@*' }), null, 'it names them itself')
      assert.deepEqual(await ask({ is: 'shown', pattern: '1.0.0' }, world.scope, [world.blog]), [tool])
      const latestOf = await stores.read.latestReleases(world.shopScope, null)
      assert.deepEqual(latestOf, [{ projectId: world.shop, version: WEB, atMs: NOW - DAY }])
      assert.deepEqual(await stores.read.versionsThatBrought(world.otherScope, world.shop, WEB), [])
    })

    it('complete a term, with their events', async () => {
      await send(WEB)
      const asked = { nowMs: NOW, part: 'name', prefix: 'web', limit: 9 } as const
      assert.equal((await stores.read.suggestedReleases(world.scope, asked))[0]?.count, 1)
    })

    it('come back with the next event after they were deleted', async () => {
      await send(WEB)
      value(await stores.write.deleteRelease(place(), anActor()))
      assert.deepEqual(await names(), [])
      await send(WEB, { atMs: NOW + 1 })
      assert.equal((await one()).projects[0]?.eventCount, 1)
    })

    it('are deleted by whoever may read all of their projects, with a line in the audit log', async () => {
      await put(WEB, { projects: [world.shop, world.blog] })
      const refused = await stores.write.deleteRelease(place(WEB, [world.shop]), anActor())
      assert.equal(refusal(refused), 'forbidden')
      value(await stores.write.deleteRelease(place(), anActor()))
      const [entry] = await stores.read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.target], ['release.deleted', WEB])
    })

    it('go with the last of their projects', async () => {
      await put(WEB, { projects: [world.shop, world.blog] })
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(
        (await one()).projects.map(({ slug }) => slug),
        ['blog'],
      )
      value(await stores.write.deleteProject(world.org, world.blog, anActor()))
      assert.deepEqual(await names(), [])
    })

    it('have commits, newest first, matched to members by address', async () => {
      await put()
      const bare = { message: null, authorName: null, authorEmail: null, atMs: null, files: [] }
      const given = [aCommit('2'), aCommit('1', { authorEmail: 'nobody@example.com' }), aCommit('0', bare)]
      value(await stores.write.setCommits(place(), given, anActor()))
      const commits = await stores.read.commits(world.scope, WEB)
      assert.deepEqual(
        commits.map(({ release, member, ...commit }) => commit),
        given,
      )
      assert.deepEqual(
        commits.map(({ member }) => member?.userId ?? null),
        [world.owner, null, null],
      )
      const { commitCount, lastCommit } = await one()
      assert.deepEqual([commitCount, lastCommit?.id], [3, '2'])
      assert.deepEqual(
        (await one()).authors.map(({ name, email, member }) => [name, email, member?.userId ?? null]),
        [
          ['Ada', 'ADA@example.com', world.owner],
          ['Ada', 'nobody@example.com', null],
        ],
      )
      assert.deepEqual(await stores.read.commits(world.otherScope, WEB), [])
      value(await stores.write.setCommits(place(), [aCommit('3')], anActor()))
      assert.equal((await one()).commitCount, 1)
    })

    it('name nobody of another organisation as author', async () => {
      await addMember(stores, { org: world.org, email: 'eve@example.com', role: 'viewer' })
      await put()
      const given = [
        aCommit('1', { authorEmail: 'other@example.com' }),
        aCommit('2', { authorEmail: 'eve@example.com' }),
      ]
      value(await stores.write.setCommits(place(), given, anActor()))
      const commits = await stores.read.commits(world.scope, WEB)
      assert.deepEqual(
        commits.map(({ member }) => member?.email ?? null),
        [null, 'eve@example.com'],
      )
    })

    it('name the commits that touched a file, newest first, each with the file that is nearest', async () => {
      await put()
      const files = (...paths: readonly string[]) => paths.map((path) => ({ path, type: 'M' as const }))
      const given = [
        aCommit('1', { files: files('app/cart.ts', 'app/pay.ts'), atMs: NOW }),
        aCommit('2', { files: files('app/cart.ts'), atMs: NOW + 1 }),
        aCommit('3', { files: files('README.md'), atMs: NOW + 2 }),
      ]
      value(await stores.write.setCommits(place(), given, anActor()))
      const asked = { versions: ['none', WEB], files: ['webpack://shop/./app/pay.ts', 'app/cart.ts'] }
      const { suspects, isCut } = await stores.read.suspects(world.scope, asked)
      assert.deepEqual(
        suspects.map(({ commit, path }) => [commit.id, commit.release, path]),
        [
          ['2', WEB, 'app/cart.ts'],
          ['1', WEB, 'app/pay.ts'],
        ],
      )
      assert.ok(!isCut)
      assert.deepEqual((await stores.read.suspects(world.otherScope, asked)).suspects, [])
    })

    it('keep so many commits and deploys, the newest', async () => {
      await put()
      const most = max('commitsPerReleaseMax')
      const given = Array.from({ length: most + 1 }, (_, index) => aCommit(String(most - index)))
      value(await stores.write.setCommits(place(), given, anActor()))
      const commits = await stores.read.commits(world.scope, WEB)
      assert.deepEqual([commits.length, commits[0]?.id, commits.at(-1)?.id], [most, String(most), '1'])
      const deploy = { environment: 'production', name: null, url: null, startedMs: null }
      for (let index = 0; index <= max('deploysPerReleaseMax'); index++)
        value(await stores.write.addDeploy(place(), { ...deploy, finishedMs: NOW + index }, anActor()))
      const deploys = await stores.read.deploys(world.scope, WEB)
      assert.equal(deploys.length, max('deploysPerReleaseMax'))
      assert.deepEqual(deploys[0], {
        ...deploy,
        id: deploys[0]?.id,
        finishedMs: NOW + max('deploysPerReleaseMax'),
      })
      assert.deepEqual((await one()).lastDeploy, deploys[0])
      assert.deepEqual(await stores.read.deploys(world.otherScope, WEB), [])
    })

    it('bring an issue that is resolved in one back with that one or a later, not with an older', async () => {
      await send('web@1.3.0')
      await put(WEB)
      value(await resolveIn({ how: 'release', release: WEB }, NOW + 10))
      assert.deepEqual((await issue()).resolvedIn, { how: 'release', release: WEB, atMs: NOW })
      await send('web@1.3.9', { atMs: NOW + 20 })
      assert.equal((await issue()).status, 'resolved')
      assert.deepEqual((await stores.read.releaseIssues(world.scope, WEB, 9)).resolved, [(await issue()).id])
      assert.equal((await one()).resolvedIssues, 1)
      await send('web@1.10.0', { atMs: NOW + 30 })
      const back = await issue()
      assert.deepEqual([back.status, back.substatus, back.resolvedIn], ['unresolved', 'regressed', null])
      assert.deepEqual([(await one('web@1.10.0')).regressedIssues, (await one()).resolvedIssues], [1, 0])
      const { begun, regressed } = await stores.read.releaseIssues(world.scope, 'web@1.10.0', 9)
      assert.deepEqual([begun, regressed], [[], [back.id]])
      assert.deepEqual((await stores.read.releaseIssues(world.scope, 'web@1.3.0', 9)).begun, [back.id])
      const counts = (version: string, untilMs: number, scope = world.scope) =>
        stores.read.releaseIssueCounts(scope, version, untilMs)
      assert.deepEqual(await counts('web@1.3.0', NOW), { begun: 0, regressed: 0 })
      assert.deepEqual(await counts('web@1.3.0', NOW + 1), { begun: 1, regressed: 0 })
      assert.deepEqual(await counts('web@1.10.0', NOW + 30), { begun: 0, regressed: 0 })
      assert.deepEqual(await counts('web@1.10.0', NOW + DAY), { begun: 0, regressed: 1 })
      assert.deepEqual(await counts('web@1.3.0', NOW + DAY, world.otherScope), { begun: 0, regressed: 0 })
      assert.deepEqual(await stores.read.releaseIssues(world.otherScope, 'web@1.3.0', 9), {
        ...{ begun: [], regressed: [], resolved: [] },
      })
    })

    it('bring an issue that is resolved in the next one back with a later one alone', async () => {
      await send('abc')
      value(await resolveIn({ how: 'next' }, NOW + 10))
      await send('abc', { atMs: NOW + 20 })
      assert.equal((await issue()).status, 'resolved')
      await send('def', { atMs: NOW + 30 })
      assert.equal((await issue()).substatus, 'regressed')
    })

    it('bring an issue that waits for a commit back once a release has it', async () => {
      await send('web@1.3.0')
      value(await resolveIn({ how: 'commit', commit: 'c0ffee' }, NOW + 10))
      await send('web@1.3.1', { atMs: NOW + 20 })
      assert.equal((await issue()).status, 'resolved')
      await put(WEB)
      value(await stores.write.setCommits(place(), [aCommit('c0ffee')], anActor()))
      assert.deepEqual((await issue()).resolvedIn, {
        ...{ how: 'release', release: WEB, atMs: NOW, commit: 'c0ffee' },
      })
      await send('web@1.3.2', { atMs: NOW + 30 })
      assert.equal((await issue()).status, 'resolved')
      await send(WEB, { atMs: NOW + 40 })
      assert.equal((await issue()).substatus, 'regressed')
    })

    it('must be of the issue’s project to be resolved in', async () => {
      await send('web@1.3.0')
      await put('blog@1', { projects: [world.blog] })
      assert.equal(refusal(await resolveIn({ how: 'release', release: 'blog@1' }, NOW + 10)), 'invalid_input')
      assert.equal((await issue()).status, 'unresolved')
    })

    it('are taken back with a resolution that is undone', async () => {
      await send('web@1.3.0')
      value(await resolveIn({ how: 'next' }, NOW + 10))
      assert.equal((await issue()).resolvedIn?.how, 'next')
      const choice = { orgId: world.org, projects: world.scope.projects, ids: [(await issue()).id] }
      value(await stores.write.undo(choice, anActor(NOW + 11)))
      assert.deepEqual([(await issue()).status, (await issue()).resolvedIn], ['unresolved', null])
    })
  })
}

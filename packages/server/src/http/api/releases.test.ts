import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { asking, callerOf, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'

const ORG = '/organizations/acme/releases/'
const PROJECT = '/projects/acme/shop/releases/'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('releases of the web API', () => {
  let shop: Shop
  let call: (line: string, body?: unknown) => Promise<{ status: number; body: Json; headers: Headers }>

  before(async () => {
    shop = await openShop()
    const callAs = callerOf(shop)
    call = (line, body) => callAs(shop.people.owner, line, body)
  })
  after(() => shop.close())

  for (const base of [ORG, PROJECT]) {
    it(`makes one at ${base}, once, and shows what tools read`, async () => {
      const version = `web@1.0.0 ${base.length}`
      const made = await call(`POST ${base}`, { version, projects: ['shop'], ref: 'main' })
      assert.equal(made.status, 201)
      assert.equal(made.headers.get('cache-control'), 'no-store')
      const again = await call(`POST ${base}`, { version, projects: ['shop'] })
      assert.equal(again.status, 208)
      const one = `${base}${encodeURIComponent(version)}/`
      const done = await call(`PUT ${one}`, {
        dateReleased: '2026-11-21T10:00:00.123456Z',
        projects: ['shop'],
      })
      assert.deepEqual([done.status, done.body.dateReleased], [200, '2026-11-21T10:00:00.123Z'])
      const { body } = await call(`GET ${one}`)
      assert.equal(body.version, version)
      assert.match(body.dateCreated, /^\d{4}-.*Z$/)
      const { slug, name, newGroups } = body.projects[0]
      assert.deepEqual([body.status, body.ref, slug, name, newGroups], ['open', 'main', 'shop', 'Shop', 0])
      assert.equal((await call(`DELETE ${one}`)).status, 204)
      assert.equal((await call(`GET ${one}`)).status, 404)
    })
  }

  const odd = ['@shop/web@1.0.0', '1.0+5', 'a b', 'feature/x', '100%', 'a%2Fb', 'Ü?#']
  for (const version of odd) {
    it(`finds ${version} by its name`, async () => {
      assert.equal((await call(`POST ${ORG}`, { version, projects: ['shop'] })).status, 201)
      const found = await call(`GET ${ORG}${encodeURIComponent(version)}/`)
      assert.deepEqual([found.status, found.body.version], [200, version])
    })
  }

  const refused: readonly (readonly [object, string])[] = [
    [{ projects: ['shop'] }, 'version'],
    [{ version: '', projects: ['shop'] }, 'version'],
    [{ version: '..', projects: ['shop'] }, 'version'],
    [{ version: 'latest', projects: ['shop'] }, 'version'],
    [{ version: 'a\nb', projects: ['shop'] }, 'version'],
    [{ version: 'x'.repeat(max('releaseCharsMax') + 1), projects: ['shop'] }, 'version'],
    [{ version: 'new' }, 'projects'],
    [{ version: 'new', projects: ['nothing'] }, 'projects'],
    [{ version: 'new', projects: ['shop'], dateReleased: 'soon' }, 'dateReleased'],
    [{ version: 'new', projects: ['shop'], url: 'javascript:alert(1)' }, 'url'],
    [{ version: 'new', projects: ['shop'], status: 'gone' }, 'status'],
    [{ version: 'new', projects: ['shop'], commits: [{ id: '' }] }, 'commits.0.id'],
  ]
  for (const [body, field] of refused) {
    it(`refuses ${JSON.stringify(body).slice(0, 80)}, naming ${field}`, async () => {
      const answer = await call(`POST ${ORG}`, body)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]])
      assert.equal((await call(`GET ${ORG}new/`)).status, 404)
    })
  }

  it('changes none that is not there', async () => {
    assert.equal((await call(`PUT ${ORG}none/`, { projects: ['shop'], status: 'archived' })).status, 404)
    assert.equal((await call(`POST ${ORG}none/deploys/`, { environment: 'production' })).status, 404)
  })

  it('shows none below a project that does not have it', async () => {
    await call(`POST ${ORG}`, { version: 'shop only', projects: ['shop'] })
    assert.equal((await call(`GET /projects/acme/vault/releases/shop%20only/`)).status, 404)
    assert.equal((await call(`DELETE /projects/acme/vault/releases/shop%20only/`)).status, 404)
    assert.equal((await call(`GET ${PROJECT}shop%20only/`)).status, 200)
  })

  it('takes commits as tools send them, and finds those of the release before', async () => {
    const put = async (version: string, body: object) => {
      await call(`POST ${ORG}`, { version, projects: ['shop'] })
      return call(`PUT ${ORG}${version}/`, body)
    }
    const commit = (id: string) => ({
      ...{
        id,
        repository: 'origin',
        message: `Say ${id}`,
        author_name: 'Ada',
        author_email: 'a@example.com',
      },
      ...{ timestamp: '2026-11-21T12:00:00+02:00', patch_set: [{ path: 'a.ts', type: 'M' }] },
    })
    const first = await put('api@1.0.0', { commits: [commit('b2'), commit('b1')] })
    assert.deepEqual([first.body.commitCount, first.body.lastCommit.id], [2, 'b2'])
    await put('api@1.1.0', {})
    await put('api@1.2.0', { refs: [{ repository: 'shop/web', commit: 'b3', previousCommit: 'b2' }] })
    const { body } = await call(`GET ${ORG}api@1.0.0/commits/`)
    assert.deepEqual(body[1], {
      ...{ id: 'b1', message: 'Say b1', dateCreated: '2026-11-21T10:00:00.000Z' },
      repository: { name: 'origin' },
      author: { name: 'Ada', email: 'a@example.com' },
      patch_set: [{ path: 'a.ts', type: 'M' }],
    })
    const touched = (await call(`GET ${ORG}api@1.0.0/commitfiles/`)).body
    assert.deepEqual(touched[1], {
      ...{ filename: 'a.ts', type: 'M', commitId: 'b1', commitMessage: 'Say b1', repoName: 'origin' },
      author: { name: 'Ada', email: 'a@example.com' },
    })
    assert.deepEqual(first.body.authors, [{ name: 'Ada', email: 'a@example.com' }])
    const previous = (version: string) => call(`GET ${ORG}${version}/previous-with-commits/`)
    assert.equal((await previous('api@1.2.0')).body.lastCommit.id, 'b2')
    assert.deepEqual((await previous('api@1.0.0')).body, {})
    assert.equal((await call(`GET ${ORG}api@1.2.0/`)).body.lastCommit.id, 'b3')
  })

  it('notes deploys', async () => {
    await call(`POST ${ORG}`, { version: 'deployed', projects: ['shop'] })
    const deploy = { environment: 'production', url: 'https://shop.example.com', name: 'blue' }
    const made = await call(`POST ${ORG}deployed/deploys/`, deploy)
    assert.equal(made.status, 201)
    const { body } = await call(`GET ${PROJECT}deployed/deploys/`)
    assert.deepEqual(body, [made.body])
    assert.equal(body[0].environment, 'production')
    assert.equal((await call(`POST ${ORG}deployed/deploys/`, {})).status, 400)
  })

  it('lists each once, whatever is made or deleted between two pages', async () => {
    const make = (version: string) => call(`POST ${ORG}`, { version, projects: ['shop'] })
    for (const version of ['walk1', 'walk2', 'walk3', 'walk4', 'walk5']) await make(version)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await call(`GET ${ORG}?per_page=2&query=walk&cursor=${cursor}`)
      seen.push(...page.body.map(({ version }: { readonly version: string }) => version))
      cursor =
        /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')?.[1] ?? null
      if (seen.length === 2) await make('walk6')
      // What came before goes, and what was the last of the page stays.
      if (seen.length === 4) await call(`DELETE ${ORG}walk5/`)
    }
    assert.deepEqual(seen, ['walk5', 'walk4', 'walk3', 'walk2', 'walk1'])
    const first = await call(`GET ${ORG}?per_page=2&query=walk`)
    const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1]
    // The row that a page ended with is gone: the next one begins at its place.
    await call(`DELETE ${ORG}walk4/`)
    const second = await call(`GET ${ORG}?per_page=2&query=walk&cursor=${next}`)
    assert.deepEqual(
      second.body.map(({ version }: { readonly version: string }) => version),
      ['walk3', 'walk2'],
    )
    const offset = await call(`GET ${ORG}?per_page=2&query=walk&cursor=0:1:0`)
    assert.deepEqual(offset.body, second.body)
    assert.equal((await call(`GET ${ORG}?cursor=0:2:0:x`)).status, 400)
    for (const number of [1, 2, 3, 6]) await call(`DELETE ${ORG}walk${number}/`)
  })

  it('lists by pages, newest first, by name and status', async () => {
    for (const version of ['p1', 'p2', 'p3']) await call(`POST ${ORG}`, { version, projects: ['shop'] })
    await call(`PUT ${ORG}p1/`, { status: 'archived' })
    const names = (answer: { readonly body: readonly { readonly version: string }[] }) =>
      answer.body.map(({ version }) => version)
    const page = await call(`GET ${ORG}?per_page=2&query=p`)
    assert.deepEqual(names(page), ['p3', 'p2'])
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')?.[1]
    assert.deepEqual(names(await call(`GET ${ORG}?per_page=2&query=p&cursor=${cursor}`))[0], 'p1')
    assert.deepEqual(names(await call(`GET ${ORG}?query=p&status=open`)).includes('p1'), false)
    assert.equal((await call(`GET ${ORG}?status=gone`)).status, 400)
    assert.equal((await call(`GET ${ORG}?sort=crash_rate`)).status, 400)
    assert.deepEqual(names(await call(`GET ${ORG}?query=p&sort=semver&per_page=2`)), ['p3', 'p2'])
    await call(`POST ${ORG}p2/deploys/`, { environment: 'blue' })
    assert.deepEqual(names(await call(`GET ${ORG}?environment=blue&environment=none`)), ['p2'])
    assert.deepEqual((await call(`GET /projects/acme/vault/releases/`)).body, [])
  })

  it('answers with the repository that is asked for, and with none where none is', async () => {
    const [repository] = (await call('GET /organizations/acme/repos/?query=shop%2Fweb')).body
    assert.deepEqual([repository.name, repository.provider.id], ['shop/web', 'git'])
    assert.deepEqual((await call('GET /organizations/acme/repos/')).body, [])
  })

  it('has a release from the first event that names it', async () => {
    await send(shop, shop.dsn, anError({ release: 'seen@1.0.0' }))
    const { body } = await call(`GET ${ORG}seen@1.0.0/`)
    assert.equal(body.newGroups, 1)
    assert.equal(typeof body.lastEvent, 'string')
  })

  it('lists the issues that are resolved in it', async () => {
    await send(shop, shop.dsn, anError({ release: 'fixed@1.0.0', fingerprint: ['to be fixed'] }))
    const [issue] = (await call(`GET /organizations/acme/issues/?query=release:fixed@1.0.0`)).body
    const resolved = (base: string) => call(`GET ${base}fixed@1.0.0/resolved/`)
    assert.deepEqual((await resolved(ORG)).body, [])
    const statusDetails = { inRelease: 'fixed@1.0.0' }
    await call(`PUT /organizations/acme/issues/${issue.id}/`, { status: 'resolved', statusDetails })
    for (const base of [ORG, PROJECT]) {
      const { body } = await resolved(base)
      assert.deepEqual([body.length, body[0].id, body[0].status], [1, issue.id, 'resolved'])
    }
    assert.equal((await call(`GET /projects/acme/vault/releases/fixed@1.0.0/resolved/`)).status, 404)
  })

  it('takes more than a form holds, up to its own bound', async () => {
    const commits = Array.from({ length: max('commitsPerReleaseMax') }, (_, index) => ({
      ...{ id: `c${index}`, message: 'x'.repeat(400) },
    }))
    await call(`POST ${ORG}`, { version: 'large', projects: ['shop'] })
    assert.equal((await call(`PUT ${ORG}large/`, { commits })).body.commitCount, commits.length)
  })

  it('keeps a release of projects that the asking may not all open', async () => {
    const { owner, member } = shop.people
    const callAs = callerOf(shop)
    const both = { version: 'both', projects: ['shop', 'vault'], body: {} }
    unwrap(await shop.commands.run('createRelease', asking(await owner.viewer(), await owner.scope()), both))
    const shown = await callAs(member, `GET ${ORG}both/`)
    assert.deepEqual(
      (shown.body as Json).projects.map(({ slug }: { readonly slug: string }) => slug),
      ['shop'],
    )
    assert.equal((await callAs(member, `DELETE ${ORG}both/`)).status, 403)
    assert.equal((await call(`GET ${ORG}both/`)).status, 200)
  })
})

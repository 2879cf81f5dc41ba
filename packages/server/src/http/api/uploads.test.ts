/** Uploads through the web API, as build tools send them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { max } from '#limits/limits.ts'
import { ARTIFACT_QUOTA_DEFAULT } from '#model/artifact-quota.ts'
import { aBundle, realBundle } from '#testing/builders/artifact-bundle.ts'
import { asking, callerOf, openShop, type Shop, URL_HERE, unwrap } from '#testing/worlds/api.ts'
import { apiBodyBytesMax } from './routes.ts'

const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')
const ASSEMBLE = '/organizations/acme/artifactbundle/assemble/'
const FILES = '/projects/acme/shop/releases/web%401.0.0%2Fb%201/files/'
const RELEASE = 'web@1.0.0/b 1'

describe('uploads through the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let token: string
  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    token = await tokenWith(['org:ci'])
  })
  after(() => shop.close())

  const who = async () => asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
  const tokenWith = async (scopes: readonly string[]) =>
    unwrap(await shop.commands.createToken(await who(), { name: scopes.join(), scopes, personal: false }))
      .token
  const failures = async () =>
    (await shop.queries.failedUploads(await shop.people.owner.scope(), null)).map(
      ({ what, reason, by, projects }) => ({ what, reason, by, projects }),
    )

  /** A form, as the tools post it. */
  const post = async (path: string, form: FormData, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await shop.api(
      new Request(`${URL_HERE}/api/0${path}`, {
        ...{ method: 'POST', body: form, headers: { authorization: `Bearer ${token}`, ...headers } },
      }),
      { clientAddress: '192.0.2.7' },
    )
    assert.ok(answer !== null)
    const body: unknown = await answer.json()
    return { status: answer.status, body }
  }
  const postChunk = (bytes: Uint8Array) => {
    const form = new FormData()
    form.append('file_gzip', new Blob([gzipSync(bytes)]), sha1(bytes))
    return post('/organizations/acme/chunk-upload/', form)
  }
  const assemble = (bytes: Uint8Array, more: object = {}) =>
    call(token, `POST ${ASSEMBLE}`, {
      ...{ checksum: sha1(bytes), chunks: [sha1(bytes)], projects: ['shop'], ...more },
    })

  it('asks for what is missing, takes it, and is done', async () => {
    const bytes = realBundle('npm-sentry-0.45.0')
    const missing = { state: 'not_found', missingChunks: [sha1(bytes)], detail: null }
    assert.deepEqual((await assemble(bytes)).body, missing)
    assert.deepEqual(await postChunk(bytes), { status: 200, body: {} })
    const done = { state: 'ok', missingChunks: [], detail: null }
    assert.deepEqual((await assemble(bytes, { version: RELEASE, dist: '' })).body, done)
    assert.deepEqual((await assemble(bytes, { version: RELEASE, projects: [shop.shop.id] })).body, done)
  })

  it('says 400 and why, and keeps it for people', async () => {
    const bytes = Buffer.from('no bundle')
    await postChunk(bytes)
    const refused = await assemble(bytes)
    assert.equal(refused.status, 400)
    const detail = 'The upload cannot be used: it is no artifact bundle.'
    assert.deepEqual(refused.body, { state: 'error', missingChunks: [], detail, error: detail })
    const none = await assemble(bytes, { projects: [] })
    assert.match(JSON.stringify(none.body), /You need to specify at least one project/)
    const unknown = await assemble(bytes, { projects: ['no-such'] })
    assert.match(JSON.stringify(unknown.body), /One or more projects are invalid/)
    const form = new FormData()
    form.append('file', new Blob(['x']), 'no hash')
    assert.equal((await post('/organizations/acme/chunk-upload/', form)).status, 400)
    assert.deepEqual((await failures()).slice(0, 4), [
      {
        what: 'chunks',
        reason: 'A chunk is named by the SHA-1 of its bytes.',
        by: 'token org:ci',
        projects: [],
      },
      {
        what: 'artifact bundle (no-such)',
        ...{ reason: 'One or more projects are invalid', by: 'token org:ci', projects: [] },
      },
      {
        what: 'artifact bundle',
        reason: 'projects: You need to specify at least one project',
        ...{ by: 'token org:ci', projects: [] },
      },
      { what: 'artifact bundle', reason: detail, by: 'token org:ci', projects: [shop.shop.id] },
    ])
  })

  it('keeps who was not allowed to', async () => {
    const weak = await tokenWith(['event:read'])
    assert.equal((await call(weak, 'GET /organizations/acme/chunk-upload/')).status, 403)
    const [newest] = await failures()
    assert.deepEqual([newest?.what, newest?.by], ['upload', 'token event:read'])
    assert.match(newest?.reason ?? '', /The token lacks the scope to create releases and upload source maps/)
  })

  it('says nothing of the uploads of another organisation', async () => {
    const bytes = aBundle({ source: 'of Acme' })
    await postChunk(bytes)
    assert.equal((await call(shop.people.rival, `POST ${ASSEMBLE}`, {})).status, 404)
    const scope = await shop.people.rival.scope('rival')
    assert.deepEqual(await shop.queries.failedUploads(scope, null), [])
  })

  it('sends tools on to the address they asked at', async () => {
    const asked = async (headers: Readonly<Record<string, string>>) => {
      const options = await call(token, 'GET /organizations/acme/chunk-upload/', undefined, headers)
      const organisation = await call(token, 'GET /organizations/acme/', undefined, headers)
      const { url } = options.body as { url: string } // the shape that the web API answers
      const { links } = organisation.body as { links: { regionUrl: string } } // as above
      assert.equal(url, `${links.regionUrl}/api/0/organizations/acme/chunk-upload/`)
      return links.regionUrl
    }
    // This world has a fixed address: any other Host is somebody's claim.
    assert.equal(await asked({ host: '127.0.0.1:9000' }), URL_HERE)
  })

  it('takes single files by release and address, lists and deletes them', async () => {
    const upload = (name: string, more: Readonly<Record<string, string>> = {}) => {
      const form = new FormData()
      form.set('file', new Blob([`// ${name}`]), 'app.js')
      for (const [field, text] of Object.entries({ name, ...more })) form.append(field, text)
      return post(FILES, form)
    }
    const first = await upload('~/static/app.js', { header: 'Sourcemap: app.js.map', dist: '7' })
    assert.equal(first.status, 201)
    const shape = first.body as { id: string; name: string; dist: string; headers: object; size: number } // as above
    assert.deepEqual(
      [shape.name, shape.dist, shape.headers, shape.size],
      ['~/static/app.js', '7', { Sourcemap: 'app.js.map' }, '// ~/static/app.js'.length],
    )
    assert.equal((await upload('~/static/app.js', { dist: '7' })).status, 409)
    assert.equal((await upload('~/static/app.js')).status, 201)
    assert.match(JSON.stringify((await upload('~/x.js', { header: 'none' })).body), /not formatted correctly/)
    const names = async () => {
      const { body } = await call(token, `GET ${FILES}?per_page=100`)
      return (body as { name: string; dist: string | null }[]).map(({ name, dist }) => `${name} ${dist}`) // as above
    }
    assert.deepEqual((await names()).slice(-2), ['~/static/app.js 7', '~/static/app.js null'])
    const page = await call(token, `GET ${FILES}?per_page=1`)
    assert.match(page.headers.get('link') ?? '', /rel="next"; results="true"; cursor="0:\d+:0"/)
    assert.equal((await call(token, `GET ${FILES}${shape.id}/`)).status, 200)
    assert.equal((await call(token, `DELETE ${FILES}${shape.id}/`)).status, 204)
    assert.equal((await call(token, `GET ${FILES}${shape.id}/`)).status, 404)
    assert.ok(!(await names()).includes('~/static/app.js 7'))
    const there = shop.uploads.index.atAddress(shop.shop.id, { release: RELEASE, dist: null }, [
      '~/static/app.js',
    ])
    assert.deepEqual(there, { state: 'no_map' })
  })

  it('deletes no file of a bundle with others', async () => {
    const listed = await call(token, `GET ${FILES}`)
    const bundled = (listed.body as { id: string; name: string }[]).find(({ name }) => name === '~/app.js') // as above
    assert.equal((await call(token, `DELETE ${FILES}${bundled?.id}/`)).status, 409)
  })

  it('makes a bundle for a release by the address of older clients, for every project', async () => {
    const bytes = realBundle('sentry-cli-2.58.6-without-ids')
    await postChunk(bytes)
    const path = '/organizations/acme/releases/plain%401/assemble/'
    const done = await call(token, `POST ${path}`, { checksum: sha1(bytes), chunks: [sha1(bytes)] })
    assert.deepEqual(done.body, { state: 'ok', missingChunks: [], detail: null })
    const build = { release: 'plain@1', dist: null }
    for (const { id } of await shop.queries.projects(await shop.people.owner.scope()))
      assert.deepEqual(shop.uploads.index.atAddress(id, build, ['~/app.js']), { state: 'waiting' })
  })

  it('keeps debug files of other platforms, in chunks and by form', async () => {
    const bytes = Buffer.from('\x7fELF and so on')
    const path = '/projects/acme/shop/files/difs/assemble/'
    const asked = { [sha1(bytes)]: { name: 'lib.so', chunks: [sha1(bytes)] } }
    const first = (await call(token, `POST ${path}`, asked)).body as Record<string, { state: string }> // as above
    assert.equal(first[sha1(bytes)]?.state, 'not_found')
    await postChunk(bytes)
    const done = (await call(token, `POST ${path}`, asked)).body as Record<
      string,
      { state: string; dif: object }
    > // as above
    assert.equal(done[sha1(bytes)]?.state, 'ok')
    assert.deepEqual(done[sha1(bytes)]?.dif, {
      ...{ id: sha1(bytes), uuid: null, debugId: null, objectName: 'lib.so', cpuName: 'any' },
      ...{ sha1: sha1(bytes), symbolType: 'unknown', data: { features: [] } },
    })
    const form = new FormData()
    form.set('file', new Blob(['PK zip']), 'mapping.zip')
    assert.equal((await post('/projects/acme/shop/files/dsyms/', form)).status, 201)
    const zip = sha1(Buffer.from('PK zip'))
    const unknown = 'f'.repeat(40)
    const query = [sha1(bytes), zip, unknown].map((each) => `checksums=${each}`).join('&')
    const answer = await call(token, `GET /projects/acme/shop/files/dsyms/unknown/?${query}`)
    assert.deepEqual(answer.body, { missing: [unknown] })
  })

  it('keeps to the quota that owners and managers set, at once', async () => {
    const scope = await shop.people.owner.scope()
    const before = await shop.queries.artifactQuota(scope)
    assert.deepEqual([before.quota, before.isDefault], [ARTIFACT_QUOTA_DEFAULT, true])
    assert.ok(before.used.bundles > 1)
    const quota = { bundlesMax: 1, bytesMax: max('chunkBytesMax'), unusedDaysMax: 30 }
    for (const role of ['member', 'viewer'] as const) {
      const person = shop.people[role]
      const refused = await shop.commands.run(
        'setArtifactQuota',
        asking(await person.viewer(), await person.scope()),
        quota,
      )
      assert.equal(refused.ok ? '' : refused.code, 'forbidden')
    }
    const wrong = await shop.commands.run('setArtifactQuota', await who(), { ...quota, bundlesMax: 0 })
    assert.deepEqual(wrong.ok ? {} : wrong.fields, { bundlesMax: ['Bundles must be at least 1.'] })
    const small = { ...quota, bytesMax: max('chunkBytesMax') - 1 }
    const refused = await shop.commands.run('setArtifactQuota', await who(), small)
    assert.match(JSON.stringify(refused), /Size must be at least 8 MiB\./)
    unwrap(await shop.commands.run('setArtifactQuota', await who(), quota))
    const now = await shop.queries.artifactQuota(scope)
    assert.deepEqual([now.quota, now.isDefault, now.used.bundles], [quota, false, 1])
    const bytes = aBundle({ source: 'after the quota' })
    await postChunk(bytes)
    assert.equal((await assemble(bytes)).status, 200)
    assert.equal((await shop.queries.artifactQuota(scope)).used.bundles, 1)
    unwrap(await shop.commands.run('setArtifactQuota', await who(), null))
    assert.equal((await shop.queries.artifactQuota(scope)).isDefault, true)
  })

  it('tells and sets the quota over the API, for owners and managers', async () => {
    const admin = await tokenWith(['org:admin'])
    const path = '/organizations/acme/artifact-quota/'
    const { used } = await shop.queries.artifactQuota(await shop.people.owner.scope())
    const byDefault = { ...ARTIFACT_QUOTA_DEFAULT, isDefault: true }
    assert.deepEqual((await call(admin, `GET ${path}`)).body, { ...byDefault, used })
    const least = { bundlesMax: 1, bytesMax: max('chunkBytesMax'), unusedDaysMax: 1 }
    for (const quota of [least, { ...least, bundlesMax: max('artifactBundlesMax') }]) {
      const set = await call(admin, `PUT ${path}`, quota)
      const now = await shop.queries.artifactQuota(await shop.people.owner.scope())
      assert.deepEqual([set.status, set.body], [200, { ...quota, isDefault: false, used: now.used }])
      assert.deepEqual((await call(admin, `GET ${path}`)).body, set.body)
    }
    for (const [wrong, field] of [
      [{ ...least, bundlesMax: 0 }, 'bundlesMax'],
      [{ ...least, bytesMax: least.bytesMax - 1 }, 'bytesMax'],
      [{ ...least, unusedDaysMax: 1.5 }, 'unusedDaysMax'],
      [{ bundlesMax: 1, bytesMax: least.bytesMax }, 'unusedDaysMax'],
      [null, 'bundlesMax'],
    ] as const) {
      const refused = await call(admin, `PUT ${path}`, wrong)
      assert.equal(refused.status, 400, JSON.stringify(wrong))
      assert.ok(JSON.stringify(refused.body).includes(field), JSON.stringify(refused.body))
    }
    const { body } = await call(admin, `DELETE ${path}`)
    assert.deepEqual(body, {
      ...byDefault,
      used: {
        bundles: 1,
        bytes: (await shop.queries.artifactQuota(await shop.people.owner.scope())).used.bytes,
      },
    })
    const reader = await tokenWith(['org:read', 'project:releases'])
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.equal(
        (await call(reader, `${method} ${path}`, method === 'PUT' ? least : undefined)).status,
        403,
      )
  })

  it('removes what was uploaded for a project with it', async () => {
    const scope = await shop.people.owner.scope()
    assert.ok((await shop.queries.artifactQuota(scope)).used.bundles > 0)
    unwrap(await shop.commands.run('deleteProject', await who(), shop.shop.id))
    assert.equal((await shop.queries.artifactQuota(scope)).used.bundles, 0)
  })
})

describe('bodies of uploads', () => {
  it('may be large where chunks or files come, with a token', () => {
    const bearer = 'Bearer sntrys_x'
    const rest = max('chunkRequestRestBytesMax')
    const rows: readonly (readonly [string, string, string | undefined, number])[] = [
      ['POST', '/api/0/organizations/a/chunk-upload/', bearer, max('chunkRequestBytesMax') + rest],
      ['POST', '/api/0/organizations/a/chunk-upload', bearer, max('chunkRequestBytesMax') + rest],
      ['POST', '/api/0/organizations/a/chunk-upload/', undefined, max('formBytesMax')],
      ['GET', '/api/0/organizations/a/chunk-upload/', bearer, max('formBytesMax')],
      ['POST', '/api/0/projects/a/b/releases/1%2F2/files/', bearer, max('releaseFileBytesMax') + rest],
      ['POST', '/api/0/organizations/a/releases/1/files/', bearer, max('releaseFileBytesMax') + rest],
      ['POST', '/api/0/projects/a/b/files/dsyms/', bearer, max('releaseFileBytesMax') + rest],
      ['POST', '/api/0/organizations/a/artifactbundle/assemble/', bearer, rest],
      ['POST', '/api/0/organizations/a/issues/', bearer, max('formBytesMax')],
    ]
    for (const [method, path, authorization, most] of rows)
      assert.equal(apiBodyBytesMax(method, path, authorization), most, `${method} ${path}`)
  })
})

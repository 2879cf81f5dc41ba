/** Attachments as SDKs of four languages send them: downloaded byte for byte, and gone with their person or project. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { apiGet } from '../support/api.ts'
import { signIn } from '../support/person.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

interface Captured {
  readonly name: string
  readonly request: { readonly path: string; readonly headers: Readonly<Record<string, string>> }
  /** Envelope, inflated from its own coding and packed by gzip for the fixture, as base64. */
  readonly packed: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly size: number
}

const FOLDER = new URL('../fixtures/captured-attachments/', import.meta.url)
const PLACEHOLDER = '0123456789abcdef0123456789abcdef'

const CAPTURES: readonly Captured[] = readdirSync(FOLDER).map((file) => ({
  name: file.replace('.json', ''),
  ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
}))

const envelopeOf = ({ packed }: Captured) => gunzipSync(Buffer.from(packed, 'base64'))
const eventOf = (captured: Captured) =>
  /"event_id":"([0-9a-f]{32})"/.exec(envelopeOf(captured).toString('latin1').split('\n', 1)[0] ?? '')?.[1] ??
  ''

describe('attachments that an SDK sends', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  before(async () => {
    running = await startShop()
  })
  after(() => running?.[Symbol.asyncDispose]())

  const pathOf = (captured: Captured) =>
    `/projects/${running.shop.organisation}/${running.shop.project}/events/${eventOf(captured)}/attachments/`
  const get = (path: string) =>
    fetch(`${running.url}/api/0${path}`, { headers: { authorization: `Bearer ${running.shop.token}` } })

  async function replay(captured: Captured): Promise<number> {
    const { pathname, username } = new URL(running.shop.dsn)
    const same = (text: string) => text.replace(':project', pathname.slice(1)).replace(PLACEHOLDER, username)
    const { path, headers } = captured.request
    const [head = '', ...rest] = envelopeOf(captured).toString('latin1').split('\n')
    const own = head.replace(/"dsn":"[^"]*"/, `"dsn":"${running.shop.dsn}"`)
    const text = [own, ...rest].join('\n').replaceAll(PLACEHOLDER, username)
    const bytes = Buffer.from(text, 'latin1')
    const answer = await fetch(running.url + same(path), {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, same(value)])),
      body: headers['content-encoding'] === 'gzip' ? gzipSync(bytes) : bytes,
    })
    return answer.status
  }

  const listOf = (captured: Captured) =>
    waitFor(`attachments of ${captured.name}`, async () => {
      const found = await apiGet<readonly Listed[]>(running.shop, pathOf(captured)).catch(() => [])
      return found.length > 0 ? found : null
    })

  for (const captured of CAPTURES)
    it(`of ${captured.name} are downloaded byte for byte`, async () => {
      assert.equal(await replay(captured), 200)
      const listed = await listOf(captured)
      const downloaded = await Promise.all(
        listed.map(async ({ id, name, size }) => {
          const answer = await get(`${pathOf(captured)}${id}/?download`)
          assert.equal(answer.status, 200)
          assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
          const content = Buffer.from(await answer.arrayBuffer())
          assert.equal(content.length, size)
          return { name, bytes: size, sha256: createHash('sha256').update(content).digest('hex') }
        }),
      )
      const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
        a.name < b.name ? -1 : 1
      assert.deepEqual(downloaded.toSorted(byName), captured.files.toSorted(byName))
    })

  it('are gone when their person is, and those of others stay', async () => {
    const [go, java] = ['go', 'java'].map((name) => CAPTURES.find((captured) => captured.name === name))
    assert.ok(go !== undefined && java !== undefined)
    const [first] = await listOf(go)
    const rosa = await signIn(running.url, OWNER)
    const input = { by: 'id', person: 'go-person', confirm: '1' }
    const done = await rosa.act('person.delete', '/shop/projects/web/settings/danger', input)
    assert.match(await done.text(), /"events":1/)
    await waitFor('none is left', async () => (await get(pathOf(go))).status === 404 || null)
    assert.equal((await get(`${pathOf(go)}${first?.id}/?download`)).status, 404)
    assert.equal((await listOf(java)).length, java.files.length)
  })
})

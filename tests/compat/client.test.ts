/** The client of the web API as a team has it: packed, installed, compiled with their code, asking a running Errata. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { issues } from '../support/api.ts'
import { anEvent, send } from '../support/send.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { ROOT } from '../tidy/sources.ts'

const run = promisify(execFile)

const PROGRAM = `
import { ApiError, createClient, type Schemas } from '@errata/client'

const [url = '', token = '', org = ''] = process.argv.slice(2)
const errata = createClient({ url, token })
const query = { query: 'is:unresolved TypeError', project: ['web'], limit: 1, sort: 'date' } as const
const list = await errata.get('/organizations/{org}/issues/', { path: { org }, query })
const found: Schemas['Issue'] | undefined = list.data[0]
if (found === undefined) throw new Error('no issue')
const path = { org, issue: found.id }
const events: string[] = []
for await (const event of errata.rows('/organizations/{org}/issues/{issue}/events/', { path, query: { limit: 2 } }))
  events.push(event.eventID)
const sizes: number[] = []
for await (const { data } of errata.pages('/organizations/{org}/issues/{issue}/events/', { path, query: { limit: 2 } }))
  sizes.push(data.length)
const latest = await errata.get('/organizations/{org}/issues/{issue}/events/{event}/', { path: { ...path, event: 'latest' } })
const changed = await errata.put('/organizations/{org}/issues/{issue}/', { path, body: { status: 'resolved' } })
const release = await errata.post('/organizations/{org}/releases/', {
  path: { org },
  body: { version: 'web@1.0.0/a b', projects: ['web'] },
})
const version: string = release.data.version
const one = await errata.get('/organizations/{org}/releases/{version}/', { path: { org, version } })
const gone = await errata.delete('/organizations/{org}/releases/{version}/', { path: { org, version } })
const refusal = async (call: Promise<unknown>) => {
  try {
    await call
  } catch (cause) {
    if (cause instanceof ApiError) return { status: cause.status, code: cause.code, fields: Object.keys(cause.fields) }
    throw cause
  }
  return null
}
const missing = await refusal(errata.get('/organizations/{org}/issues/{issue}/', { path: { org, issue: '999999' } }))
const cursor = await refusal(errata.get('/organizations/{org}/teams/', { path: { org }, query: { cursor: '!' } }))
const body = { version: 5 } as unknown as { version: string }
const field = await refusal(errata.post('/organizations/{org}/releases/', { path: { org }, body }))
const about = (await errata.get('/openapi.json')).data.openapi
const who: string = (await errata.get('/auth/')).data.name
console.log(JSON.stringify({
  ...{ hits: list.hits, title: found.title, events, sizes, latest: latest.data.entries.map(({ type }) => type) },
  ...{ status: changed.data.status, version: one.data.version, gone: [gone.status, gone.data === undefined] },
  ...{ missing, cursor, field, who, about },
}))

export async function neverRun() {
  // @ts-expect-error no such call
  await errata.get('/organizations/{org}/nothing/', { path: { org } })
  // @ts-expect-error the path has two names
  await errata.get('/organizations/{org}/issues/{issue}/', { path: { org } })
  // @ts-expect-error no such order
  await errata.get('/organizations/{org}/issues/', { path: { org }, query: { sort: 'colour' } })
  // @ts-expect-error a change says what
  await errata.put('/organizations/{org}/issues/{issue}/', { path })
  // @ts-expect-error no such field
  await errata.put('/organizations/{org}/issues/{issue}/', { path, body: { colour: 'red' } })
  // @ts-expect-error one issue has no pages
  for await (const _ of errata.rows('/organizations/{org}/issues/{issue}/', { path })) break
  // @ts-expect-error an issue has no such field
  console.log(found?.colour)
}
`

const PATIENT = `
import { ApiError, createClient } from '@errata/client'
const [url = '', token = ''] = process.argv.slice(2)
const { data } = await createClient({ url, token }).get('/auth/')
const hurried = await createClient({ url, token, retries: 0 }).get('/auth/').catch((cause: unknown) => cause)
const asked = { path: { org: 'busy' }, body: { name: 'x' } }
const post = createClient({ url, token }).post('/organizations/{org}/projects/', asked)
const unsure = await post.catch((cause: unknown) => cause)
const told = (cause: unknown) => (cause instanceof ApiError ? [cause.status, cause.retryAfterSeconds, cause.code] : cause)
console.log(JSON.stringify({ name: data.name, hurried: told(hurried), unsure: told(unsure) }))
`

describe('the client of the web API', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errata-client-'))
    running = await startShop()
    await packed(folder)
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    await writeFile(join(folder, 'patient.ts'), PATIENT)
    for (let sent = 0; sent < 5; sent++)
      await send(running.shop.dsn, anEvent({ type: 'TypeError', message: 'no amount' }))
    await waitFor('five events', async () => {
      const [issue] = await issues(running.shop)
      return issue?.count === '5' ? true : null
    })
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('gives types to a team’s code, libraries checked too', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node']
    const options = ['--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2022']
    await run(process.execPath, [tsc, ...options, ...types, 'program.ts', 'patient.ts'], { cwd: folder })
  })

  it('finds an issue, reads its events page by page, resolves it, and says what was refused', async () => {
    const { url, token, organisation } = running.shop
    const { stdout } = await run(process.execPath, ['program.js', `${url}/`, token, organisation], {
      cwd: folder,
    })
    const { events, who, about, ...told } = JSON.parse(stdout)
    assert.equal(about, '3.1.0')
    assert.equal(new Set(events).size, 5)
    assert.equal(typeof who, 'string')
    assert.deepEqual(told, {
      ...{ hits: 1, title: 'TypeError: no amount', sizes: [2, 2, 1], latest: ['exception'] },
      ...{ status: 'resolved', version: 'web@1.0.0/a b', gone: [204, true] },
      missing: { status: 404, code: 'not_found', fields: [] },
      cursor: { status: 400, code: null, fields: ['cursor'] },
      field: { status: 400, code: null, fields: ['version'] },
    })
  })

  it('waits as long as it is told to, and makes no change twice', async () => {
    const asked: string[] = []
    const busy = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      const isChange = request.method === 'POST'
      if (asked.length > 2 && !isChange && asked.length !== 4) {
        void fetch(`${running.url}${request.url}`, {
          headers: { authorization: request.headers.authorization ?? '' },
        }).then(async (answer) =>
          response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())),
        )
        return
      }
      const status = isChange || asked.length === 2 ? 503 : 429
      response.writeHead(status, { 'retry-after': '0' })
      response.end(JSON.stringify({ detail: 'Wait.', code: 'rate_limited' }))
    }).listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as AddressInfo // of a TCP server
    try {
      const args = ['patient.js', `http://127.0.0.1:${port}`, running.shop.token]
      const { stdout } = await run(process.execPath, args, { cwd: folder })
      const { name, ...refused } = JSON.parse(stdout)
      assert.equal(typeof name, 'string')
      assert.deepEqual(refused, { hurried: [429, 0, 'rate_limited'], unsure: [503, 0, 'rate_limited'] })
      assert.deepEqual(asked, [
        ...Array.from({ length: 4 }, () => 'GET /api/0/auth/'),
        'POST /api/0/organizations/busy/projects/',
      ])
    } finally {
      busy.close()
    }
  })
})

/** Nothing of this repository is beside it, and no registry is asked. */
async function packed(folder: string): Promise<void> {
  const pack = ['pack', '--ignore-scripts', '--pack-destination', folder, '--workspace', 'packages/client']
  const npm = async (args: readonly string[], cwd: string) => {
    const env = { ...process.env, npm_config_workspace: '' }
    await run('npm', [...args], { cwd, env, timeout: 120_000 })
  }
  await npm(pack, ROOT)
  const [tarball = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await npm(['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder)
}

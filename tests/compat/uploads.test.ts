/** Source maps from build to readable frame: the built product, a real uploader, a token that carries everything. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { apiGet } from '../support/api.ts'
import { readBeside } from '../support/beside.ts'
import { anEvent, send } from '../support/send.ts'
import { errata, type SetUp, serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
const FIXTURES = fileURLToPath(new URL('../fixtures/artifact-bundles/', import.meta.url))
const UPLOADER = fileURLToPath(new URL('../../node_modules/sentry/dist/bin.cjs', import.meta.url))
const DEBUG_ID = '932ebbb2-cdec-5aea-bd01-9447959e26d3'
const ADDRESS = 'http://shop.example/static/app.js'

function scratch(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'errata-uploads-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Returns where the fixture's script throws. */
function thrownAt(): { readonly lineno: number; readonly colno: number } {
  const lines = readFileSync(join(FIXTURES, 'sentry-cli-3.8.0.app.js'), 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('throw RangeError'))
  return { lineno: line + 1, colno: (lines[line]?.indexOf('throw RangeError') ?? 0) + 1 }
}

function minifiedError() {
  const frame = { abs_path: ADDRESS, filename: ADDRESS, function: 'e', in_app: true, ...thrownAt() }
  const value = { type: 'RangeError', value: 'count below zero', stacktrace: { frames: [frame] } }
  const images = [{ type: 'sourcemap', code_file: ADDRESS, debug_id: DEBUG_ID }]
  return anEvent({
    ...{ type: 'RangeError', message: 'count below zero' },
    more: { platform: 'javascript', exception: { values: [value] }, debug_meta: { images } },
  })
}

/** `file:line` of the innermost frame, as the web API has it. */
async function placeOf(shop: SetUp, event: string): Promise<string> {
  const path = `/projects/${shop.organisation}/${shop.project}/events/${event}/json/`
  const stored = await waitFor('the event', async () => {
    const answer = await fetch(`${shop.url}/api/0${path}`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    return answer.status === 200 ? ((await answer.json()) as StoredError) : null // the shape that the web API answers
  })
  const frame = stored.exception.values.at(-1)?.stacktrace.frames.at(-1)
  return `${frame?.filename}:${frame?.lineno} ${frame?.function}`
}

interface StoredError {
  readonly exception: {
    readonly values: readonly {
      readonly stacktrace: {
        readonly frames: readonly {
          readonly filename: string
          readonly lineno: number
          readonly function: string
        }[]
      }
    }[]
  }
}

/** The fixture of one tool, in chunks, as the tool sends it. */
async function sendBundle(shop: SetUp, step: 'chunks' | 'assemble'): Promise<unknown> {
  const bytes = readFileSync(join(FIXTURES, 'sentry-cli-3.8.0.bundle'))
  const checksum = createHash('sha1').update(bytes).digest('hex')
  const headers = { authorization: `Bearer ${shop.token}` }
  const organisation = `${shop.url}/api/0/organizations/${shop.organisation}`
  const form = new FormData()
  form.append('file_gzip', new Blob([gzipSync(bytes)]), checksum)
  const request = { checksum, chunks: [checksum], projects: [shop.project] }
  const answer = await (step === 'chunks'
    ? fetch(`${organisation}/chunk-upload/`, { method: 'POST', headers, body: form })
    : fetch(`${organisation}/artifactbundle/assemble/`, {
        ...{ method: 'POST', headers, body: JSON.stringify(request) },
      }))
  assert.equal(answer.status, 200)
  return answer.json()
}

/** When frames were resolved last with a bundle, and the states of all maps. */
function artifactsOf(data: string): { readonly used: readonly unknown[]; readonly maps: readonly unknown[] } {
  return readBeside(data, 'artifacts.sqlite', (database) => ({
    used: database.prepare('SELECT used_ms AS at FROM bundles WHERE used_ms IS NOT NULL').all(),
    maps: database
      .prepare('SELECT state FROM maps')
      .all()
      .map(({ state }) => state),
  }))
}

const mapsAreReady = (data: string) =>
  waitFor('maps', async () => {
    const { maps } = artifactsOf(data)
    return maps.length > 0 && maps.every((state) => state === 'ready') ? true : null
  })

describe('uploads to the built product', () => {
  it('need a token alone, made beside a server that was given no address', async (t) => {
    await using running = await startShop()
    const made = await errata(['token', 'create', '--scopes', 'org:ci', '--data', running.data])
    const [, payload = ''] = made.trim().split('_')
    const carried = JSON.parse(Buffer.from(payload, 'base64').toString()) as Record<string, string> // as `newOrgToken` writes it
    assert.deepEqual([carried.url, carried.region_url, carried.org], [running.url, running.url, 'shop'])

    const app = join(scratch(t), 'app')
    mkdirSync(app)
    const map = {
      version: 3,
      sources: ['a.ts'],
      sourcesContent: ['let a = 1\n'],
      names: [],
      mappings: 'AAAA',
    }
    writeFileSync(join(app, 'app.js'), 'var a=1;\n//# sourceMappingURL=app.js.map\n')
    writeFileSync(join(app, 'app.js.map'), JSON.stringify(map))
    const options = {
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: scratch(t), SENTRY_URL: running.url },
        ...{ SENTRY_AUTH_TOKEN: made.trim(), SENTRY_ORG: 'shop', SENTRY_PROJECT: 'web' },
        ...{ SENTRY_CLI_NO_TELEMETRY: '1', NO_COLOR: '1' },
      },
      timeout: 180_000,
    }
    const tool = (...args: readonly string[]) => run(process.execPath, [UPLOADER, ...args], options)
    await tool('sourcemap', 'inject', app)
    await tool('sourcemap', 'upload', app)
    await mapsAreReady(running.data)
    const bundles = () => readdirSync(join(running.data, 'artifacts', 'bundles', '1'))
    const first = bundles()
    assert.equal(first.length, 1)
    await tool('sourcemap', 'upload', app)
    assert.deepEqual(bundles(), first)
  })

  it('outlive a kill in the middle; frames resolve, use is noted, a backup keeps it all', async (t) => {
    const data = join(scratch(t), 'data')
    let { shop, event } = { shop: null as SetUp | null, event: '' }
    {
      await using running = await startShop({ data })
      shop = running.shop
      assert.equal(
        await placeOf(shop, await send(shop.dsn, minifiedError())),
        `${ADDRESS}:${thrownAt().lineno} e`,
      )
      await sendBundle(shop, 'chunks')
      await running.kill()
      cpSync(data, `${data}-killed`, { recursive: true })
    }
    const killed = `${data}-killed`
    t.after(() => rmSync(killed, { recursive: true, force: true }))
    await using running = await serve({ data: killed })
    shop = { ...shop, url: running.url, dsn: shop.dsn.replace(/@[^/]+/, `@127.0.0.1:${running.port}`) }
    assert.deepEqual(await sendBundle(shop, 'assemble'), { state: 'ok', missingChunks: [], detail: null })
    await mapsAreReady(killed)
    event = await waitFor('a readable frame', async () => {
      const sent = await send(shop.dsn, minifiedError())
      return (await placeOf(shop, sent)).includes('cart.ts:7 priceOf') ? sent : null
    })
    await waitFor('use is noted', async () => (artifactsOf(killed).used.length === 1 ? true : null))

    const to = join(scratch(t), 'backup')
    await errata(['backup', to, '--data', killed])
    const restored = join(scratch(t), 'restored')
    await errata(['restore', to, '--data', restored])
    assert.match(await errata(['check', '--data', restored]), /artifacts\s+1 bundle,/)
    await using copy = await serve({ data: restored })
    await mapsAreReady(restored)
    assert.match(await placeOf({ ...shop, url: copy.url }, event), /cart\.ts:7 priceOf$/)
    await copy.stop()
    rmSync(join(restored, 'artifacts', 'bundles'), { recursive: true })
    await assert.rejects(errata(['check', '--data', restored]), /1 of 1 bundles are missing/)
  })

  it('answers any tool at the address it asked at', async () => {
    await using running = await startShop()
    const { port } = running
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${port}`
      const path = '/organizations/shop/'
      const { links } = await apiGet<{ links: { regionUrl: string } }>({ ...running.shop, url }, path)
      const options = await apiGet<{ url: string }>({ ...running.shop, url }, `${path}chunk-upload/`)
      assert.deepEqual([links.regionUrl, options.url], [url, `${url}/api/0${path}chunk-upload/`])
    }
  })
})

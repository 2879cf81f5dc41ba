/** `errata upload-build` on the built product: from a bundler's output to the readable frame of a real SDK's event. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { type ApiEvent, apiGet } from '../support/api.ts'
import { anEvent, send } from '../support/send.ts'
import { errata, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
const SDK = pathToFileURL(createRequire(import.meta.url).resolve('@sentry/node')).href

const MAIN = `import * as Sentry from '@sentry/node'
import { checkOut } from './check-out.ts'

const { DSN, RELEASE } = process.env
Sentry.init({ ...(DSN ? { dsn: DSN } : {}), ...(RELEASE ? { release: RELEASE } : {}) })
const { priceOf } = await import('./prices.ts')
try {
  checkOut(priceOf, -1)
} catch (error) {
  console.log(Sentry.captureException(error))
}
await Sentry.flush(10_000)
`
const CHECK_OUT = `/** Many lines that no minifier leaves. */
export function checkOut(priceOf: (count: number) => number, count: number): number {
  const total = priceOf(count)
  return total * 2
}
`
const PRICES = `/** Price function in a chunk of its own. */
export function priceOf(count: number): number {
  if (count < 0) throw new RangeError('a count below zero: ' + count)
  return count * 3
}
`
/** Innermost first. */
const FAILS_AT = ['src/prices.ts:3 priceOf', 'src/check-out.ts:3 checkOut', 'src/main.ts:8']

interface Report {
  readonly ok: boolean
  readonly actions: number
  readonly bundles: readonly { readonly uploaded: boolean }[]
  readonly files: readonly {
    readonly file: string
    readonly state: string
    readonly injected?: boolean
    readonly debugId?: string | null
    readonly original?: { readonly source: string } | null
    readonly problem?: { readonly reason: string } | null
  }[]
}

describe('errata upload-build', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'errata-upload-build-'))
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let token = ''
  before(async () => {
    running = await startShop()
    shop = running.shop
    token = (await errata(['token', 'create', '--scopes', 'org:ci', '--data', running.data])).trim()
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
    rmSync(scratch, { recursive: true, force: true })
  })

  /** The app of a name, as Vite builds it for Node: two chunks, minified. */
  const built = async (name: string, sourcemap: boolean | 'inline' | 'hidden' = true): Promise<string> => {
    const root = join(scratch, name)
    mkdirSync(join(root, 'src'), { recursive: true })
    // Else Vite names its files by the nearest package.json above, which is the machine's.
    writeFileSync(join(root, 'package.json'), '{}')
    writeFileSync(join(root, 'src/main.ts'), MAIN)
    writeFileSync(join(root, 'src/check-out.ts'), CHECK_OUT)
    writeFileSync(join(root, 'src/prices.ts'), PRICES)
    await build({
      ...{ root, configFile: false, logLevel: 'silent' },
      build: {
        ...{ sourcemap, minify: true, ssr: join(root, 'src/main.ts') },
        rolldownOptions: {
          external: ['@sentry/node'],
          output: { format: 'es', paths: { '@sentry/node': SDK }, banner: `/* ${name} */` },
        },
      },
    })
    return join(root, 'dist')
  }

  /** Uploads as a person does who gives nothing but a token and a project. */
  const upload = async (directory: string, ...more: readonly string[]): Promise<Report> => {
    const args = ['upload-build', directory, '--url', running.url, '--token', token, '--project', 'web']
    const printed = await errata([...args, '--json', ...more]).catch((cause: unknown) => {
      if (cause instanceof Error && 'stdout' in cause && cause.stdout !== '') return String(cause.stdout)
      throw cause
    })
    return JSON.parse(printed) as Report // printed by the command under test
  }

  /** Runs the app as it was built; the places of its own frames, as the web API has them. */
  const framesOf = async (directory: string, env: Readonly<Record<string, string>> = {}) => {
    const options = { env: { PATH: process.env.PATH ?? '', DSN: shop.dsn, ...env }, timeout: 120_000 }
    const { stdout } = await run(process.execPath, [join(directory, 'main.mjs')], options)
    const path = `/projects/${shop.organisation}/${shop.project}/events/${stdout.trim()}/`
    const event = await waitFor('the event', () => apiGet<ApiEvent>(shop, path).catch(() => null))
    const entry = event.entries.find(({ type }) => type === 'exception')
    const data = entry?.data as { values: { stacktrace: { frames: Frame[] } }[] } | undefined // the shape that the web API answers
    const frames = data?.values.at(-1)?.stacktrace.frames ?? []
    return frames
      .slice(-FAILS_AT.length)
      .reverse()
      .map(({ filename, lineNo, function: name }) => `${filename}:${lineNo} ${name}`)
  }
  interface Frame {
    readonly filename: string
    readonly lineNo: number
    readonly function: string
  }

  const isReadable = (frames: readonly string[]) =>
    FAILS_AT.every((place, at) => frames[at]?.includes(place) === true)
  const hashesOf = (directory: string) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:m?js|map)$/.test(name))
      .sort()
      .map((name) => [
        name,
        createHash('sha1')
          .update(readFileSync(join(directory, name)))
          .digest('hex'),
      ])

  it('makes the frames of what it was run on readable; a second run changes and sends nothing', async () => {
    const directory = await built('ids')
    writeFileSync(join(directory, 'plain.js'), 'console.log(1)\n')
    const first = await upload(directory)
    assert.ok(first.ok, JSON.stringify(first))
    assert.deepEqual(
      first.bundles.map(({ uploaded }) => uploaded),
      [true],
    )
    const states = first.files.map(({ file, state, injected }) => [
      file.replace(/-[\w-]{8}\.mjs$/, '.mjs'),
      state,
      injected,
    ])
    assert.deepEqual(states, [
      ['assets/prices.mjs', 'resolved', true],
      ['main.mjs', 'resolved', true],
      ['plain.js', 'uncovered', undefined],
    ])
    const before = hashesOf(directory)
    const second = await upload(directory)
    assert.deepEqual(hashesOf(directory), before)
    assert.deepEqual([second.ok, second.bundles.map(({ uploaded }) => uploaded)], [true, [false]])
    const frames = await framesOf(directory)
    assert.ok(isReadable(frames), frames.join('\n'))
  })

  it('names the server actions of a Next build in errors that are there already', async () => {
    const id = '00a99c8b49aa6d8fee488f6549726bc7635288e255'
    const request = { url: 'https://shop.example/', method: 'POST', headers: { 'next-action': id } }
    const event = await send(shop.dsn, anEvent({ message: 'no action', more: { request } }))
    const path = `/projects/${shop.organisation}/${shop.project}/events/${event}/`
    const action = async () => {
      const found = await apiGet<{ errata: { action?: string } }>(shop, path).catch(() => null)
      return found?.errata.action ?? null
    }
    assert.equal(await waitFor('the event', action), id)
    const directory = await built('actions')
    mkdirSync(join(directory, 'server'))
    const manifest = readFileSync(new URL('../fixtures/server-actions/turbopack.json', import.meta.url))
    writeFileSync(join(directory, 'server/server-reference-manifest.json'), manifest)
    const report = await upload(directory)
    assert.deepEqual([report.ok, report.actions], [true, 3], JSON.stringify(report))
    assert.equal(await action(), 'fail (app/actions.ts)')
  })

  it('reads maps inside of scripts, and such as scripts do not name', async () => {
    for (const kind of ['inline', 'hidden'] as const) {
      const directory = await built(kind, kind)
      const report = await upload(directory)
      assert.ok(report.ok, JSON.stringify(report))
      const frames = await framesOf(directory)
      assert.ok(isReadable(frames), frames.join('\n'))
    }
  })

  it('changes no file where it may not: those are found by release and address', async () => {
    const directory = await built('release')
    const before = hashesOf(directory)
    assert.ok(!(await upload(directory, '--no-inject')).ok)
    const release = 'shop@1.0.0+7 (beta)'
    const prefix = '~/dist'
    const named = ['--no-inject', '--release', release, '--url-prefix', prefix] as const
    const report = await upload(directory, ...named)
    assert.ok(report.ok, JSON.stringify(report))
    assert.deepEqual(hashesOf(directory), before)
    const made = await apiGet<{ version: string }>(
      shop,
      `/organizations/${shop.organisation}/releases/${encodeURIComponent(release)}/`,
    )
    assert.equal(made.version, release)
    const frames = await framesOf(directory, { RELEASE: release })
    assert.ok(isReadable(frames), frames.join('\n'))
  })

  it('ends with 1 and the reason where a map is damaged, of another build, or lacks its sources', async () => {
    const directory = await built('damaged')
    const map = join(directory, 'main.mjs.map')
    const good = readFileSync(map, 'utf8')
    const reasonOf = async () => {
      const report = await upload(directory)
      assert.ok(!report.ok)
      return report.files.find(({ file }) => file === 'main.mjs')?.problem?.reason
    }
    writeFileSync(map, good.slice(0, 100))
    assert.equal(await reasonOf(), 'map_broken')
    const { sourcesContent: _none, ...bare } = JSON.parse(good)
    writeFileSync(map, JSON.stringify({ ...bare, sources: bare.sources.map(() => '../src/gone.ts') }))
    assert.equal(await reasonOf(), 'no_source_in_map')
    const args = ['upload-build', directory, '--url', running.url, '--token', token, '--project', 'web']
    await assert.rejects(
      errata(args),
      /Not covered: Source not in the map \(1\)[\s\S]*→ Turn on sourcesContent/,
    )
  })

  it('says who may not upload before it changes a file, and what is missing to be asked', async () => {
    const directory = await built('refused')
    const before = hashesOf(directory)
    const weak = (await errata(['token', 'create', '--scopes', 'event:read', '--data', running.data])).trim()
    const args = ['upload-build', directory, '--url', running.url, '--token']
    await assert.rejects(errata([...args, weak, '--project', 'web']), /403: .*The token lacks the scope/)
    await assert.rejects(
      errata([...args, 'sntrys_e30=_x', '--org', 'shop', '--project', 'web']),
      /401: Invalid token/,
    )
    await assert.rejects(errata([...args, token]), /missing: the project, as --project or SENTRY_PROJECT/)
    await assert.rejects(errata([...args, token, '--project', 'no-such']), /no project no-such in shop/)
    const dry = JSON.parse(await errata(['upload-build', directory, '--dry-run', '--json'])) as Report // as above
    assert.ok(dry.ok && dry.files.every(({ state }) => state === 'ready'))
    assert.deepEqual(hashesOf(directory), before)
  })
})

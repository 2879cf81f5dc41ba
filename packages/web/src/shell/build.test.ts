/** Checks of the build: sizes, what must not be inside, and the app as the server runs it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Engine, PageHandler } from '@errata/server/http'
import type { Feature } from '#parts/feature.ts'
import { readAssets } from '#wire/assets.ts'
import { SAMPLE_URL, sampleEngine } from '#wire/sample-engine.test.support.ts'
import { buildWeb } from '../../build.ts'
import { plainImports } from '../../preloads.ts'
import { actions } from './features.server.ts'
import * as features from './features.ts'
import { pages } from './pages.ts'

const outDir = mkdtempSync(join(tmpdir(), 'errata-web-'))
const client = join(outDir, 'client')

before(() => buildWeb({ outDir }))
after(() => rmSync(outDir, { recursive: true, force: true }))

/** Bytes of files such as `/assets/x.js`, each compressed as a server sends it over plain http. */
function gzipBytes(files: readonly string[]): number {
  return bytesBy(gzipSync, files)
}

/** The same as it is sent over https. */
function brotliBytes(files: readonly string[]): number {
  return bytesBy(brotliCompressSync, files)
}

function bytesBy(compress: (bytes: Buffer) => Buffer, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + compress(readFileSync(join(client, file))).length, 0)
}

/**
 * Returns the scripts a page loads over its life: with the document, and later by itself or when somebody
 * asks for a part of it.
 */
function scriptsOf(view: string): readonly string[] {
  const text = readFileSync(join(client, 'manifest.json'), 'utf8')
  const manifest: Readonly<Record<string, ManifestEntry>> = JSON.parse(text)
  const otherViews = new Set(pages.map(({ file }) => `src/${file}`))
  const files = new Set<string>()
  const collect = (key: string): void => {
    const entry = manifest[key]
    if (entry === undefined || files.has(`/${entry.file}`)) return
    files.add(`/${entry.file}`)
    for (const next of entry.imports ?? []) collect(next)
    for (const next of entry.dynamicImports ?? []) if (!otherViews.has(next)) collect(next)
  }
  collect('src/shell/browser.tsx')
  collect(`src/${view}`)
  return [...files]
}

interface ManifestEntry {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

for (const [name, view, bytesMax, plainMax] of [
  ['issue list', 'features/issues/issue-list-view.tsx', 112_400, 128_600],
  ['issue page', 'features/event/issue-view.tsx', 138_600, 157_500],
  ['overview', 'features/overview/overview-view.tsx', 111_200, 127_000],
] as const) {
  test(`the ${name} is at most ${bytesMax / 1000} KB of script in all, what it loads later included`, () => {
    const scripts = scriptsOf(view)
    for (const later of ['reporting', 'palette', 'shortcut-dialog'])
      assert.ok(
        scripts.some((file) => file.includes(`/${later}-`)),
        `${later} is counted`,
      )
    const bytes = brotliBytes(scripts)
    assert.ok(bytes <= bytesMax, `${bytes} bytes of script`)
    const plain = gzipBytes(scripts)
    assert.ok(plain <= plainMax, `${plain} bytes of script over plain http`)
  })
}

test('imports load nothing beforehand, however Vite writes them', () => {
  for (const specifier of ['"./a.js"', "'./a.js'", '`./a.js`'])
    for (const address of ['', ', import.meta.url']) {
      const wrapped = (load: string) => `x = __vitePreload(${load}, __VITE_PRELOAD__${address});`
      const plain = `import(${specifier})`
      const named = `${plain}.then(($) => $.a$)`
      for (const [load, said] of [
        [`() => ${plain}`, plain],
        [`() => ${named}`, named],
        [`async () => {\n\tconst { $a } = await ${plain};\n\treturn { $a };\n}`, plain],
      ] as const)
        assert.equal(plainImports(wrapped(load)), `x = ${said};`)
    }
})

test('the style sheet is at most 30 KB', () => {
  assert.ok(gzipBytes(readAssets(client).styles) <= 30_000)
})

test('the reporter’s SDK is no part of the first load', () => {
  const assets = readAssets(client)
  const first = [assets.entry, ...assets.scriptsFor('features/issues/issue-list-view.tsx')]
  const withSdk = scripts().filter((file) => /sentry\.javascript/.test(textOf(file)))
  assert.ok(withSdk.length > 0)
  assert.deepEqual(
    withSdk.filter((file) => first.includes(file)),
    [],
  )
})

test('nothing of the server reaches the browser', () => {
  const marks = [
    '"node:',
    '`node:',
    'authenticateSession',
    'argon2',
    'Self-test: the loader',
    'revokeInvitation(',
    'DatabaseSync',
  ]
  for (const file of scripts()) {
    const text = textOf(file)
    for (const mark of marks) assert.ok(!text.includes(mark), `${file} has ${mark}`)
  }
})

test('an action’s name may be in the browser, its rules are not', () => {
  const all = scripts().map(textOf).join('\n')
  assert.ok(actions.some(({ name }) => all.includes(name)))
  assert.ok(!all.includes('Select at least one issue'))
})

test('the browser knows who may see a place, and of a route where it is and what shows it', () => {
  const text = textOf(readAssets(client).entry)
  const places = Object.values<Feature>(features).flatMap((feature) => feature.places ?? [])
  assert.equal(text.match(/\baccess:[`"']/g)?.length, places.length)
  for (const { path } of pages) assert.ok(text.includes(path), path)
  assert.doesNotMatch(text, /features\/[\w-]+\/[\w-]+\.tsx|__vitePreload|modulepreload/)
})

test('every asset is named by its content and served as immutable, compressed where asked', async () => {
  const assets = readAssets(client)
  const ask = (path: string, encoding = '') =>
    assets.serve(new Request(`${SAMPLE_URL}${path}`, { headers: { 'Accept-Encoding': encoding } }), path)
  const plain = ask(assets.entry)
  assert.match(plain?.headers.get('Cache-Control') ?? '', /immutable/)
  assert.equal(plain?.headers.get('Content-Type'), 'text/javascript; charset=utf-8')
  const small = ask(assets.entry, 'gzip, br')
  assert.equal(small?.headers.get('Content-Encoding'), 'br')
  assert.equal((await small?.bytes())?.length, Number(small?.headers.get('Content-Length')))
  await plain?.body?.cancel()
  for (const [encoding, coding] of [
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0, br;q=0', null],
    ['*', 'br'],
  ] as const) {
    const weighed = ask(assets.entry, encoding)
    assert.equal(weighed?.headers.get('Content-Encoding') ?? null, coding, encoding)
    await weighed?.body?.cancel()
  }
  for (const path of [
    '/assets/../manifest.json',
    '/assets/.hidden.js',
    '/assets/x/y.js',
    '/assets/gone.js',
  ]) {
    assert.equal(ask(path), null, path)
  }
})

test('the built app renders the sign-in, and shows it again without script: what was typed, but no password', async () => {
  const { ask } = await builtApp()
  const html = await (await ask('/sign-in?next=%2Facme%2Fissues')).text()
  assert.match(html, /<title>Sign in · Errata<\/title>/)
  assert.ok(!/ style="/.test(html), 'the policy allows no style attribute')
  const refused = await ask('/sign-in?next=%2Facme%2Fissues', {
    method: 'POST',
    headers: { Origin: SAMPLE_URL },
    body: formOf(html, { email: 'ada@example.com', password: 'hunter2hunter2' }),
  })
  assert.equal(refused.status, 401)
  const again = await refused.text()
  assert.match(again, /Email or password is incorrect/)
  assert.match(again, /value="ada@example\.com"/)
  assert.ok(!again.includes('hunter2'))
})

test('the built app leads a new installation to its setup', async () => {
  const { ask } = await builtApp({ needsSetup: true })
  assert.equal((await ask('/')).headers.get('Location'), '/setup')
  assert.equal((await ask('/setup?code=abc')).status, 200)
})

function scripts(): readonly string[] {
  return readdirSync(join(client, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `/assets/${name}`)
}

function textOf(file: string): string {
  return readFileSync(join(client, file), 'utf8')
}

/** The fields of the document's form, as a browser would send them. */
function formOf(html: string, typed: Readonly<Record<string, string>>): URLSearchParams {
  const fields = new URLSearchParams(typed)
  for (const [tag] of html.matchAll(/<input type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1] ?? ''
    fields.set(name, (/value="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'))
  }
  return fields
}

interface BuiltModule {
  createWebApp(options: { readonly engine: Engine; readonly clientDirectory: string }): PageHandler
}

async function builtApp({ needsSetup = false } = {}) {
  const module: BuiltModule = await import(join(outDir, 'server.js'))
  const { engine } = sampleEngine()
  const refusal = {
    ok: false,
    code: 'sign_in_failed',
    message: 'Email or password is incorrect.',
  } as const
  const parts = {
    ...engine,
    queries: {
      needsSetup: async () => needsSetup,
      signInChoices: async () => ({ asksOrganisation: false, choices: [] }),
    },
    commands: { signIn: async () => refusal },
  } as unknown as Engine // what these pages ask for
  const handler = module.createWebApp({ engine: parts, clientDirectory: client })
  const ask = (path: string, init: RequestInit = {}) =>
    handler({ request: new Request(`${SAMPLE_URL}${path}`, init), clientAddress: null })
  return { ask }
}

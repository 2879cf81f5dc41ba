/**
 * Builds what people install: `protocol`, `relay` and `client` as JavaScript with types, and `errata` as one bundle with
 * the engine's thread entries, the web app and its assets.
 * `node scripts/with-node24.mjs scripts/build.ts [protocol|relay|client|errata]`
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { buildPackages } from '../packages/errata/build-packages.ts'
import { openApi } from '../packages/server/src/http/api/openapi.ts'
import { API_ROUTES } from '../packages/server/src/http/api/routes.ts'
import { buildWeb } from '../packages/web/build.ts'
import { buildHandbook } from '../packages/web/handbook/build-handbook.ts'
import { generateTypes, shipTypes } from './client-types/build.ts'
import { ROOT } from './node24.mjs'
import { sourceHash } from './source-hash.mjs'

const DIST = join(ROOT, 'packages/errata/dist')

/** Entries of the bundle: what the package exports, the command line, and one file a thread. */
const ENTRIES = {
  index: 'packages/errata/src/index.ts',
  cli: 'packages/errata/src/cli.ts',
  'engine-accept': 'packages/server/src/engine/threads/accept.ts',
  'engine-process': 'packages/server/src/engine/threads/process.ts',
  'engine-commit': 'packages/server/src/engine/threads/commit.ts',
  'engine-read': 'packages/server/src/engine/threads/read.ts',
  'engine-verify': 'packages/server/src/engine/threads/verify.ts',
  'engine-artifacts': 'packages/server/src/engine/threads/artifacts.ts',
  'engine-compile-map': 'packages/server/src/engine/threads/compile-map.ts',
} as const

const wanted = process.argv[2] ?? 'all'
// The relay's types are checked against what protocol exports, so that comes first.
if (wanted !== 'errata' && wanted !== 'client') emitLibrary('protocol')
if (wanted === 'all' || wanted === 'relay') await buildRelay()
if (wanted === 'all' || wanted === 'client') await buildClient()
if (wanted === 'all' || wanted === 'errata') await buildErrata()

/** JavaScript and declarations of a package that is installed on its own. */
function emitLibrary(name: 'protocol' | 'relay' | 'client', flags: readonly string[] = []): void {
  const folder = join(ROOT, 'packages', name)
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  const done = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(folder, 'tsconfig.build.json'), ...flags],
    { stdio: 'inherit' },
  )
  if (done.status !== 0) throw new Error(`tsc failed for packages/${name}`)
}

/** The relay has no dependency: what it takes of protocol is bundled, and no declaration that people see names it. */
async function buildRelay(): Promise<void> {
  const folder = join(ROOT, 'packages/relay')
  emitLibrary('relay', ['--emitDeclarationOnly'])
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const sources = Object.values<Record<string, string>>(exports)
    .filter((entry) => entry.default !== undefined)
    .map((entry) => entry['errata-source'] ?? '')
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['errata-source', 'import', 'module', 'default'] },
    ssr: { noExternal: true, resolve: { conditions: ['errata-source', 'import', 'module', 'default'] } },
    build: {
      ssr: true,
      outDir: join(folder, 'dist'),
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(
          sources.map((source) => [source.replace(/^\.\/src\/|\.ts$/g, ''), join(folder, source)]),
        ),
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  })
}

/** Its types are made from the routes as they are. */
async function buildClient(): Promise<void> {
  await generateTypes(JSON.stringify(await openApi(API_ROUTES, '')))
  emitLibrary('client')
  shipTypes()
}

async function buildErrata(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST, { recursive: true })
  await bundleServer()
  cpSync(join(ROOT, 'packages/server/src/store/sqlite/migrations'), join(DIST, 'migrations'), {
    recursive: true,
  })
  emitDeclarations()
  await buildWeb({ outDir: join(DIST, 'web') })
  buildHandbook({ root: ROOT, outDir: join(DIST, 'handbook') })
  // Of what was built before it.
  if (wanted === 'all') await buildPackages({ root: ROOT, outDir: join(DIST, 'packages') })
  writeFileSync(join(DIST, '.source-hash'), sourceHash())
}

/**
 * The package's own declarations: what it exports names no type of a package that is not installed with it. Written from
 * what its door imports alone: files of tests may have types that no declaration can name.
 */
function emitDeclarations(): void {
  const scratch = join(DIST, '.types')
  const config = join(DIST, '.types.json')
  const files = [join(ROOT, 'packages/errata/src/index.ts')]
  writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: [], files }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const emitted = ['--noEmit', 'false', '--noCheck', '--emitDeclarationOnly', '--declaration']
  const args = ['-p', config, ...emitted, '--rootDir', ROOT, '--outDir', scratch]
  const done = spawnSync(process.execPath, [tsc, ...args], { stdio: 'inherit' })
  if (done.status !== 0) throw new Error('tsc failed for packages/errata')
  cpSync(join(scratch, 'packages/errata/src/index.d.ts'), join(DIST, 'index.d.ts'))
  for (const made of [scratch, config]) rmSync(made, { recursive: true, force: true })
}

/** All files lie flat in one folder, so that `import.meta.url` means the same folder in every one of them. */
async function bundleServer(): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['errata-source', 'node', 'import', 'module', 'default'] },
    ssr: {
      noExternal: true,
      external: ['@duckdb/node-api'],
      resolve: { conditions: ['errata-source', 'node', 'import', 'module', 'default'] },
    },
    build: {
      ssr: true,
      outDir: DIST,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rollupOptions: {
        // Of sketches only the form of their authors asks for it, which nothing here writes: it is not installed.
        external: ['protobufjs/minimal'],
        input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(ROOT, file)])),
        output: {
          ...({ format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' } as const),
          // Docstrings are a ninth of what every thread reads when it starts; licences stay.
          comments: { jsdoc: false },
        },
      },
    },
  })
}

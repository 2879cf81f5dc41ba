/** The house keeps its own rules: who may import whom, how long things are, how they are called. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { importCircles, roomCircles } from './import-circles.ts'
import { importProblems, WEB_SEES } from './import-rules.ts'
import { ROOT, repositoryFiles, type SourceFile, sourceFiles } from './sources.ts'

const FILES = sourceFiles()
const FILE_LINES_MAX = 500
const FUNCTION_LINES_MAX = 70
const COMPONENT_LINES_MAX = 120
const PARAMETERS_MAX = 3

/** Casts and escapes in product code, outside tests. The numbers may only fall: lower them with the code. */
const ESCAPES_MAX = { any: 0, as: 135, nonNull: 0, ignore: 0 }

const ROOT_ENTRIES = new Set([
  '.ci',
  '.gitignore',
  '.npmrc',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'benchmarks',
  'biome.json',
  'deploy',
  'docs',
  'examples',
  'package-lock.json',
  'package.json',
  'packages',
  'scripts',
  'tests',
  'tsconfig.base.json',
  'tsconfig.json',
])

const BANNED_WORDS = /(?:^|[-_.])(?:manager|helpers?|utils?|common|handle|misc)(?:[-_.]|$)/i
const BANNED_NAMES =
  /(?:Manager|Helper|Helpers|Util|Utils|Handle)$|^(?:manager|helper|helpers|util|utils|common|data|info|handle)$/

/** Files that say a database's own file name to people, or a package of Android: no others name an engine of a store. */
const NAMING_ENGINES: readonly string[] = [
  'packages/errata/src/check.ts',
  'packages/server/src/model/damage.ts',
  'packages/server/src/normalize/in-app.ts',
]

/** Leaves out names of limits, which say what they bound. */
function withoutNames(text: string): string {
  return text.replaceAll(/\b(?:sqlite|duckdb)[A-Z]\w*/g, '')
}

const isTest = ({ path }: SourceFile) =>
  path.includes('.test.') || path.startsWith('packages/server/testing/') || path.startsWith('tests/')
/** `info` is a level of the log, `FileHandle` and `data` are Node's own words for what they name. */
const ALLOWED_NAMES = new Set(['FileHandle', 'data', 'info', 'handle'])

describe('the house', () => {
  it('imports only along its fences', () => {
    assert.deepEqual(FILES.flatMap(importProblems), [])
  })

  it('has no circle of imports', () => {
    assert.deepEqual([...importCircles(FILES), ...roomCircles(FILES)], [])
  })

  it('names a feature of the web app in two lines outside of its folder', () => {
    const features = FILES.filter(({ path }) => path.endsWith('/feature.ts')).flatMap(
      ({ path }) => /^packages\/web\/src\/features\/([^/]+)\/feature\.ts$/.exec(path)?.[1] ?? [],
    )
    const naming = FILES.filter(({ path }) => !path.includes('.test.')).flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier }) => (specifier.startsWith('#features/') ? [[path, specifier]] : [])),
    )
    const shell = 'packages/web/src/shell'
    assert.deepEqual(
      naming.map((each) => each.join(' ')).toSorted(),
      features
        .flatMap((name) => [
          `${shell}/features.ts #features/${name}/feature.ts`,
          `${shell}/tables.server.ts #features/${name}/table.server.ts`,
        ])
        .toSorted(),
    )
  })

  it('lets the web app see only what the server has for it, and it uses', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'))
    const web = FILES.filter(({ path }) => path.startsWith('packages/web/'))
    const used = new Set(web.flatMap(({ imports }) => imports.map(({ specifier }) => specifier)))
    for (const name of WEB_SEES) {
      assert.ok(name.replace('@errata/server', '.') in exports, `${name} is not exported`)
      assert.ok(used.has(name), `${name} is imported by nobody`)
    }
  })

  it('keeps files short', () => {
    assert.deepEqual(
      FILES.filter(({ lines }) => lines > FILE_LINES_MAX).map(({ path, lines }) => `${path}: ${lines} lines`),
      [],
    )
  })

  it('keeps functions short', () => {
    const long = FILES.filter((file) => !isTest(file)).flatMap(({ path, functions }) =>
      functions
        .filter(
          ({ lines, isComponent }) =>
            lines > (isComponent && path.endsWith('.tsx') ? COMPONENT_LINES_MAX : FUNCTION_LINES_MAX),
        )
        .map(({ name, lines }) => `${path}: ${name} has ${lines} lines`),
    )
    assert.deepEqual(long, [])
  })

  it('passes options as an object beyond three parameters', () => {
    const wide = FILES.filter((file) => !isTest(file)).flatMap(({ path, functions }) =>
      functions
        .filter(({ parameters }) => parameters > PARAMETERS_MAX + 1)
        .map(({ name, parameters }) => `${path}: ${name} takes ${parameters}`),
    )
    assert.deepEqual(wide, [])
  })

  it('calls things by what they are', () => {
    const files = FILES.filter(({ path }) =>
      BANNED_WORDS.test(
        path
          .split('/')
          .at(-1)
          ?.replace(/\.tsx?$/, '') ?? '',
      ),
    ).map(({ path }) => path)
    const names = FILES.flatMap(({ path, names }) =>
      names
        .filter((name) => BANNED_NAMES.test(name) && !ALLOWED_NAMES.has(name))
        .map((name) => `${path}: ${name}`),
    )
    assert.deepEqual([...files, ...names], [])
  })

  it('looks nothing up in a plain object by a word that somebody writes', () => {
    // Of these the words are the program's own, or single characters that a pattern found.
    const own = /\/(?:scrub|group\/v1)\/|(?:LIMIT_AREAS|REASONS|HEADERS|ESCAPES|PLATFORMS):/
    const plain = /^(?:export )?const [A-Za-z_]+: (?:Readonly<)?(?:Partial<)?Record<string,[^=]*= \{/gm
    const code = FILES.filter((file) => !isTest(file) && file.path.startsWith('packages/'))
    const found = code.flatMap(({ path }) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(plain)]
        .map(([line]) => `${path}: ${line}`)
        .filter((each) => !own.test(each)),
    )
    assert.deepEqual(found, [], 'byWord() knows no `constructor`')
  })

  it('escapes the type checker no more often than before', () => {
    const product = FILES.filter((file) => !isTest(file) && file.path.startsWith('packages/'))
    for (const kind of ['any', 'as', 'nonNull', 'ignore'] as const) {
      const count = product.reduce((sum, { escapes }) => sum + escapes[kind], 0)
      assert.ok(
        count <= ESCAPES_MAX[kind],
        `${kind}: ${count} uses, at most ${ESCAPES_MAX[kind]} are allowed`,
      )
    }
  })

  it('has nothing unknown at its root', () => {
    const unknown = new Set(
      repositoryFiles()
        .map((file) => file.split('/')[0] ?? '')
        .filter((entry) => !ROOT_ENTRIES.has(entry)),
    )
    assert.deepEqual([...unknown], [])
  })

  it('opens the column store in one place', () => {
    const sites = FILES.filter(
      (file) =>
        !isTest(file) &&
        file.imports.some(({ specifier, typeOnly }) => specifier.startsWith('@duckdb/') && !typeOnly),
    )
    assert.deepEqual(
      sites.map(({ path }) => path.split('/').slice(0, 5).join('/')),
      ['packages/server/src/store/duckdb'],
    )
    assert.equal(sites.length, 1)
  })

  it('has stores that refuse nothing', () => {
    const refusing = FILES.filter(
      (file) =>
        file.path.startsWith('packages/server/src/store/') &&
        !isTest(file) &&
        file.imports.some(({ specifier }) => specifier === '#base/result.ts'),
    )
    assert.deepEqual(
      refusing.map(({ path }) => path),
      [],
    )
  })

  it('has nothing outside of stores and engine that names their engines, but for texts and names of limits', () => {
    const product = FILES.filter((file) => /^packages\/[^/]+\/src\//.test(file.path) && !isTest(file))
    const naming = product.filter(
      ({ path, text }) =>
        !/^packages\/server\/src\/(?:store|engine)\//.test(path) && /sqlite|duckdb/i.test(withoutNames(text)),
    )
    assert.deepEqual(naming.map(({ path }) => path).toSorted(), NAMING_ENGINES)
  })

  it('builds a read scope in `access` alone', () => {
    const sites = FILES.filter(
      (file) => !isTest(file) && /\bas (?:unknown as )?ReadScope\b/.test(file.text),
    ).map(({ path }) => path)
    assert.deepEqual(sites, ['packages/server/src/access/access.ts'])
  })

  it('names no package registry', () => {
    const registry = ['registry', 'npmjs', 'org'].join('.')
    assert.deepEqual(
      FILES.filter(({ text }) => text.includes(registry)).map(({ path }) => path),
      [],
    )
  })
})

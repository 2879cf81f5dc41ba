/**
 * Every fenced block of the documents is run by a test as it is printed, or is there to be looked at (`text`). A new
 * one that is neither fails here.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { RELAY_FRAMEWORKS, relaySnippets } from '../../packages/web/src/parts/relay-snippets.ts'
import { type Block, documents } from '../support/documentation.ts'
import { ROOT, repositoryFiles } from './sources.ts'

const pageOf = ({ place }: Block) => place.replace(/:\d+$/, '')
/** Tables of the code, and pages that nobody follows. */
const UNREAD = /^(?:docs\/(?:specification|api-calls)\.md|docs\/decisions\/|CHANGELOG\.md)/
const BLOCKS = documents()
  .flatMap(({ blocks }) => blocks)
  .filter((block) => !UNREAD.test(pageOf(block)))

/** Blocks that a suite takes in another way than by `documented`. */
const ELSEWHERE: readonly (readonly [page: string, begins: string, suite: string])[] = [
  ['README.md', 'npm start', '.ci/first-start.mjs'],
  ['CONTRIBUTING.md', 'npm test', '.ci/run'],
  ['benchmarks/README.md', 'npm run bench', 'benchmarks/options.test.ts'],
  ['benchmarks/README.md', 'npm run build && node', 'packages/server/src/store/sqlite/commit/calls.test.ts'],
  ['examples/README.md', 'npm run shop', 'tests/apps/shop.test.ts'],
  ['examples/README.md', 'import * as Sentry', 'tests/tidy/printed-blocks.test.ts'],
  ['docs/wire.md', '{"00a99c', 'packages/server/src/artifacts/actions.test.ts'],
  ['docs/operating/configure.md', '{\n  "port"', 'tests/tidy/documentation.test.ts'],
  ['docs/operating/proxy.md', 'upstream errata', 'tests/compat/proxy-blocks.test.ts'],
  ['docs/operating/proxy.md', 'location /errata/', 'tests/compat/proxy-blocks.test.ts'],
  ['docs/operating/proxy.md', 'location = /monitoring', 'tests/compat/proxy-blocks.test.ts'],
]

interface Claim {
  readonly page: string
  readonly begins: string
  readonly suite: string
}

const CALL = /documented\(\s*'([^']+)',\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g

/** Calls of `documented` in the tests' own words. */
function claims(): readonly Claim[] {
  const files = repositoryFiles().filter(
    (path) => /^tests\/.*\.ts$/.test(path) && !path.startsWith('tests/tidy/'),
  )
  return files.flatMap((suite) =>
    [...readFileSync(join(ROOT, suite), 'utf8').matchAll(CALL)].map(([, page = '', single, double]) => ({
      page,
      begins: (single ?? double ?? '').replaceAll('\\n', '\n').replaceAll("\\'", "'"),
      suite,
    })),
  )
}

/** Texts that `tests/apps/snippets*.test.ts` mount, as the relay's README shows them. */
function mounted(): ReadonlySet<string> {
  const input = {
    dsn: 'https://KEY@errata.example.com/42',
    query: 'o=ORG&p=PROJECT',
    url: 'https://errata.example.com',
  }
  return new Set(RELAY_FRAMEWORKS.flatMap(({ id }) => relaySnippets(id, input).map(({ text }) => text)))
}

describe('the blocks of the documents', () => {
  const all = [...claims(), ...ELSEWHERE.map(([page, begins, suite]) => ({ page, begins, suite }))]
  const claimsOf = (block: Block) =>
    all.filter(({ page, begins }) => page === pageOf(block) && block.text.startsWith(begins))
  const relays = mounted()
  const isRun = (block: Block) =>
    claimsOf(block).length > 0 || (pageOf(block) === 'packages/relay/README.md' && relays.has(block.text))

  it('say what they are', () => {
    assert.deepEqual(
      BLOCKS.filter(({ language }) => language === '').map(({ place }) => place),
      [],
    )
  })

  it('are run as they are printed, but for those to look at, and say how many', (t) => {
    const shown = BLOCKS.filter(({ language }) => language === 'text')
    const others = BLOCKS.filter(({ language }) => language !== 'text')
    const fragments = others.filter(({ language }) => language.endsWith(' fragment'))
    const missed = others.filter((block) => !isRun(block))
    t.diagnostic(
      `${others.length - missed.length} blocks are run, ${fragments.length} of them within a file; ${shown.length} are drawings and outputs`,
    )
    assert.deepEqual(
      missed.map(({ place, text }) => `${place} ${text.split('\n')[0]}`),
      [],
    )
  })

  it('are taken by suites that are there', () => {
    const suites = ELSEWHERE.map(([, , suite]) => suite)
    assert.deepEqual(
      suites.filter((suite) => !existsSync(join(ROOT, suite))),
      [],
    )
  })

  it('of an example stand in its file', () => {
    const blocks = BLOCKS.filter((block) => pageOf(block) === 'examples/README.md' && block.language === 'ts')
    const file = readFileSync(join(ROOT, 'examples/react-router/app/reference.ts'), 'utf8')
    const lines = blocks.flatMap(({ text }) => text.split('\n'))
    assert.deepEqual(
      lines.filter((line) => !file.includes(line)),
      [],
    )
  })

  it('are there for each test that takes one', () => {
    const lost = all.filter(
      ({ page, begins }) => !BLOCKS.some((block) => pageOf(block) === page && block.text.startsWith(begins)),
    )
    assert.deepEqual(lost, [])
  })
})

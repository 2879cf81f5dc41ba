import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BuiltFile, CoveredFile } from './built-file.ts'
import { isSamePlace } from './probe.ts'
import type { Proof } from './proof.ts'
import { isGood, type Outcome, reportJson, reportText } from './report.ts'

const EXPECTED = { source: '../src/one.ts', line: 2, column: 8 }
const TARGET = { url: 'https://errata.example', token: 'secret', org: 'shop', project: 'web' }

function covered(file: string): CoveredFile {
  return {
    ...{ state: 'covered', file, mapFile: `${file}.map`, debugId: 'id', isInjected: true },
    probe: { line: 2, column: 1, expected: EXPECTED },
  }
}

function proof(of: CoveredFile, reason: string | null = null): Proof {
  const original = { ...EXPECTED, source: 'src/one.ts', function: null }
  const problem =
    reason === null ? null : { reason, title: 'Source not in the map', cause: 'None.', next: 'Do this.' }
  return { covered: of, original, problem }
}

function anOutcome(over: Partial<Outcome>): Outcome {
  const name = { release: null, dist: null }
  return { directory: 'dist', target: TARGET, name, files: [], bundles: [], proofs: [], actions: 0, ...over }
}

describe('what an upload came to', () => {
  const [one, two] = [covered('one.js'), covered('two.js')]
  const rest = (why: 'no_map' | 'map_broken'): BuiltFile => ({
    state: 'uncovered',
    file: 'x.js',
    why,
    detail: '',
  })

  it('is good only where something has a map and all of that resolved', () => {
    const rows: readonly (readonly [Partial<Outcome>, boolean])[] = [
      [{}, false],
      [{ files: [rest('no_map')] }, false],
      [{ files: [one], proofs: [proof(one)] }, true],
      [{ files: [one, rest('no_map')], proofs: [proof(one)] }, true],
      [{ files: [one, rest('map_broken')], proofs: [proof(one)] }, false],
      [{ files: [one, two], proofs: [proof(one), proof(two, 'no_source_in_map')] }, false],
      [{ files: [one, two], proofs: [proof(one)] }, false],
      [{ files: [one], target: null }, true],
      [{ files: [rest('map_broken'), one], target: null }, false],
    ]
    for (const [over, good] of rows) {
      const outcome = anOutcome(over)
      assert.equal(isGood(outcome), good, reportText(outcome))
      assert.equal(JSON.parse(reportJson(outcome)).ok, good)
      assert.ok(!`${reportText(outcome)}${reportJson(outcome)}`.includes(TARGET.token))
    }
  })

  it('is told by what resolved, then by what is wrong with what, and what to do', () => {
    const bundles = [{ sha1: 'a', files: 2, bytes: 1_500_000, isNew: true }]
    const proofs = [proof(one), proof(two, 'no_source_in_map')]
    const name = { release: 'shop@1', dist: '7' }
    const text = reportText(anOutcome({ files: [one, two, rest('no_map')], bundles, proofs, name }))
    assert.equal(
      text,
      `Build      dist: 3 scripts, 2 with a source map
Debug IDs  2 injected, 0 already there
Server     https://errata.example, shop/web, release shop@1, dist 7
Uploaded   1 bundle, 1.5 MB

Resolved (1)
  one.js:2:1  src/one.ts:2:8

Not covered: Source not in the map (1)
  two.js: None.
  → Do this.

Not covered: No source map (1)
  x.js
  → Turn source maps on if this file is your code: build.sourcemap in Vite, devtool in webpack, --sourcemap in esbuild, productionBrowserSourceMaps in Next.js.

1 of 2 scripts not resolved.`,
    )
  })

  it('names some of many, and all of them as JSON', () => {
    const files = Array.from({ length: 60 }, (_, at) => covered(`${at}.js`))
    const outcome = anOutcome({ files, proofs: files.map((file) => proof(file)) })
    assert.match(
      reportText(outcome),
      /Resolved \(60\)\n(?: {2}\d+\.js.*\n){40} {2}… and 20 more; --json lists all/,
    )
    assert.equal(JSON.parse(reportJson(outcome)).files.length, 60)
  })
})

it('takes another spelling of a source for the same place, and no other line, column or file', () => {
  const found = { source: 'app/cart.ts', line: 3, column: 5 }
  for (const source of [
    'webpack://shop/./app/cart.ts',
    '../../app/cart.ts',
    'app/cart.ts?1a2b',
    'C:\\app\\cart.ts',
    'turbopack:///[project]/app/cart.ts [app-client] (ecmascript)',
  ])
    assert.ok(isSamePlace({ ...found, source }, found), source)
  const encoded = 'turbopack:///[project]/app/%5Bid%5D.ts'
  assert.ok(isSamePlace({ ...found, source: encoded }, { ...found, source: 'app/[id].ts' }))
  assert.ok(!isSamePlace({ ...found, line: 4 }, found))
  assert.ok(!isSamePlace({ ...found, column: 4 }, found))
  assert.ok(!isSamePlace({ ...found, source: 'app/order.ts' }, found))
})

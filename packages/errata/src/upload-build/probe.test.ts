import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { probeOf } from './probe.ts'
import { BrokenMap } from './source-map.ts'

const SCRIPT = 'a();b();c();d();\n'
/** Mappings at columns 0, 4, 8 and 12, each of the next of four sources, line 1, column 1. */
function aMap(sources: readonly (string | null)[], over: object = {}) {
  return {
    ...{ version: 3, sources, names: [], mappings: 'AAAA,ICAA,ICAA,ICAA' },
    ...{ sourcesContent: sources.map((source) => source && 'text\n'), ...over },
  }
}
const columnOf = (map: Parameters<typeof probeOf>[0], script = SCRIPT) => probeOf(map, script)?.column

describe('the place of a script that is asked for', () => {
  it('is of the app rather than of a package, a bundler or what the map passes over', () => {
    for (const other of [
      '../node_modules/x/i.js',
      'webpack://shop/webpack/bootstrap',
      'webpack://shop/?1d95',
      '[turbopack]/r.ts',
    ])
      assert.equal(columnOf(aMap([other, other, 'src/app.ts', other])), 9, other)
    const sources = ['a.ts', 'b.ts', 'c.ts', 'src/app.ts']
    assert.equal(columnOf(aMap(sources, { ignoreList: [0, 1, 2] })), 13)
  })

  it('is of a source with a text rather than of one without', () => {
    const sources = ['a.ts', 'node_modules/b.js', 'c.ts', 'd.ts']
    assert.equal(columnOf(aMap(sources, { sourcesContent: [null, 'text', null, null] })), 5)
  })

  it('is one that only one mapping begins at', () => {
    assert.equal(columnOf(aMap(['a.ts', 'b.ts', 'c.ts', 'd.ts'], { mappings: 'AAAA,ICAA,ACAA,ACAA' })), 1)
  })

  it('is nowhere where nothing is mapped, and what expects one learns that a map is of another build', () => {
    assert.equal(probeOf(aMap(['a.ts'], { mappings: '' }), SCRIPT), null)
    assert.equal(probeOf(aMap(['a.ts'], { mappings: 'A' }), SCRIPT), null)
    assert.throws(() => probeOf(aMap(['a.ts'], { mappings: 'gkBAAA' }), SCRIPT), BrokenMap)
    assert.throws(() => probeOf(aMap(['a.ts'], { mappings: ';;;AAAA' }), SCRIPT), BrokenMap)
  })
})

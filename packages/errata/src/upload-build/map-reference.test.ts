import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inlineMap, mapReferenceIn, withInlineMap } from './map-reference.ts'

const MAP = '{"version":3}'
const BASE64 = Buffer.from(MAP).toString('base64')

const ROWS: readonly (readonly [script: string, address: string | null])[] = [
  ['a()\n//# sourceMappingURL=a.js.map\n', 'a.js.map'],
  ['a()\n//# sourceMappingURL=a.js.map', 'a.js.map'],
  ['a()\r\n//# sourceMappingURL=a%5B1%5D.js.map?x#y\r\n', 'a%5B1%5D.js.map?x#y'],
  ['a();//# sourceMappingURL=a.js.map\n', 'a.js.map'],
  ['a()\n//@ sourceMappingURL=old.map\n', 'old.map'],
  ['a()\n/*# sourceMappingURL=a.js.map */\n', 'a.js.map'],
  ['a()\n//# sourceMappingURL=one.map\n//# sourceMappingURL=two.map\n', 'two.map'],
  ['a()\n//# sourceMappingURL=a.js.map\n//# debugId=1\n\n', 'a.js.map'],
  [
    `a()\n//# sourceMappingURL=data:application/json;base64,${BASE64}\n`,
    `data:application/json;base64,${BASE64}`,
  ],
  ['a()\n', null],
  ['', null],
  ['a("//# sourceMappingURL=of-a-text.map");b()\n', null],
  ['//# sourceMappingURL=early.map\na()\n', null],
  ['a("//# sourceMappingURL=of-a-text.map");\n//# sourceMappingURL=a.js.map\n', 'a.js.map'],
  ['a("sourceMappingURL=x")\n', null],
]

for (const [script, address] of ROWS) {
  it(`finds ${address ?? 'nothing'} in ${JSON.stringify(script)}`, () => {
    assert.equal(mapReferenceIn(script)?.address ?? null, address)
  })
}

it('reads a map inside of a script, however it is coded, and puts another in its place', () => {
  for (const address of [
    `data:application/json;base64,${BASE64}`,
    `data:application/json;charset=utf-8;base64,${BASE64}`,
    `data:application/json,${encodeURIComponent(MAP)}`,
    `data:application/json;charset=utf-8,${encodeURIComponent(MAP)}`,
  ]) {
    const script = `a()\n//# sourceMappingURL=${address}\n//# debugId=1\n`
    const reference = mapReferenceIn(script)
    assert.ok(reference !== null)
    assert.equal(inlineMap(reference), MAP)
    const changed = withInlineMap(script, reference, '{"version":3,"x":1}')
    const again = mapReferenceIn(changed)
    assert.equal(again === null ? null : inlineMap(again), '{"version":3,"x":1}')
    assert.ok(changed.startsWith('a()\n//# ') && changed.endsWith('\n//# debugId=1\n'))
  }
  assert.equal(inlineMap({ address: 'a.js.map', start: 0 }), null)
  assert.equal(inlineMap({ address: 'data:application/json,%', start: 0 }), '')
})

it('takes no longer for a script made of beginnings', () => {
  const begun = performance.now()
  assert.equal(mapReferenceIn(`${'/*# sourceMappingURL=a */ x();'.repeat(20_000)}`), null)
  assert.equal(mapReferenceIn(`//# sourceMappingURL=a\n${' '.repeat(4_000)}x`), null)
  assert.ok(performance.now() - begun < 1_000)
})

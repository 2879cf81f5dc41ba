import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InlineMapSearch, inlineMapOf } from './inline-map.ts'

const MAP = '{"version":3,"sources":["größe.ts"],"names":[],"mappings":"AAAA"}'
const base64 = Buffer.from(MAP).toString('base64')
const found = (file: string) => {
  const map = inlineMapOf(Buffer.from(file))
  return map === null ? null : Buffer.from(map).toString('utf8')
}

describe('a map that a file carries', () => {
  for (const [how, file] of [
    ['in base 64', `a()\n//# sourceMappingURL=data:application/json;base64,${base64}`],
    ['with a charset', `a()\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${base64}\n`],
    ['with percent signs', `a()\n//# sourceMappingURL=data:application/json,${encodeURIComponent(MAP)}\n`],
    ['in a comment of the other form', `a()\n/*# sourceMappingURL=data:application/json;base64,${base64} */`],
    [
      'as the last of several',
      `//# sourceMappingURL=data:application/json,x\n//# sourceMappingURL=data:application/json;base64,${base64}`,
    ],
  ] as const) {
    it(how, () => assert.equal(found(file), MAP))
  }

  it('is none where there is none, or another thing', () => {
    for (const file of [
      'a()',
      '//# sourceMappingURL=a.js.map',
      '//# sourceMappingURL=data:text/plain,x',
      '//# sourceMappingURL=data:application/json,%',
    ]) {
      assert.equal(found(file), null)
    }
  })
})

describe('looking for it piece by piece', () => {
  const isInline = (file: string, bytes: number) => {
    const search = new InlineMapSearch()
    for (let at = 0; at < file.length; at += bytes) search.add(Buffer.from(file.slice(at, at + bytes)))
    return search.isInline
  }
  const inline = `a()\n//# sourceMappingURL=data:application/json;base64,${base64}\n`
  for (const bytes of [1, 2, 7, 23, 24, 1_000]) {
    it(`of ${bytes} bytes finds it wherever a piece ends`, () => {
      assert.equal(isInline(inline, bytes), true)
      assert.equal(isInline(`${inline}//# sourceMappingURL=a.js.map\n`, bytes), false, 'the last one counts')
      assert.equal(isInline(`//# sourceMappingURL=a.js.map\n${inline}`, bytes), true)
      assert.equal(isInline('//# sourceMappingURL=a.js.map', bytes), false)
    })
  }
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { framePlace, isMinified, sourceLines } from './stack-frame.ts'

describe('a frame', () => {
  test('the place has a line and a column as far as they are known', () => {
    assert.deepEqual(framePlace({ filename: 'a.ts', lineno: 41, colno: 30 }), {
      file: 'a.ts',
      position: ':41:30',
    })
    assert.deepEqual(framePlace({ filename: 'a.ts', colno: 30 }), { file: 'a.ts', position: '' })
    assert.equal(framePlace({}).file, 'unknown place')
  })

  test('the place is a file, and the module where there is none', () => {
    assert.equal(framePlace({ abs_path: '/src/pay.go', module: 'main' }).file, '/src/pay.go')
    assert.equal(framePlace({ module: 'main', package: 'shop' }).file, 'main')
  })

  test('the marked line stands among five others either side with their numbers', () => {
    const lines = sourceLines({
      lineno: 41,
      pre_context: ['0', 'a', 'b', 'c', 'd', 'e'],
      context_line: 'x',
      post_context: ['f', 'g', 'h', 'i', 'j', 'k'],
    })
    assert.equal(lines.length, 11)
    assert.deepEqual(
      lines.find(({ marked }) => marked),
      { number: 41, text: 'x', marked: true },
    )
    assert.equal(lines[0]?.number, 36)
    assert.deepEqual(sourceLines({ lineno: 3 }), [])
  })

  test('a line that no person writes is minified, unless a source map has been applied', () => {
    const built = { filename: 'app:///_next/server/chunks/ssr/_0pun_xa7luig2._.js' }
    assert.ok(isMinified({ ...built, context_line: 'a;'.repeat(200) }))
    assert.ok(isMinified({ ...built, context_line: 'module.exports=[88059,a=> {snip}' }))
    assert.ok(!isMinified({ ...built, context_line: 'return pay(cart)' }))
    assert.ok(!isMinified({ filename: 'app/long.tsx', context_line: 'a;'.repeat(200) }))
    assert.ok(!isMinified({ ...built, context_line: 'a;'.repeat(200), data: { symbolicated: true } }))
    assert.ok(!isMinified(built))
  })
})

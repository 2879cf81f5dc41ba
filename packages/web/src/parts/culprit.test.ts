import assert from 'node:assert/strict'
import { test } from 'node:test'
import { culpritBeside } from './culprit.server.ts'

test('a culprit says beside the route only what the route does not', () => {
  for (const [culprit, route, said] of [
    ['/cart', '/cart', ''],
    ['POST /cart', '/cart', 'POST'],
    ['POST /cart', null, 'POST /cart'],
    ['map null', null, 'map null'],
    ['POST /cart', '/art', 'POST /cart'],
    ['addToCart', '/cart', 'addToCart'],
  ] as const)
    assert.equal(culpritBeside({ culprit, route }), said, `${culprit} beside ${route}`)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessionId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import { HeldActions } from './held-actions.ts'

const ACTION = { path: '/shop/settings', action: 'token.create', input: {}, form: '', usedOrigin: null }

describe('what waits for its sender', () => {
  it('keeps its place, however much strangers send', () => {
    const held = new HeldActions()
    held.hold(sessionId(1), ACTION, 0)
    const ids = Array.from({ length: 2 * max('heldActionsMax') }, () => held.keep(ACTION, 0))
    assert.equal(held.release(sessionId(1), ACTION.path, 1), true)
    assert.equal(held.take(sessionId(1), ACTION.path, 1)?.action, ACTION.action)
    assert.equal(held.take(sessionId(1), ACTION.path, 1), null)
    assert.deepEqual(
      [ids[0], ids.at(-1)].map((id) => held.typed(id ?? '', 1)?.action ?? null),
      [null, ACTION.action],
    )
  })
})

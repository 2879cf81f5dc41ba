import assert from 'node:assert/strict'
import { it } from 'node:test'
import { normalizeEvent } from './normalize.ts'

it('a whole path is the file of a frame that names no other', () => {
  const frames = [
    { abs_path: '/src/pay.go' },
    { abs_path: '/src/a.go', filename: 'a.go' },
    { module: 'main' },
  ]
  const answer = normalizeEvent(
    { platform: 'go', stacktrace: { frames } },
    {
      ...{ eventId: null, receivedMs: 0, sentAt: null, clientAddress: null },
      ...{ userAgent: null, sdk: undefined, client: null },
    },
  )
  assert.ok(answer.ok)
  const read = answer.event.stacktrace?.frames
  assert.deepEqual(
    read?.map(({ filename }) => filename),
    ['/src/pay.go', 'a.go', undefined],
  )
})

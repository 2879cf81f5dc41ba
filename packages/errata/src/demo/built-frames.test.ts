import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import builds from './builds.json' with { type: 'json' }
import { atBuild } from './built-frames.ts'
import payloads from './payloads.json' with { type: 'json' }
import { RELEASES } from './plan-events.ts'

interface Sent {
  readonly debug_meta: { readonly images: readonly { readonly debug_id: string }[] }
  readonly exception: { readonly values: readonly { readonly value: string; readonly mechanism: unknown }[] }
}

const sent = ({ event }: { readonly event: unknown }) => event as Sent // what atBuild makes of a payload

describe('captured failures at the places of the sample shop’s builds', () => {
  const built = payloads.filter(({ failure }) => failure !== undefined)

  it('are the failure of the most events, whose first frame a demo opens with', () => {
    const [most] = [...payloads].sort((a, b) => b.count - a.count)
    assert.ok(most?.failure !== undefined)
  })

  it('fail with the words they were captured with, in a file that is built and uploaded', () => {
    for (const payload of built) {
      const { debug_meta, exception } = sent(atBuild(payload))
      const captured = sent(payload).exception.values[0]
      assert.equal(exception.values[0]?.value, captured?.value)
      assert.deepEqual(exception.values[0]?.mechanism, captured?.mechanism)
      const files = builds.at(-1)?.files.filter(({ debugId }) => debugId === debug_meta.images[0]?.debug_id)
      assert.equal(files?.length, 1)
    }
  })

  it('begin with the release whose build is the first that fails, which runs the same file as the newest', () => {
    for (const { failure, since } of built) {
      const first = builds.findIndex(({ failures }) => failures.some(({ name }) => name === failure))
      assert.equal(RELEASES[first]?.[0], since)
      const name = builds.at(-1)?.failures.find((each) => each.name === failure)?.file
      const ids = builds.slice(first).map(({ files }) => files.find((file) => file.name === name)?.debugId)
      assert.equal(new Set(ids).size, 1)
    }
  })

  it('leaves other payloads alone', () => {
    const [other] = payloads.filter(({ failure }) => failure === undefined)
    assert.deepEqual(other && atBuild(other), other)
  })
})

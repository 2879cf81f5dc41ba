import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { DEFAULTS } from '#testing/builders/scrubbing.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { createReadAgain } from './read-again.ts'
import { LazyThread } from './threads/lazy-thread.ts'

const FRAME = { filename: 'https://x/a.js', function: 'n', lineno: 1, colno: 2, in_app: true }
const image = { type: 'sourcemap', code_file: FRAME.filename, debug_id: '1'.repeat(32) }
const eventOf = (more: object, frame: object = FRAME) =>
  aScrubbedEvent({
    ...{
      platform: 'javascript',
      exception: { values: [{ type: 'Error', stacktrace: { frames: [frame] } }] },
    },
    ...more,
  })
const row = anEventRow({ projectId: SHOP, missedMaps: null })

describe('an event that is shown', () => {
  let begun = 0
  const thread = new LazyThread(async () => {
    begun++
    throw new Error('it cannot be begun')
  })
  const read = createReadAgain({
    thread,
    project: () => ({ id: SHOP, orgId: orgId(1), scrub: DEFAULTS }),
    log,
  })
  const reasonOf = async (event: ReturnType<typeof eventOf>) =>
    (await read(row, event)).exception?.values[0]?.stacktrace?.frames[0]?.data?.unresolved

  it('says why nothing is resolved where nothing was uploaded, and begins no thread for that', async () => {
    assert.equal(await reasonOf(eventOf({})), 'no_debug_id_no_release')
    assert.equal(await reasonOf(eventOf({ release: 'v1' })), 'no_artifact_matches')
    assert.equal(await reasonOf(eventOf({ debug_meta: { images: [image] } })), 'no_map_for_debug_id')
    assert.equal(begun, 0)
  })

  it('is the very one that is stored where there is nothing to resolve', async () => {
    const php = eventOf({ platform: 'php' }, { ...FRAME, filename: 'app/cart.php' })
    assert.equal(await read(row, php), php)
    const known = eventOf({ raw_stacktrace: { frames: [FRAME] } })
    assert.equal(await read(row, known), known)
  })

  it('is shown as it is stored where the thread of artifacts does not answer', async () => {
    const failing = new LazyThread(async () => {
      throw new Error('gone')
    })
    const begin = failing.wake().catch(() => {})
    const again = createReadAgain({
      thread: failing,
      project: () => ({ id: SHOP, orgId: orgId(1), scrub: DEFAULTS }),
      log,
    })
    const event = eventOf({ release: 'v1' })
    assert.equal(failing.isBegun, true)
    assert.equal(await again(row, event), event)
    await begin
  })
})

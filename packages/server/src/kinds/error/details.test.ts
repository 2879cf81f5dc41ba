import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { Frame } from '#model/event.ts'
import { SharedParts } from '#model/shared-parts.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { DETAIL_KEYS, detailsOf } from './details.ts'

const frames = (count: number, folder = 'app') =>
  Array.from({ length: count }, (_, index) => ({
    ...{ filename: `${folder}/${index}.ts`, abs_path: `/srv/${folder}/${index}.ts`, function: `run${index}` },
    module: 'shop.cart',
  }))

describe('what a search asks of an event beside its tags', () => {
  it('says each once, under known keys', () => {
    const details = detailsOf(
      aScrubbedEvent({
        platform: 'node',
        exception: {
          values: [
            { type: 'Error', value: 'cause' },
            { type: 'TypeError', value: 'x is undefined', stacktrace: { frames: frames(2) } },
          ],
        },
        request: { method: 'POST' },
        contexts: {
          response: { status_code: 502 },
          os: { name: 'macOS', version: '15.1' },
          device: { model: 'Pixel 9', brand: 'Google', made_up: 'x' },
        },
        sdk: { name: 'sentry.javascript.node', version: '10.2.0' },
      }),
    )
    assert.deepEqual(details, [
      ...['platform=node', 'error.type=TypeError', 'error.value=x is undefined'],
      ...['error.type=Error', 'error.value=cause', 'http.method=POST', 'http.status_code=502'],
      ...['device.model=Pixel 9', 'device.brand=Google', 'os.version=15.1'],
      ...['sdk.name=sentry.javascript.node', 'sdk.version=10.2.0'],
      ...['stack.filename=app/1.ts', 'stack.abs_path=/srv/app/1.ts', 'stack.function=run1'],
      ...['stack.module=shop.cart', 'stack.filename=app/0.ts', 'stack.abs_path=/srv/app/0.ts'],
      'stack.function=run0',
    ])
    for (const detail of details) assert.ok(DETAIL_KEYS.includes(detail.slice(0, detail.indexOf('='))))
  })

  it('is bounded: the frames nearest to the failure, short texts', () => {
    const values = Array.from({ length: 9 }, (_, index) => ({
      ...{ type: `E${index}`, stacktrace: { frames: frames(max('framesMax'), `app${index}`) } },
    }))
    const details = detailsOf(aScrubbedEvent({ exception: { values } }))
    assert.equal(details.length, max('detailsMax'))
    const [one] = values
    const single = detailsOf(aScrubbedEvent({ exception: { values: one === undefined ? [] : [one] } }))
    const functions = single.filter((detail) => detail.startsWith('stack.function='))
    assert.equal(functions.length, max('detailFramesMax'))
    assert.equal(functions[0], `stack.function=run${max('framesMax') - 1}`)
    const long = detailsOf(aScrubbedEvent({ exception: { values: [{ value: 'x'.repeat(9_999) }] } }))
    assert.ok(long.includes(`error.value=${'x'.repeat(max('detailCharsMax'))}`))
  })

  it('reads frames that several events share once, and all others each time', () => {
    const shared = new SharedParts()
    const functionsOf = (list: readonly Frame[]) =>
      detailsOf(aScrubbedEvent({ exception: { values: [{ stacktrace: { frames: list } }] } }), shared)
        .filter((detail) => detail.startsWith('stack.function='))
        .map((detail) => detail.slice('stack.function='.length))
    const [common, own] = [frames(1), frames(1)]
    shared.keepDerived(common)
    assert.deepEqual([functionsOf(common), functionsOf(own)], [['run0'], ['run0']])
    // Shared parts are never written to: what is read again shows it.
    for (const list of [common, own])
      list.push(...frames(1).map((frame) => ({ ...frame, function: 'later' })))
    assert.deepEqual([functionsOf(common), functionsOf(own)], [['run0'], ['later', 'run0']])
  })

  it('are the same of a shared stack trace, whatever else the event says', () => {
    for (const count of [0, 1, 3, 40]) {
      for (const crowd of [0, 30, max('detailsMax')]) {
        const stacktrace = { frames: frames(count) }
        const ids = Array.from({ length: crowd }, (_, at): [string, string] => ['errorId', `id-${at}-shown`])
        const event = aScrubbedEvent({ exception: { values: [{ type: 'Error', stacktrace }] }, tags: ids })
        const shared = new SharedParts()
        shared.keepDerived(stacktrace.frames)
        for (let times = 0; times < 2; times++)
          assert.deepEqual(detailsOf(event, shared), detailsOf(event), `${count} frames, ${crowd} ids`)
      }
    }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredEvent } from '#parts/issue-types.ts'
import {
  contextsLine,
  groupingLine,
  modulesLine,
  requestLine,
  scrubbedLine,
  sdkLine,
  tagsLine,
  userLine,
} from './fact-lines.ts'

const event = (fields: object) =>
  ({ platform: 'node', tags: [], scrubbedPaths: [], ...fields }) as unknown as StoredEvent // a line reads its own fields and no other

describe('a folded fact in one line', () => {
  test('a request says method and address, and counts its headers', () => {
    const request = { method: 'GET', url: 'https://shop.example/a', headers: [['a', 'b']] }
    assert.deepEqual(requestLine(event({ request }), null), {
      text: 'GET https://shop.example/a',
      count: '1 header',
    })
    assert.match(requestLine(event({ request }), 'pay (app/actions.ts)').text, /, pay \(app\/actions\.ts\)$/)
    assert.deepEqual(requestLine(event({ request: {} }), null), { text: '', count: '' })
  })

  test('a user is named by what identifies them', () => {
    const user = { id: 'u-1', email: 'ada@shop.example', geo: { country_code: 'NL' } }
    assert.equal(userLine(event({ user })).text, 'u-1, ada@shop.example, NL')
  })

  test('contexts that say with what it ran come first, by name and version', () => {
    const contexts = {
      trace: { trace_id: 'a' },
      culture: { locale: 'en' },
      os: { name: 'Debian', version: '12' },
      browser: { name: 'Chrome', version: 141 },
    }
    assert.deepEqual(contextsLine(event({ contexts })), {
      text: 'Chrome 141, Debian 12, trace and 1 more',
      count: '4',
    })
  })

  test('tags that the page shows elsewhere come last', () => {
    const tags = [
      ['environment', 'production'],
      ['level', 'error'],
      ['plan', 'pro'],
    ] as const
    assert.deepEqual(tagsLine(tags), { text: 'plan pro, environment production, level error', count: '3' })
  })

  test('modules, SDK, grouping and scrubbing say what and how many', () => {
    assert.equal(modulesLine(event({ modules: { next: '16' } })).text, 'next 16')
    const sdk = { name: 'sentry.javascript.node', version: '11', integrations: ['Http', 'Console'] }
    assert.deepEqual(sdkLine(event({ sdk, server_name: 'web-1' })), {
      text: 'sentry.javascript.node 11, node, on web-1',
      count: '2 integrations',
    })
    const part = (name: 'exception' | 'frame', contributes: boolean) => ({ name, value: 'x', contributes })
    assert.deepEqual(groupingLine([part('exception', true), part('frame', true), part('frame', true)]), {
      text: 'By exception and frame',
      count: '3 parts',
    })
    assert.equal(groupingLine([part('frame', false)]).text, 'No distinguishing parts')
    const scrubbedPaths = ['a', 'b'].map((path) => ({ path, rule: 'credit_card' }))
    assert.deepEqual(scrubbedLine(event({ scrubbedPaths })), { text: 'credit card', count: '2 values' })
  })

  test('no line is longer than a line', () => {
    assert.ok(requestLine(event({ request: { url: 'x'.repeat(9_000) } }), null).text.length < 250)
    assert.ok(modulesLine(event({ modules: { ['x'.repeat(9_000)]: '1' } })).text.length < 270)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AuthSources, readAuth } from './auth.ts'

const KEY = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)
const sources = (given: { header?: string; authorization?: string; query?: string }): AuthSources => ({
  sentryAuth: given.header ?? null,
  authorization: given.authorization ?? null,
  query: new URLSearchParams(given.query ?? ''),
})

const ROWS: readonly (readonly [name: string, given: Parameters<typeof sources>[0], expected: string])[] = [
  [
    'the query alone',
    { query: `sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F11.12.0` },
    KEY,
  ],
  ['the header alone', { header: `Sentry sentry_key=${KEY}, sentry_version=7` }, KEY],
  [
    'the header without spaces after commas',
    { header: `Sentry sentry_version=7,sentry_key=${KEY},sentry_client=sentry.java/8` },
    KEY,
  ],
  ['a lower-case prefix', { header: `sentry sentry_key=${KEY}` }, KEY],
  ['Authorization in the same grammar', { authorization: `Sentry sentry_key=${KEY}` }, KEY],
  ['basic authentication', { authorization: `Basic ${btoa(`${KEY}:`)}` }, KEY],
  ['somebody else’s Authorization', { authorization: 'Bearer abc', query: `sentry_key=${KEY}` }, KEY],
  ['a key with flags', { query: `sentry_key=${KEY}.no-cache` }, KEY],
  ['a secret beside the key', { header: `Sentry sentry_key=${KEY}, sentry_secret=zzz` }, KEY],
  ['raven’s version', { header: `Sentry sentry_version=5, sentry_key=${KEY}` }, KEY],
  ['the same key twice', { header: `Sentry sentry_key=${KEY}`, query: `sentry_key=${KEY}` }, KEY],
  ['two keys', { header: `Sentry sentry_key=${KEY}`, query: `sentry_key=${OTHER}` }, 'multiple'],
  ['nothing', {}, 'missing'],
  ['a query that says nothing of it', { query: 'o=1&p=2' }, 'missing'],
  ['a header without a key', { header: 'Sentry sentry_version=7' }, 'malformed'],
  ['a header of another scheme', { header: 'Nonsense' }, 'malformed'],
  ['a short key', { query: 'sentry_key=abc' }, 'bad_key'],
  ['a version of the future', { query: `sentry_key=${KEY}&sentry_version=9` }, 'bad_version'],
]

describe('readAuth', () => {
  for (const [name, given, expected] of ROWS) {
    it(`reads ${name}`, () => {
      const answer = readAuth(sources(given))
      assert.equal(answer.ok ? answer.auth.key : answer.reason, expected)
    })
  }

  it('decodes the client of the query', () => {
    const answer = readAuth(
      sources({ query: `sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F11.12.0` }),
    )
    assert.equal(answer.ok && answer.auth.client, 'sentry.javascript.browser/11.12.0')
  })
})

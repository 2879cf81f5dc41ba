import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UsageError } from '../command-line.ts'
import { buildAddress } from './address.ts'
import { buildNameFrom, targetFrom } from './target.ts'

const payload = { iat: 1, url: 'https://errata.example', region_url: 'https://errata.example', org: 'shop' }
const TOKEN = `sntrys_${Buffer.from(JSON.stringify(payload)).toString('base64')}_${'x'.repeat(43)}`
const PERSONAL = `sntryu_${'a'.repeat(64)}`

describe('where a build goes', () => {
  it('is what a token of an organisation carries, and a project', () => {
    assert.deepEqual(targetFrom({}, { SENTRY_AUTH_TOKEN: TOKEN, SENTRY_PROJECT: 'web' }), {
      ...{ url: 'https://errata.example', token: TOKEN, org: 'shop', project: 'web' },
    })
  })

  it('is what options say, then the variables, then the token', () => {
    const env = {
      ...{
        SENTRY_AUTH_TOKEN: TOKEN,
        SENTRY_PROJECT: 'web',
        SENTRY_URL: 'https://other.example/',
        SENTRY_ORG: '',
      },
    }
    assert.equal(targetFrom({}, env).url, 'https://other.example')
    const given = { url: 'http://localhost:9000/errata/', token: PERSONAL, org: 'acme', project: '7' }
    assert.deepEqual(targetFrom(given, env), { ...given, url: 'http://localhost:9000/errata' })
  })

  it('is asked for where nothing says it', () => {
    const rows: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{}, /SENTRY_AUTH_TOKEN/],
      [{ token: PERSONAL }, /SENTRY_URL/],
      [{ token: PERSONAL, url: 'https://errata.example' }, /SENTRY_ORG/],
      [{ token: TOKEN }, /SENTRY_PROJECT/],
      [{ token: TOKEN, project: 'web', url: 'errata.example' }, /isn’t an address/],
      [{ token: 'sntrys_bm9uZQ==_x', project: 'web' }, /SENTRY_URL/],
    ]
    for (const [values, why] of rows)
      assert.throws(
        () => targetFrom(values, {}),
        (cause) => cause instanceof UsageError && why.test(cause.message),
      )
  })

  it('has a release and a dist, or the first, or neither', () => {
    assert.deepEqual(buildNameFrom({}, {}), { release: null, dist: null })
    assert.deepEqual(buildNameFrom({ dist: '7' }, { SENTRY_RELEASE: 'a b' }), { release: 'a b', dist: '7' })
    assert.throws(() => buildNameFrom({ dist: '7' }, {}), UsageError)
  })
})

it('gives scripts the addresses they are served at', () => {
  assert.equal(buildAddress('/srv/shop/dist', null)('assets/a.js'), '~/assets/a.js')
  assert.equal(buildAddress('/srv/shop/dist', '~/static/')('a.js'), '~/static/a.js')
  assert.equal(buildAddress('/srv/shop/.next', null)('static/chunks/a.js'), '~/_next/static/chunks/a.js')
  assert.equal(buildAddress('/srv/shop', null)('.next/server/a.js'), '~/_next/server/a.js')
  assert.equal(buildAddress('/srv/shop/.next/static', null)('chunks/a.js'), '~/_next/static/chunks/a.js')
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { aRequest, envelopeText } from '#testing/builders/accept-request.ts'
import { openTestIngest, shortOutcome, type TestIngest } from '#testing/worlds/accept.ts'
import {
  BLOG_KEY,
  OTHER_KEY,
  SAMPLE_BLOG,
  SAMPLE_SHOP,
  SHOP_DISABLED_KEY,
  SHOP_KEY,
} from './sample-directory.ts'
import type { AcceptRequest } from './types.ts'

let ingest: TestIngest
beforeEach(async () => {
  ingest = await openTestIngest()
})
afterEach(() => ingest.close())

describe('authentication', () => {
  const dsn = (key: string, project: number) => `"dsn":"https://${key}@errata.example/${project}"`
  const noAuth = { query: new URLSearchParams() }
  const header = (text: string) => ({ ...noAuth, sentryAuth: text })
  const rows: readonly [
    name: string,
    change: Partial<AcceptRequest>,
    body: string,
    status: number,
    detail: string | null,
  ][] = [
    ['a key in the query', {}, envelopeText(), 200, null],
    ['X-Sentry-Auth', header(`Sentry sentry_version=7, sentry_key=${SHOP_KEY}`), envelopeText(), 200, null],
    [
      'X-Sentry-Auth without spaces',
      header(`sentry sentry_version=7,sentry_key=${SHOP_KEY}`),
      envelopeText(),
      200,
      null,
    ],
    [
      'Authorization: Sentry',
      { ...noAuth, authorization: `Sentry sentry_key=${SHOP_KEY}` },
      envelopeText(),
      200,
      null,
    ],
    [
      'Authorization: Basic',
      { ...noAuth, authorization: `Basic ${Buffer.from(`${SHOP_KEY}:x`).toString('base64')}` },
      envelopeText(),
      200,
      null,
    ],
    ['the DSN of the envelope alone', noAuth, `{${dsn(SHOP_KEY, SAMPLE_SHOP)}}\n`, 200, null],
    ['header and an agreeing DSN', {}, `{${dsn(SHOP_KEY, SAMPLE_SHOP)}}\n`, 200, null],
    [
      'header and query with one key',
      { sentryAuth: `Sentry sentry_key=${SHOP_KEY}` },
      envelopeText(),
      200,
      null,
    ],
    ['a secret in the DSN', noAuth, `{"dsn":"https://${SHOP_KEY}:secret@h/${SAMPLE_SHOP}"}`, 200, null],
    ['nothing', noAuth, envelopeText(), 401, 'missing authorization information'],
    ['nothing at all', noAuth, '', 401, 'missing authorization information'],
    ['a malformed header', header('Sentry'), envelopeText(), 401, 'bad x-sentry-auth header'],
    [
      'another scheme in X-Sentry-Auth',
      header(`Bearer ${SHOP_KEY}`),
      envelopeText(),
      401,
      'bad x-sentry-auth header',
    ],
    [
      'two keys',
      { sentryAuth: `Sentry sentry_key=${BLOG_KEY}` },
      envelopeText(),
      401,
      'multiple authorization payloads detected',
    ],
    [
      'a malformed key',
      { query: new URLSearchParams({ sentry_key: 'short' }) },
      envelopeText(),
      400,
      'bad sentry DSN public key',
    ],
    [
      'a malformed key in the DSN',
      noAuth,
      `{${dsn('short', SAMPLE_SHOP)}}`,
      400,
      'bad sentry DSN public key',
    ],
    [
      'a project that is no number',
      { projectRef: 'shop' },
      envelopeText(),
      400,
      'bad project path parameter',
    ],
    [
      'an unknown key',
      { query: new URLSearchParams({ sentry_key: 'e'.repeat(32) }) },
      envelopeText(),
      403,
      'event submission rejected with_reason: ProjectId',
    ],
    [
      'a disabled key',
      { query: new URLSearchParams({ sentry_key: SHOP_DISABLED_KEY }) },
      envelopeText(),
      403,
      'event submission rejected with_reason: ProjectId',
    ],
    [
      'a key of another project',
      { projectRef: String(SAMPLE_BLOG) },
      envelopeText(),
      403,
      'event submission rejected with_reason: ProjectId',
    ],
    ['a DSN of another project', {}, `{${dsn(SHOP_KEY, SAMPLE_BLOG)}}`, 400, 'invalid event envelope'],
    ['a DSN with another key', {}, `{${dsn(BLOG_KEY, SAMPLE_SHOP)}}`, 400, 'invalid event envelope'],
    [
      'a DSN alone of another project',
      noAuth,
      `{${dsn(BLOG_KEY, SAMPLE_BLOG)}}`,
      400,
      'invalid event envelope',
    ],
    ['a DSN that is none', {}, '{"dsn":"what"}', 400, 'invalid event envelope'],
    [
      'a DSN alone with the key of another project',
      noAuth,
      `{${dsn(BLOG_KEY, SAMPLE_SHOP)}}`,
      403,
      'event submission rejected with_reason: ProjectId',
    ],
    [
      'an unsupported version',
      { query: new URLSearchParams({ sentry_key: SHOP_KEY, sentry_version: '99' }) },
      envelopeText(),
      400,
      'unsupported protocol version',
    ],
    ['the address without a project', { projectRef: null }, envelopeText(), 200, null],
  ]
  for (const [name, change, body, status, detail] of rows) {
    it(`answers ${status} for ${name}`, async () => {
      const answer = await ingest.openAccept().accept(aRequest(body, change))
      assert.equal(answer.status, status)
      assert.equal(answer.error?.detail ?? null, detail)
    })
  }

  it('names which part of the DSN differs', async () => {
    const project = await ingest.openAccept().accept(aRequest(`{${dsn(SHOP_KEY, SAMPLE_BLOG)}}`))
    assert.deepEqual(project.error?.causes, ['project id header mismatch between envelope and request'])
    const key = await ingest.openAccept().accept(aRequest(`{${dsn(BLOG_KEY, SAMPLE_SHOP)}}`))
    assert.deepEqual(key.error?.causes, ['public key header mismatch between envelope and request'])
  })
})

describe('a relayed envelope', () => {
  const relayed = (key: string, project: number, relay: { organisation: string; project: string }) =>
    ingest.openAccept().accept(
      aRequest(`{"dsn":"http://${key}@elsewhere.example/${project}"}\n{"type":"event"}\n{}`, {
        projectRef: null,
        query: new URLSearchParams(),
        relay,
      }),
    )
  it('may name organisation and project by slug or id', async () => {
    for (const organisation of ['acme', '1']) {
      for (const project of ['shop', String(SAMPLE_SHOP)]) {
        assert.equal((await relayed(SHOP_KEY, SAMPLE_SHOP, { organisation, project })).status, 200)
      }
    }
  })
  it('says which address to write where it names nothing, and not to whom names another project', async () => {
    for (const relay of [
      { organisation: '', project: '' },
      { organisation: 'acme', project: '' },
      { organisation: '', project: 'shop' },
    ]) {
      const { error } = await relayed(SHOP_KEY, SAMPLE_SHOP, relay)
      const address = /^o and p are missing: write the tunnel as \/monitoring\?o=(\d+)&p=(\d+)$/
      const [, organisation = '', project = ''] = address.exec(error?.detail ?? '') ?? []
      assert.equal((await relayed(SHOP_KEY, SAMPLE_SHOP, { organisation, project })).status, 200)
    }
    const { error } = await relayed(SHOP_KEY, SAMPLE_SHOP, { organisation: 'acme', project: 'blog' })
    assert.equal(error?.detail, 'o and p do not name the project of the DSN')
  })
  const rows = [
    ['another project', SHOP_KEY, SAMPLE_SHOP, { organisation: 'acme', project: 'blog' }, 'relay_mismatch'],
    [
      'another organisation',
      SHOP_KEY,
      SAMPLE_SHOP,
      { organisation: 'rival', project: 'shop' },
      'relay_mismatch',
    ],
    ['nothing', SHOP_KEY, SAMPLE_SHOP, { organisation: '', project: '' }, 'relay_mismatch'],
    ['a foreign key', OTHER_KEY, SAMPLE_SHOP, { organisation: 'acme', project: 'shop' }, 'key_unknown'],
    [
      'a disabled key',
      SHOP_DISABLED_KEY,
      SAMPLE_SHOP,
      { organisation: 'acme', project: 'shop' },
      'key_unknown',
    ],
    ['an unknown key', 'e'.repeat(32), SAMPLE_SHOP, { organisation: 'acme', project: 'shop' }, 'key_unknown'],
  ] as const
  for (const [name, key, project, relay, code] of rows) {
    it(`is refused when it names ${name}`, async () => {
      const answer = await relayed(key, project, relay)
      assert.equal(answer.status, 403)
      assert.equal(answer.error?.code, code)
      assert.deepEqual(ingest.records(), [])
    })
  }
})

describe('allowed domains', () => {
  const options = {
    ...PROJECT_OPTIONS_DEFAULT,
    allowedDomains: ['shop.example', '*.cdn.example', 'https://only.example:8443'],
  }
  const rows: readonly [origin: string | null, referer: string | null, status: number][] = [
    ['https://shop.example', null, 200],
    ['http://shop.example:3000', null, 200],
    ['https://a.b.cdn.example', null, 200],
    ['https://cdn.example', null, 200],
    ['https://only.example:8443', null, 200],
    [null, 'https://shop.example/cart?x=1', 200],
    [null, null, 200],
    ['https://evilshop.example', null, 403],
    ['https://shop.example.evil.example', null, 403],
    ['https://evil-cdn.example', null, 403],
    ['https://only.example', null, 403],
    ['null', null, 403],
    ['https://evil.example', 'https://shop.example/', 403],
  ]
  for (const [origin, referer, status] of rows) {
    it(`answer ${status} for origin ${origin}, referer ${referer}`, async () => {
      const accept = ingest.openAccept({ shop: { options } })
      const answer = await accept.accept(aRequest(envelopeText(), { origin, referer }))
      assert.equal(answer.status, status)
      if (status === 403)
        assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
          `${SAMPLE_SHOP} filtered cors error 1`,
        ])
    })
  }
})

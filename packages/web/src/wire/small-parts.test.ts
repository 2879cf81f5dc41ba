import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ownPathOf, setBasePath } from './base-path.ts'
import { scriptJson } from './html.ts'
import { localPath } from './loader.ts'
import { privateBreadcrumb, privateEvent, withoutQuotedText } from './private-event.ts'

const privacy = {
  origin: 'http://errata.test',
  patternOf: (path: string) => (path.startsWith('/acme') ? '/:org/issues' : '*'),
}

test('only paths of this site are followed after a sign-in', () => {
  const followed = ['/', '/acme/issues?query=a%20b#x', '/sign-in']
  for (const path of followed) assert.equal(localPath(path), path)
  const refused = ['https://evil.test', 'javascript:alert(1)', 'acme', '', null, undefined]
  for (const path of refused) assert.equal(localPath(path), '/', String(path))
})

test('below a path of its own, Errata has the pages below it alone', (t) => {
  assert.deepEqual(['/', '/acme', '/errata'].map(ownPathOf), ['/', '/acme', '/errata'])
  t.after(() => setBasePath(''))
  setBasePath('/errata')
  const paths = ['/errata', '/errata/', '/errata/acme/issues', '/', '/acme', '/erratas', '/a/errata/acme']
  assert.deepEqual(paths.map(ownPathOf), ['/', '/', '/acme/issues', null, null, null, null])
})

test('whatever way a host is written behind a slash, it is not followed', () => {
  const starts = [
    '/',
    '/./',
    '/../',
    '/a/../',
    '/./././',
    '/a/b/../../',
    '/%2e/',
    '/%2E%2e/',
    '/.%2e/',
    '/\t',
    '/\n',
  ]
  const slashes = ['/', '\\', '\t/', '/\r\n', '//', '/\\', '\\/']
  const hosts = [
    'evil.test',
    'evil.test/x?y#z',
    'a@evil.test',
    'evil.test:80',
    '[::1]',
    '%65vil.test',
    'errata.test.evil',
  ]
  for (const start of starts)
    for (const slash of slashes) for (const host of hosts) assertStays(`${start}${slash}${host}`)
  const more = ['/.//', '/\u0000//evil.test', ' //evil.test', '/\u00a0/../../evil.test', '/./\\/\\evil.test']
  for (const text of more) assertStays(text)
})

function assertStays(text: string): void {
  const path = localPath(text)
  assert.match(path, /^\/(?![/\\])/, JSON.stringify(text))
  assert.equal(new URL(path, 'http://errata.test').origin, 'http://errata.test', JSON.stringify(text))
}

test('whatever is followed stays on this site', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '\t',
    '\n',
    '\u0000',
    'a',
    '@',
    ':',
    '?',
    '#',
    'e.test',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`),
      ),
      assertStays,
    ),
  )
})

test('JSON inside a script element is the same JSON and cannot leave it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = scriptJson(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.ok(!/[<\u2028\u2029]/.test(text))
    }),
  )
})

test('a report of the browser carries patterns in place of addresses, and no text of a page', () => {
  const event = privateEvent(
    {
      type: undefined,
      request: {
        url: 'http://errata.test/acme/issues?query=secret',
        headers: { Referer: 'http://errata.test/acme' },
      },
      user: { ip_address: '1.2.3.4' },
      extra: { title: 'secret' },
      exception: {
        values: [
          {
            type: 'Error',
            value: 'cannot show "secret title of a customer" in `IssueRow`',
            stacktrace: { frames: [{ filename: 'http://errata.test/acme/issues', vars: { a: 'secret' } }] },
          },
        ],
      },
    },
    privacy,
  )
  const text = JSON.stringify(event)
  assert.ok(!text.includes('secret') && !text.includes('acme') && !text.includes('1.2.3.4'), text)
  assert.equal(event.transaction, '/:org/issues')
  assert.ok(text.includes('IssueRow'))
})

test('breadcrumbs keep method, status and pattern alone', () => {
  const crumb = privateBreadcrumb(
    {
      category: 'fetch',
      message: 'secret',
      data: { url: 'http://errata.test/acme/issues?secret', method: 'GET', status_code: 200, body: 'secret' },
    },
    privacy,
  )
  assert.deepEqual(crumb, {
    category: 'fetch',
    data: { url: '/:org/issues', method: 'GET', status_code: 200 },
  })
})

test('quoted identifiers stay, other quoted text goes', () => {
  assert.equal(withoutQuotedText("reading 'amount' of “a b”"), "reading 'amount' of “…”")
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCore } from './exchange.ts'
import { readOptions } from './settings.ts'
import { tunnelPaths } from './tunnel-paths.ts'

describe('the paths of `tunnel: true`', () => {
  const known: readonly [dsn: string, path: string][] = [
    ['http://0123456789abcdef0123456789abcdef@127.0.0.1:9000/42', '/1pac2ug'],
    ['https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/42', '/1ipy4zk'],
    ['https://k@h.example:8443/a/b/42', '/tdecpq'],
    ['https://k@o1.ingest.sentry.io/42', '/1qpl2kb'],
    ['http://k@[::1]:9000/42', '/ff6tlx'],
    ['https://k:secret@o1.ingest.sentry.io/42', '/1qpl2kb'],
  ]
  for (const [dsn, path] of known) {
    it(`has ${path} for ${dsn}`, () => assert.ok(tunnelPaths(dsn).includes(path), tunnelPaths(dsn).join()))
  }

  it('has one for the DSN as it is written and one for its plain form', () => {
    const [plain] = tunnelPaths('https://k@o1.ingest.sentry.io/42')
    const both = tunnelPaths('https://k@o1.ingest.sentry.io:443/42')
    assert.ok(plain !== undefined && both.includes(plain))
    assert.equal(new Set(both).size, 2)
  })
})

describe('the relay’s paths', () => {
  const dsn = 'https://k@h.example:8443/a/b/42'
  const core = createCore(readOptions({ dsn }))
  const below = createCore(readOptions({ dsn, path: 'telemetry/', basePath: './shop/' }))

  it('are /monitoring and that of the DSN, with or without a slash, query or origin', () => {
    for (const address of [
      '/monitoring',
      '/monitoring/',
      '/monitoring?o=shop&p=web',
      'https://shop.example/monitoring?o=shop&p=web',
      '/tdecpq',
      '/tdecpq/',
    ]) {
      assert.ok(core.matches(address), address)
    }
  })

  it('are no others', () => {
    for (const address of [
      '',
      '/',
      '/monitoring/x',
      '/monitorin',
      '/x/monitoring',
      '/x?/monitoring',
      '//monitoring',
    ]) {
      assert.ok(!core.matches(address), address)
    }
  })

  it('may be others, below a base path', () => {
    assert.deepEqual(
      ['/shop/telemetry?o=1', '/shop/tdecpq', '/telemetry', '/monitoring', '/shop/monitoring'].map(
        (address) => below.matches(address),
      ),
      [true, true, false, false, false],
    )
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '#testing/cpu-time.ts'
import { readUserAgent } from './user-agent.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

for (const [header, browser, os, device] of [
  [`${WINDOWS} Chrome/156.0.0.0 Safari/537.36`, 'Chrome 156.0.0.0', 'Windows >=10', undefined],
  [`${WINDOWS} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.1.2`, 'Edge 156.0.1.2', 'Windows >=10', undefined],
  [`${WINDOWS} Chrome/150.0.0.0 Safari/537.36 OPR/130.0.0.0`, 'Opera 130.0.0.0', 'Windows >=10', undefined],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox 140.0',
    'Linux',
    undefined,
  ],
  [`${MAC} Version/18.1 Safari/605.1.15`, 'Safari 18.1', 'macOS 10.15.7', 'Mac'],
  [`${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Mobile Safari 18.1', 'iOS 18.1', 'iPhone'],
  [`${IPHONE} CriOS/130.0.1 Mobile/15E148 Safari/604.1`, 'Chrome Mobile iOS 130.0.1', 'iOS 18.1', 'iPhone'],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    'Chrome Mobile 130.0.0.0',
    'Android 14',
    'Pixel 8',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    'Chrome Mobile 130.0.0.0',
    'Android 10',
    undefined,
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    'HeadlessChrome 156.0.0.0',
    'Linux',
    undefined,
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot 2.1', '', 'Spider'],
  ['sentry.python/2.68.0', '', '', undefined],
  ['', '', '', undefined],
] as const) {
  test(`${header.slice(0, 40)}… is ${browser || 'nobody'} on ${os || 'nothing'}`, () => {
    const facts = readUserAgent(header)
    const named = (part: { name: string; version?: string } | undefined) =>
      part === undefined ? '' : part.version === undefined ? part.name : `${part.name} ${part.version}`
    assert.equal(named(facts.browser), browser)
    assert.equal(named(facts.os), os)
    assert.equal(facts.device?.family, device)
  })
}

test('a hostile header costs little', () => {
  const startedMs = cpuMs()
  readUserAgent(`Mozilla/5.0 ${'Version/1 '.repeat(100_000)}`)
  readUserAgent(`Mozilla/5.0 (Android;${' a'.repeat(100_000)}`)
  assert.ok(cpuMs() - startedMs < 1_000)
})

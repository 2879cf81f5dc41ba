import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Span } from '#model/span.ts'
import { blockingIn, measuredIn } from './vital-causes.ts'

const span = (change: Partial<Span>): Span => ({
  ...{
    span_id: 'a'.repeat(16),
    op: 'pageload',
    name: '/orders',
    status: 'ok',
    start_timestamp: 1,
    end_timestamp: 1.2,
  },
  ...change,
})

test('the element of a vital is what its span names, in whichever words', () => {
  const cases: readonly (readonly [Partial<Span>, string, string | null])[] = [
    [
      { op: 'ui.webvital.lcp', name: 'main > h1', attributes: { 'browser.web_vital.lcp.value': 900 } },
      'lcp',
      'main > h1',
    ],
    [
      { attributes: { 'browser.web_vital.lcp.value': 900, 'lcp.element': 'img.hero', 'lcp.url': '/a.png' } },
      'lcp',
      'img.hero',
    ],
    [{ attributes: { 'browser.web_vital.lcp.value': 900, 'lcp.url': '/a.png' } }, 'lcp', '/a.png'],
    [
      {
        op: 'ui.webvital.cls',
        name: 'x',
        attributes: { 'browser.web_vital.cls.value': 0.3, 'cls.source.1': 'div.ad' },
      },
      'cls',
      'div.ad',
    ],
    [
      { op: 'ui.interaction.click', name: 'button.buy', attributes: { 'browser.web_vital.inp.value': 300 } },
      'inp',
      'button.buy',
    ],
    [
      {
        ...{ op: 'ui.interaction.click', name: 'Click' },
        attributes: { 'browser.web_vital.inp.value': 300, 'browser.web_vital.inp.target': 'button#pay' },
      },
      'inp',
      'button#pay',
    ],
    [
      { op: 'ui.interaction.press', name: 'Key press', attributes: { 'browser.web_vital.inp.value': 300 } },
      'inp',
      null,
    ],
    [
      { op: 'ui.webvital.cls', name: 'Layout shift', attributes: { 'browser.web_vital.cls.value': 0.3 } },
      'cls',
      null,
    ],
    // A page load is called after its page, which is no element.
    [{ attributes: { 'browser.web_vital.lcp.value': 900 } }, 'lcp', null],
    [{ attributes: { 'browser.web_vital.lcp.value': 900, 'lcp.element': '   ' } }, 'lcp', null],
    [{ attributes: { 'browser.web_vital.ttfb.value': 90 } }, 'ttfb', null],
  ]
  for (const [change, vital, element] of cases) {
    const found = measuredIn([span(change)]).find((one) => one.vital === vital)
    assert.equal(found?.element ?? null, element, JSON.stringify(change))
  }
})

test('long tasks are named by their script, blocking files by their address without what differs', () => {
  const found = blockingIn([
    span({ op: 'ui.long-task', name: 'Main UI thread blocked' }),
    span({
      ...{ op: 'ui.long-animation-frame', name: 'Main UI thread blocked' },
      attributes: { 'browser.script.source_url': 'https://shop.example/app.js?v=3' },
    }),
    span({
      op: 'resource.css',
      name: '/main.css?x=1',
      attributes: { 'resource.render_blocking_status': 'blocking' },
    }),
    span({
      ...{ op: 'ui.long_animation_frame', name: 'Main UI thread blocked' },
      attributes: { 'code.file.path': 'https://shop.example/late.js' },
    }),
    span({
      ...{ op: 'resource.link', name: 'shop.example' },
      attributes: {
        'url.full': 'https://shop.example/slow.css?v=2',
        'resource.render_blocking_status': 'blocking',
      },
    }),
    span({
      op: 'resource.css',
      name: '/late.css',
      attributes: { 'resource.render_blocking_status': 'non-blocking' },
    }),
    span({ op: 'db', name: 'SELECT 1' }),
  ])
  assert.deepEqual(
    found.map(({ what, name, ms }) => [what, name, Math.round(ms)]),
    [
      ['script', 'Main UI thread blocked', 200],
      ['script', 'https://shop.example/app.js', 200],
      ['file', '/main.css', 200],
      ['script', 'https://shop.example/late.js', 200],
      ['file', 'https://shop.example/slow.css', 200],
    ],
  )
})

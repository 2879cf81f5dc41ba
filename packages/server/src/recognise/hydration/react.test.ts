/** Texts that React 17 to 19 wrote when a browser hydrated HTML that differs; see the origin in the fixture. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { recognise } from '../recognise.ts'
import { hydrationDetails } from './details.ts'

interface Told {
  readonly react: string
  readonly build: string
  readonly case: string
  readonly told: readonly (readonly [how: string, text: string, ...rest: string[]])[]
}

const FIXTURE = new URL('../../../../../tests/fixtures/hydration/react.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { cases: readonly Told[] } // as its origin says

/**
 * Builds the event that the SDK sends: a line of the console as a message with its arguments, an error with
 * its component stack.
 */
function eventOf([how, text, ...rest]: Told['told'][number], react: string): ScrubbedEvent {
  const contexts = {
    react: { version: react, ...(how === 'recoverable' ? { componentStack: rest[0] ?? '' } : {}) },
  }
  if (how === 'console') {
    return aScrubbedEvent({ contexts, logentry: { formatted: text }, extra: { arguments: [text, ...rest] } })
  }
  return aScrubbedEvent({ contexts, exception: { values: [{ type: 'Error', value: text }] } })
}

const COMPONENTS: Readonly<Record<string, string>> = {
  text: 'StockBadge',
  time: 'Clock',
  attr: 'Badge',
  element: 'Panel',
  missing: 'Panel',
  nesting: 'Teaser',
}

describe('hydration in React', () => {
  for (const { react, build, case: name, told } of cases) {
    for (const one of told) {
      // React 17 and 18 warn of invalid nesting whoever renders it.
      if (one[1].includes('validateDOMNesting')) continue
      it(`is recognised in the ${build} build of ${react}, ${name}: ${one[1].slice(0, 60)}`, () => {
        const found = recognise(eventOf(one, react))
        assert.ok(found?.category === 'hydration')
        assert.equal(found.framework, 'React')
        const hasTree =
          one[0] === 'recoverable' ? one[2] !== '' : one.some((text) => /^\s*(?:at |<App>)/.test(text))
        if (hasTree) assert.equal(found.component, COMPONENTS[name])
      })
    }
  }

  it('knows both halves of every development build that tells them', () => {
    const halves = (react: string, name: string) => {
      const one = cases.find(
        (each) => each.react === react && each.case === name && each.build === 'development',
      )
      const found = (one?.told ?? []).map((text) => recognise(eventOf(text, react)))
      const known = found.find((each) => each?.category === 'hydration' && each.server !== null)
      return known?.category === 'hydration' ? [known.server, known.client] : null
    }
    assert.deepEqual(halves('17.0.2', 'text'), ['12 left', '11 left'])
    assert.deepEqual(halves('18.3.1', 'text'), ['12 left', '11 left'])
    assert.deepEqual(halves('18.3.1', 'attr'), ['data-low="false"', 'data-low="true"'])
    assert.deepEqual(halves('18.3.1', 'missing'), ['<section>', '<section>\n  <b>'])
    assert.deepEqual(halves('19.2.0', 'element'), [
      '<App>\n  <Panel>\n    <section>\n      <p>',
      '<App>\n  <Panel>\n    <section>\n      <button>',
    ])
    assert.deepEqual(halves('19.2.0', 'text')?.[0]?.split('\n').at(-1)?.trim(), '12 left')
    assert.deepEqual(halves('19.2.0', 'attr')?.[1]?.split('\n').slice(2, 5), [
      '    <div',
      '      className="a"',
      '      data-low="true"',
    ])
  })
})

describe('the likely cause of a mismatch', () => {
  const likely = (change: object) => {
    const event = aScrubbedEvent({
      exception: {
        values: [
          {
            type: 'Error',
            value: 'Minified React error #418; visit https://react.dev/errors/418?args[]=HTML&args[]= for',
          },
        ],
      },
      ...change,
    })
    const found = recognise(event)
    assert.ok(found?.category === 'hydration')
    const { causes } = hydrationDetails(event, found)
    return causes.filter(({ isLikely }) => isLikely).map(({ cause, evidence }) => [cause, evidence])
  }
  const sent = (server: string, client: string) => ({ contexts: { 'errata.hydration': { server, client } } })

  const TABLE: readonly (readonly [name: string, change: object, cause: string | null, evidence: RegExp])[] =
    [
      [
        'hours',
        sent('<time>14:05</time>', '<time>15:05</time>'),
        'time_zone',
        /one hour: 14:05 on the server, 15:05 in/,
      ],
      ['half an hour', sent('at 23:40:10', 'at 05:10:10'), 'time_zone', /330 minutes/],
      ['am and pm', sent('9:05 AM', '1:05 PM'), 'time_zone', /4 hours/],
      ['separators', sent('<b>1,234.50</b>', '<b>1.234,50</b>'), 'locale', /1,234\.50.*1\.234,50/],
      ['days and months', sent('11/21/2026', '21/11/2026'), 'locale', /written differently/],
      ['dots in dates', sent('1,234.5 euro, 11/18/2026', '1.234,5 euro, 18.11.2026'), 'locale', /written/],
      ['Math.random', sent('0.8412345678', '0.1312345678'), 'render_time', /random/],
      ['ids', sent('id-x7Yq2-91ab', 'id-k3Pq8-02zz'), 'render_time', /random/],
      ['ids with the same digit', sent('resaebaq4x', 'ygtwwjgm4x'), 'render_time', /random/],
      ['Date.now', sent('1795258000123', '1795258000923'), 'render_time', /time of rendering/],
      ['seconds', sent('12:00:01', '12:00:03'), 'render_time', /time of rendering/],
      ['a branch', sent('<p></p>', '<p><b>only here</b></p>'), 'browser_only', /only in the browser/],
      [
        'other data',
        sent('<span>12 left</span>', '<span>11 left</span>'),
        'changed_data',
        /“12” on the server/,
      ],
      [
        'other data, and an attribute that follows from it',
        sent('<b data-low="false">\n  12 left\n</b>', '<b data-low="true">\n  11 left\n</b>'),
        'changed_data',
        /“12” on the server, “11” in the browser/,
      ],
      ['an extension', sent('<body>', '<body cz-shortcut-listen="true">'), 'extension', /cz-shortcut-listen/],
      ['several elements', sent('<i>a</i><b>c</b>', '<u>d</u><em>e</em>'), null, /^$/],
      ['nothing known', {}, null, /^$/],
      [
        'nesting, as the helper catches it',
        sent(
          '<div class="buy">\n  <p class="teaser"></p>\n  <div>\n    Free delivery\n  </div>\n  <p></p>\n</div>',
          '<div class="buy">\n  <p class="teaser">\n    <div>\n      Free delivery\n    </div>\n  </p>\n</div>',
        ),
        'nesting',
        /<div> is rendered in <p>/,
      ],
      [
        'a link in a link',
        sent('<a></a>', '<a href="/a"><b><a href="/b">x</a></b></a>'),
        'nesting',
        /<a> is rendered in <a>/,
      ],
      [
        'a paragraph in a button in a paragraph, which may stand there',
        sent('<p><button><p>12</p></button></p>', '<p><button><p>11</p></button></p>'),
        'changed_data',
        /“12” on the server/,
      ],
      [
        'nesting, told on the console',
        {
          breadcrumbs: {
            values: [
              {
                category: 'console',
                level: 'error',
                message: 'In HTML, %s cannot be a descendant of <%s>.',
                data: { arguments: ['In HTML, %s cannot be a descendant of <%s>.\nThis will', '<div>', 'p'] },
              },
            ],
          },
        },
        'nesting',
        /<div> cannot be a descendant of <p>/,
      ],
    ]
  for (const [name, change, cause, evidence] of TABLE) {
    it(`is ${cause ?? 'none'} for ${name}`, () => {
      const found = likely(change)
      assert.deepEqual(
        found.map(([one]) => one),
        cause === null ? [] : [cause],
      )
      assert.match(found[0]?.[1] ?? '', evidence)
    })
  }

  it('is read from the console where the error does not tell, as in React 18', () => {
    const warning = 'Warning: Text content did not match. Server: "%s" Client: "%s"%s'
    const event = aScrubbedEvent({
      exception: { values: [{ type: 'Error', value: 'Text content does not match server-rendered HTML.' }] },
      breadcrumbs: {
        values: [
          {
            category: 'console',
            level: 'error',
            message: warning,
            data: { arguments: [warning, '12 left', '11 left', '\n    at span'] },
          },
        ],
      },
    })
    const found = recognise(event)
    assert.ok(found?.category === 'hydration')
    assert.deepEqual(hydrationDetails(event, found).halves, { server: '12 left', client: '11 left' })
  })

  it('takes halves of a helper from every place it may send them to', () => {
    const halves = { server: '<p>a</p>', client: '<p>b</p>', component: 'Price' }
    for (const change of [
      { contexts: { 'errata.hydration': halves } },
      { contexts: { errata: { hydration: halves } } },
      { extra: { 'errata.hydration': halves } },
    ]) {
      const event = aScrubbedEvent({
        exception: { values: [{ type: 'Error', value: 'Hydration completed but contains mismatches.' }] },
        ...change,
      })
      const found = recognise(event)
      assert.ok(found?.category === 'hydration')
      assert.deepEqual([found.server, found.client, found.component], ['<p>a</p>', '<p>b</p>', 'Price'])
    }
  })

  it('has the components around what differs, and who told the halves', () => {
    const told = (change: object, value: string) => {
      const event = aScrubbedEvent({ exception: { values: [{ type: 'Error', value }] }, ...change })
      const found = recognise(event)
      assert.ok(found?.category === 'hydration')
      const { path, source } = hydrationDetails(event, found)
      return [path.join(' '), source]
    }
    const tree =
      '\n\n  <App>\n    <BuyBox>\n      <div>\n        <StockBadge>\n          <span>\n+           11\n-           12'
    assert.deepEqual(
      told({}, `Hydration failed because the server rendered HTML didn't match the client.${tree}`),
      ['App BuyBox StockBadge', 'development'],
    )
    const componentStack =
      '\n    at span\n    at StockBadge (a.js:1:2)\n    at t (a.js:1:3)\n    at App (a.js:1:4)'
    const contexts = { react: { componentStack }, 'errata.hydration': { server: 'a', client: 'b' } }
    assert.deepEqual(told({ contexts }, 'Hydration failed because the server rendered'), [
      'App StockBadge',
      'helper',
    ])
  })

  it('names no component that a minifier called', () => {
    const stack =
      '\n    at span (<anonymous>)\n    at a (https://shop.example/_next/a.js:1:2)\n    at InnerLayoutRouter (https://shop.example/_next/b.js:1:9)'
    const event = aScrubbedEvent({
      contexts: { react: { componentStack: stack } },
      exception: { values: [{ type: 'Error', value: 'There was an error while hydrating.' }] },
    })
    const found = recognise(event)
    assert.ok(found?.category === 'hydration' && found.component === null)
  })
})

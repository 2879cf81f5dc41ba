import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import type { SearchToken } from '../types.ts'
import { IS_VALUES } from './fields.ts'
import { parseSearch, writeToken } from './parse.ts'

const token = (key: string | null, value: string, negated = false): SearchToken => ({ key, value, negated })

describe('the search parser', () => {
  const understood: readonly [text: string, tokens: readonly SearchToken[]][] = [
    ['', []],
    ['   \n\t ', []],
    ['checkout failed', [token(null, 'checkout'), token(null, 'failed')]],
    ['"checkout failed"', [token(null, 'checkout failed')]],
    ['is:unresolved', [token('is', 'unresolved')]],
    ['!is:resolved', [token('is', 'resolved', true)]],
    ['level:error level:fatal', [token('level', 'error'), token('level', 'fatal')]],
    ['release:"shop@1.0.0 (beta)"', [token('release', 'shop@1.0.0 (beta)')]],
    ['release:shop@1.*', [token('release', 'shop@1.*')]],
    [
      '!release:latest first-release:>=1.2',
      [token('release', 'latest', true), token('firstRelease', '>=1.2')],
    ],
    ['Release.Stage:adopted', [token('release.stage', 'adopted')]],
    [
      'environment:production !browser:"Chrome 141"',
      [token('environment', 'production'), token('browser', 'Chrome 141', true)],
    ],
    ['has:user !has:release', [token('has', 'user'), token('has', 'release', true)]],
    ['assigned:me assignee:none', [token('assigned', 'me'), token('assigned', 'none')]],
    ['user.id:42 user:id:42', [token('user.id', '42'), token('user', 'id:42')]],
    ['tags[a:b]:c', [token('a:b', 'c')]],
    ['tags[plan]:gold', [token('plan', 'gold')]],
    ['tags[Events]:3 events:3', [{ ...token('Events', '3'), isTag: true }, token('events', '3')]],
    ['url:*cart url:/a/*/b', [token('url', '*cart'), token('url', '/a/*/b')]],
    [
      'request_kind:action !kind:"Route handler"',
      [token('kind', 'action'), token('kind', 'route-handler', true)],
    ],
    ['kind:page-*', [token('kind', 'page-*')]],
    [
      'first_release:1 firstrelease:2 firstRelease:3',
      ['1', '2', '3'].map((one) => token('firstRelease', one)),
    ],
    [
      'times_seen:>10 timesSeen:10 events:<=5 users:=3',
      [token('events', '>10'), token('events', '10'), token('events', '<=5'), token('users', '=3')],
    ],
    ['error.handled:true handled:no', [token('handled', 'yes'), token('handled', 'no')]],
    ['User: not found', ['User:', 'not', 'found'].map((word) => token(null, word))],
    ['SELECT * FROM', [token(null, 'SELECT'), token(null, '*'), token(null, 'FROM')]],
    ['url:https://shop.test/cart', [token('url', 'https://shop.test/cart')]],
    ['https://shop.test/cart', [token(null, 'https://shop.test/cart')]],
    ['!timeout', [token(null, 'timeout', true)]],
    ['!"two words"', [token(null, 'two words', true)]],
    ['say:"a \\"quoted\\" word"', [token('say', 'a "quoted" word')]],
    ['path:"C:\\\\temp\\\\x"', [token('path', 'C:\\temp\\x')]],
    ['title:boom', [token(null, 'boom')]],
    ['5" screen', [token(null, '5"'), token(null, 'screen')]],
    [
      'TypeError: x is not a function',
      [token(null, 'TypeError:'), ...['x', 'is', 'not', 'a', 'function'].map((word) => token(null, word))],
    ],
    ['requests.ConnectionError: refused', [token(null, 'requests.ConnectionError:'), token(null, 'refused')]],
    ['größe:über', [token(null, 'größe:über')]],
  ]
  for (const [text, tokens] of understood) {
    it(`understands ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseSearch(text), { tokens, problems: [] })
    })
  }

  const notUnderstood: readonly [text: string, says: RegExp][] = [
    ['"unclosed', /quote before “unclosed” is not closed/],
    ['level:"err', /quote before “err” is not closed/],
    ['release:', /“release:” has no value/],
    ['level: error', /“level:” has no value/],
    ['plan:""', /“plan:""” has no value/],
    ['is:lost', /“is:lost”: “is:” takes unresolved, /],
    ['level:loud', /“level:” takes fatal, error/],
    ['firstSeen:-24h', /“firstSeen:” can’t be searched; choose a time range/],
    ['!last_seen:>2026', /“lastSeen:” can’t be searched/],
    ['bookmarks:me', /“bookmarks:” can’t be searched; leave it out/],
    ['events:many', /“events:” takes a number, such as 100, >100/],
    ['times_seen:>-1', /“events:” takes a number/],
    ['kind:acton', /“kind:” takes document, page-data.* Did you mean action\?/],
    ['firstRelease: 1.0', /“firstRelease:” has no value/],
    ['a*b*c*d*e*f*g', /at most 5 “\*”/],
    ['plan:a*b*c*d*e*f*g', /at most 5 “\*”/],
    ['release:[a,b]', /lists of values are not supported/],
    ['release:>=', /“release:” compares versions/],
    ['a OR b', /“OR” is not supported/],
    ['!', /negates the term/],
    ['!!level:error', /“!!level:error”: one “!” negates/],
    ['""', /quotes are empty/],
    ['x'.repeat(max('searchCharsMax') + 1), /longer than/],
    ['a '.repeat(max('searchTermsMax') + 1), /more than \d+ terms/],
  ]
  for (const [text, says] of notUnderstood) {
    it(`says what it does not understand in ${JSON.stringify(text.slice(0, 30))}`, () => {
      const { problems } = parseSearch(text)
      assert.equal(problems.length, 1, problems.join('; '))
      assert.match(problems[0] ?? '', says)
    })
  }

  it('knows every word of is:', () => {
    for (const word of IS_VALUES) assert.deepEqual(parseSearch(`is:${word}`).problems, [])
  })

  it('never throws, and each token and problem is bounded by the text', () => {
    const alphabet = fc.constantFrom(
      '"',
      '\\',
      ':',
      '!',
      '*',
      '[',
      ']',
      ' ',
      '\n',
      'is',
      'level',
      'a',
      'Z',
      'ü',
      '\u{1F600}',
      '\ud800',
      '//',
      'OR',
      'tags[',
      '(',
      ')',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(alphabet, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const { tokens, problems } = parseSearch(typed)
        for (const { value } of tokens) assert.ok(value !== '' && value.length <= typed.length)
        for (const problem of problems) assert.ok(problem.length < 400)
        if (typed.trim() !== '' && tokens.length === 0)
          assert.notEqual(problems.length, 0, 'nothing is dropped silently')
      }),
      { numRuns: PROPERTY_RUNS },
    )
  })

  it('reads what it writes', () => {
    const telling = fc.constantFrom(
      '/',
      '//',
      ':',
      '"',
      '\\',
      '!',
      ' ',
      '[',
      ']',
      'a',
      'OR',
      'is:',
      'https:',
      'ö',
    )
    const value = fc
      .oneof(
        fc.string({ minLength: 1, maxLength: 40 }),
        fc.array(telling, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
      )
      .filter((text) => text.trim() !== '' && !text.includes('*') && !/^\[.*\]$/s.test(text))
    fc.assert(
      fc.property(
        fc.constantFrom('browser', 'a.b-c', 'x:y', null),
        value,
        fc.boolean(),
        (key, text, negated) => {
          fc.pre(text !== 'OR' && text !== 'AND')
          const written = { key, value: text, negated }
          assert.deepEqual(parseSearch(writeToken(written)), { tokens: [written], problems: [] })
        },
      ),
      { numRuns: PROPERTY_RUNS },
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import { asOwnText } from '#model/text-pattern.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import type { SearchToken } from '../types.ts'
import { IS_VALUES } from './fields.ts'
import { parseSearch, writeToken } from './parse.ts'
import { hasTooManyStars } from './term-problems.ts'

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
    ['level:ERROR is:Unresolved', [token('level', 'error'), token('is', 'unresolved')]],
    ['plan:"" !release:""', [token('has', 'plan', true), token('has', 'release')]],
    ['issue.priority:high project.name:shop', [token('priority', 'high'), token('project', 'shop')]],
    ['is:unlinked', [token('is', 'unlinked')]],
    ['404 NOT FOUND', ['404', 'NOT', 'FOUND'].map((word) => token(null, word))],
    ['level:error or cart', [token('level', 'error'), token(null, 'or'), token(null, 'cart')]],
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
    ['Resque::DirtyExit', [token(null, 'Resque::DirtyExit')]],
    ['!std::bad_alloc', [token(null, 'std::bad_alloc', true)]],
    ['App\\Models::find', [token(null, 'App\\Models::find')]],
    ['KeyError:', [token(null, 'KeyError:')]],
    [
      'constraint failed: users.email',
      [token(null, 'constraint'), token(null, 'failed:'), token(null, 'users.email')],
    ],
  ]
  for (const [text, tokens] of understood) {
    it(`understands ${JSON.stringify(text)}`, () => {
      const parsed = parseSearch(text)
      assert.deepEqual([parsed.tokens, parsed.problems], [tokens, []])
      assert.deepEqual(parsed.terms, { tokens, either: [] })
    })
  }

  const notUnderstood: readonly [text: string, says: RegExp][] = [
    ['"unclosed', /quote before “unclosed” is not closed/],
    ['level:"err', /quote before “err” is not closed/],
    ['release:', /“release:” has no value/],
    ['level: error', /“level:” has no value/],
    ['level:""', /“level:""” has no value/],
    ['NOT level:error', /“NOT” is written as “!”/],
    ['a OR NOT (b c)', /“NOT” is written as “!”/],
    ['is:lost', /“is:lost”: “is:” takes unresolved, /],
    ['level:loud', /“level:” takes fatal, error/],
    ['firstSeen:24h', /“firstSeen:” takes a time, such as -24h, \+7d or >=2026-11-01/],
    ['!last_seen:>2026', /“lastSeen:” takes a time/],
    ['lastSeen:2026-11-31', /“lastSeen:” takes a time/],
    ['!timestamp:-24h', /“timestamp:” can’t be negated/],
    ['userSeen:-1h', /“userSeen:” can’t be searched; choose a time range/],
    ['bookmarks:you', /“bookmarks:” takes me/],
    ['events:many', /“events:” takes a number, such as 100, >100/],
    ['times_seen:>-1', /“events:” takes a number/],
    ['is:unresolved)', /^The “\)” of “is:unresolved\)” closes nothing: remove it\.$/],
    ['kind:acton', /“kind:” takes document, page-data.* Did you mean kind:action\?/],
    ['firstRelease: 1.0', /“firstRelease:” has no value/],
    ['a*b*c*d*e*f*g', /at most 5 “\*”/],
    ['plan:a*b*c*d*e*f*g', /at most 5 “\*”/],
    ['level:[error,loud]', /“level:” takes fatal, error/],
    ['release:[a,,b]', /a list needs values, separated by commas/],
    ['release:[]', /a list needs values/],
    ['release:>=', /“release:” compares versions/],
    ['OR a', /“OR” stands between two terms/],
    ['a AND', /“AND” stands between two terms/],
    ['a OR OR b', /“OR” stands between two terms/],
    ['(a OR )', /“OR” stands between two terms/],
    ['a (b OR c', /“\(” is not closed/],
    ['!(a b)', /“!” negates single terms/],
    [`${'('.repeat(max('searchDepthMax') + 1)}a`, /Parentheses go at most/],
    [`plan:[${'a,'.repeat(max('searchTermsMax'))}b]`, /more than \d+ terms/],
    ['!', /negates the term/],
    ['!!level:error', /“!!level:error”: one “!” negates/],
    ['""', /quotes are empty/],
    ['x'.repeat(max('searchCharsMax') + 1), /longer than/],
    ['a '.repeat(max('searchTermsMax') + 1), /more than \d+ terms/],
  ]
  for (const [text, says] of notUnderstood) {
    it(`says what it does not understand in ${JSON.stringify(text.slice(0, 30))}`, () => {
      const { problems } = parseSearch(text)
      assert.equal(problems.length, 1, JSON.stringify(problems))
      assert.match(problems[0]?.message ?? '', says)
    })
  }

  it('offers the term that was probably meant, in place of the wrong one', () => {
    const meant = (text: string) => parseSearch(text).problems.map((problem) => problem.meant?.text)
    assert.deepEqual(meant('TypeError !is:unresolve kind:acton'), ['!is:unresolved', 'kind:action'])
    assert.deepEqual(meant('is:purple level:[fatal, eror]'), [undefined, undefined])
  })

  const list = (key: string, among: readonly string[], negated = false): SearchToken => ({
    ...token(key, `[${among.join(', ')}]`, negated),
    among,
  })

  it('reads lists, in which quotes and spellings count', () => {
    const read: readonly [text: string, written: SearchToken][] = [
      ['release:[1.0,2.0]', list('release', ['1.0', '2.0'])],
      ['!times_seen:[ 1 , >5 ]', list('events', ['1', '>5'], true)],
      ['handled:[true, no]', list('handled', ['yes', 'no'])],
      ['plan:["a, b", c]', { ...token('plan', '["a, b", c]'), among: ['a, b', 'c'] }],
    ]
    for (const [text, written] of read) {
      const { tokens, problems } = parseSearch(text)
      assert.deepEqual([tokens, problems], [[written], []], text)
      assert.deepEqual(parseSearch(writeToken(written)).tokens, [written])
    }
    for (const word of ['route:[slug]/page', 'url:[a', 'x:[a]b'])
      assert.equal(parseSearch(word).tokens[0]?.among, undefined, word)
  })

  it('reads alternatives and parentheses: AND binds closer, and parentheses alone change nothing', () => {
    const terms = (...tokens: readonly SearchToken[]) => ({ tokens, either: [] })
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((word) => token(null, word))
    assert.ok(a && b && c && d)
    const read: readonly [text: string, means: unknown][] = [
      ['a b OR c', { tokens: [], either: [[terms(a, b), terms(c)]] }],
      ['a AND b OR c', { tokens: [], either: [[terms(a, b), terms(c)]] }],
      ['a (b OR c) d', { tokens: [a, d], either: [[terms(b), terms(c)]] }],
      ['(a) ((b AND c))', terms(a, b, c)],
      [
        'a OR (b (c OR d))',
        { tokens: [], either: [[terms(a), { tokens: [b], either: [[terms(c), terms(d)]] }]] },
      ],
      ['(level:error OR a)b', { tokens: [b], either: [[terms(token('level', 'error')), terms(a)]] }],
      ['a or b', terms(a, token(null, 'or'), b)],
      ['"OR" a', terms(token(null, 'OR'), a)],
      [
        'total() (b OR x(y))',
        { tokens: [token(null, 'total()')], either: [[terms(b), terms(token(null, 'x(y)'))]] },
      ],
      ['a :) ()', terms(a, token(null, ':)'), token(null, '()'))],
    ]
    for (const [text, means] of read) {
      const parsed = parseSearch(text)
      assert.deepEqual(parsed.problems, [], text)
      assert.deepEqual(parsed.terms, means, text)
    }
  })

  it('takes operators of any case between keys and groups, and leaves texts alone', () => {
    const tokens = (text: string) => parseSearch(text).terms
    for (const text of ['a:1 or b:2', 'a:1 Or !b:2', '(a:1 x) or b:2', 'a:1 or (b:2 x)', 'a:1 and b:2'])
      assert.deepEqual(
        tokens(text),
        tokens(text.replace(/\b(or|and)\b/i, (word) => word.toUpperCase())),
        text,
      )
    assert.deepEqual(parseSearch('a:1 or b:2').problems, [])
    assert.equal(tokens('this or that').tokens.length, 3)
  })

  it('says where a problem is, and where each token stands', () => {
    const text = 'a (level:loud OR  x) is:lost'
    const { problems, tokens, places } = parseSearch(text)
    const part = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
    assert.deepEqual(problems.map(part), ['level:loud', 'is:lost'])
    assert.deepEqual(
      tokens.map((one) => part(places.get(one) ?? { start: 0, end: 0 })),
      ['a', 'x'],
    )
  })

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
        for (const { message, start, end } of problems) {
          assert.ok(message.length < 500)
          assert.ok(start >= 0 && start < end && end <= typed.length, 'a problem is somewhere')
        }
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
      '*',
      asOwnText('*'),
    )
    const value = fc
      .oneof(
        fc.string({ minLength: 1, maxLength: 40 }),
        fc.array(telling, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
      )
      .filter((text) => text.trim() !== '' && !hasTooManyStars(text))
    fc.assert(
      fc.property(
        fc.constantFrom('browser', 'a.b-c', 'x:y', null),
        value,
        fc.boolean(),
        (key, text, negated) => {
          const written = { key, value: text, negated }
          const { tokens, problems } = parseSearch(writeToken(written))
          assert.deepEqual([tokens, problems], [[written], []])
        },
      ),
      { numRuns: PROPERTY_RUNS },
    )
  })
})

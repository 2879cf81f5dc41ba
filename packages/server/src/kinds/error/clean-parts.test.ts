/** Breadcrumbs that a scan of their bytes calls clean: those that the walk would give back as they are, and no others. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ScrubbedEvent } from '#model/event.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { CleanParts, moduleScan, type PartVerdicts, plainScan } from '#scrub/scan/clean-parts.ts'
import { createScrubber, type Scrubber, scrubEvent } from '#scrub/scrub.ts'
import { CANARY, DEFAULTS, SECRETS } from '#testing/builders/scrubbing.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'

const FIXTURES = new URL('../../../../../tests/fixtures/secrets/', import.meta.url)
const skip = existsSync(FIXTURES) ? false : 'the labelled set is not part of this checkout'
const CONTEXT = {
  ...{
    eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
    receivedMs: 1_795_000_000_000,
    sentAt: null,
    sdk: undefined,
  },
  ...{ clientAddress: null, userAgent: null, client: null },
}
const ADDRESS = '203.0.113.9'

const scans = { module: new CleanParts(moduleScan), plain: new CleanParts(plainScan) }
const scrubber = createScrubber(DEFAULTS)

interface Read {
  readonly event: ScrubbedEvent
  readonly cleanCount: number
}

/** Reads JSON as it came; without a scan where none is given. */
function read(json: string, by: Scrubber, scan: CleanParts | null): Read {
  const bytes = Buffer.from(json)
  const verdicts = scan?.of(bytes, by.keys) ?? null
  const clean = verdicts === null ? undefined : { ...verdicts, json: bytes, objects: new Set<object>() }
  const raw: unknown = JSON.parse(json)
  const normalized = normalizeEvent(raw, {
    ...CONTEXT,
    clean,
  })
  assert.ok(normalized.ok)
  return {
    event: scrubEvent(normalized.event, by, { clientAddress: ADDRESS, clean }),
    cleanCount: clean?.objects.size ?? 0,
  }
}

const ROUNDS = 3

/** Several times: names that it met are known the next time. Answers how many were clean at last. */
function checked(json: string, by: Scrubber = scrubber): number {
  let cleanCount = 0
  for (let round = 0; round < ROUNDS; round++) {
    const told = Buffer.from(json)
    const [module, plain] = [scans.module.of(told, by.keys), scans.plain.of(told, by.keys)]
    assert.deepEqual(module, plain, json)
    if (module === null || !tellsOf(module)) continue
    const { event, cleanCount: count } = read(json, by, scans.module)
    scans.plain.of(told, by.keys) // it has met as many names as the other again
    assert.equal(JSON.stringify(event), JSON.stringify(read(json, by, null).event), json)
    cleanCount = count
  }
  return cleanCount
}

const tellsOf = ({ crumbs, contexts, isExtraClean, texts }: PartVerdicts): boolean =>
  isExtraClean || texts.size > 0 || crumbs?.includes(1) === true || contexts?.includes(1) === true

const eventOf = (...breadcrumbs: readonly unknown[]): string => JSON.stringify({ breadcrumbs })

/** Every place of a crumb that a text may stand in, and what would tell that it is a secret. */
function placesOf(text: string): readonly unknown[] {
  return [
    { message: text },
    { category: text, message: 'x' },
    { data: { note: text } },
    { data: { [text.slice(0, 190)]: 'value-of-it' } },
    { data: { deep: { deeper: [{ note: text }] } } },
    { data: { arguments: [text], logger: 'console' }, message: text },
    { data: { arguments: ['said:', text] } },
    { data: { arguments: [text] }, message: 'insert into users (a) values (?)' },
    { data: { url: `https://shop.example/a?page=${text}` } },
    { data: { selector: `input[name="${text}"]` } },
    { message: `body > input[name="${text}"]`, category: 'ui.click' },
    { data: { name: 'field', value: text } },
    { data: { type: text, value: text } },
    { data: { from: text, to: text } },
    { data: [text] },
    { data: text },
  ]
}

/** Every other place of an event that a scan tells of. */
function partsOf(text: string): readonly object[] {
  return [
    { message: text },
    { exception: { values: [{ type: 'Error', value: text }] } },
    { exception: [{ value: 'of a list' }, { value: text, mechanism: { data: { note: text } } }] },
    { request: { url: text, headers: { 'x-note': text, Accept: text } } },
    {
      request: {
        url: `https://shop.example/${text}`,
        headers: { [text.slice(0, 90)]: 'value of that header, long' },
      },
    },
    { request: { headers: { 'X-Api-Key': text, Cookie: text, 'X-Forwarded-For': text } } },
    { contexts: { app: { note: text }, [text.slice(0, 90)]: { note: 'of it' } } },
    { contexts: { app: { [text.slice(0, 90)]: 'value-of-it', type: 'app' } } },
    {
      contexts: {
        app: { value: text },
        note: { name: 'x', value: text },
        deep: { deeper: { list: [text] } },
      },
    },
    { contexts: { app: { list: ['said:', text] }, state: { type: text, value: text } } },
    { extra: { note: text, arguments: [text] } },
    { extra: { note: { note: { list: [{ note: text }] } } } },
    { extra: { [text.slice(0, 90)]: 'value-of-it' } },
  ]
}

describe('crumbs that are called clean', () => {
  it('are most of what SDKs send, and come out as they went in', () => {
    const crumbs = [
      {
        timestamp: 1.5,
        category: 'console',
        level: 'log',
        message: 'order 4711 saved in 12 ms',
        data: { arguments: ['order 4711 saved in 12 ms'], logger: 'console' },
      },
      {
        timestamp: 1795895662.329,
        type: 'http',
        category: 'fetch',
        data: {
          method: 'GET',
          url: 'https://shop.example/api/menu/drawer?page=36&sort=up',
          __span: 'b412f3a4c3445c1b',
          status_code: 200,
        },
      },
      {
        timestamp: '2026-11-21T10:00:00Z',
        category: 'navigation',
        data: { from: '/account/orders', to: '/payment/cards/81238' },
      },
      { category: 'ui.click', message: 'body > div#root > button.row-action[type="submit"]' },
      {
        type: 'default',
        category: 'xhr',
        data: { method: 'POST', url: 'http://carts.internal:8080/v1/cart', status_code: 503 },
      },
    ]
    assert.equal(checked(eventOf(...crumbs)), crumbs.length)
    assert.equal(checked(JSON.stringify({ breadcrumbs: { values: crumbs } }, null, 1)), crumbs.length)
  })

  it('hold none of the secrets that are known, in whatever place', () => {
    for (const secret of SECRETS) for (const place of placesOf(secret)) checked(eventOf(place))
    for (const secret of SECRETS) for (const part of partsOf(secret)) checked(JSON.stringify(part))
  })

  it('hold none of the labelled set, in whatever place', { skip }, () => {
    for (const line of labelled()) checked(eventOf(...placesOf(line)))
    // Every line in one of the places, each place for many lines.
    for (const [at, line] of labelled().entries()) {
      const parts = partsOf(line)
      checked(JSON.stringify(parts[at % parts.length]))
    }
  })

  it('hold no words that open a wallet, wherever a text of small words begins', () => {
    const seed = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const around = ['', 'ok ', 'a connection was closed by its peer at last; ', 'restored with ', 'X, ']
    for (const before of around)
      for (const after of ['', ' is what it said', '. Then no more of it was heard of'])
        for (const said of [seed, seed.replaceAll(' ', ', '), seed.replaceAll(' ', ',')]) {
          const text = before + said + after
          assert.equal(checked(eventOf({ message: text }, { data: { note: text } })), 0, text)
          assert.ok(
            !JSON.stringify(read(eventOf({ message: text }), scrubber, scans.module).event).includes(
              'sausage',
            ),
          )
        }
    const prose =
      'Could not save the order of a customer: it is in use by one of the other workers, so try again'
    assert.equal(checked(eventOf({ message: prose })), 1)
  })

  it('are those of this project’s own names', () => {
    const crumbs = [
      { data: { colour: 'red-4711', url: 'https://shop.example/?colour=red' } },
      { data: { password: 'x1-red' } },
    ]
    const options: readonly Partial<ScrubOptions>[] = [
      {},
      { extraKeys: ['colour'] },
      { allowedKeys: ['password'] },
      { extraKeys: ['4711'] },
      { clientAddress: 'drop' },
    ]
    const scrubbers = options.map((own) => createScrubber({ ...DEFAULTS, ...own }))
    for (let round = 0; round < 3; round++) for (const by of scrubbers) checked(eventOf(...crumbs), by)
    assert.equal(checked(eventOf(...crumbs), scrubbers[0]), 1)
    assert.equal(checked(eventOf(...crumbs), scrubbers[1]), 0)
  })

  it('hold no client address that goes', () => {
    const by = createScrubber({ ...DEFAULTS, clientAddress: 'truncate' })
    assert.equal(checked(eventOf({ message: 'GET from 198.51.100.7' }), by), 1)
    const { event } = read(eventOf({ message: `from ${ADDRESS} it came` }), by, scans.module)
    assert.equal(event.breadcrumbs?.values[0]?.message, 'from 203.0.113.0 it came')
    checked(eventOf({ message: `from ${ADDRESS} it came`, data: { ip: '198.51.100.7' } }), by)
  })
})

describe('what is not told', () => {
  const secret = { message: `password=${CANARY}` }
  const clean = { message: 'saved', data: { note: 'a note of it' } }
  const list = JSON.stringify([secret])
  for (const [name, json] of [
    [
      'a list within another field',
      `{"extra":{"breadcrumbs":[${JSON.stringify(clean)}]},"breadcrumbs":${list}}`,
    ],
    ['a second list', `{"breadcrumbs":[${JSON.stringify(clean)}],"breadcrumbs":${list}}`],
    [
      'a list whose name is written with escapes',
      `{"breadcrumbs":[${JSON.stringify(clean)}],"bread\\u0063rumbs":${list}}`,
    ],
    [
      'a second list of values',
      `{"breadcrumbs":{"values":[${JSON.stringify(clean)}],"val\\u0075es":${list}}}`,
    ],
    ['the older name', `{"breadcrumbs":null,"sentry.interfaces.Breadcrumbs":${list}}`],
    ['a list with a hole', `{"breadcrumbs":[null,${JSON.stringify(clean)},${JSON.stringify(secret)}]}`],
    ['one crumb alone', `{"breadcrumbs":${JSON.stringify(secret)}}`],
    ['a key named twice', `{"breadcrumbs":[{"message":"password=${CANARY}","message":"saved"}]}`],
    [
      'a key named twice, the secret last',
      `{"breadcrumbs":[{"message":"saved","message":"password=${CANARY}"}]}`,
    ],
    ['a key with an escape', `{"breadcrumbs":[{"data":{"pass\\u0077ord":"${CANARY}"}}]}`],
    ['a text with an escape', `{"breadcrumbs":[{"message":"pass\\u0077ord=${CANARY}"}]}`],
    ['a number of a card', '{"breadcrumbs":[{"data":{"note":4111111111111111}}]}'],
    ['a number of a card as a power', '{"breadcrumbs":[{"data":{"note":4111111111111111e0}}]}'],
    ['a number of a card as a message', '{"breadcrumbs":[{"message":4111111111111111}]}'],
    ['an object as a message', `{"breadcrumbs":[{"message":{"note":{"password":"${CANARY}"}}}]}`],
    ['a field that nobody reads', `{"breadcrumbs":[{"message":"saved","note":"password=${CANARY}"}]}`],
    [
      'bags within bags',
      `{"breadcrumbs":[{"data":${'{"a":'.repeat(12)}{"password":"${CANARY}"}${'}'.repeat(12)}}]}`,
    ],
  ] as const)
    it(`${name} is left to the walk`, () => {
      checked(json)
      const { event } = read(json, scrubber, scans.module)
      assert.ok(!JSON.stringify(event.breadcrumbs).includes(CANARY))
    })

  for (const [name, json] of [
    [
      'contexts whose names stand in another order once parsed',
      `{"contexts":{"app":{"note":"a"},"7":{"password":"${CANARY}"}}}`,
    ],
    [
      'contexts named twice',
      `{"contexts":{"app":{"password":"${CANARY}"},"os":{"note":"a"},"app":{"note":"b"}}}`,
    ],
    [
      'two lists of contexts',
      `{"contexts":{"app":{"note":"a"}},"contexts":{"app":{"password":"${CANARY}"}}}`,
    ],
    ['the older name of contexts', `{"sentry.interfaces.Contexts":{"app":{"password":"${CANARY}"}}}`],
    ['a context whose name is a secret’s', `{"contexts":{"password":{"note":"${CANARY}"}}}`],
    ['a context that takes its name for a type', `{"contexts":{"password":{"value":"${CANARY}"}}}`],
    ['a context that is a text', `{"contexts":{"app":"password=${CANARY}"}}`],
    ['two bags of what an app adds', `{"extra":{"note":"a"},"extra":{"password":"${CANARY}"}}`],
    ['two bags, the secret first', `{"extra":{"password":"${CANARY}"},"extra":{"note":"a"}}`],
    [
      'parameters beside a statement',
      `{"extra":{"sql":"insert into users (password) values (?)","params":["${CANARY}"]}}`,
    ],
    [
      'a header by its name',
      `{"request":{"headers":{"x-api-key":"${CANARY}${CANARY}","accept":"text/html,application/xml;q=0.9"}}}`,
    ],
    [
      'a text that stands in a bag by a secret’s name too',
      `{"message":"${CANARY} was here, and gone","extra":{"password":"${CANARY} was here, and gone"}}`,
    ],
    [
      'the same text under a secret’s name of a header',
      `{"request":{"url":"https://shop.example/${CANARY}","headers":{"cookie":"https://shop.example/${CANARY}"}}}`,
    ],
  ] as const)
    it(`${name} is left to the walk`, () => {
      checked(json)
      const { event } = read(json, scrubber, scans.module)
      assert.equal(JSON.stringify(event), JSON.stringify(read(json, scrubber, null).event))
      if (!json.includes('was here') && !json.includes('cookie'))
        assert.ok(!JSON.stringify(event).includes(CANARY))
    })

  it('tells of times, ids and headers as browsers send them', () => {
    const json = JSON.stringify({
      contexts: {
        app: { app_start_time: '2026-11-21T10:45:30.886Z' },
        trace: { trace_id: 'c04eaf40bfe145a22b86f05dc20f521b', span_id: '7c0998ff81506946' },
      },
      extra: { note: 'a note', at: '2026-11-21T10:45:30.886Z' },
      request: {
        url: 'https://shop.example/cart/order-summary/360343',
        headers: {
          Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
          'Accept-Language': 'en-US,en;q=0.9',
        },
      },
      exception: {
        values: [{ type: 'Error', value: 'Cannot complete order 1403: menu 32a377d8 is missing' }],
      },
    })
    checked(json)
    const verdicts = scans.module.of(Buffer.from(json), scrubber.keys)
    assert.deepEqual([...(verdicts?.contexts ?? [])], [1, 1])
    assert.equal(verdicts?.isExtraClean, true)
    assert.equal(verdicts.texts.size, 4)
    const times = createScrubber({ ...DEFAULTS, extraKeys: ['11t10'] })
    assert.equal(scans.module.of(Buffer.from(json), times.keys), null)
  })

  it('is taken out as the walk does it, whatever stands in a part', () => {
    const words =
      'password,token,name,value,type,data,arguments,url,key,state,query,default,colour,to,from'.split(',')
    const piece = fc.oneof(
      fc.constantFrom(
        ...SECRETS,
        ...words,
        ...'= : " \' \\ & % { } [ ] ( ) < > , ; ? / // :// @ - -- . |'.split(' '),
      ),
      fc.constantFrom(
        ' ',
        '\n',
        '[type="submit"]',
        '4111111111111111',
        'DE89370400440532013000',
        'é',
        'sk_live_4711aB',
      ),
      fc.stringMatching(/^[A-Za-z0-9]{1,24}$/),
    )
    const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
    const key = fc.oneof(fc.constantFrom(...words), text)
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.maxSafeNat(),
        fc.boolean(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).any
    const crumb = fc.record(
      {
        type: text,
        category: fc.oneof(fc.constantFrom('ui.input', 'console'), text),
        message: text,
        data: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
        timestamp: value,
      },
      { requiredKeys: [] },
    )
    const bag = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true })
    const event = fc.record(
      {
        breadcrumbs: fc.array(crumb, { maxLength: 4 }),
        contexts: fc.dictionary(key, bag, { maxKeys: 3, noNullPrototype: true }),
        extra: bag,
        message: text,
        exception: fc.array(fc.record({ type: text, value: text, mechanism: bag }), { maxLength: 2 }),
        request: fc.record({ url: text, headers: fc.dictionary(key, text, { noNullPrototype: true }) }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(event, (one) => void checked(JSON.stringify(one))),
      { numRuns: PROPERTY_RUNS },
    )
  })

  it('costs no time beyond its length, and no room', () => {
    for (const unit of ['a', 'a=', ':', '"', '\\', '{', '[', '{"a":', '["a",', '{"b":1,', 'a_1', 'x=y&', '-'])
      for (const json of [eventOf({ message: unit.repeat(40_000 / unit.length) }), deep(unit)]) {
        const startedMs = cpuMs()
        scans.module.of(Buffer.from(json), scrubber.keys)
        assert.ok(cpuMs() - startedMs < 250, JSON.stringify(unit))
      }
    const names = Array.from({ length: 20_000 }, (_, at) =>
      eventOf({ data: { [`name${at}`]: 'v', [`${at}n`]: 'v' } }),
    )
    for (const json of names)
      for (const scan of Object.values(scans)) scan.of(Buffer.from(json), scrubber.keys)
    assert.equal(checked(eventOf({ message: 'saved', data: { note: 'of it' } })), 1)
    assert.equal(scans.module.of(Buffer.from(eventOf({ message: 'x'.repeat(300_000) })), scrubber.keys), null)
  })
})

/** Nests a unit as valid JSON, as deep as a parser takes. */
function deep(unit: string): string {
  if (!unit.startsWith('{') && !unit.startsWith('[')) return eventOf({ data: { [unit]: unit } })
  const closing = unit.startsWith('{') ? '}' : ']'
  const opening = unit.endsWith(':') || unit.endsWith(',') ? unit : unit === '{' ? '{"a":' : unit
  const [inner, count] = ['1', 900]
  const rest = opening === '{"b":1,' ? '"c":' : ''
  return `{"breadcrumbs":[{"data":${`${opening}${rest}`.repeat(count)}${inner}${closing.repeat(count)}}]}`
}

/** Lines of the labelled set with characters for what is made up. */
function labelled(): readonly string[] {
  const letters = 'q7Zk2Wv9Xb4Tn6Rm1Ls8'
  return (
    readdirSync(FIXTURES)
      .flatMap((file) => readFileSync(new URL(file, FIXTURES), 'utf8').split('\n'))
      .filter((line) => line.trim() !== '' && !line.startsWith('# '))
      // Behind what some files say of it first, the text begins.
      .flatMap((line) => [line, ...(line.includes(' | ') ? [line.split(' | ').slice(2).join(' | ')] : [])])
      .map((line) =>
        line
          .replace(/[«»^]/g, '')
          .replace(/\[([hHdaulUwb]) (\d+)\]/g, (_, kind: string, count: string) =>
            (kind === 'd' ? '48151623' : kind === 'h' ? '4f8c2a9e' : letters)
              .repeat(20)
              .slice(0, Number(count)),
          ),
      )
  )
}

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import * as v from 'valibot'
import { DAY_MS, MINUTE_MS } from '#base/durations.ts'
import { KIND_LIST, kindsOf } from '#kinds/kinds.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { NOW } from '#testing/builders/times.ts'
import { note } from '#testing/kinds/note/index.ts'
import { reading } from '#testing/kinds/reading/index.ts'
import { callerOf, openShop, sendEnvelope, URL_HERE } from '#testing/worlds/api.ts'

const KINDS = kindsOf([...KIND_LIST, note, reading])
const EVENTS = 'GET /organizations/acme/events/?dataset=notes'

type Data = readonly Readonly<Record<string, unknown>>[]

/** The rows of an answer; fails with the answer where it has none. */
function dataOf({ status, body }: { readonly status: number; readonly body: unknown }): Data {
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data))
  return body.data
}

/** The sentences of a refusal, whatever field they are of. */
function sentenceOf({ status, body }: { readonly status: number; readonly body: unknown }): string {
  assert.equal(status, 400, JSON.stringify(body))
  return JSON.stringify(body)
}

async function aShop(t: TestContext) {
  const shop = await openShop({ kinds: KINDS })
  t.after(() => shop.close())
  const call = callerOf(shop)
  const send = (...notes: readonly Readonly<Record<string, unknown>>[]) =>
    sendEnvelope(shop, shop.dsn, envelopeOf(...notes.map((each) => ['note', each] as const)))
  const ask = (query: string, who: Parameters<typeof call>[0] = shop.token) => call(who, `${EVENTS}&${query}`)
  let ids = 0
  /** Readings of a meter, each with an id of its own. */
  const sendReadings = (...readings: readonly Readonly<Record<string, unknown>>[]) =>
    sendEnvelope(
      shop,
      shop.dsn,
      envelopeOf(
        ...readings.map((each) => {
          const id = (++ids).toString(16).padStart(32, '0')
          return ['reading', { id, meter: 'north', timestamp: at(1), ...each }] as const
        }),
      ),
    )
  const found = async (query: string, who: Parameters<typeof call>[0] = shop.token) =>
    dataOf(await ask(`field=text&query=${encodeURIComponent(query)}`, who)).map(({ text }) => text)
  return { ...shop, call, send, sendReadings, ask, found }
}

const at = (minutes: number) => (NOW - minutes * MINUTE_MS) / 1_000
const FOX = {
  ...{ text: 'The red fox', level: 'warning', timestamp: at(5), environment: 'production' },
  ...{ attributes: { colour: 'red', size: 3, 'a=b': 'c*d' }, user: { id: '7', email: 'Ada@Shop.example' } },
}
const WHALE = { text: 'A blue whale', level: 'info', timestamp: at(1), attributes: { colour: 'blue' } }

describe('rows of a stranger’s kind', () => {
  it('are found by word, field, attribute, person and time', async (t) => {
    const { send, found } = await aShop(t)
    await send(FOX, WHALE)
    const both = ['A blue whale', 'The red fox']
    for (const [query, texts] of [
      ['', both],
      ['FOX', ['The red fox']],
      ['"red fox"', ['The red fox']],
      ['r*fox', ['The red fox']],
      ['!fox', ['A blue whale']],
      ['text:blue', ['A blue whale']],
      ['level:warning', ['The red fox']],
      ['!level:warning', ['A blue whale']],
      ['level:[info, warning] (fox OR whale)', both],
      ['!level:[info, warning]', []],
      ['colour:blue', ['A blue whale']],
      ['colour:Blue', []],
      ['colour:b*', ['A blue whale']],
      ['!colour:red', ['A blue whale']],
      ['size:3', ['The red fox']],
      ['has:size', ['The red fox']],
      ['!has:size', ['A blue whale']],
      ['tags[a=b]:c\\*d', ['The red fox']],
      ['tags[a=b]:c\\*e', []],
      ['environment:production', ['The red fox']],
      ['has:environment', ['The red fox']],
      ['has:user.email', ['The red fox']],
      ['!has:user.email', ['A blue whale']],
      ['has:project', both],
      ['user:ada@shop.example', ['The red fox']],
      ['user.id:7', ['The red fox']],
      ['user:id:7', ['The red fox']],
      ['user.id:8', []],
      ['user:*', ['The red fox']],
      ['timestamp:-2m', ['A blue whale']],
      ['timestamp:+2m', ['The red fox']],
      [`timestamp:>=${new Date(NOW - MINUTE_MS).toISOString()}`, ['A blue whale']],
      [`timestamp:>${new Date(NOW - MINUTE_MS).toISOString()}`, []],
      [`timestamp:<${new Date(NOW - 5 * MINUTE_MS).toISOString()}`, []],
      [`timestamp:<=${new Date(NOW - 5 * MINUTE_MS).toISOString()}`, ['The red fox']],
      ['nothing:here', []],
    ] as const)
      assert.deepEqual(await found(query), texts, query)
  })

  it('answer every field where none is named, and any attribute by its key', async (t) => {
    const { send, ask } = await aShop(t)
    await send(FOX)
    assert.deepEqual(dataOf(await ask('')), [
      {
        ...{ timestamp: new Date(NOW - 5 * MINUTE_MS).toISOString(), received: new Date(NOW).toISOString() },
        ...{ project: 'shop', 'project.id': 1, user: 'id:7', text: 'The red fox', level: 'warning' },
        environment: 'production',
        attributes: { 'a=b': 'c*d', colour: 'red', size: '3' },
      },
    ])
    assert.deepEqual(dataOf(await ask('field=colour&field=tags[size]&field=LEVEL')), [
      { colour: 'red', 'tags[size]': '3', LEVEL: 'warning' },
    ])
  })

  it('are asked for by another name of their dataset, and say attributes with a type as their values', async (t) => {
    const { send, call, token } = await aShop(t)
    const attributes = {
      plan: { type: 'string', value: 'gold' },
      size: { type: 'integer', value: 3 },
      odd: { type: 7, value: 1 },
    }
    await send({ text: 'typed', attributes })
    const get = async (path: string) => call(token, `GET /organizations/acme/${path}`)
    const [row] = dataOf(await get('events/?dataset=remarks&field=attributes&query=plan:gold'))
    assert.deepEqual(row, { attributes: { plan: 'gold', size: '3', odd: '{"type":7,"value":1}' } })
    const keys = await get('search-completions/?dataset=remarks&key=&prefix=pl')
    assert.deepEqual(keys.body, [{ text: 'plan', count: 1 }])
    assert.match(JSON.stringify((await get('tags/?dataset=remarks')).body), /"key":"plan"/)
  })

  it('come in pages without a gap or a repeat, however many are alike, in either order', async (t) => {
    const { send, ask } = await aShop(t)
    const texts = Array.from({ length: 23 }, (_, index) => `note ${index % 5}`)
    await send(...texts.slice(0, 12).map((text) => ({ text, level: 'info', timestamp: at(3) })))
    await send(...texts.slice(12).map((text) => ({ text, level: 'error', timestamp: at(3) })))
    for (const sort of ['-timestamp', 'timestamp', 'level', '-text', 'environment', 'received']) {
      for (const limit of [1, 4, 22, 23]) {
        const all: unknown[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const answer = await ask(`field=text&sort=${sort}&limit=${limit}&cursor=${cursor}`)
          all.push(...dataOf(answer).map(({ text }) => text))
          assert.ok(all.length <= texts.length, `${sort} ${limit}`)
          cursor = /results="true"; cursor="([^"]+)"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
        }
        assert.deepEqual(all.toSorted(), texts.toSorted(), `${sort} ${limit}`)
      }
    }
    const levels = dataOf(await ask('field=level&sort=level')).map(({ level }) => level)
    assert.deepEqual(levels, levels.toSorted())
  })

  it('come in pages by an attribute of the longest name, in any script', async (t) => {
    const { send, ask } = await aShop(t)
    const key = '鍵'.repeat(200)
    const values = ['值'.repeat(80), `${'值'.repeat(59)}a`, '😀'.repeat(70)]
    await send(...values.map((value) => ({ text: value.slice(0, 2), attributes: { [key]: value } })))
    const seen: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const sort = encodeURIComponent(`tags[${key}]`)
      const answer = await ask(`field=text&sort=${sort}&limit=1&cursor=${cursor}`)
      seen.push(...dataOf(answer).map(({ text }) => text))
      cursor = /results="true"; cursor="([^"]+)"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    assert.deepEqual(seen.toSorted(), values.map((value) => value.slice(0, 2)).toSorted())
  })

  it('are refused with a sentence where a question is none', async (t) => {
    const { send, ask, call, token } = await aShop(t)
    await send(FOX, WHALE)
    const refused = async (query: string) => sentenceOf(await ask(query))
    assert.match(await refused('field=nonsense'), /notes have no field “nonsense”.*tags\[nonsense\]/)
    assert.match(await refused('field=leve'), /Did you mean level\?/)
    assert.match(await refused('field=text&sort=nonsense'), /no field “nonsense”/)
    assert.match(await refused('field=text&sort=attributes'), /cannot be sorted by attributes/)
    assert.match(await refused('field=text&query=level:loud'), /level.*takes fatal, error/)
    assert.match(await refused('field=text&query=timestamp:yesterday'), /takes a time/)
    assert.match(await refused('field=text&query=(fox'), /not closed/)
    assert.match(await refused('field=median(size)'), /is no figure/)
    assert.match(await refused('field=avg(level)'), /is no number/)
    assert.match(await refused('field=level&field=count()&sort=text'), /One of the fields/)
    assert.match(await refused('field=text&cursor=abc'), /not one that this list gave/)
    const next = (await ask('field=text&limit=1')).headers.get('link') ?? ''
    const cursor = /cursor="([^"]+)"$/.exec(next)?.[1] ?? ''
    assert.match(await refused(`field=text&sort=text&cursor=${cursor}`), /another order/)
    // What stands in a cursor is checked as well: a time is no text, and a text no time.
    const forged = (place: readonly unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')
    for (const [by, value] of [
      ['timestamp', 'yesterday'],
      ['timestamp', true],
      ['text', 7],
      ['text', ['a']],
    ] as const) {
      const place = forged(['notes', by, 0, value, 1, 1])
      assert.match(await refused(`field=text&sort=${by}&cursor=${place}`), /not one that this list gave/)
    }
    const sessions = '/organizations/acme/events/?dataset=sessions&field=release'
    assert.match(sentenceOf(await call(token, `GET ${sessions}&cursor=${cursor}`)), /another dataset/)
    assert.match(
      sentenceOf(await call(token, `GET ${sessions}&query=relase:1`)),
      /“relase” is no field of sessions/,
    )
    const none = await call(token, 'GET /organizations/acme/events/?dataset=nothing&field=text')
    assert.match(sentenceOf(none), /Errata has no nothing: one of errors.*notes/)
  })

  it('take hostile names, values and depths for what they are', async (t) => {
    const { send, ask, found } = await aShop(t)
    await send({ text: `'; DROP TABLE rows; --`, attributes: { 'x"\'; --': '1' } }, WHALE)
    assert.deepEqual(await found(`"'; DROP TABLE"`), [`'; DROP TABLE rows; --`])
    assert.deepEqual(await found(`tags[x"';--]:1`), [])
    for (const name of [`"'; DROP TABLE rows; --`, 'rows.seq', '__proto__', 'constructor', 'a'.repeat(5_000)])
      assert.match(sentenceOf(await ask(`field=${encodeURIComponent(name)}`)), /have no field/)
    assert.deepEqual(await found('constructor:x OR __proto__:y'), [])
    const deep = `${'('.repeat(40)}fox${')'.repeat(40)}`
    assert.match(sentenceOf(await ask(`field=text&query=${encodeURIComponent(deep)}`)), /at most/)
    const wide = Array.from({ length: 60 }, (_, index) => `a${index}:b`).join(' ')
    assert.match(sentenceOf(await ask(`field=text&query=${encodeURIComponent(wide)}`)), /more than/)
    assert.match(
      sentenceOf(await ask(Array.from({ length: 51 }, (_, at) => `field=a${at}`).join('&'))),
      /At most 50/,
    )
  })

  it('are seen by those alone who may read their project', async (t) => {
    const { accept, drain, vaultDsn, found, people, call, token } = await aShop(t)
    await sendEnvelope({ accept, drain }, vaultDsn, envelopeOf(['note', { text: 'a secret note' }]))
    assert.deepEqual(await found(''), ['a secret note'])
    const ofAll = await call(token, 'GET /organizations/acme/tags/?dataset=notes')
    assert.match(JSON.stringify(ofAll.body), /"key":"text","name":"Text","totalValues":1/)
    for (const who of [people.member, people.viewer, people.guest]) {
      assert.deepEqual(await found('', who), [], who.email)
      const counted = dataOf(await call(who, `${EVENTS}&field=count()`))
      assert.deepEqual(counted, [{ 'count()': 0 }], who.email)
      const values = await call(who, 'GET /organizations/acme/tags/level/values/?dataset=notes')
      assert.deepEqual(values.body, [], who.email)
      const keys = await call(who, 'GET /organizations/acme/tags/?dataset=notes')
      assert.match(JSON.stringify(keys.body), /"key":"text","name":"Text","totalValues":0/, who.email)
    }
    assert.equal((await call(people.rival, `${EVENTS}&field=text`)).status, 404)
    assert.equal((await call(null, `${EVENTS}&field=text`)).status, 401)
    const chosen = await call(people.member, `${EVENTS}&field=text&project=vault`)
    assert.notEqual(chosen.status, 200)
  })

  it('are counted by fields, attributes and steps of time', async (t) => {
    const { send, ask, call, token } = await aShop(t)
    await send(FOX, WHALE, { ...WHALE, timestamp: at(2) }, { ...WHALE, attributes: {} })
    assert.deepEqual(dataOf(await ask('field=level&field=count()&sort=-count()')), [
      { level: 'info', 'count()': 3 },
      { level: 'warning', 'count()': 1 },
    ])
    assert.deepEqual(dataOf(await ask('field=colour&field=count()&sort=-count()')), [
      { colour: 'blue', 'count()': 2 },
      { colour: 'red', 'count()': 1 },
      { colour: null, 'count()': 1 },
    ])
    const figures =
      'field=count()&field=count_unique(user)&field=count_unique(tags[colour])&field=last_seen()'
    assert.deepEqual(dataOf(await ask(figures)), [
      {
        ...{ 'count()': 4, 'count_unique(user)': 1, 'count_unique(tags[colour])': 2 },
        'last_seen()': new Date(NOW - MINUTE_MS).toISOString(),
      },
    ])
    const series = 'dataset=notes&statsPeriod=10m&interval=1m&topEvents=5'
    const stats = await call(token, `GET /organizations/acme/events-stats/?${series}&field=level`)
    assert.deepEqual(pointsOf(stats.body, 'info'), [
      [(NOW - 2 * MINUTE_MS) / 1_000, 1],
      [(NOW - MINUTE_MS) / 1_000, 2],
    ])
    assert.deepEqual(pointsOf(stats.body, 'warning'), [[(NOW - 5 * MINUTE_MS) / 1_000, 1]])
    const named = await call(token, `GET /organizations/acme/events-timeseries/?${series}&groupBy=level`)
    assert.match(JSON.stringify(named.body), /"groupBy":\[\{"key":"level","value":"info"\}\]/)
  })

  it('have percentiles within 1 % of the value, however many files and whatever sign', async (t) => {
    const { sendReadings, call, token, clock } = await aShop(t)
    const names = ['p50', 'p75', 'p90', 'p95', 'p99'] as const
    const asked = async (field: string, query = '') => {
      const fields = names.map((name) => `field=${name}(${field})`).join('&')
      const path = `/organizations/acme/events/?dataset=readings&statsPeriod=30d&${fields}&query=${query}`
      const [row = {}] = dataOf(await call(token, `GET ${path}`))
      return names.map((name) => row[`${name}(${field})`])
    }
    assert.deepEqual(await asked('took'), [null, null, null, null, null])
    await sendReadings({ celsius: 17, took: 30 })
    assert.deepEqual(await asked('took'), [30, 30, 30, 30, 30])
    assert.deepEqual(await asked('celsius'), [17, 17, 17, 17, 17])
    // 1 to 100, in files of two days of receipt, and one row without a value.
    clock.advance(DAY_MS)
    const others = Array.from({ length: 100 }, (_, index) => index + 1).filter((took) => took !== 30)
    await sendReadings(...others.map((took) => ({ celsius: took - 51, took, meter: 'south' })))
    await sendReadings({ celsius: 0 })
    const close = (values: readonly unknown[], exact: readonly number[]) =>
      values.every((value, index) => {
        const wanted = exact[index] ?? Number.NaN
        return Math.abs(Number(value) - wanted) <= Math.abs(wanted) * 0.0101
      })
    const took = await asked('took')
    assert.ok(close(took, [50, 75, 90, 95, 99]), JSON.stringify(took))
    for (const value of took)
      assert.match(String(value), /^\d+(?:\.\d{1,2})?$/, 'no more digits than say something')
    const cold = await asked('celsius', 'celsius:<0')
    assert.ok(close(cold, [-26, -13, -6, -4, -2]), JSON.stringify(cold))
    // Of 101 numbers, of which one is nothing, the middle one.
    assert.deepEqual((await asked('celsius'))[0], 0)
    const meta = await call(token, 'GET /organizations/acme/events/?dataset=readings&field=p95(took)')
    assert.match(JSON.stringify(meta.body), /"fields":\{"p95\(took\)":"duration"\}/)
    for (const [field, sentence] of [
      ['p95(meter)', /meter is no number/],
      ['p95(due)', /due is no number/],
      ['p96(took)', /is no figure/],
      ['p95()', /no field/],
    ] as const) {
      const refused = await call(token, `GET /organizations/acme/events/?dataset=readings&field=${field}`)
      assert.match(sentenceOf(refused), sentence)
    }
  })

  it('count an empty text as no value', async (t) => {
    const { sendReadings, call, token } = await aShop(t)
    await sendReadings({ celsius: 1, meter: '' }, { celsius: 2, meter: '' }, { celsius: 3 })
    const path = '/organizations/acme/events/?dataset=readings&field=count_unique(meter)&field=count()'
    assert.deepEqual(dataOf(await call(token, `GET ${path}`)), [{ 'count_unique(meter)': 1, 'count()': 3 }])
  })

  it('are checked before they are asked for as they are when they are', async (t) => {
    const { send, sendReadings, call, token } = await aShop(t)
    await send(FOX)
    await sendReadings({ celsius: 1 })
    for (const [dataset, field] of [
      ['notes', 'level'],
      ['notes', 'colour'],
      ['notes', 'tags[anything]'],
      ['notes', 'nonsense'],
      ['notes', 'count()'],
      ['notes', 'count(level)'],
      ['notes', 'sum(level)'],
      ['notes', 'median(size)'],
      ['notes', 'p95(level)'],
      ['notes', 'epm()'],
      ['readings', 'p95(took)'],
      ['readings', 'p95(meter)'],
      ['readings', 'count_unique(nonsense)'],
      ['readings', 'nonsense'],
    ] as const) {
      const query = `dataset=${dataset}&field=${encodeURIComponent(field)}`
      const { status } = await call(token, `GET /organizations/acme/events/?${query}`)
      const check = await call(token, `GET /organizations/acme/events/validate/?${query}`)
      assert.match(
        JSON.stringify(check.body),
        new RegExp(`"valid":${status === 200},`),
        `${dataset} ${field}`,
      )
    }
    for (const [count, isValid] of [
      [49, true],
      [50, true],
      [51, false],
    ] as const) {
      const fields = Array.from({ length: count }, (_, nth) => `field=tags[a${nth}]`).join('&')
      const check = await call(token, `GET /organizations/acme/events/validate/?dataset=notes&${fields}`)
      assert.match(JSON.stringify(check.body), new RegExp(`"valid":${isValid},`), String(count))
    }
  })

  it('have facets, attributes, a check of a search, and a file of all', async (t) => {
    const { send, call, token, api } = await aShop(t)
    await send(FOX, WHALE)
    const get = async (path: string) => (await call(token, `GET /organizations/acme/${path}`)).body
    const values = async (path: string) => {
      const body = await get(`tags/${path}`)
      assert.ok(Array.isArray(body), JSON.stringify(body))
      return body.map(({ value, count }: { value: string; count: number }) => [value, count])
    }
    assert.deepEqual(await values('colour/values/?dataset=notes'), [
      ['blue', 1],
      ['red', 1],
    ])
    assert.deepEqual(await values('colour/values/?dataset=notes&query=R'), [['red', 1]])
    assert.deepEqual(await values('level/values/?dataset=notes&query=w'), [['warning', 1]])
    assert.match(
      JSON.stringify(await get('tags/?dataset=notes')),
      /"key":"colour","name":"Colour","totalValues":2/,
    )
    assert.match(
      JSON.stringify(await get('trace-items/attributes/?itemType=notes')),
      /"key":"text","name":"text","attributeType":"string"/,
    )
    assert.match(
      JSON.stringify(await get('events/validate/?dataset=notes&query=level:loud')),
      /"valid":false/,
    )
    assert.match(JSON.stringify(await get('events/validate/?dataset=notes&query=level:info')), /"valid":true/)
    const file = async (query: string) => {
      const request = new Request(`${URL_HERE}/api/0/organizations/acme/events/?dataset=notes&${query}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const text = await (await api(request, { clientAddress: null }))?.text()
      return text?.trim().split(/\r?\n/) ?? []
    }
    assert.deepEqual(await file('field=level&field=text&field=tags[colour]&format=csv'), [
      'level,text,tags[colour]',
      'info,A blue whale,blue',
      'warning,The red fox,red',
    ])
    const all = await file('format=csv')
    assert.match(all[0] ?? '', /^timestamp,received,project,/)
    assert.equal(all.length, 3)
  })

  it('are found and counted by agents, without whom they are of', async (t) => {
    const { send, mcp, token } = await aShop(t)
    await send(FOX, WHALE)
    const tool = async (args: object) => {
      const request = new Request(`${URL_HERE}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'find_rows', arguments: args },
        }),
      })
      const answer: unknown = await (await mcp(request, { clientAddress: null }))?.json()
      return JSON.stringify(answer)
    }
    assert.match(
      await tool({}),
      /notes: timestamp \(time\).*level \(fatal, error.*and attributes by their keys/,
    )
    const fox = await tool({ dataset: 'notes', query: 'colour:red fox' })
    assert.match(fox, /text: The red fox \| level: warning.*colour=red/)
    assert.ok(!/whale|ada|id:7/i.test(fox), fox)
    const counted = await tool({ dataset: 'notes', fields: ['level', 'count()'], every: '1m' })
    assert.match(counted, /level: warning \| count\(\): 1/)
    for (const name of ['user', 'User', 'u_ser', 'user-', 'tags[user]', 'u-ser.email'])
      assert.match(await tool({ dataset: 'notes', fields: [name] }), /users are not passed on/, name)
    assert.match(await tool({ dataset: 'notes', fields: ['nonsense'] }), /have no field/)
    assert.match(await tool({ dataset: 'nope' }), /There is no dataset nope: one of/)
    assert.match(await tool({ dataset: 'notes', query: 'level:loud' }), /takes fatal/)
  })

  it('complete a search while it is typed', async (t) => {
    const { send, queries, people } = await aShop(t)
    await send(FOX, WHALE, WHALE)
    const scope = await people.member.scope()
    const offered = async (key: string | null, prefix: string, dataset = 'notes') =>
      (await queries.datasetSuggestions(scope, { dataset, key, prefix, projects: null })).map(
        ({ text, count }) => (count === null ? text : `${text} ${count}`),
      )
    assert.deepEqual(await offered(null, 'le'), ['level'])
    assert.deepEqual(await offered(null, 'col'), ['colour 3'])
    assert.deepEqual(await offered('level', 'w'), ['warning 1'])
    assert.deepEqual(await offered('colour', ''), ['blue 2', 'red 1'])
    assert.deepEqual(await offered('has', 'si'), ['size 1'])
    assert.deepEqual(await offered('user', ''), ['7 1'])
    assert.deepEqual(await offered('timestamp', ''), ['-1h', '-24h', '-7d'])
    assert.deepEqual(await offered('duration', '>1', 'sessions'), ['>1s'])
  })

  it('keep no secret', async (t) => {
    const { send, ask } = await aShop(t)
    await send({ text: 'password=hunter2-abc is out', attributes: { api_key: 'abc-123-xyz' } })
    const text = JSON.stringify(dataOf(await ask('')))
    assert.ok(text.includes('is out') && !text.includes('hunter2') && !text.includes('abc-123'), text)
  })
})

/** Steps of a series in which anything was counted. */
function pointsOf(body: unknown, name: string): readonly unknown[] {
  assert.ok(typeof body === 'object' && body !== null, JSON.stringify(body))
  const series: unknown = Object.entries(body).find(([key]) => key === name)?.[1]
  const read = v.parse(
    v.object({ data: v.array(v.tuple([v.number(), v.tuple([v.object({ count: v.number() })])])) }),
    series,
  )
  return read.data.flatMap(([atS, [{ count }]]) => (count === 0 ? [] : [[atS, count]]))
}

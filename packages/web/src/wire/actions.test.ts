import assert from 'node:assert/strict'
import { test } from 'node:test'
import { max } from '@errata/server/limits'
import { createPageHandler } from './page-handler.ts'
import { sampleAssets, sampleTables } from './sample-app.test.support.ts'
import { SAMPLE_SESSION, SAMPLE_URL, type SampleOptions, sampleEngine } from './sample-engine.test.support.ts'

const BUILD = 'b1'
const SAME_ORIGIN = { Origin: SAMPLE_URL, 'Sec-Fetch-Site': 'same-origin' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

function app(options: SampleOptions = {}) {
  const { engine, reported } = sampleEngine(options)
  const handler = createPageHandler({ engine, build: BUILD, tables: sampleTables, assets: sampleAssets })
  const post = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
    handler({
      request: new Request(`${SAMPLE_URL}${path}`, { method: 'POST', headers, body }),
      clientAddress: null,
    })
  return {
    reported,
    post,
    /** Calls an action as a hydrated page does. */
    act: (name: string, input: unknown, headers: Readonly<Record<string, string>> = {}) =>
      post('/hello', JSON.stringify(input), {
        ...SAME_ORIGIN,
        'Content-Type': 'application/json',
        'Errata-Action': name,
        'Errata-Build': BUILD,
        ...headers,
      }),
    /** Submits a form as a browser without script does. */
    submit: (name: string, fields: Readonly<Record<string, string>> = {}) =>
      post(
        '/hello?x=1',
        new URLSearchParams({ 'errata-action': name, 'errata-form': 'f', ...fields }).toString(),
        {
          ...SAME_ORIGIN,
          ...FORM,
        },
      ),
  }
}

test('an action answers its result and fresh page data', async () => {
  const answer = await app().act('sample.say', { word: 'hello' })
  assert.equal(answer.status, 200)
  const { result, data } = await answer.json()
  assert.equal(result, 'hello')
  assert.ok('hello' in data && 'frame' in data)
})

test('an action that changes a part of a page answers that part and the frame', async () => {
  const { act, submit } = app()
  assert.deepEqual(await (await act('sample.change', {})).json(), {
    ...{ result: null, data: { frame: { name: 'frame' } } },
    part: { text: 'changed at /hello' },
  })
  const { data, part } = await (await act('sample.change-unread', {})).json()
  assert.deepEqual([Object.keys(data).sort(), part], [['frame', 'hello'], undefined])
  assert.equal((await submit('sample.change')).status, 303)
})

test('of another page it answers all, and of one that whoever asks may not see nothing', async () => {
  const { post } = app()
  const headers = { ...SAME_ORIGIN, 'Content-Type': 'application/json', 'Errata-Action': 'sample.change' }
  const other = await (await post('/broken', '{}', headers)).json()
  assert.deepEqual([Object.keys(other.data).sort(), other.part], [['broken', 'frame'], undefined])
  assert.deepEqual(await (await post('/acme/issues', '{}', headers)).json(), { result: null })
})

test('a broken rule names its field', async () => {
  const answer = await app().act('sample.say', { word: 'two words' })
  assert.equal(answer.status, 400)
  const { error } = await answer.json()
  assert.deepEqual([error.code, error.fields], ['invalid_input', { word: ['One word.'] }])
})

test('an action’s redirect is data for a script and 303 for a form', async () => {
  const { act, submit } = app()
  assert.deepEqual(await (await act('sample.go', {})).json(), { redirect: '/hello' })
  const plain = await submit('sample.go')
  assert.deepEqual([plain.status, plain.headers.get('Location')], [303, '/hello'])
})

test('a plain form that worked leads back to its page', async () => {
  const answer = await app().submit('sample.say', { word: 'hello' })
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, '/hello?x=1'])
})

test('a plain form that was refused is shown again with what was typed, secrets excepted', async () => {
  const answer = await app().submit('sample.say', {
    word: 'two words',
    password: 'hunter2',
    current: 'hunter3',
  })
  assert.equal(answer.status, 400)
  const html = await answer.text()
  assert.match(html, /two words/)
  assert.match(html, /One word\./)
  assert.ok(!html.includes('hunter'))
})

test('what is shown once is rendered into the page without script', async () => {
  const answer = await app().submit('sample.show')
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /shown once/)
})

test('a plain form is never refused for skew, a script of another build is', async () => {
  const { submit, act } = app()
  assert.equal((await submit('sample.say', { word: 'hello' })).status, 303)
  const stale = await act('sample.say', { word: 'hello' }, { 'Errata-Build': 'b0' })
  assert.equal(stale.status, 409)
  assert.equal((await stale.json()).error.code, 'stale_build')
})

test('nothing runs for another site', async () => {
  const { act, post } = app()
  const others: readonly Readonly<Record<string, string>>[] = [
    { Origin: 'https://evil.test' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]
  for (const headers of others) {
    const answer = await act('sample.fail', {}, headers)
    assert.equal(answer.status, 403)
    assert.equal((await answer.json()).error.code, 'cross_origin')
  }
  assert.equal((await post('/hello', 'errata-action=sample.fail', FORM)).status, 403)
})

test('behind a proxy that writes another Host over plain http, the refusal says what to do', async () => {
  const open = app({ url: null })
  const there = { Origin: 'http://errata.lan', Host: '127.0.0.1:9000' }
  const said = async (headers: Readonly<Record<string, string>>) =>
    (await open.post('/hello', 'errata-action=sample.say', { ...FORM, ...there, ...headers })).text()
  assert.match(await said({}), /have the proxy forward the Host header, or start Errata with --url\./)
  assert.ok(!(await said({ 'Sec-Fetch-Site': 'cross-site' })).includes('proxy'))
})

test('at another address than the one that was set, the refusal leads to the right one', async () => {
  const { act, post } = app()
  const there = { Origin: 'http://192.0.2.7:9000', Host: '192.0.2.7:9000', 'Sec-Fetch-Site': 'same-origin' }
  const { error } = await (await act('sample.say', { word: 'hello' }, there)).json()
  assert.deepEqual([error.code, error.address], ['cross_origin', `${SAMPLE_URL}/hello`])
  assert.ok(error.message.includes(SAMPLE_URL))
  const plain = await post('/hello?x=1', 'errata-action=sample.say&word=hello', { ...FORM, ...there })
  assert.equal(plain.status, 403)
  assert.ok((await plain.text()).includes(`<a href="${SAMPLE_URL}/hello?x=1">`))
  const evil = await post('/hello', 'errata-action=sample.say', { ...FORM, Origin: 'https://evil.test' })
  assert.ok(!(await evil.text()).includes(SAMPLE_URL))
})

test('where no address was set, the one in the browser is right', async () => {
  const { act } = app({ url: null })
  const lan = { Origin: 'http://192.0.2.7:9000', Host: '192.0.2.7:9000' }
  assert.equal((await act('sample.say', { word: 'hello' }, lan)).status, 200)
  const byHost = await act('sample.say', { word: 'hello' }, { ...lan, Host: 'errata.test' })
  assert.equal(byHost.status, 200, 'a proxy may write another Host')
  const other = { Origin: 'http://evil.test', Host: '192.0.2.7:9000', 'Sec-Fetch-Site': 'cross-site' }
  assert.equal((await act('sample.say', { word: 'hello' }, other)).status, 403)
})

test('an unexpected failure is the error page for a form and a digest for a script, reported once each', async () => {
  const { act, submit, reported } = app()
  const { error } = await (await act('sample.fail', {})).json()
  const plain = await submit('sample.fail')
  assert.equal(plain.status, 500)
  assert.ok((await plain.text()).includes(error.digest))
  assert.deepEqual(
    reported.map(({ requestKind, route }) => [requestKind, route]),
    [
      ['action', '/hello'],
      ['action', '/hello'],
    ],
  )
})

test('an unknown action is refused by name of the code', async () => {
  const { act, submit } = app()
  const answer = await act('sample.nothing', {})
  assert.equal(answer.status, 404)
  assert.equal((await answer.json()).error.code, 'action_unknown')
  assert.equal((await submit('sample.nothing')).status, 404)
})

test('an action below an organisation asks for its permission there', async () => {
  const signedIn = { Cookie: `errata=${SAMPLE_SESSION}` }
  const cases: readonly [string, SampleOptions, number][] = [
    ['/acme/issues', { permissions: [] }, 403],
    ['/other/issues', { permissions: ['issue.write'] }, 404],
    ['/hello', { permissions: ['issue.write'] }, 404],
    ['/acme/issues', { permissions: ['issue.write', 'issue.read'] }, 200],
  ]
  const headers = { ...SAME_ORIGIN, 'Content-Type': 'application/json', 'Errata-Action': 'sample.write' }
  for (const [path, options, status] of cases) {
    assert.equal((await app(options).post(path, '{}', { ...headers, ...signedIn })).status, status, path)
    assert.equal((await app(options).post(path, '{}', headers)).status, path === '/hello' ? 404 : 401, path)
  }
})

test('a body that is too large, no form or no JSON is refused before anything runs', async () => {
  const { act, post } = app()
  assert.equal((await act('sample.say', { word: 'x'.repeat(300_000) })).status, 413)
  const json = { ...SAME_ORIGIN, 'Errata-Action': 'sample.say', 'Content-Type': 'application/json' }
  assert.equal((await post('/hello', '{', json)).status, 400)
  assert.equal((await post('/hello', 'x', { ...json, 'Content-Type': 'text/plain' })).status, 400)
})

test('a long form is taken by the action that says so, from who is signed in', async () => {
  const { act } = app()
  const long = 'x'.repeat(max('formBytesMax') + 1)
  const signedIn = { Cookie: `errata=${SAMPLE_SESSION}` }
  const pasted = await act('sample.paste', { text: long }, signedIn)
  assert.equal((await pasted.json()).result, long.length)
  assert.equal((await act('sample.paste', { text: long })).status, 413)
  assert.equal((await act('sample.say', { word: long }, signedIn)).status, 413)
})

test('multipart forms are read like the others', async () => {
  const form = new FormData()
  form.set('errata-action', 'sample.say')
  form.set('word', 'hello')
  const { engine } = sampleEngine()
  const handler = createPageHandler({ engine, build: BUILD, tables: sampleTables, assets: sampleAssets })
  const request = new Request(`${SAMPLE_URL}/hello`, { method: 'POST', headers: SAME_ORIGIN, body: form })
  assert.equal((await handler({ request, clientAddress: null })).status, 303)
})

test('a sign-in sets the cookies of session and device on the answer, whatever form it has', async () => {
  const { act, submit } = app()
  for (const answer of [await act('sample.sign-in', {}), await submit('sample.sign-in')]) {
    const [cookie = '', device = '', ...more] = answer.headers.getSetCookie()
    assert.match(cookie, /^errata=fresh; Max-Age=60;.*HttpOnly; SameSite=Lax/)
    assert.match(device, /^errata-device=known; Max-Age=90;.*HttpOnly; SameSite=Lax/)
    assert.deepEqual(more, [])
  }
})

test('a limit on attempts says when to come back', async () => {
  const answer = await app().act('sample.wait', {})
  assert.deepEqual([answer.status, answer.headers.get('Retry-After')], [429, '30'])
})

test('a form cannot reach into the prototype of its fields', async () => {
  const answer = await app().submit('sample.say', { word: 'hello', __proto__x: '1', constructor: '2' })
  assert.equal(answer.status, 303)
})

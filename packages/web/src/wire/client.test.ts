import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageClient } from './client.ts'

interface Sent {
  readonly path: string
  readonly headers: Headers
  readonly body: string | null
}

function client(answers: readonly unknown[], kept = new Map<string, string>()) {
  const sent: Sent[] = []
  const opened: string[] = []
  let nowMs = 0
  const rest = [...answers]
  const fetchAnswer = async (path: unknown, init?: RequestInit) => {
    sent.push({
      path: String(path),
      headers: new Headers(init?.headers),
      body: init?.body?.toString() ?? null,
    })
    const answer = rest.shift()
    if (answer === 'offline') throw new TypeError('Failed to fetch')
    return answer === 'html' ? new Response('<html>') : Response.json(answer)
  }
  const page = new PageClient({
    build: 'b1',
    fetch: fetchAnswer as typeof fetch, // only these arguments are used
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    openDocument: (path) => void opened.push(path),
    now: () => nowMs,
  })
  return { page, sent, opened, advance: (ms: number) => (nowMs += ms) }
}

const signal = new AbortController().signal
const json = { kind: 'json', input: {} } as const

test('page data is one GET with the marking headers', async () => {
  const { page, sent } = client([{ data: { a: 1 } }])
  assert.deepEqual(await page.page('/acme/issues?x=1', signal), { data: { a: 1 } })
  assert.equal(sent[0]?.path, '/acme/issues?x=1')
  assert.equal(sent[0]?.headers.get('Errata-Page'), 'data')
  assert.equal(sent[0]?.headers.get('Errata-Build'), 'b1')
  assert.equal(sent[0]?.headers.get('Errata-Purpose'), null)
})

test('a prefetch is marked, asked once, and used by the navigation that follows soon', async () => {
  const { page, sent, advance } = client([{ data: { a: 1 } }, { data: { a: 2 } }])
  page.prefetch('/x')
  page.prefetch('/x')
  assert.equal(sent.length, 1)
  assert.equal(sent[0]?.headers.get('Errata-Purpose'), 'prefetch')
  assert.deepEqual(await page.page('/x', signal), { data: { a: 1 } })
  assert.equal(sent.length, 1)
  page.prefetch('/x')
  advance(60_000)
  await page.page('/x', signal)
  assert.equal(sent.length, 3)
})

test('a prefetch that failed is asked again by the navigation', async () => {
  const { page } = client(['offline', { data: { a: 1 } }])
  page.prefetch('/x')
  assert.deepEqual(await page.page('/x', signal), { data: { a: 1 } })
})

test('fresh data of an action serves the revalidation that follows, which sends nothing', async () => {
  const { page, sent } = client([{ result: 7, data: { a: 1 } }, { data: { a: 2 } }])
  assert.deepEqual(await page.act('issue.change', '/x', json), { result: 7, data: { a: 1 } })
  assert.equal(sent[0]?.headers.get('Errata-Action'), 'issue.change')
  assert.deepEqual(await page.page('/x', signal), { data: { a: 1 } })
  assert.equal(sent.length, 1)
  assert.deepEqual(await page.page('/x', signal), { data: { a: 2 } })
})

test('what an action changed of its page serves the revalidation too', async () => {
  const changed = { data: { frame: 1 }, part: { searches: [2] } }
  const { page, sent } = client([{ result: null, ...changed }])
  await page.act('search.save', '/x', json)
  assert.deepEqual(await page.page('/x', signal), changed)
  assert.equal(sent.length, 1)
})

test('fresh data is for its own address only', async () => {
  const { page, sent } = client([{ result: 7, data: { a: 1 } }, { data: { b: 1 } }])
  await page.act('issue.change', '/x', json)
  assert.deepEqual(await page.page('/y', signal), { data: { b: 1 } })
  assert.equal(sent.length, 2)
})

test('an action throws prefetched pages away', async () => {
  const { page, sent } = client([{ data: { a: 1 } }, { result: null }, { data: { a: 2 } }])
  page.prefetch('/x')
  await page.act('issue.change', '/y', json)
  assert.deepEqual(await page.page('/x', signal), { data: { a: 2 } })
  assert.equal(sent.length, 3)
})

const stale = (build: string) => ({ error: { code: 'stale_build', message: '', build } })

test('a stale page reloads itself once for each build of the server', async () => {
  const kept = new Map<string, string>()
  const first = client([stale('b2')], kept)
  void first.page.page('/x', signal)
  await new Promise(setImmediate)
  assert.deepEqual(first.opened, ['/x'])
  const again = client([stale('b2')], kept)
  assert.ok('error' in (await again.page.page('/x', signal)))
  assert.deepEqual(again.opened, [])
  const later = client([stale('b3')], kept)
  void later.page.page('/y', signal)
  await new Promise(setImmediate)
  assert.deepEqual(later.opened, ['/y'])
})

test('a script that is gone reloads the page that was asked for, and only one document is opened', async () => {
  const { page, opened } = client([stale('b2')])
  const asked = page.page('/wanted', signal)
  assert.ok(page.reloadWithoutScript('/here'))
  void asked
  await new Promise(setImmediate)
  assert.deepEqual(opened, ['/wanted'])
})

test('no answer, or one that is not ours, is an error in words', async () => {
  const { page } = client(['offline', 'html', ['not an answer']])
  for (let turn = 0; turn < 3; turn++) {
    const answer = await page.page('/x', signal)
    assert.ok('error' in answer && answer.error.message.includes('didn’t respond'))
  }
})

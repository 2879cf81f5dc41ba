/** The same traffic through one accept and one process thread, and through four and eight: answers, rows and counters compared. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { startWithSettings } from '../../packages/errata/src/start-errata.ts'
import { silentLog } from '../../packages/server/src/base/log.ts'
import { readSettings } from '../../packages/server/src/limits/settings.ts'
import { DAY, NOW } from '../../packages/server/testing/builders/times.ts'
import { openHouse } from '../../packages/server/testing/worlds/stores.ts'
import { type KeyedProject, setUpTwoProjects } from '../../packages/server/testing/worlds/two-projects.ts'
import { capturedPayloads } from '../support/captured.ts'

const MIB = 1024 * 1024
const idOf = (number: number) => number.toString(16).padStart(32, '0')

interface Call {
  readonly path: string
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  /** Sent without its length, in pieces. */
  readonly isChunked?: true
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const event = (number: number, message: string, header = {}) =>
  `${JSON.stringify({ event_id: idOf(number), ...header })}\n{"type":"event"}\n${JSON.stringify({ message })}\n`

/** Returns traffic of every sort that accept tells apart; each call waits for the one before. */
function calls({ projectId, keyPublic }: KeyedProject): readonly Call[] {
  const path = `/api/${projectId}/envelope/?sentry_key=${keyPublic}`
  const dsn = (key: string) => `http://${key}@errata.example/${projectId}`
  const envelope = (body: string | Uint8Array, headers: OutgoingHttpHeaders = {}) => ({ path, headers, body })
  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
  const bomb = gzipSync(Buffer.alloc(17 * MIB, '\n'), { level: 9 })
  const attachment = (number: number, bytes: number) =>
    `{"event_id":"${idOf(number)}"}\n{"type":"event"}\n{"message":"with a file"}\n{"type":"attachment","length":${bytes},"filename":"a.txt"}\n${'a'.repeat(bytes)}\n`
  return [
    ...capturedPayloads().map((one) => envelope(one.envelope.replace(/"dsn":"[^"]*",?/, ''))),
    ...Object.entries(codings).flatMap(([coding, pack], at) => [
      envelope(pack(event(100 + at, `packed ${coding}`)), { 'content-encoding': coding }),
      { ...envelope(pack(event(110 + at, `in pieces`)), { 'content-encoding': coding }), isChunked: true },
      envelope(pack(event(120 + at, 'x'.repeat(1_500_000))), { 'content-encoding': coding }),
      envelope(pack(event(130 + at, 'cut off')).subarray(0, 20), { 'content-encoding': coding }),
    ]),
    envelope(gzipSync(gzipSync(event(140, 'twice'))), { 'content-encoding': 'gzip, gzip' }),
    envelope(event(141, 'a repeat')),
    envelope(event(141, 'a repeat')),
    envelope(event(142, 'x'.repeat(3 * MIB))),
    { ...envelope(event(143, 'y'.repeat(1_800_000))), isChunked: true },
    envelope(attachment(150, 2_000)),
    envelope(attachment(151, 3 * MIB)),
    { ...envelope(attachment(152, 3 * MIB)), isChunked: true },
    envelope(''),
    envelope('no envelope'),
    envelope('{}\n{"type":"event","length":50}\n{}\n'),
    envelope('{}\n{"type":"event"}\n{"message":\n'),
    envelope(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`),
    envelope(`{"event_id":"${idOf(160)}"}\n{"type":"event"}\n${'{"a":'.repeat(150)}1${'}'.repeat(150)}\n`),
    envelope(event(161, 'of another', { dsn: dsn('b'.repeat(32)) })),
    envelope(event(162, 'of a page'), { origin: 'https://shop.example' }),
    { path: path.replace(keyPublic, 'f'.repeat(32)), body: event(163, 'unknown') },
    { path: path.replace(keyPublic, 'short'), body: event(164, 'no key') },
    { path: path.replace(`/${projectId}/`, '/x/'), body: event(165, 'no project') },
    { path: path.replace(/\?.*/, ''), body: event(166, 'by its DSN', { dsn: dsn(keyPublic) }) },
    { path: path.replace(/\?.*/, ''), body: event(167, 'without any') },
    { path: path.replace('envelope', 'store'), body: `{"event_id":"${idOf(168)}","message":"older"}` },
    { path: path.replace('envelope', 'store'), body: '{"message":' },
    { path: path.replace('envelope', 'nowhere'), body: '{}' },
    { path: path.replace('envelope', 'security'), headers: { 'content-type': 'text/html' }, body: '{}' },
    {
      path: path.replace('envelope', 'otlp/v1/traces'),
      headers: { 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
    },
    {
      path: path.replace('envelope', 'otlp/v1/logs'),
      headers: { 'content-type': 'application/json' },
      body: LOGS,
    },
    { path, method: 'OPTIONS' },
    { path, method: 'GET' },
    { path: '/monitoring?o=shop&p=web', body: event(170, 'no DSN') },
    { path: '/monitoring?o=none&p=none', body: event(171, 'relayed', { dsn: dsn(keyPublic) }) },
    { path: `/monitoring?o=1&p=${projectId}`, body: event(172, 'relayed', { dsn: dsn(keyPublic) }) },
    {
      path: `/monitoring?o=1&p=${projectId}`,
      body: event(173, 'z'.repeat(1_200_000), { dsn: dsn(keyPublic) }),
      isChunked: true,
    },
    { path: '/monitoring', method: 'PUT', body: '{}' },
    // The third makes its sender wait: the small one behind them is refused wherever it arrives.
    ...Array.from({ length: 4 }, () => envelope(bomb, { 'content-encoding': 'gzip' })),
    envelope(gzipSync(event(180, 'after the bombs')), { 'content-encoding': 'gzip' }),
    envelope(event(181, 'plain, after the bombs')),
    { path: '/health', method: 'GET' },
    { path: '/health', method: 'GET', headers: { 'x-errata-hop': `${'0'.repeat(64)} 6.6.6.6` } },
    { path: '/sign-in', method: 'GET', headers: { connection: 'upgrade', upgrade: 'websocket' } },
    { path: '/sign-in', body: new Uint8Array(20 * MIB) },
    { path: '/api/0/organizations/', method: 'GET' },
    { path: '/no%00thing', method: 'GET' },
  ]
}

const LOGS = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a line"}}]}]}]}'

describe('accept threads, one or many', () => {
  let root = ''
  let shop: KeyedProject
  let blog: KeyedProject
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'errata-accept-threads-'))
    const house = await openHouse(join(root, 'begun'))
    const projects = await setUpTwoProjects(house)
    shop = projects.shop
    blog = projects.blog
    await house.close()
    limitBlog(join(root, 'begun'), blog)
    knowBuilds(join(root, 'begun'), shop)
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  it('answer, store, count and limit the same of the same traffic', async () => {
    const one = await play(1, 1)
    const many = await play(4, 8)
    for (const [at, answer] of one.answers.entries())
      assert.deepEqual(many.answers[at], answer, `${at}: ${describeCall(calls(shop)[at])}`)
    assert.ok((one.tables.outcomes?.length ?? 0) > 15, 'outcomes of many sorts')
    for (const [name, rows] of Object.entries(one.tables)) assert.deepEqual(many.tables[name], rows, name)
    assert.deepEqual(many.limited, one.limited)
    assert.deepEqual(one.limited, { 200: LIMIT, 429: 3 * LIMIT })
  })

  async function play(accept: number, process: number) {
    const data = join(root, `with-${accept}`)
    cpSync(join(root, 'begun'), data, { recursive: true })
    const read = readSettings({
      flags: { data, port: '0', host: '127.0.0.1', acceptThreads: `${accept}`, processThreads: `${process}` },
      env: {},
    })
    assert.ok(read.ok)
    // It stands still: what is stored of the time is the same however long it takes.
    const clock = { startMs: NOW, sinceMs: Date.now(), rate: 0 }
    const errata = await startWithSettings({ settings: read.settings, log: silentLog, clock })
    try {
      const answers: Answered[] = []
      for (const each of calls(shop)) answers.push(await send(errata.port, each))
      const path = `/api/${blog.projectId}/envelope/?sentry_key=${blog.keyPublic}`
      const atOnce = Array.from({ length: 4 * LIMIT }, (_, at) =>
        send(errata.port, { path, body: event(1_000 + at, 'of a flood') }),
      )
      const limited: Record<number, number> = {}
      for (const { status } of await Promise.all(atOnce)) limited[status] = (limited[status] ?? 0) + 1
      await errata.drained()
      return { answers, limited, tables: tablesOf(join(data, 'control.sqlite')) }
    } finally {
      await errata.close()
    }
  }
})

const LIMIT = 20

function limitBlog(data: string, { keyId }: KeyedProject): void {
  const database = new DatabaseSync(join(data, 'control.sqlite'))
  const limit = JSON.stringify({ count: LIMIT, window: 3_600 })
  assert.equal(
    database.prepare('UPDATE project_keys SET rate_limit = ? WHERE id = ?').run(limit, keyId).changes,
    1,
  )
  database.close()
}

/**
 * Two builds that ran anywhere: a page's part that is missing is of a stale tab from the first event on. What the traffic
 * itself says of builds reaches the process threads between any two events.
 */
function knowBuilds(data: string, { projectId }: KeyedProject): void {
  const database = new DatabaseSync(join(data, 'control.sqlite'))
  for (const version of ['earlier@1', 'earlier@2']) {
    const { lastInsertRowid: id } = database
      .prepare(
        `INSERT INTO releases (org_id, version, folded, status, created_ms)
          SELECT org_id, :version, :version, 'open', :now FROM projects WHERE id = :projectId`,
      )
      .run({ version, now: NOW - DAY, projectId })
    database
      .prepare('INSERT INTO release_projects (release_id, project_id, event_count) VALUES (?, ?, 0)')
      .run(id, projectId)
  }
  database.close()
}

/** A connection for each: the system spreads them over the threads. */
function send(
  port: number,
  { path, method = 'POST', headers = {}, body = '', isChunked }: Call,
): Promise<Answered> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const length = isChunked || method !== 'POST' ? {} : { 'content-length': bytes.length }
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      path,
      method,
      agent: false,
      headers: { ...headers, ...length },
    })
    sent.on('response', async (answer) => {
      const pieces: Buffer[] = []
      for await (const piece of answer) pieces.push(piece)
      const { date: _, 'keep-alive': __, connection: ___, ...rest } = answer.headers
      const text = Buffer.concat(pieces).toString('latin1')
      resolve({
        status: answer.statusCode ?? 0,
        headers: withoutChance(rest),
        body: method === 'GET' ? `${text.length > 0}` : withoutIds(text),
      })
    })
    sent.on('error', reject)
    if (method !== 'POST') sent.end()
    else if (isChunked) {
      for (let at = 0; at < bytes.length; at += 30_000) sent.write(bytes.subarray(at, at + 30_000))
      sent.end()
    } else sent.end(bytes)
  })
}

/** Ids that are made for what came without one. */
const withoutIds = (text: string) => text.replace(/[0-9a-f]{32}/g, 'ID')

/** Nonces and lengths of pages, which differ from answer to answer. */
function withoutChance(headers: Readonly<Record<string, unknown>>): Answered['headers'] {
  const { 'content-security-policy': _, 'content-length': __, etag: ___, ...rest } = headers
  return rest
}

const describeCall = (call: Call | undefined) =>
  JSON.stringify({
    ...call,
    body: Buffer.from(call?.body ?? '')
      .subarray(0, 80)
      .toString('latin1'),
  })

/** Tables that say what came of the traffic, without the places that depend on when a batch was cut. */
function tablesOf(path: string): Record<string, readonly string[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = (select: string) =>
    database
      .prepare(select)
      .all()
      .map((row) => JSON.stringify(row))
      .sort()
  const tables = {
    // Of several in one instant, and here time stands still, the example is of the one that was told last.
    outcomes: rows(
      `SELECT project_id, outcome, category, reason, key_id, quantity, iif(quantity = 1, example, NULL) AS example
       FROM outcomes`,
    ),
    issues: rows(
      'SELECT project_id, number, status, level, event_count, user_count, group_count, first_seen_ms FROM issues',
    ),
    groups: rows('SELECT project_id, hex(hash), kind, event_count, payload_count FROM groups'),
    attachments: rows('SELECT name, bytes FROM attachments'),
  }
  database.close()
  return tables
}

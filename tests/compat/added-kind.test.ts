/** A kind that is added by one folder and two lines, on the running product: stored, read, told to agents, checked. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { newDataDirectory } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FROM_SOURCES = [
  ...['--disable-warning=ExperimentalWarning', '--conditions=errata-source'],
  ...['--import', './tests/support/with-kinds.mjs', 'packages/errata/src/cli.ts'],
]

async function command(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...FROM_SOURCES, ...args], { cwd: ROOT })
  return stdout
}

describe('a kind that is added by one folder and two lines', () => {
  let data: string
  let url: string
  let told: { readonly dsn: string; readonly token: string }
  let running: ChildProcess

  async function start(): Promise<void> {
    const where = ['--data', data, '--port', new URL(url).port, '--host', '127.0.0.1', '--log-level', 'warn']
    running = spawn(process.execPath, [...FROM_SOURCES, 'serve', ...where], { cwd: ROOT, stdio: 'ignore' })
    await waitFor('an answer', async () => (await fetch(`${url}/health`).catch(() => null))?.ok)
  }

  async function stop(): Promise<void> {
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGTERM')
    await ended
  }

  before(async () => {
    data = await newDataDirectory()
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const owner = ['--email', 'rosa@shop.example', '--password', 'correct horse battery']
    const set = ['--organisation', 'Shop', '--project', 'web', '--json']
    told = JSON.parse(await command('setup', '--data', data, '--url', url, ...owner, ...set)) as typeof told // printed by the command
    await start()
  })
  after(async () => {
    running.kill('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const send = async (...items: readonly (readonly [type: string, payload: object])[]) => {
    const body = items.map(([type, payload]) => `${JSON.stringify({ type })}\n${JSON.stringify(payload)}\n`)
    const { username, pathname } = new URL(told.dsn)
    const answer = await fetch(`${url}/api${pathname}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-sentry-envelope' },
      body: `{}\n${body.join('')}`,
    })
    assert.equal(answer.status, 200)
  }
  const get = async (path: string, method = 'GET') =>
    fetch(`${url}/api/0${path}`, { method, headers: { authorization: `Bearer ${told.token}` } })
  const texts = async (query: string) => {
    const answer = await get(
      `/organizations/shop/events/?dataset=notes&field=text&query=${encodeURIComponent(query)}`,
    )
    const { data: rows } = (await answer.json()) as { readonly data?: readonly { readonly text: string }[] } // as the API describes it
    return rows?.map(({ text }) => text)
  }

  it('is accepted, scrubbed, stored, found, counted, completed, checked, and hidden when it is deleted', async () => {
    await send(
      [
        'note',
        { text: 'the red fox', level: 'warning', attributes: { plan: 'gold', api_key: 'abc-secret-1' } },
      ],
      ['note', { text: 'a whale', level: 'info', user: { id: '7' } }],
      ['reading', { id: 'a'.repeat(32), meter: 'hall', celsius: 21.5 }],
      ['reading', { id: 'a'.repeat(32), meter: 'hall', celsius: 21.5 }],
    )
    await waitFor('both notes', async () => (await texts(''))?.length === 2)
    assert.deepEqual(await texts('fox'), ['the red fox'])
    assert.deepEqual(await texts('plan:gold level:warning timestamp:-1h'), ['the red fox'])
    assert.deepEqual(await texts('plan:free'), [])
    const all = await (await get('/organizations/shop/events/?dataset=notes')).text()
    assert.ok(all.includes('[Filtered]') && !all.includes('abc-secret-1'), all)
    const readings = await get('/organizations/shop/events/?dataset=readings&field=count()&query=celsius:>21')
    assert.deepEqual(((await readings.json()) as { data: unknown }).data, [{ 'count()': 1 }])
    const offered = await get('/organizations/shop/search-completions/?dataset=notes&key=plan')
    assert.deepEqual(await offered.json(), [{ text: 'gold', count: 1 }])
    const stats = await get(
      '/organizations/shop/events-stats/?dataset=notes&interval=1m&statsPeriod=1h&topEvents=3&field=level',
    )
    assert.deepEqual(Object.keys((await stats.json()) as object).sort(), ['info', 'warning'])
    await stop()
    assert.match(await command('check', '--data', data, '--deep'), /ok +note-/)
    for (const name of await readdir(join(data, 'columns')))
      if (name.startsWith('note-')) await rm(join(data, 'columns', name))
    await command('rebuild', '--data', data)
    assert.match(await command('check', '--data', data, '--deep'), /ok +note-/)
    await start()
    assert.deepEqual(await texts('fox'), ['the red fox'])
    assert.equal((await get('/projects/shop/web/', 'DELETE')).status, 204)
    await waitFor('that the notes are gone', async () => (await texts(''))?.length === 0)
  })
})

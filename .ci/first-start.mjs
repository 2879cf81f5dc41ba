// What a newcomer does first, in the clean checkout and before anything is installed: `npm start` on an empty data
// directory, set-up by its form, an event by curl that is read back, Ctrl+C; then `npm start -- --demo` and a sign-in.
// Plain JavaScript for Node 20 that imports nothing of the project, because nothing is installed yet.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A first start installs and builds: 60 s are promised on a machine that does nothing else. */
const START_MS_MAX = 480_000
/** From an acknowledged event to its issue, and from the signal to the end of the process. */
const SOON_MS_MAX = 120_000
const POLL_MS = 200

const folder = mkdtempSync(join(tmpdir(), 'errata-first-start-'))
let tests = 0
try {
  await test('npm start answers in a clean checkout, takes an event, and stops', firstEvent)
  await test('npm start -- --demo prints a sign-in that works', demo)
  console.log(`${tests} passed, 0 failed`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function firstEvent() {
  const errata = await start('first', [])
  try {
    const code = await errata.printed(/Setup code\s+(\S+)/)
    await waitFor('health', errata, async () => (await fetch(`${errata.url}/health`)).ok)
    assert.equal((await fetch(`${errata.url}/setup`)).status, 200)
    const cookie = await postForm(errata.url, '/setup', {
      'errata-action': 'auth.setup',
      code,
      email: 'rosa@shop.example',
      name: 'Rosa Kim',
      password: 'correct horse battery staple',
      organisation: 'Shop',
      project: 'Web',
      platform: 'node',
    })
    const page = await getText(`${errata.url}/shop/projects/web/setup`, cookie)
    const [, key, project] =
      /http:\/\/([0-9a-f]{32})@localhost:\d+\/(\d+)/.exec(page) ?? assert.fail('no DSN')
    const event = JSON.stringify({ message: 'the very first event', level: 'error', platform: 'node' })
    execFileSync('curl', [
      ...['--silent', '--show-error', '--fail', '--header', 'Content-Type: application/json'],
      ...['--data', event, `${errata.url}/api/${project}/store/?sentry_key=${key}&sentry_version=7`],
    ])
    await waitFor('the event', errata, async () =>
      (await getText(`${errata.url}/api/0/organizations/shop/issues/`, cookie)).includes(
        'the very first event',
      ),
    )
  } finally {
    await errata.stop()
  }
}

async function demo() {
  const errata = await start('demo', ['--demo'])
  try {
    const email = await errata.printed(/^\s*(?:Sign in|Email)\s+(\S+@\S+)/m)
    const password = await errata.printed(/^\s*Password\s+(\S+)/m)
    await waitFor('health', errata, async () => (await fetch(`${errata.url}/health`)).ok)
    const cookie = await postForm(errata.url, '/sign-in', {
      'errata-action': 'auth.sign-in',
      email,
      password,
    })
    assert.match(await getText(`${errata.url}/api/0/organizations/`, cookie), /"slug"/)
  } finally {
    await errata.stop()
  }
}

/** Runs `npm start` on a free port and a data directory of its own; `stop` ends it as Ctrl+C does. */
async function start(name, args) {
  const port = await freePort()
  const all = ['start', '--', '--data', join(folder, name), '--port', String(port), ...args]
  // A group of its own, which gets the signal whole, as a terminal sends it.
  const child = spawn('npm', all, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.once('close', resolve))
  let isOver = false
  void ended.then(() => (isOver = true))
  const errata = { url: `http://localhost:${port}`, output: () => output, isOver: () => isOver }
  return {
    ...errata,
    printed: async (pattern) => {
      await waitFor(`${pattern} in what it prints`, errata, async () => pattern.test(output), START_MS_MAX)
      return pattern.exec(output)[1]
    },
    stop: async () => {
      if (!isOver) process.kill(-child.pid, 'SIGINT')
      const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), SOON_MS_MAX)
      await ended
      clearTimeout(timer)
      await assert.rejects(fetch(`${errata.url}/health`), 'it still answers after its end')
    },
  }
}

async function postForm(url, path, fields) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { Origin: url },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  assert.equal(answer.status, 303, `${path}: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function getText(url, cookie) {
  const answer = await fetch(url, { headers: { Cookie: cookie } })
  const text = await answer.text()
  assert.equal(answer.status, 200, `${url}: ${answer.status} ${text}`)
  return text
}

async function waitFor(what, errata, isSo, withinMs = SOON_MS_MAX) {
  const until = performance.now() + withinMs
  while (!(await isSo().catch(() => false))) {
    if (errata.isOver()) assert.fail(`It ended before ${what}:\n${errata.output()}`)
    if (performance.now() > until) assert.fail(`Waited ${withinMs} ms for ${what}:\n${errata.output()}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function test(name, run) {
  const start = performance.now()
  await run()
  tests += 1
  console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
}

// `npm run shop`: an example app that fails on purpose, beside an Errata of its own. `npm run shop -- react-router` runs
// the other example; `--port` and `--app-port` move them. Installs and builds what is missing; Ctrl+C ends both.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../packages/errata/bin/node-flags.mjs'
import { ensureBuilt } from './built.mjs'
import { ensureNode24, ROOT, runNpm } from './node24.mjs'

const EXAMPLES = {
  shop: {
    port: 3000,
    build: ['next/dist/bin/next', 'build'],
    built: '.next',
    serve: ['node_modules/next/dist/bin/next', 'start'],
    env: (dsn, release) => ({
      NEXT_PUBLIC_SENTRY_DSN: dsn,
      SENTRY_RELEASE: release,
      NEXT_TELEMETRY_DISABLED: '1',
    }),
  },
  'react-router': {
    port: 3001,
    build: ['@react-router/dev/bin.cjs', 'build'],
    built: 'build',
    serve: [
      ...['--import', './instrument.server.mjs'],
      ...['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
    ],
    env: (dsn, release) => ({ VITE_SENTRY_DSN: dsn, VITE_RELEASE: release }),
  },
}
const READY_MS_MAX = 60_000

const { values, positionals } = parseArgs({
  options: { port: { type: 'string', default: '9000' }, 'app-port': { type: 'string' } },
  allowPositionals: true,
})
const name = positionals[0] ?? 'shop'
const example = EXAMPLES[name]
if (example === undefined)
  stop(`No example is called ${name}. There are ${Object.keys(EXAMPLES).join(' and ')}.`)
const ERRATA = `http://localhost:${values.port}`
const PORT = values['app-port'] ?? String(example.port)
const folder = join(ROOT, 'examples', name)
const data = join(ROOT, 'examples/errata-data')
const release = `${name}@1.0.0`
const children = []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))

const node = ensureNode24()
await ensureBuilt(node)
const account = accountOf()
start(
  [...NODE_FLAGS, errataProgram(), 'serve', '--data', data, '--port', values.port, '--log-level', 'warn'],
  {
    env: NODE_ENVIRONMENT,
  },
)
await answering(`${ERRATA}/health`)
await noteBuildBefore()
const env = { ...example.env(account.dsn, release), NODE_ENV: 'production', PORT }
installExample()
buildExample()
start(example.serve, { cwd: folder, env: { ...env, TZ: otherTimeZone() } })
await answering(`http://localhost:${PORT}/`)
console.log(tour())

/** Made once and kept beside the data: the owner who signs in, and the project's DSN and token. */
function accountOf() {
  const kept = join(data, '../errata-account.json')
  if (existsSync(kept) && existsSync(data)) {
    const known = JSON.parse(readFileSync(kept, 'utf8'))
    if (known.url === ERRATA) return known
    stop(`The data in ${data} belongs to ${known.url}. Run it there, or delete the folder.`)
  }
  const email = 'you@shop.example'
  const password = randomBytes(9).toString('base64url')
  const people = ['--email', email, '--password', password, '--organisation', 'Shop', '--project', 'Shop']
  const printed = errata(['setup', '--data', data, '--url', ERRATA, ...people, '--json'])
  const made = { ...JSON.parse(printed), email, password }
  writeFileSync(kept, JSON.stringify(made), { mode: 0o600 })
  return made
}

/** A build that ran before: what a tab asks for in vain is of a deploy only where another one is known. */
async function noteBuildBefore() {
  const releases = `${ERRATA}/api/0/organizations/${account.organisation}/releases/`
  const version = `${name}@0.9.0`
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
  const post = (url, body) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const made = await post(releases, { version, projects: [account.project] })
  if (made.status !== 201) return // it is there from an earlier start
  const dateFinished = new Date(Date.now() - 7 * 86_400_000).toISOString()
  await post(`${releases}${encodeURIComponent(version)}/deploys/`, {
    environment: 'production',
    dateFinished,
  })
}

function installExample() {
  const wanted = hashOf([join(folder, 'package.json'), join(folder, 'package-lock.json')])
  const stamp = join(folder, 'node_modules/.errata-installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.error(`Installing examples/${name}.`)
    runNpm(node, ['ci', '--prefix', folder, '--include=dev', '--no-audit', '--no-fund'], folder)
    writeFileSync(stamp, wanted)
  }
  // As it was built a moment ago.
  const relay = join(folder, 'node_modules/@errata/relay/dist')
  mkdirSync(relay, { recursive: true })
  cpSync(join(ROOT, 'packages/relay/dist'), relay, { recursive: true })
}

/** Builds for this DSN, and uploads the maps, unless that was done before. */
function buildExample() {
  const wanted = `${hashOf(sourcesIn(folder))} ${account.dsn}`
  const stamp = join(folder, example.built, '.errata-built')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error(`Building examples/${name}.`)
  const [program, ...args] = example.build
  run([join(folder, 'node_modules', program), ...args], { cwd: folder, env: { ...process.env, ...env } })
  const { token, organisation, project } = account
  const place = ['--url', ERRATA, '--token', token, '--org', organisation, '--project', project]
  errata(['upload-build', join(folder, example.built), ...place, '--release', release])
  writeFileSync(stamp, wanted)
}

function sourcesIn(root) {
  const made = new Set(['node_modules', '.next', '.react-router', 'build', 'next-env.d.ts'])
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => !made.has(entry.name) && !entry.name.endsWith('.tsbuildinfo'))
    .flatMap((entry) => (entry.isDirectory() ? sourcesIn(join(root, entry.name)) : [join(root, entry.name)]))
    .sort()
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex')
}

/** Opening hours of the shop are another time on the server than in the browser, wherever this runs. */
function otherTimeZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo' ? 'America/New_York' : 'Asia/Tokyo'
}

function tour() {
  const shop = `http://localhost:${PORT}`
  return `
Shop      ${shop}
Errata    ${ERRATA}
Sign in   ${account.email}
Password  ${account.password}

A short tour:
1. Press "Try it" below "Make it fail" in the shop. Each button says what happens and what Errata shows.
2. Copy the number of an error page into Errata's search: there is the failure.
3. Open Performance in Errata: failures behind a 200, prefetches apart from navigations.
4. Open a trace from an error: browser and server in one waterfall. The slow page has an N+1 query.

Ctrl+C ends both. Data is kept in examples/errata-data.`
}

function errataProgram() {
  return join(ROOT, 'packages/errata/dist/cli.js')
}

/** Runs `errata` and returns what it printed; ends everything if it fails. */
function errata(args) {
  return run([...NODE_FLAGS, errataProgram(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...NODE_ENVIRONMENT },
  })
}

function run(args, options) {
  const PATH = [dirname(node), process.env.PATH ?? ''].join(delimiter)
  const all = { stdio: 'inherit', encoding: 'utf8', ...options }
  const done = spawnSync(node, args, { ...all, env: { ...all.env, PATH } })
  if (done.status !== 0)
    stop(
      `${args.join(' ')} ended with ${done.status ?? done.signal}.\n${done.stdout ?? ''}${done.stderr ?? ''}`,
    )
  return done.stdout
}

/** Runs beside this process; when it ends by itself, so does all. */
function start(args, { cwd = ROOT, env: own }) {
  const child = spawn(node, args, {
    cwd,
    env: { ...process.env, ...own },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  child.once('exit', (status) => stop(`${args.join(' ')} ended with ${status}.`))
}

async function answering(url) {
  const until = performance.now() + READY_MS_MAX
  while (performance.now() < until) {
    const answer = await fetch(url).catch(() => null) // it does not listen yet
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  stop(`${url} does not answer.`)
}

function end(status) {
  for (const child of children) child.removeAllListeners('exit').kill('SIGTERM')
  process.exitCode = status
}

function stop(sentence) {
  console.error(sentence)
  end(1)
  process.exit()
}

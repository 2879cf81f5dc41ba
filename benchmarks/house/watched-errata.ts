/** Errata run from its sources, every thread of which says in which files a function ran. */
import { execFile, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NODE_ENVIRONMENT } from '../../packages/errata/bin/node-flags.mjs'
import { ROOT } from '../../scripts/node24.mjs'
import { OWNER } from '../server/errata.ts'

const CLI = join(ROOT, 'packages/errata/src/cli.ts')
const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
const WATCH = ['--import', fileURLToPath(new URL('./watch-files.mjs', import.meta.url))]
const START_MS = 180_000
const COMMIT_MS = 60_000
/** Main, commit, read, and one process thread on two cores, else two; as many as answer before it is late are taken. */
const THREADS = availableParallelism() > 2 ? 5 : 4

export interface ThreadFiles {
  /** `main`, `process`, `commit`, `read`. */
  readonly name: string
  readonly files: readonly string[]
}

export interface WatchedErrata extends AsyncDisposable {
  readonly host: string
  readonly port: number
  readonly origin: string
  /** Parts of the DSN, and a token with every scope. */
  readonly key: string
  readonly projectId: string
  readonly token: string
  readonly organisation: string
  /** Files in which a function ran since the last call, by thread. */
  files(): Promise<readonly ThreadFiles[]>
  /** Resolves when the next batch is stored. */
  committed(): Promise<void>
}

interface Told {
  readonly answers?: readonly ThreadFiles[]
  readonly committed?: true
}

export async function startWatched(data: string, port: number): Promise<WatchedErrata> {
  const origin = `http://localhost:${port}`
  const made = await setUp(data, origin)
  const args = ['serve', '--data', data, '--port', String(port), '--host', '127.0.0.1', '--log-level', 'warn']
  const child = fork(CLI, args, {
    execArgv: [...WATCH, ...FLAGS],
    // What it tells of itself goes nowhere: it would come back as traffic.
    env: { ...process.env, ...NODE_ENVIRONMENT, ERRATA_REPORT_DSN: `http://${'0'.repeat(32)}@127.0.0.1:9/1` },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const next = (is: (told: Told) => boolean, withinMs: number) =>
    new Promise<Told>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs)
      const read = (message: unknown) => {
        const told = message as Told // `watch-files.mjs` sends nothing else
        if (!is(told)) return
        clearTimeout(late)
        child.off('message', read)
        resolve(told)
      }
      child.on('message', read)
    })
  const address = `http://127.0.0.1:${port}`
  await untilHealthy(address, () => child.exitCode)
  return {
    ...{ host: '127.0.0.1', port, origin, ...made },
    async files() {
      const told = next(({ answers }) => answers !== undefined, START_MS)
      child.send({ threads: THREADS })
      return (await told).answers ?? []
    },
    committed: async () => void (await next(({ committed }) => committed === true, COMMIT_MS)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function setUp(data: string, url: string) {
  const owner = ['--email', OWNER.email, '--password', OWNER.password, '--organisation', 'Bench']
  const args = [CLI, 'setup', '--data', data, '--url', url, ...owner, '--project', 'web', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, ...args], { timeout: START_MS })
  const made = JSON.parse(stdout) as { dsn: string; token: string; organisation: string } // printed by the command
  const { username, pathname } = new URL(made.dsn)
  return { key: username, projectId: pathname.slice(1), token: made.token, organisation: made.organisation }
}

async function untilHealthy(address: string, exitCode: () => number | null): Promise<void> {
  const end = performance.now() + START_MS
  while (performance.now() < end) {
    if (exitCode() !== null) throw new Error(`Errata ended with ${exitCode()}`)
    const answer = await fetch(`${address}/health`).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Errata did not answer within ${START_MS} ms`)
}

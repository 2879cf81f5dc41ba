/** Starts the built product as its own process, on a free port and in a new data directory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** `ERRATA_PACKAGE` names another build to try: a folder with `bin` and `dist`. */
const PACKAGE = process.env.ERRATA_PACKAGE ?? fileURLToPath(new URL('../../packages/errata', import.meta.url))
const BIN = join(PACKAGE, 'bin/errata.mjs')
const PROGRAM = join(PACKAGE, 'dist/cli.js')
const run = promisify(execFile)
/** Deadlines that only what hangs meets: beside others, a machine may take a minute for what takes it a second. */
const READY_MS_MAX = 120_000

export interface SetUp {
  readonly url: string
  readonly dsn: string
  readonly token: string
  readonly organisation: string
  readonly project: string
}

export const OWNER = { email: 'rosa@shop.example', password: 'correct horse battery' } as const

/** `errata …` as a person types it; resolves with standard output. */
export async function errata(args: readonly string[], timeoutMs = READY_MS_MAX): Promise<string> {
  const options = { encoding: 'utf8', timeout: timeoutMs } as const
  const { stdout } = await run(process.execPath, [BIN, ...args], options).catch((cause: unknown) => {
    // The message has what was said as an error; what was found stands in the output.
    if (cause instanceof Error && 'stdout' in cause) cause.message += `\n${cause.stdout}`
    throw cause
  })
  return stdout
}

export async function newDataDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'errata-test-'))
}

/** Owner, organisation "shop", project "web", token with all scopes, before the server runs. */
export async function setUp(data: string, url: string): Promise<SetUp> {
  const args = [
    '--email',
    OWNER.email,
    '--password',
    OWNER.password,
    '--organisation',
    'Shop',
    '--project',
    'web',
  ]
  return JSON.parse(await errata(['setup', '--data', data, '--url', url, ...args, '--json'])) as SetUp // printed by the command under test
}

export interface RunningErrata {
  readonly url: string
  readonly port: number
  readonly data: string
  /** Everything printed so far. */
  output(): string
  /** SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit status, whatever ends it. */
  readonly ended: Promise<number | null>
  /** Stops and removes the data directory. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface ServeOptions {
  readonly data?: string
  /** Default: any free port. */
  readonly port?: number
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** No file of the process may grow beyond so many blocks of 1,024 bytes (`ulimit -f`). */
  readonly fileBlocksMax?: number
  /** A control group's file of processes, which the process goes into before it begins. */
  readonly group?: string
}

export async function serve({
  data,
  port = 0,
  args = [],
  env = {},
  fileBlocksMax,
  group,
}: ServeOptions = {}): Promise<RunningErrata> {
  const directory = data ?? (await newDataDirectory())
  const limits = [
    ...(fileBlocksMax === undefined ? [] : [`ulimit -f ${fileBlocksMax}`]),
    ...(group === undefined ? [] : [`echo $$ > ${group}`]),
  ]
  const limited = ['-c', [...limits, 'exec "$0" "$@"'].join('; '), process.execPath]
  const child = spawn(
    limits.length === 0 ? process.execPath : 'bash',
    [
      ...(limits.length === 0 ? [] : limited),
      '--disable-warning=ExperimentalWarning',
      PROGRAM,
      'serve',
      '--data',
      directory,
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--log-level',
      'warn',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, UV_THREADPOOL_SIZE: '16', ...env } },
  )
  let output = ''
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve))
  const ready = new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_MS_MAX)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /Address\s+(\S+)/.exec(output)?.[1]
      const listening = /Listening\s+(\S+)/.exec(output)?.[1] ?? address
      if (
        address !== undefined &&
        listening !== undefined &&
        output.includes('Data ') &&
        output.endsWith('\n')
      ) {
        clearTimeout(late)
        resolve(listening)
      }
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`ended with ${code} before it was ready:\n${output}`))
    })
  })
  const url = await ready
  return {
    url,
    port: Number(new URL(url).port),
    data: directory,
    output: () => output,
    stop: () => end(child, 'SIGTERM'),
    signal: (name) => void child.kill(name),
    ended,
    kill: async () => void (await end(child, 'SIGKILL')),
    async [Symbol.asyncDispose]() {
      await end(child, 'SIGTERM')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}

/** A set-up product that runs: what most suites begin with. */
export async function startShop(
  options: ServeOptions = {},
): Promise<RunningErrata & { readonly shop: SetUp }> {
  const data = options.data ?? (await newDataDirectory())
  const running = await serve({ ...options, data })
  try {
    const shop = await setUp(data, running.url)
    // The DSN names the address given to setup, which is where this process listens. It learns of the project within a second.
    await keyIsKnown(running.url, shop.dsn)
    return Object.assign(running, { shop })
  } catch (cause) {
    await running[Symbol.asyncDispose]() // else the process outlives the failed suite
    throw cause
  }
}

/** Resolves when the process takes what is sent to a DSN that was made beside it. */
export async function keyIsKnown(url: string, dsn: string): Promise<void> {
  const { username, pathname } = new URL(dsn)
  const end = performance.now() + READY_MS_MAX
  for (;;) {
    const answer = await fetch(`${url}/api${pathname}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      body: '{}',
    })
    await answer.body?.cancel()
    if (answer.status === 200) return
    if (performance.now() > end) throw new Error(`the key is not known in time: ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

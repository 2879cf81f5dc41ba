/** The product as people run it: set up by its own command, started as a process, asked over HTTP. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Product } from './build.ts'
import { childOf } from './usage.ts'

const execute = promisify(execFile)
export const OWNER = { email: 'bench@errata.example', password: 'benchmark of errata' } as const
const START_MS = 120_000
const STOP_MS = 60_000

export interface SetUp {
  readonly token: string
  readonly organisation: string
  readonly project: string
  /** Parts of the DSN. */
  readonly projectId: string
  readonly key: string
}

/** Owner, organisation, project and a token with every scope, before the server runs. */
export async function setUp(product: Product, data: string): Promise<SetUp> {
  mkdirSync(data, { recursive: true })
  const owner = ['--email', OWNER.email, '--password', OWNER.password]
  const args = ['setup', '--data', data, ...owner, '--organisation', 'Bench', '--project', 'web', '--json']
  const { stdout } = await execute(process.execPath, [product.bin, ...args], { timeout: START_MS })
  const made = JSON.parse(stdout) as { dsn: string; token: string; organisation: string; project: string } // printed by the command
  const { username, pathname } = new URL(made.dsn)
  const { token, organisation, project } = made
  return { token, organisation, project, key: username, projectId: pathname.slice(1) }
}

export interface RunningErrata extends AsyncDisposable {
  /** The serving process itself, not the launcher in front of it. */
  readonly pid: number
  readonly launcherPid: number
  /** Host to connect to; `origin` has `localhost`, as the product prints it. */
  readonly host: string
  readonly port: number
  readonly origin: string
  /** Milliseconds from the start of the process to its first answer of /health. */
  readonly startedInMs: number
  output(): string
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface StartOptions {
  readonly product: Product
  readonly data: string
  /** Writes V8 CPU profiles here when it stops, one a thread. */
  readonly profiles?: string | null
}

const HOST = '127.0.0.1'

export async function startErrata({ product, data, profiles }: StartOptions): Promise<RunningErrata> {
  const startMs = performance.now()
  const port = await freePort()
  const args = ['serve', '--data', data, '--port', String(port), '--host', HOST, '--log-level', 'warn']
  const child = spawn(process.execPath, [product.bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...profileEnv(profiles ?? null) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    })
  let serving: number | null = null
  const endBoth = () => {
    child.kill('SIGKILL')
    if (serving !== null) killQuietly(serving)
  }
  process.once('exit', endBoth)
  child.once('exit', () => process.off('exit', endBoth))
  await firstAnswer(child, port, () => output)
  const startedInMs = performance.now() - startMs
  const launcherPid = child.pid ?? 0
  const pid = childOf(launcherPid) ?? launcherPid
  serving = pid
  const killServer = () => end(child, () => killQuietly(pid))
  return {
    pid,
    launcherPid,
    host: HOST,
    port,
    origin: `http://localhost:${port}`,
    startedInMs,
    output: () => output,
    stop: () => end(child, () => child.kill('SIGTERM')),
    kill: killServer,
    [Symbol.asyncDispose]: killServer,
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function profileEnv(directory: string | null): NodeJS.ProcessEnv {
  if (directory === null) return {}
  const own = process.env.NODE_OPTIONS ?? ''
  return { NODE_OPTIONS: `${own} --cpu-prof --cpu-prof-dir=${directory}`.trim() }
}

/** Asks /health until it answers: when people can use it, not when it says so. */
async function firstAnswer(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const end = performance.now() + START_MS
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`Errata ended with ${child.exitCode}:\n${output()}`)
    const answer = await fetch(`http://${HOST}:${port}/health`).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`Errata did not answer within ${START_MS} ms:\n${output()}`)
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, HOST, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

function end(child: ChildProcess, signal: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Errata does not stop')), STOP_MS)
    child.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    signal()
  })
}

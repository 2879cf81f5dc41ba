/** A built server that runs as a process of its own, and says where it listens. */
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import type { App } from './app.ts'

const READY_MS_MAX = 60_000

export interface RunningApp extends AsyncDisposable {
  readonly url: string
  output(): string
}

export interface StartOptions {
  /** Arguments for `node`, which runs in the app's folder. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Resolves when it said `listening PORT`, or an address, as Next does. */
export async function startedApp({ root }: App, { args, env }: StartOptions): Promise<RunningApp> {
  const PATH = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME: process.env.HOME ?? '', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready:\n${output}`)), READY_MS_MAX)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [, listening] =
        /(?:listening |[Ll]istening on:? +http:\/\/[^:]+:|Local: +http:\/\/[^:]+:|-serve\] http:\/\/[^:]+:)(\d+)/.exec(
          output,
        ) ?? []
      if (listening === undefined) return
      clearTimeout(late)
      resolve(listening)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (status) => {
      clearTimeout(late)
      reject(new Error(`ended with ${status}:\n${output}`))
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

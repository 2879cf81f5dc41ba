import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from '../../packages/errata/bin/node-flags.mjs'

export interface RunningSink extends AsyncDisposable {
  readonly pid: number
  readonly port: number
}

export async function startSink(): Promise<RunningSink> {
  const child = fork(fileURLToPath(new URL('./sink.ts', import.meta.url)), {
    // As Errata runs, but for large pages of code: what Errata is compared with stays what it was.
    execArgv: nodeFlags(0),
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)))
    child.once('exit', () => reject(new Error('the sink ended before it listened')))
  })
  return {
    pid: child.pid ?? 0,
    port,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGKILL')
      await ended
    },
  }
}

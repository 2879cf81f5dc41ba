/** The benchmark's side of the generator process. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadAnswer, LoadCommand, Prepared, RunSpec } from './messages.ts'
import type { RequestsSpec } from './requests.ts'
import type { LoadResult } from './run-load.ts'

export interface Generator extends AsyncDisposable {
  /** Makes requests and forgets those of before. */
  prepare(spec: RequestsSpec): Promise<Prepared>
  run(spec: RunSpec): Promise<LoadResult & { readonly cpuMs: number }>
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)), {
    execArgv: ['--conditions=errata-source', '--disable-warning=ExperimentalWarning'],
  })
  return {
    async prepare(spec) {
      const answer = await ask(child, { do: 'prepare', spec })
      if (answer.done !== 'prepare') throw new Error(failure(answer))
      return answer.prepared
    },
    async run(spec) {
      const answer = await ask(child, { do: 'run', spec })
      if (answer.done !== 'run') throw new Error(failure(answer))
      return { ...answer.result, cpuMs: answer.cpuMs }
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Asks the generator one question at a time. */
function ask(child: ChildProcess, command: LoadCommand): Promise<LoadAnswer> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the generator process ended'))
    child.once('exit', onExit)
    child.once('message', (answer: LoadAnswer) => {
      child.off('exit', onExit)
      resolve(answer)
    })
    child.send(command)
  })
}

function failure(answer: LoadAnswer): string {
  return answer.done === 'failed' ? `the generator failed: ${answer.message}` : `unexpected: ${answer.done}`
}

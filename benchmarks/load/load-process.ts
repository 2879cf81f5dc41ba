/** The generator, in a process of its own: prepares requests, then sends them when told. */
import type { LoadAnswer, LoadCommand, RunSpec } from './messages.ts'
import { makeRequests } from './requests.ts'
import { runClosed, runOpen } from './run-load.ts'

let requests: readonly Buffer[] = []

process.on('message', (command: LoadCommand) => {
  void answerOf(command).then(
    (answer) => process.send?.(answer),
    (cause: unknown) => process.send?.({ done: 'failed', message: String(cause) } satisfies LoadAnswer),
  )
})
// Without whom it works for, it ends.
process.on('disconnect', () => process.exit(0))

async function answerOf(command: LoadCommand): Promise<LoadAnswer> {
  if (command.do === 'run') return run(command.spec)
  requests = [] // the old ones go before the new ones are made
  const { requests: made, ...prepared } = makeRequests(command.spec)
  requests = made
  return { done: 'prepare', prepared }
}

async function run(spec: RunSpec): Promise<LoadAnswer> {
  const before = process.cpuUsage()
  const { from, to, rate, ...rest } = spec
  const options = { ...rest, requests: requests.slice(from, to) }
  const result = await (rate === null ? runClosed(options) : runOpen({ ...options, rate }))
  const used = process.cpuUsage(before)
  return { done: 'run', result, cpuMs: (used.user + used.system) / 1_000 }
}

// A reporter of what failed alone, a test a line with the first words of why: `scripts/test.mjs` says it last, below all
// that passed since.
import { relative } from 'node:path'

const WORDS_MAX = 300
/** Failures that follow from others: a suite whose tests failed, a test that was never begun. */
const FOLLOWS = ['subtestsFailed', 'cancelledByParent']

export default async function* failedTests(source) {
  const names = []
  const errors = new Map()
  for await (const { type, data } of source) {
    if (type === 'test:stderr') errors.set(data.file, `${errors.get(data.file) ?? ''}${data.message}`)
    if (type !== 'test:start' && type !== 'test:fail') continue
    names.splice(data.nesting, names.length, data.name)
    if (type === 'test:start' || FOLLOWS.includes(data.details.error.failureType)) continue
    const { cause, message, exitCode } = data.details.error
    const place = relative(process.cwd(), data.file ?? data.name)
    const [test, why] =
      exitCode === undefined
        ? [names.join(' › '), cause?.message ?? cause ?? message]
        : [`ended with status ${exitCode}`, saidOf(errors.get(data.name) ?? '')]
    yield `✖ ${place}: ${test}\n    ${String(why).replaceAll(/\s+/g, ' ').slice(0, WORDS_MAX)}\n`
  }
}

/** Returns what a process printed that failed as a whole. */
function saidOf(text) {
  return /^.*Error.*$/m.exec(text)?.[0] ?? text.slice(-WORDS_MAX)
}

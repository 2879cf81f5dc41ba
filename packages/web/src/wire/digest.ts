/**
 * The number that an error page shows: a stable decimal hash of what failed. The same failure has the same number
 * on every machine and in every folder Errata is installed in, on the page, in the log and on the recorded event.
 */
import { createHash } from 'node:crypto'

const STACK_CHARS_MAX = 20_000
const FIRST = 1_000_000_000
const COUNT = 9_000_000_000
const PREFIX_BYTES = 6

/** Ten decimal digits for anything that was thrown. */
export function digestOf(error: unknown): string {
  const { type, message, stack } = errorParts(error)
  const hash = createHash('sha256')
    .update(`${type}\n${message}\n${withoutInstallPaths(stack)}`)
    .digest()
  return String(FIRST + (hash.readUIntBE(0, PREFIX_BYTES) % COUNT))
}

function errorParts(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: valueInWords(error), stack: '' }
  const stack = typeof error.stack === 'string' ? error.stack : ''
  return { type: error.name, message: error.message, stack: framesOf(stack).slice(0, STACK_CHARS_MAX) }
}

/**
 * The stack without its first lines, which repeat type and message, and without the wire's own callers: a loader that
 * fails is one failure, whether a document or page data asked for it.
 */
function framesOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s*at /.test(line))
  const wire = frames.findIndex((line) => WIRE_FRAME.test(line))
  return frames.slice(0, wire === -1 ? frames.length : wire).join('\n')
}

/** Frames in which the wire calls loaders, actions, handlers and views. */
const WIRE_FRAME = /^\s*at (?:async )?(?:runLoaders|callAction|handlerAnswer|renderApp|renderComplete) /

function valueInWords(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'unprintable' // an object without a usable toString was thrown
  }
}

/** `file:///srv/errata/node_modules/x/y.js:1:2` → `x/y.js:1:2`; a file of Errata itself → its name. */
export function withoutInstallPaths(stack: string): string {
  return stack.replaceAll(
    /(?<![\w.:])(?:file:\/\/\/?)?(?:[A-Za-z]:)?(?:[\\/][^\s()\\/:]+)+(?=:\d+)/g,
    (path) => {
      const plain = path.replaceAll('\\', '/')
      const dependency = plain.lastIndexOf('/node_modules/')
      return dependency === -1
        ? plain.slice(plain.lastIndexOf('/') + 1)
        : plain.slice(dependency + '/node_modules/'.length)
    },
  )
}

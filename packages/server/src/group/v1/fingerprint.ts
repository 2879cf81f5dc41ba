/** Part of grouping version 1. An explicit fingerprint and its variables. */
import type { Frame, ScrubbedEvent } from '#model/event.ts'
import { exceptionsInOrder, thrownException } from './exceptions.ts'
import { isOwnCall } from './frame-kinds.ts'
import type { Part } from './hash.ts'
import { parameterise } from './parameterise.ts'

const PARTS_MAX = 20
const PART_CHARS_MAX = 1_024
const VARIABLE = /^\s*\{\{\s*([^\s{}]{1,200})\s*\}\}\s*$/

export interface Fingerprint {
  /** With `{{ default }}` replaced by the parts that would have decided without a fingerprint. */
  readonly parts: readonly Part[]
  /** Description of each part. */
  readonly shown: readonly string[]
  readonly holdsDefault: boolean
}

/**
 * Resolves the fingerprint that an SDK or a rule gave. `null` where the SDK leaves the decision to us: none, empty, or
 * `{{ default }}` alone.
 */
export function resolveFingerprint(
  event: ScrubbedEvent,
  fallback: () => readonly Part[],
): Fingerprint | null {
  const given = ofSdk((event.fingerprint ?? []).slice(0, PARTS_MAX))
  if (given.every((part) => part.trim() === '')) return null
  if (given.length === 1 && variableOf(given[0] ?? '') === 'default') return null
  const parts: Part[] = []
  const shown: string[] = []
  let holdsDefault = false
  for (const part of given) {
    const name = variableOf(part)
    if (name === 'default') {
      holdsDefault = true
      parts.push(fallback())
      shown.push('{{ default }}')
    } else {
      const text = name === null ? part.slice(0, PART_CHARS_MAX) : resolveVariable(name, event)
      parts.push(text)
      shown.push(text)
    }
  }
  return { parts, shown, holdsDefault }
}

/**
 * Removes values that an SDK itself put into a fingerprint. sentry-elixir: `["timeout", "genserver_call",
 * inspect(call)]` of an exit of `GenServer.call`.
 */
function ofSdk(given: readonly string[]): readonly string[] {
  const [reason, name, call] = given
  if (name !== 'genserver_call' || call === undefined || (reason !== 'timeout' && reason !== 'noproc'))
    return given
  return [reason, name, parameterise(call.slice(0, PART_CHARS_MAX).replace(ELIXIR_TEXT, '<text>'))]
}

const ELIXIR_TEXT = /"(?:[^"\\]|\\.){0,1024}"|<<[\d, .]{0,1024}>>/g

function variableOf(part: string): string | null {
  return VARIABLE.exec(part)?.[1] ?? null
}

function resolveVariable(name: string, event: ScrubbedEvent): string {
  if (name.startsWith('tags.')) {
    const key = name.slice('tags.'.length)
    return event.tags.find(([tag]) => tag === key)?.[1] ?? `<no-value-for-tag-${key}>`
  }
  const resolve = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined
  return resolve === undefined ? `<unrecognized-variable-${name}>` : resolve(event).slice(0, PART_CHARS_MAX)
}

type Resolve = (event: ScrubbedEvent) => string

const errorTypeOf: Resolve = (event) => thrownException(event)?.type ?? '<no-type>'
const errorValueOf: Resolve = (event) => thrownException(event)?.value ?? '<no-value>'
const crashFunction: Resolve = (event) => lastCrashFrame(event)?.function ?? '<no-function>'
const crashPath: Resolve = (event) => lastCrashFrame(event)?.abs_path ?? '<no-abs-path>'
const moduleOf: Resolve = (event) => lastCrashFrame(event)?.module ?? '<no-module>'
const packageOf: Resolve = (event) => lastPathPart(lastCrashFrame(event)?.package) ?? '<no-package>'

const VARIABLES: Readonly<Record<string, Resolve>> = {
  transaction: (event) => event.transaction ?? '<no-transaction>',
  message: (event) => {
    const text = fingerprintMessage(event)
    return text === null ? '<no-message>' : parameterise(text)
  },
  type: errorTypeOf,
  'error.type': errorTypeOf,
  value: errorValueOf,
  'error.value': errorValueOf,
  function: crashFunction,
  'stack.function': crashFunction,
  path: crashPath,
  'stack.abs_path': crashPath,
  'stack.filename': (event) => lastCrashFrame(event)?.filename ?? '<no-filename>',
  module: moduleOf,
  'stack.module': moduleOf,
  package: packageOf,
  'stack.package': packageOf,
  level: (event) => event.level,
  logger: (event) => event.logger ?? '<no-logger>',
}

function fingerprintMessage(event: ScrubbedEvent): string | null {
  return (
    event.logentry?.message ??
    event.logentry?.formatted ??
    event.message ??
    thrownException(event)?.value ??
    null
  )
}

/** The newest in-app frame of the last exception that has frames, else its newest frame. */
function lastCrashFrame(event: ScrubbedEvent): Frame | undefined {
  const traces = [...exceptionsInOrder(event)].reverse().map((value) => value.stacktrace)
  const threads = event.threads?.values ?? []
  const thread =
    threads.find((value) => value.crashed === true) ?? threads.find((value) => value.current === true)
  const frames = [...traces, thread?.stacktrace, event.stacktrace].find(
    (trace) => (trace?.frames.length ?? 0) > 0,
  )?.frames
  return frames?.findLast((frame) => isOwnCall(frame, event.platform)) ?? frames?.at(-1)
}

function lastPathPart(path: string | undefined): string | undefined {
  return path?.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

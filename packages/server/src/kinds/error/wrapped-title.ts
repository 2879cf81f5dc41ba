/** Titles of exceptions that only say that another happened: by what that one says. */
import { firstSentence, safeLine } from '#group/v1/sentence.ts'
import type { ExceptionValue, ScrubbedEvent } from '#model/event.ts'

/** Sentences of undici, .NET, EF Core, tenacity and the JVM that are the same whatever failed. */
const SAYS_NOTHING =
  /^(?:fetch failed|(?:An error occurred while (?:sending the request|saving the entity changes|updating the entries)\.? ?)?(?:See the inner exception for details\.?)?|Exception has been thrown by the target of an invocation\.?|The type initializer for '[^']{1,300}' threw an exception\.?|RetryError\[<Future at 0x[0-9a-f]{1,16} state=finished raised \w{1,100}>\]|InvocationTargetException|UndeclaredThrowableException|ExceptionInInitializerError|An internal error occurred\.?)?$/i
/** A later one that came while an earlier was handled is no cause of it. */
const NO_CAUSE = new Set(['__context__', 'suppressed'])
const DEPTH_MAX = 5
const TYPE_CHARS_MAX = 128

/**
 * Returns a title for an error that says nothing itself: what its cause says. `null` for what says something, or has
 * no cause.
 */
export function wrappedTitle(event: ScrubbedEvent, exception: ExceptionValue): string | null {
  const told = causeTold(event, exception, 0)
  if (told === null) return null
  const type = safeLine((exception.type ?? '').slice(0, TYPE_CHARS_MAX))
  return type === '' ? told : `${type}: ${told}`
}

function causeTold(event: ScrubbedEvent, exception: ExceptionValue, depth: number): string | null {
  const said = (exception.value ?? '').trim()
  if (depth > DEPTH_MAX || exception.mechanism?.is_exception_group === true || !SAYS_NOTHING.test(said))
    return null
  const cause = wrappedCause(event.exception?.values ?? [], exception)
  if (cause === undefined) return null
  const line = causeTold(event, cause, depth + 1) ?? firstSentence(cause.value ?? '')
  const type = safeLine((cause.type ?? '').slice(0, TYPE_CHARS_MAX))
  const behind = line === '' ? type : /^(?:Error|Exception)?$/.test(type) ? line : `${type}: ${line}`
  const isKept = /^(?:fetch failed|The type initializer)/.test(said)
  return behind === '' ? null : isKept ? `${said.replace(/[.:\s]{1,9}$/, '')}: ${behind}` : behind
}

/** By the ids, else the one before it: causes come first. */
function wrappedCause(
  values: readonly ExceptionValue[],
  exception: ExceptionValue,
): ExceptionValue | undefined {
  const id = exception.mechanism?.exception_id
  const cause =
    id === undefined
      ? values[values.lastIndexOf(exception) - 1]
      : values.find((value) => value !== exception && value.mechanism?.parent_id === id)
  const { source, type } = cause?.mechanism ?? {}
  return NO_CAUSE.has(String(source)) || NO_CAUSE.has(String(type)) ? undefined : cause
}

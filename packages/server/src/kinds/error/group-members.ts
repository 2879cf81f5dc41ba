/** Names a group of exceptions that says nothing itself: by its first member, and how many more there are. */
import { firstSentence, safeLine } from '#group/v1/sentence.ts'
import type { ExceptionValue, ScrubbedEvent } from '#model/event.ts'

const SAYS_NOTHING =
  /^(?:No error message|All promises were rejected|No Promise in Promise\.any was resolved|One or more errors occurred\.?(?: \(.{0,2000}\))?|(?:unhandled errors in a TaskGroup|multiple (?:errors|exceptions)(?: occurred)?) ?\(?(?:\d{1,6} sub-exceptions?)?\)?\.?|Multiple (?:errors|exceptions)(?: occurred)?\.?|AggregateError|\d{1,6} exceptions? (?:were|was) thrown\.?)?$/is
/** Types that say no more than that it is an error. */
const PLAIN_TYPE = /^(?:Error|Exception|System\.Exception|java\.lang\.Exception)?$/
const DEPTH_MAX = 5
const TYPE_CHARS_MAX = 128

/**
 * Returns a title for a group of errors that says nothing itself: its first member, and how many more there are.
 * `null` for what is no group, and for groups that say something.
 */
export function groupMembers(event: ScrubbedEvent, exception: ExceptionValue, depth = 0): string | null {
  if (exception.mechanism?.is_exception_group !== true || depth > DEPTH_MAX) return null
  if (!SAYS_NOTHING.test((exception.value ?? '').trim())) return null
  const members = membersOfGroup(event.exception?.values ?? [], exception)
  const [first] = members
  if (first === undefined) return null
  const type = safeLine((exception.type ?? '').slice(0, TYPE_CHARS_MAX))
  const told = groupMembers(event, first, depth + 1) ?? memberLine(first)
  const more = members.length === 1 ? '' : ` (and ${members.length - 1} more)`
  return told === '' ? null : `${type === '' ? '' : `${type}: `}${told}${more}`
}

/** Returns members in the order in which SDKs added them, counting ids up. */
function membersOfGroup(values: readonly ExceptionValue[], group: ExceptionValue): readonly ExceptionValue[] {
  const id = group.mechanism?.exception_id
  if (id === undefined) return values.filter((value) => value !== group).reverse()
  return values
    .filter((value) => value !== group && value.mechanism?.parent_id === id)
    .sort((one, other) => (one.mechanism?.exception_id ?? 0) - (other.mechanism?.exception_id ?? 0))
}

function memberLine({ type = '', value = '' }: ExceptionValue): string {
  const line = firstSentence(value)
  if (PLAIN_TYPE.test(type)) return line || type
  const shown = safeLine(type.slice(0, TYPE_CHARS_MAX))
  return line === '' ? shown : `${shown}: ${line}`
}

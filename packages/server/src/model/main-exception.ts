/** The exception an event is called by, and filtered by. docs/wire.md, section "Titles". */
import type { ExceptionValue, NormalizedEvent } from './event.ts'

/**
 * The last exception; of a group (`AggregateError` and kin) whose ids are a tree and that holds a single exception,
 * that one: the group itself only says that there was one. `null` for messages.
 */
export function mainException(event: NormalizedEvent): ExceptionValue | null {
  const values = event.exception?.values ?? []
  const last = values.at(-1)
  if (last === undefined) return null
  let current = values.find((value) => value.mechanism?.is_exception_group === true && isRoot(value)) ?? last
  for (let step = 0; step < values.length && current.mechanism?.is_exception_group === true; step += 1) {
    const id = current.mechanism.exception_id
    const children = values.filter((value) => id !== undefined && value.mechanism?.parent_id === id)
    const [child] = children
    if (child === undefined || !isOne(children)) break
    current = child
  }
  return current.mechanism?.is_exception_group === true ? last : current
}

function isRoot(value: ExceptionValue): boolean {
  return value.mechanism?.exception_id === 0 && value.mechanism.parent_id === undefined
}

function isOne(values: readonly ExceptionValue[]): boolean {
  return new Set(values.map((value) => `${value.type}\n${value.value}`)).size === 1
}

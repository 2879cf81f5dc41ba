import { defaultStackParser, type ErrorEvent, type Exception, exceptionFromError } from '@sentry/browser'
import { applyAggregateErrorsToEvent, isError, isEvent, isPlainObject } from '@sentry/core'

export type ThrownEvent = Pick<ErrorEvent, 'level' | 'message' | 'exception'>

const CAUSES_MAX = 5

/**
 * Returns the event of whatever was thrown, an error's causes included, in the SDK's words. The SDK's own function
 * for it brings scopes, clients and a copy of the object that nobody reads here: three times the bytes.
 */
export function eventOfThrown(thrown: unknown): ThrownEvent {
  const error = innerOf(thrown)
  if (isError(error)) return eventOfError(error)
  const object = isPlainObject(error) || isEvent(error) ? error : null
  const inside = object === null ? undefined : Object.values(object).find(isError)
  if (inside !== undefined) return eventOfError(inside)
  const value = object === null ? String(error) : objectText(object)
  const type = isEvent(error) ? error.constructor.name : 'Error'
  const exception: Exception = { type, value, mechanism: { type: 'generic', handled: true, synthetic: true } }
  return {
    level: 'error',
    exception: { values: [exception] },
    ...(object === null ? { message: value } : {}),
  }
}

/** The error that a browser's event of an error carries, or what was thrown itself. */
function innerOf(thrown: unknown): unknown {
  return (isEvent(thrown) && 'error' in thrown ? thrown.error : null) ?? thrown
}

function eventOfError(error: Error): ThrownEvent {
  const event: ThrownEvent & Pick<ErrorEvent, 'type'> = {
    type: undefined,
    level: 'error',
    exception: { values: [exceptionFromError(defaultStackParser, error)] },
  }
  const hint = { originalException: error }
  applyAggregateErrorsToEvent(exceptionFromError, defaultStackParser, 'cause', CAUSES_MAX, event, hint)
  return event
}

function objectText(thrown: object): string {
  if (isEvent(thrown))
    return 'message' in thrown
      ? `Event \`ErrorEvent\` captured as exception with message \`${thrown.message}\``
      : `Event \`${thrown.constructor.name}\` (type=${thrown.type}) captured as exception`
  const keys = Object.keys(thrown).sort().join(', ')
  return `Object captured as exception with keys: ${keys === '' ? '[object has no keys]' : keys}`
}

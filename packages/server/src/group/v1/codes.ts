/** Part of grouping version 1. The code that an error has of its own, where its SDK sends it: `23505`, `ECONNRESET`, `P2002`. */
import { isObject } from '#base/json.ts'
import type { ExceptionValue, ScrubbedEvent } from '#model/event.ts'
import { thrownException } from './exceptions.ts'

const CODE = /^[A-Za-z0-9][\w.:-]{0,63}$/
/**
 * Keys sent by `extraErrorDataIntegration()` of the JavaScript SDK, and in a mechanism by .NET, PHP and
 * Python.
 */
const KEYS = ['code', 'errno', 'status', 'statusCode', 'sqlState', 'sqlstate', 'number'] as const

/** Empty where nothing is sent. */
export function errorCode(event: ScrubbedEvent, exception: ExceptionValue): string {
  const { mechanism } = exception
  const told = [...codesIn(mechanism?.data), ...codesIn(mechanism?.meta?.errno)]
  // These are of the error that was thrown, not of its causes.
  if (thrownException(event) === exception) {
    const named = event.contexts?.[exception.type ?? '']
    told.push(...codesIn(named), ...codesIn(event.contexts?.node_system_error))
  }
  return [...new Set(told)].join(' ')
}

function codesIn(bag: unknown): readonly string[] {
  if (!isObject(bag)) return []
  return KEYS.flatMap((key) => {
    const value = bag[key]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && CODE.test(text) && text !== '0' ? [`${key} ${text}`] : []
  })
}

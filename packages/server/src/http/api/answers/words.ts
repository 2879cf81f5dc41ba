/** Words that the schemas of answers are written in. They describe and check nothing: tests hold the answers to them. */
import * as v from 'valibot'

/** Schemas with a name of their own in the description, and so in clients made from it. */
export const NAMED = new Map<string, v.GenericSchema>()

export function named<const T extends v.GenericSchema>(name: string, schema: T): T {
  if (NAMED.has(name)) throw new Error(`two schemas are called ${name}`)
  NAMED.set(name, schema)
  return schema
}

export const text = v.string()
export const flag = v.boolean()
export const number = v.number()
export const whole = v.pipe(v.number(), v.integer())
/** RFC 3339 in UTC. */
export const time = v.pipe(v.string(), v.isoTimestamp())
/** A number as text, as Sentry sends ids and some counts. */
export const digits = v.pipe(v.string(), v.regex(/^\d+$/))
export const textOrNull = v.nullable(text)
export const wholeOrNull = v.nullable(whole)
export const numberOrNull = v.nullable(number)
export const timeOrNull = v.nullable(time)
/** Whatever a payload or an SDK said. */
export const anything = v.unknown()
export const anyObject = v.record(v.string(), v.unknown())
export const maybe = <const T extends v.GenericSchema>(schema: T) => v.optional(schema)
export const counts = v.record(v.string(), whole)
/** A list of which nothing is known here; tools expect it to be there. */
export const empty = v.pipe(v.array(v.unknown()), v.maxLength(0))
/** With further fields that hang on what it is. */
export const open = <const T extends v.ObjectEntries>(entries: T) => v.objectWithRest(entries, v.unknown())
/** Answered by calls that only say that they were done. */
export const EMPTY_OBJECT = v.record(v.string(), v.never())

/** Words that the schemas of answers are written in. They describe and check nothing: tests hold the answers to them. */
import * as v from 'valibot'

/** Schemas with a name of their own in the description, and so in clients made from it. */
export const NAMED_SCHEMA = new Map<string, v.GenericSchema>()

export function namedSchema<const T extends v.GenericSchema>(name: string, schema: T): T {
  if (NAMED_SCHEMA.has(name)) throw new Error(`two schemas are called ${name}`)
  NAMED_SCHEMA.set(name, schema)
  return schema
}

export const textSchema = v.string()
export const flagSchema = v.boolean()
export const numberSchema = v.number()
export const wholeSchema = v.pipe(v.number(), v.integer())
/** RFC 3339 in UTC. */
export const timeSchema = v.pipe(v.string(), v.isoTimestamp())
/** A number as text, as Sentry sends ids and some counts. */
export const digits = v.pipe(v.string(), v.regex(/^\d+$/))
export const textOrNull = v.nullable(textSchema)
export const wholeOrNull = v.nullable(wholeSchema)
export const numberOrNull = v.nullable(numberSchema)
export const timeOrNullSchema = v.nullable(timeSchema)
/** Whatever a payload or an SDK said. */
export const anything = v.unknown()
export const anyObject = v.record(v.string(), v.unknown())
export const optionalSchema = <const T extends v.GenericSchema>(schema: T) => v.optional(schema)
export const counts = v.record(v.string(), wholeSchema)
/** A list of which nothing is known here; tools expect it to be there. */
export const empty = v.pipe(v.array(v.unknown()), v.maxLength(0))
/** With further fields that hang on what it is. */
export const openObject = <const T extends v.ObjectEntries>(entries: T) =>
  v.objectWithRest(entries, v.unknown())
/** Answered by calls that only say that they were done. */
export const EMPTY_OBJECT = v.record(v.string(), v.never())

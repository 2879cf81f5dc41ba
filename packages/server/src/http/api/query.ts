/**
 * Parameters of query strings: each is described by the object that reads it, and the API's own description
 * is made of those. A route lists its parameters; a test compares the list with what is read.
 */
import { max } from '#limits/limits.ts'
import { badField } from './refusals.ts'

export interface QueryParameter {
  readonly name: string
  readonly what: string
  /** JSON schema of one value. */
  readonly schema: Readonly<Record<string, unknown>>
  /** May be there several times. */
  readonly repeats?: boolean
  readonly required?: boolean
}

export interface Reading<T> extends QueryParameter {
  /** Throws `ApiRefusal` where it breaks its rule. */
  read(url: URL): T
}

interface Words<T extends string> {
  readonly name: string
  readonly what: string
  readonly of: readonly T[]
}

/** Reads one of a few words; the first by default, and for any other value. */
export function choice<const T extends string>({
  name,
  what,
  of,
  fallback,
}: Words<T> & { readonly fallback: T }): Reading<T> {
  return {
    ...{ name, what, schema: { type: 'string', enum: of, default: fallback } },
    read({ searchParams }) {
      const text = searchParams.get(name) || fallback
      const known = of.find((each) => each === text)
      if (known === undefined) throw badField(name, `One of ${of.join(', ')}.`)
      return known
    },
  }
}

/** Reads one of a few words; `null` if none is given. */
export function choiceOrNone<const T extends string>({ name, what, of }: Words<T>): Reading<T | null> {
  return {
    ...{ name, what, schema: { type: 'string', enum: of } },
    read: ({ searchParams }) => {
      const text = searchParams.get(name) ?? ''
      const known = of.find((each) => each === text)
      if (known === undefined && text !== '') throw badField(name, `One of ${of.join(', ')}.`)
      return known ?? null
    },
  }
}

/** Any of a few words, each once. */
export function choices<const T extends string>({ name, what, of }: Words<T>): Reading<readonly T[]> {
  return {
    ...{ name, what, schema: { type: 'string', enum: of }, repeats: true },
    read: ({ searchParams }) =>
      [...new Set(searchParams.getAll(name))].map((text) => {
        const known = of.find((each) => each === text)
        if (known === undefined) throw badField(name, `One of ${of.join(', ')}.`)
        return known
      }),
  }
}

/** Any text; empty where nothing is said. */
export function words(name: string, what: string, charsMax: number | null = null): Reading<string> {
  return {
    ...{ name, what, schema: { type: 'string', ...(charsMax === null ? {} : { maxLength: charsMax }) } },
    read({ searchParams }) {
      const text = searchParams.get(name) ?? ''
      return charsMax === null ? text : text.slice(0, charsMax)
    },
  }
}

/** Reads a parameter that may repeat; `-1` is Sentry's word for "all". */
export function listParameter(name: string, what: string): Reading<readonly string[]> {
  return {
    ...{ name, what, schema: { type: 'string' }, repeats: true },
    read({ searchParams }) {
      const values = searchParams.getAll(name).filter((value) => value !== '')
      if (values.length > max('pageRowsMax')) throw badField(name, `At most ${max('pageRowsMax')} values.`)
      return values.includes('-1') ? [] : values
    },
  }
}

/** `1`, `true` and `on` are yes. */
export function yes(name: string, what: string): Reading<boolean> {
  return {
    ...{ name, what, schema: { type: 'boolean' } },
    read: ({ searchParams }) => ['1', 'true', 'on'].includes((searchParams.get(name) ?? '').toLowerCase()),
  }
}

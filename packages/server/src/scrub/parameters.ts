/** Parameters of statements, each by the column that it is for, whatever holds them. */
import { setOwn } from '#base/json.ts'
import { mapChanged } from '#base/mapped.ts'
import { type NamedList, nameOfParameter } from './shapes.ts'
import { type StatementOptions, scrubBound } from './statements.ts'

type Bag = Readonly<Record<string, unknown>>

/** Parts of the walk that they need. */
export interface Walk {
  readonly textOptions: StatementOptions
  enter(key: string | number): void
  leave(): void
  under<T>(key: string | number, scrub: () => T): T
  keyed(key: string, value: unknown): unknown
  value(value: unknown): unknown
  text(text: string): string
  isSecretName(key: string): boolean
}

/** Parameters of a statement, whatever holds them: a list, rows, an object, JSON, or one key each. */
export function scrubParameters(
  walk: Walk,
  { key, value, named }: { readonly key: string; readonly value: unknown; readonly named: NamedList },
): unknown {
  if (Array.isArray(value))
    return value.some(isNamedValue) ? scrubNamed(walk, value, named) : scrubRow(walk, value, named.names)
  if (typeof value === 'string' && /^\s{0,8}[[{(]/.test(value) && PARAMETERS.test(key))
    return scrubWritten(walk, value, named)
  if (typeof value !== 'object' || value === null) {
    const name = placedName(walk, named, key)
    return name === undefined ? walk.keyed(key, value) : walk.keyed(name, value)
  }
  const isFromOne = !Object.hasOwn(value, '0') && Object.hasOwn(value, '1')
  const copy: Record<string, unknown> = {}
  let isChanged = false
  for (const [one, of] of Object.entries(value)) {
    const place = isFromOne && /^\d{1,3}$/.test(one) ? Number(one) - 1 : one
    const name = walk.isSecretName(one) ? undefined : nameOfParameter(named, place)
    const taken = name === undefined ? of : walk.under(one, () => walk.keyed(name, of))
    setOwn(copy, one, taken)
    isChanged ||= taken !== of
  }
  // Names, and what goes by its own.
  return walk.value(isChanged ? copy : value)
}

/** `db.query.parameter.1` counts from nought, `$1` of the statement from one: either may be meant. */
function placedName(walk: Walk, named: NamedList, key: string): string | undefined {
  const name = nameOfParameter(named, key)
  const place = /\.(\d{1,3})$/.exec(key)?.[1]
  const other = place === undefined ? undefined : named.names[Number(place)]
  return other !== undefined && walk.isSecretName(other) ? other : name
}

/** `[{name: 'p1', value: 'X'}]`: each says which parameter it is. */
function scrubNamed(walk: Walk, list: readonly unknown[], named: NamedList): unknown {
  return mapChanged(list, (one, at) =>
    walk.under(at, () => {
      if (!isNamedValue(one)) return walk.value(one)
      const name = nameOfParameter(named, one.name) ?? one.name
      const value = walk.keyed(name, one.value)
      return value === one.value ? one : { ...one, value }
    }),
  )
}

/** Scrubs written parameters: JSON, or lists as languages write them. */
function scrubWritten(walk: Walk, text: string, { names, named }: NamedList): string {
  const parsed = parsedJson(text)
  if (parsed !== undefined) {
    const scrubbed = scrubParameters(walk, { key: 'params', value: parsed, named: { names, named } })
    return scrubbed === parsed ? text : JSON.stringify(scrubbed)
  }
  const before = `insert into t (${names.join(',')}) values (${names.map(() => '?').join(',')}) params: `
  const bound = scrubBound(before + text, walk.textOptions)
  return walk.text(bound.startsWith(before) ? bound.slice(before.length) : text)
}

/** A row, or rows, each value by its column's name. */
function scrubRow(walk: Walk, value: unknown, names: readonly string[]): unknown {
  if (!Array.isArray(value)) return walk.value(value)
  const row: readonly unknown[] = value
  if (isPairs(row)) return mapChanged(row, (one, at) => walk.under(at, () => scrubPair(walk, one)))
  if (Array.isArray(row[0])) return mapChanged(row, (one) => scrubRow(walk, one, names))
  return mapChanged(row, (one, at) => {
    walk.enter(at)
    const name = names[at]
    const scrubbed =
      name === undefined
        ? walk.value(one)
        : isValueOnly(one)
          ? scrubHeld(walk, name, one)
          : walk.keyed(name, one)
    walk.leave()
    return scrubbed
  })
}

/** `{value: 'X'}` in the place of a parameter. */
function scrubHeld(walk: Walk, name: string, one: Bag): Bag {
  const value = walk.keyed(name, one.value)
  return value === one.value ? one : { ...one, value }
}

/** `["token", "X"]` of Rails: a column and its value. */
function scrubPair(walk: Walk, bind: unknown): unknown {
  if (!Array.isArray(bind) || typeof bind[0] !== 'string') return bind
  const scrubbed = walk.keyed(bind[0].replace(/^.*[."`]/, ''), bind[1])
  return scrubbed === bind[1] ? bind : [bind[0], scrubbed]
}

/** Each names itself; the names are words, and not all the same. */
function isPairs(row: readonly unknown[]): boolean {
  return (
    row.every(
      (one) =>
        Array.isArray(one) &&
        one.length === 2 &&
        typeof one[0] === 'string' &&
        /^[A-Za-z_][\w.]{1,63}$/.test(one[0]),
    ) &&
    row.some(
      (one) =>
        Array.isArray(one) && /_|^(?:id|email|password|token|limit|offset|name)$/i.test(String(one[0])),
    )
  )
}

interface NamedValue extends Bag {
  readonly name: string
  readonly value: unknown
}

function isNamedValue(value: unknown): value is NamedValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    'name' in value &&
    typeof value.name === 'string'
  )
}

function isValueOnly(one: unknown): one is Bag {
  return typeof one === 'object' && one !== null && !Array.isArray(one) && 'value' in one && !('name' in one)
}

const PARAMETERS = /param|bind|values|args|replacements/i
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON
  }
}

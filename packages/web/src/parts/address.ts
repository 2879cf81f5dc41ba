/** The codec of addresses: a page's parameters are a table, from which its address is read and printed. Pure. */
import type { Query } from './paths.ts'

interface Rules {
  /** Its name in the address, if that is not the key of the entry. */
  readonly name?: string
  /** Other entry: while that one says something, this one is not printed. */
  readonly unless?: string
  /** Entries whose change sets this one to its first value; `all`: whatever changes. */
  readonly resetBy?: 'all' | readonly string[]
}

/** Entry of the table: its type, and the value of an address that does not name it, which is never printed. */
export type AddressParam = Rules &
  (
    | { readonly type: 'value'; readonly first: null }
    /** Typed by people: trimmed, and bounded. */
    | {
        readonly type: 'text'
        readonly first: '' | null
        readonly charsMax: number
      }
    /** A search, which may come in several parts. */
    | { readonly type: 'search'; readonly first: '' }
    | {
        readonly type: 'several'
        readonly first: readonly string[]
        readonly countMax: number
      }
    | {
        readonly type: 'choice'
        readonly first: string | null
        readonly of: readonly (string | { readonly key: string })[]
      }
    /** A key of a table. */
    | {
        readonly type: 'key'
        readonly first: null
        readonly in: Readonly<Record<string, unknown>>
      }
    /** True where the address has this word. */
    | { readonly type: 'flag'; readonly first: false; readonly on: string }
    /** A whole number from 1. */
    | { readonly type: 'number'; readonly first: null }
    | { readonly type: 'page'; readonly first: 1; readonly pagesMax: number }
    /** Value that several names make together. */
    | {
        readonly type: 'own'
        readonly first: null
        read(search: URLSearchParams): unknown
        print(value: unknown): Query
      }
  )

export type AddressTable = Readonly<Record<string, AddressParam>>

type ValueOf<Param> = Param extends { read(search: URLSearchParams): infer Value }
  ? Value
  : Param extends { readonly of: readonly (infer Each)[]; readonly first: infer First }
    ? (Each extends { readonly key: infer Key } ? Key : Each) | First
    : Param extends { readonly in: infer Keyed }
      ? (keyof Keyed & string) | null
      : Param extends { readonly type: 'flag' }
        ? boolean
        : Param extends { readonly type: 'several' }
          ? readonly string[]
          : Param extends { readonly type: 'page' }
            ? number
            : Param extends { readonly type: 'number' }
              ? number | null
              : Param extends { readonly first: infer First }
                ? string | First
                : never

/** An address in parts, as its table types them. */
export type AddressOf<Table> = { readonly [Key in keyof Table]: ValueOf<Table[Key]> }

/** Reads an address. Values that mean nothing give the first one: an old or mistyped link still shows a page. */
export function readAddress<const Table extends AddressTable>(
  table: Table,
  search: URLSearchParams,
): AddressOf<Table> {
  // `Object.assign` gives what its table says, which the compiler cannot follow.
  return Object.assign(
    {},
    ...Object.entries(table).map(([key, param]) => ({ [key]: read(param, param.name ?? key, search) })),
  )
}

function read(param: AddressParam, name: string, search: URLSearchParams): unknown {
  const text = search.get(name) ?? ''
  switch (param.type) {
    case 'value':
      return text || param.first
    case 'text':
      return text.trim().slice(0, param.charsMax) || param.first
    case 'search':
      return search.getAll(name).join(' ').trim()
    case 'several':
      return search.getAll(name).slice(0, param.countMax)
    case 'choice':
      return param.of.map(choiceKey).find((key) => key === text) ?? param.first
    case 'key':
      return Object.hasOwn(param.in, text) ? text : param.first
    case 'flag':
      return text === param.on
    case 'number':
      return readNumber(text)
    case 'page':
      return Math.min(param.pagesMax, Math.max(1, Math.floor(Number(text) || 1)))
    case 'own':
      return param.read(search)
  }
}

function choiceKey(each: string | { readonly key: string }): string {
  return typeof each === 'string' ? each : each.key
}

function readNumber(text: string): number | null {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

/** Returns the function that prints an address with some of it changed, as the query of a link. */
export function queryOf<const Table extends AddressTable>(table: Table) {
  return (address: AddressOf<Table>, change: Partial<AddressOf<Table>> = {}): Query => {
    const changed: Readonly<Record<string, unknown>> = change
    const valueAt = (key: string) => {
      if (changed[key] !== undefined) return changed[key]
      const { resetBy, first } = table[key] ?? {}
      return resetBy === 'all' || resetBy?.some((other) => changed[other] !== undefined)
        ? first
        : address[key]
    }
    const isFirst = (key: string) => valueAt(key) === table[key]?.first
    const printed = Object.entries(table).map(([key, param]) => {
      if (param.type === 'own') return param.print(valueAt(key))
      const isLeftOut = isFirst(key) || (param.unless !== undefined && !isFirst(param.unless))
      return { [param.name ?? key]: isLeftOut ? null : param.type === 'flag' ? param.on : valueAt(key) }
    })
    return Object.assign({}, ...printed)
  }
}

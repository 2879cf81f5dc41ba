/** Names that stand beside their values: `{name: "password", value: "…"}`, flat lists of headers. */

import { looksIssued } from './random.ts'

/** Returns spellings of words: as they are, with a capital, and in capitals. */
const spellings = (words: string): ReadonlySet<string> =>
  new Set(
    words
      .split(' ')
      .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]),
  )
/** Returns `attributeName` and its like, as `AttributeName` and `attribute_name` as well. */
const joinedSpellings = (words: string, ends: string): readonly string[] =>
  words.split(' ').flatMap((word) =>
    ends.split(' ').flatMap((end) => {
      const [first, last] = [
        word.charAt(0).toUpperCase() + word.slice(1),
        end.charAt(0).toUpperCase() + end.slice(1),
      ]
      return [`${word}${last}`, `${first}${last}`, `${word}_${end}`]
    }),
  )
const OF_ENTRIES =
  'attribute parameter param header field property prop setting variable var env config option key secret claim input item entry column metadata tag'
const NAME_KEYS: ReadonlySet<string> = new Set([
  ...spellings(
    'name key header field k param parameter variable attribute property label option column id path instancePath setting propertyPath loc target title tag 0',
  ),
  ...joinedSpellings(OF_ENTRIES, 'name key'),
])
const VALUE_KEYS: ReadonlySet<string> = new Set([
  ...spellings(
    'value val v content text data stringValue values rejectedValue received current argument actual rhs input to old oldValue new newValue previous before after 1',
  ),
  ...joinedSpellings(`${OF_ENTRIES} current invalid string`, 'value'),
])
const CHANGED_KEYS: ReadonlySet<string> = spellings('old oldValue new newValue previous before after from to')
const ENTRY_NAME = /^[\w.$:/-]{1,64}(?: [\w-]{1,24})?$/
/** Entries are small: nothing else of a bag is read to find out. */
const ENTRY_KEYS_MAX = 8

export interface NamedEntry {
  readonly name: string
  readonly valueKey: string
}

/** The name that an entry's value goes by, and where the value stands. */
export function namedEntry(bag: Readonly<Record<string, unknown>>): NamedEntry | null {
  let nameKey: string | null = null
  let valueKey: string | null = null
  let count = 0
  for (const key in bag) {
    if (++count > ENTRY_KEYS_MAX) return null
    if (key.length > 16) continue
    if (valueKey === null && VALUE_KEYS.has(key)) valueKey = key
    else if (nameKey === null && NAME_KEYS.has(key)) nameKey = key
  }
  if (bag.type === 'password' && typeof bag.value === 'string') return { name: 'password', valueKey: 'value' }
  // A field of a form says what it is by its type, and so does a parameter of a store of secrets.
  if (nameKey === null && bag.type === 'password' && valueKey !== null) return { name: 'password', valueKey }
  if (bag.Type === 'SecureString' && valueKey !== null) return { name: 'password', valueKey }
  // An action of a store: `{type: 'SET_TOKEN', payload: 'X'}`.
  if (typeof bag.payload === 'string' && typeof bag.type === 'string' && looksIssued(bag.payload))
    return ENTRY_NAME.test(bag.type) ? { name: bag.type, valueKey: 'payload' } : null
  if (nameKey === null || valueKey === null) return null
  const named = bag[nameKey]
  // `path` of a validator or a patch: its last step is the field.
  const last: unknown = Array.isArray(named) ? named.at(-1) : named
  const name = typeof last === 'string' && last.startsWith('/') ? last.slice(last.lastIndexOf('/') + 1) : last
  return typeof name === 'string' && ENTRY_NAME.test(name) ? { name, valueKey } : null
}

/** Whether `key` holds the value of an entry, or what it was before. */
export function isEntryValue({ valueKey }: NamedEntry, key: string): boolean {
  return key === valueKey || CHANGED_KEYS.has(key)
}

/**
 * True if `key` of a bag holds nothing but secrets: the data of a Kubernetes `Secret`, a password made by Terraform.
 */
export function isSealed(bag: Readonly<Record<string, unknown>>, key: string): boolean {
  if (key === 'data' || key === 'stringData') return bag.kind === 'Secret'
  return key === 'instances' && typeof bag.type === 'string' && SEALED_RESOURCE.test(bag.type)
}

/** Resources of Terraform that are a secret, whatever its state calls their parts. */
const SEALED_RESOURCE =
  /^[a-z]\w{0,40}(?:_password|_secret(?:_version)?|_private_key|_access_key|_api_key|_token)$/

type Part = 'statement' | 'columns' | 'list' | 'values'
const parts = (part: Part, words: string): readonly (readonly [string, Part])[] =>
  words.split(/\s+/).map((word) => [word, part] as const)
/** Parts of a statement or table by the key of a bag: `list` in its order only, `values` by names as well. */
const PARTS: ReadonlyMap<string, Part> = new Map([
  ...parts(
    'statement',
    `sql query statement text message description name queryString sqlQuery sql_query rawSql commandText sqlMessage
    db.statement db.query.text db.query sql.query db.sql`,
  ),
  ...parts('columns', 'columns fields headers'),
  ...parts('list', 'arguments row rows data records'),
  ...parts(
    'values',
    `params parameters bindings values args replacements bind binds bindVars bindValues bind_values parameter type_casted_binds bound_params boundParameters queryParams
    query_params sqlParams sql_params sqlParameters positional db.params db.parameters db.sql.bindings db.sql.params db.bindings
    db.query.params db.query.parameters db.sql.parameters db.statement.parameters db.query_params`,
  ),
])
const BAG_KEYS_MAX = 24
/** `db.query.parameter.0`, `db.query.parameter.name`. */
const ONE_PARAMETER = /^db\.(?:query|operation|statement)\.param(?:eter)?s?\.([\w-]{1,64})$/

/** Binding of a bag's values, if a statement or columns stand beside or above them. */
export type Bound = 'list' | 'values' | 'one'

/** `null` for nearly all keys. */
export function boundOf(key: string): Bound | null {
  if (ONE_PARAMETER.test(key)) return 'one'
  const part = PARTS.get(key)
  return part === 'list' || part === 'values' ? part : null
}

/** Roles that a key of a bag may have beside others. */
export interface KeyRoles {
  /** True for the name of an entry; others are its value, or what that was before. */
  readonly isName: boolean
  readonly isValue: boolean
  /** True for what names the values of a list beside it. */
  readonly isStatement: boolean
}

export function rolesOf(key: string): KeyRoles {
  const part = PARTS.get(key)
  return {
    isName: NAME_KEYS.has(key),
    isValue: VALUE_KEYS.has(key) || CHANGED_KEYS.has(key),
    isStatement: part === 'statement' || part === 'columns',
  }
}

export interface NamedList {
  /** Names of the values, in their order. */
  readonly names: readonly string[]
  /** By what a statement calls its parameters. */
  readonly named: ReadonlyMap<string, string>
}

const NOT_NAMED: ReadonlyMap<string, string> = new Map()

/** Names for the values of a bag: of its statement, of its columns; `null` where it has neither. */
export function namedList(
  bag: Readonly<Record<string, unknown>>,
  columnsOf: (statement: string) => NamedList | null,
): NamedList | null {
  let columns: readonly string[] | null = null
  let count = 0
  for (const key in bag) {
    if (++count > BAG_KEYS_MAX) break
    const part = PARTS.get(key)
    const value = bag[key]
    if (part === 'columns') columns = namesOf(value)
    const bound = part === 'statement' && typeof value === 'string' ? columnsOf(value) : null
    if (bound !== null) return bound
  }
  return columns === null ? null : { names: columns, named: NOT_NAMED }
}

/** Whether a value is of a kind that holds parameters. */
export function holdsParameters(bound: Bound, value: unknown): boolean {
  if (bound === 'one') return true
  if (bound === 'list') return Array.isArray(value)
  return typeof value === 'object' || (typeof value === 'string' && /^\s{0,8}[[{(]/.test(value))
}

/**
 * Returns the name at `at` of a list's values, or of others by their own; `undefined` if nothing is known.
 */
export function nameOfParameter({ names, named }: NamedList, key: string | number): string | undefined {
  const own = typeof key === 'number' ? key : (ONE_PARAMETER.exec(key)?.[1] ?? key).replace(/^[:@$?]/, '')
  return named.get(String(own)) ?? (/^\d{1,3}$/.test(String(own)) ? names[Number(own)] : undefined)
}

function namesOf(columns: unknown): readonly string[] | null {
  if (!Array.isArray(columns) || columns.length > BAG_KEYS_MAX) return null
  const names: readonly unknown[] = columns
  return names.every((name) => typeof name === 'string' && ENTRY_NAME.test(name)) ? names.map(String) : null
}

const ARGUMENT_OF_QUERY = /\b([A-Za-z_]\w{1,40})\s{0,4}:\s{0,4}\$([A-Za-z_]\w{0,40})/g

/**
 * Returns the arguments that a GraphQL query's variables are given to: `login(password: $p)`; `null` for any
 * other bag.
 */
export function namedVariables(bag: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> | null {
  const { query, variables } = bag
  if (typeof query !== 'string' || typeof variables !== 'object' || variables === null) return null
  const names = new Map<string, string>()
  for (const [, name = '', variable = ''] of query.matchAll(ARGUMENT_OF_QUERY)) {
    if (names.size >= BAG_KEYS_MAX) break
    names.set(variable, name)
  }
  return names.size === 0 ? null : names
}

const KNOWN_HEADERS: ReadonlySet<string> = new Set(
  `host accept accept-encoding accept-language user-agent content-type content-length connection cookie authorization
  cache-control referer origin x-forwarded-for x-request-id date server set-cookie`.split(/\s+/),
)
const HEADER_NAME = /^[A-Za-z][\w-]{0,63}$/
const HEADERS_MAX = 400

/** Returns the name before `at` in `["Host", "a", "Authorization", "X"]`; `null` in any other list. */
export function headerNamed(list: readonly unknown[], at: number): string | null {
  const name = list[at - 1]
  if (at % 2 === 0 || list.length % 2 !== 0 || typeof name !== 'string' || !HEADER_NAME.test(name))
    return null
  return list.length > 2 && list.length <= HEADERS_MAX && isHeaderList(list) ? name : null
}

/** Asked for every second element: remembered for the list at hand. */
const judged = new WeakMap<readonly unknown[], boolean>()

function isHeaderList(list: readonly unknown[]): boolean {
  const known = judged.get(list)
  if (known !== undefined) return known
  let isKnown = false
  let isList = true
  for (let at = 0; at < list.length && isList; at += 2) {
    const name = list[at]
    isList = typeof name === 'string' && HEADER_NAME.test(name) && typeof list[at + 1] === 'string'
    if (isList && typeof name === 'string' && KNOWN_HEADERS.has(name.toLowerCase())) isKnown = true
  }
  judged.set(list, isList && isKnown)
  return isList && isKnown
}

/**
 * Values of statements and of elements: `INSERT INTO t (a, password) VALUES ('x', 'X')`, each by the name of its column,
 * `IDENTIFIED BY 'X'`, `<add key="password" value="X"/>`.
 */
import { FILTERED } from './filtered.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { looksIssued } from './random.ts'

const INSERT =
  /\binto\s{1,8}[\w."`[\]]{1,128}\s{0,8}\(([^()]{1,2000})\)\s{0,8}(?:output\s[^()]{1,80})?values?\s{0,8}(?=\()/gi
const TUPLES_MAX = 1_000

export interface StatementOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

export function scrubInserts(text: string, options: StatementOptions): string {
  let out = ''
  let copied = 0
  let read = 0
  for (const match of text.matchAll(INSERT)) {
    if (match.index < read) continue // within a tuple of the last one
    const columns = (match[1] ?? '').split(',').map((name) => name.replace(/["`[\]\s]/g, ''))
    const rules = columns.map((name) => options.keys.ruleOf(name))
    if (rules.every((rule) => rule === null)) continue
    let at = match.index + match[0].length
    for (let tuple = 0; tuple < TUPLES_MAX && text[at] === '('; tuple++) {
      const values = valuesOf(text, at + 1)
      for (const [index, { start, end }] of values.spans.entries()) {
        const rule = rules[index] ?? null
        const value = text.slice(start, end)
        if (rule === null || start < copied || !isLiteral(value)) continue
        options.onFound(rule, value)
        out += text.slice(copied, start) + FILTERED
        copied = end
      }
      at = values.end
      read = at
      while (text[at] === ',' || text[at] === ' ' || text[at] === '\n') at++
    }
  }
  return copied === 0 ? text : out + text.slice(copied)
}

interface Span {
  readonly start: number
  readonly end: number
}

/** The values of one tuple, without their quotes; strings may hold commas and brackets. */
function valuesOf(text: string, from: number): { readonly spans: readonly Span[]; readonly end: number } {
  const spans: Span[] = []
  let start = from
  let quoted: Span | null = null
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === "'" || letter === '"') {
      const close = stringEnd(text, at + 1, letter)
      quoted = { start: at + 1, end: close }
      at = close
    } else if (letter === '(') depth++
    else if (letter === ')' && depth > 0) depth--
    else if ((letter === ',' || letter === ')') && depth === 0) {
      spans.push(quoted ?? { start: start + blanks(text, start), end: at })
      if (letter === ')') return { spans, end: at + 1 }
      quoted = null
      start = at + 1
    }
  }
  spans.push(quoted ?? { start, end: text.length })
  return { spans, end: text.length }
}

function stringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at
      at++
    }
  }
  return text.length
}

function blanks(text: string, from: number): number {
  let count = 0
  while (count < 8 && (text[from + count] ?? '') <= ' ' && from + count < text.length) count++
  return count
}

/** No placeholder, no function, nothing empty. */
function isLiteral(value: string): boolean {
  const plain = value.trim()
  return (
    plain !== '' &&
    plain !== FILTERED &&
    !/^(?:null|default|true|false|\?|\$\d+|:\w+|%\(?\w*\)?s?|@\w+)$/i.test(plain)
  )
}

const IDENTIFIED =
  /\b((?:pragma\s{1,4}(?:\w{1,32}\.)?(?:re|hex|hexre)?key\s{0,4}=\s{0,4}|set\s{1,4}password\s{1,4}for\s{1,4}[^\s=]{1,128}\s{0,4}=\s{0,4}|(?:identified(?:\s{1,4}with\s{1,4}\w{1,40})?\s{1,4}(?:by|as)(?:\s{1,4}password)?|\w{0,20}password|\bas\s{1,4}\w{1,64}\s{1,4}key)\s{1,4})\\?(['"])(?:x')?)([^'"\\\s]{1,256})(?=\\?\2|')/gi

/** `IDENTIFIED BY 'X'`, `PASSWORD 'X'`, `PRAGMA key = 'X'`. */
export function scrubIdentified(text: string, { onFound }: StatementOptions): string {
  return text.replace(IDENTIFIED, (whole: string, before: string, _quote: string, value: string) => {
    if (!isLiteral(value) || /^(?:required|missing|invalid|text|string)$/i.test(value)) return whole
    onFound('password', value)
    return before + FILTERED
  })
}

/** `authenticity_token`: what a field is called. */
const NAME_OF_FIELD = /^[a-z]{2,20}(?:[_-][a-z]{2,20}){1,4}$/
const ELEMENT =
  /\b((?:key|name|id|property|field|type(?=\s?=\s?\\?["']password[^<>]{0,300}\svalue))\s?=\s?\\?["']([\w.:-]{1,64})\\?["'](?:\s{1,4}(?!(?:\w{1,16}:)?(?:value|content))[\w:-]{1,32}\s?=\s?\\?["'][^"'<>\\]{0,64}\\?["']){0,4}(?:\s{1,4}(?:\w{1,16}:)?(?:value|content)\s?=\s?\\?["']|\s?>\s{0,8}(?:<value>)?))([^"'<>\\]{1,1024})/gi

/** `<add value="X" key="password"/>`. */
const VALUE_FIRST =
  /(\s(?:value|content)\s?=\s?\\?["'])([^"'<>\\]{3,1024})(?=\\?["'](?:\s{1,4}(?!(?:key|name|id)\s?=)[\w:-]{1,32}\s?=\s?\\?["'][^"'<>\\]{0,64}\\?["']){0,2}\s{1,4}(?:key|name|id)\s?=\s?\\?["']([\w.:-]{1,64})\\?["'])/gi

/** `<apiKey value="X"/>`. */
const VALUED = /(<([A-Za-z][\w.:-]{1,63})\s{1,4}value\s?=\s?\\?["'])([^"'<>\\]{3,1024})/gi

/** `<string name="forgot_password">Forgot password?</string>`: what an app shows. */
function isLabel(value: string): boolean {
  return (
    isSecretNoun(value) || (/^[\p{Lu}\p{Lo}][\p{L}\p{M}’',.!?… -]{2,200}$/u.test(value) && /\s/.test(value))
  )
}

/** `<add key="password" value="X"/>`, `<property name="password">X</property>`. */
export function scrubElements(text: string, { keys, onFound }: StatementOptions): string {
  const take = (whole: string, before: string, name: string, value: string) => {
    const rule = keys.ruleFor(name, value)
    if (rule === null || !isLiteral(value) || NAME_OF_FIELD.test(value)) return whole
    if (/^name=[^>]*>$/.test(before.replace(/\s/g, '')) && isLabel(value)) return whole
    onFound(rule, value)
    return before + FILTERED
  }
  const takeFirst = (whole: string, before: string, value: string, name: string) =>
    take(whole, before, name, value)
  return text.replace(ELEMENT, take).replace(VALUED, take).replace(VALUE_FIRST, takeFirst)
}

/** `proxy_set_header X-Api-Key X`, `SetEnv DB_PASSWORD X`: settings of servers that are no assignments. */
const DIRECTIVE =
  /((?:#\s{0,4}define|\b(?:proxy|grpc)_set_header|add_header|(?:fastcgi|uwsgi|scgi)_param|setenv|setx|\bset -[a-zA-Z]{1,4}|(?:env|config|secrets?|vars?|variables?)(?::| )(?:set|add)(?: --?[\w-]{1,20}){0,2}|(?:request)?header (?:always )?(?:set|append|add))\s{1,8}["']?(?!-)([\w.-]{2,64})["']?\s{1,8}@?)("[^"\n]{3,1024}"|'[^'\n]{3,1024}'|[^\s"';]{3,1024})/gi

export function scrubDirectives(text: string, { keys, onFound }: StatementOptions): string {
  return text.replace(DIRECTIVE, (whole: string, before: string, name: string, quoted: string) => {
    const quote = /^["']/.exec(quoted)?.[0] ?? ''
    const value = quote === '' ? quoted : quoted.slice(1, -1)
    const rule = keys.ruleFor(name, value)
    // `$http_authorization`: a variable.
    if (rule === null || !isLiteral(value) || value.startsWith('$') || value.includes(FILTERED)) return whole
    onFound(rule, value)
    return before + quote + FILTERED + quote
  })
}

/** `UPDATE settings SET value = 'X' WHERE name = 'api_secret'`: a row of names and values. */
const SETTING_ROW =
  /(\bset\s{1,4}["`\w.]{0,24}?value["`]?\s?=\s?')([^'\n]{3,512})(?='[^;'\n]{0,80}\bwhere\s{1,4}["`]?(?:\w{1,20}_)?(?:name|key|setting|option|param)["`]?\s?=\s?'([\w.-]{2,64})')/gi

export function scrubSettingRows(text: string, { keys, onFound }: StatementOptions): string {
  return text.replace(SETTING_ROW, (whole: string, before: string, value: string, name: string) => {
    const rule = keys.ruleFor(name, value)
    if (rule === null || !isLiteral(value) || value.includes(FILTERED)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

/** `SET session:42 X`, `SETEX token:7 3600 X`: of a store of names and values. */
const STORED =
  /((?<![\w-])(?:SET|SETNX|GETSET|APPEND|(?:P?SETEX)|HSET \S{1,128})\x22? ["']?([\w.:{}-]{2,128})["']?(?: \d{1,12}(?= \S))? ["']?)([\w.~+/=:-]{12,4096})(?![\w.~+/=:-])/g

export function scrubStored(text: string, { keys, onFound }: StatementOptions): string {
  return text.replace(STORED, (whole: string, ...[before = '', name = '', value = '']: string[]) => {
    const rules = name.split(/[:{}]/).map((part) => keys.ruleFor(part, value))
    const rule = rules.find((one) => one !== null) ?? null
    if (rule === null || !looksIssued(value)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

/** Placeholders of values: `?`, `$2`, `%s`, `:name`, `@p0`, `%(name)s`. */
const PARAMETER = String.raw`(\?\d{0,3}|\$\d{1,3}|%s|%\(\w{1,64}\)s|@\w{1,64}|:\w{1,64})`
const BOUND = new RegExp(
  String.raw`([\w."\x60[\]]{1,128})\s{0,4}(?:=|<>|!=|\blike\b|\bin\s{0,2}\()\s{0,4}${PARAMETER}|\binto\s{1,4}[\w."\x60[\]]{1,128}\s{0,4}\(([^()]{1,2000})\)\s{0,4}(?:output\s[^()]{1,80})?values\s{0,4}\(`,
  'gi',
)
const BOUND_MAX = 100
const TUPLE_CHARS = 4_096
const STATEMENT =
  /^\s{0,40}["']?(?:\/\*[^*]{0,200}\*\/\s{0,8})?(?:select|insert|update|delete|replace|merge|with|call|exec|upsert)\b/i

/** Columns that a statement's parameters are for. */
export interface BoundColumns {
  /** Names in the order of the parameters. */
  readonly names: readonly string[]
  /** By the names of parameters. */
  readonly named: ReadonlyMap<string, string>
}

/** `null` of any text that is no statement with parameters. */
export function boundColumns(logged: string): BoundColumns | null {
  // `Executing (default): UPDATE …`
  const statement = logged.startsWith('Execut')
    ? logged.replace(/^Execut\w{2,3} (?:\([\w-]{1,64}\): )?/, '')
    : logged
  if (!STATEMENT.test(statement)) return null
  const names: string[] = []
  const named = new Map<string, string>()
  for (const [column, parameter] of bindings(statement)) {
    if (named.size + names.length >= BOUND_MAX) break
    const name = column.replace(/["`[\]\s]/g, '')
    const number = /^(?:[$:?]|@p)(\d{1,3})$/i.exec(parameter)?.[1]
    if (number !== undefined) names[Math.max(0, Number(number) - (parameter.startsWith('@') ? 0 : 1))] = name
    else if (/^[?%](?!\()/.test(parameter)) names.push(name)
    if (parameter.length > 1) named.set(parameter.replace(/^[:@$]|^%\(|\)s$/g, ''), name)
  }
  return names.length === 0 && named.size === 0
    ? null
    : { names: Array.from(names, (name) => name ?? ''), named }
}

/** Each parameter behind the name of its column. */
function* bindings(statement: string): Generator<readonly [column: string, parameter: string]> {
  for (const { 0: whole, 1: column, 2: parameter, 3: list, index } of statement.matchAll(BOUND)) {
    if (list === undefined) yield [column ?? '', parameter ?? '?']
    else yield* insertedPairs(list.split(','), statement.slice(index + whole.length).slice(0, TUPLE_CHARS))
  }
}

const ONE_PARAMETER = new RegExp(`^${PARAMETER}(?:::\\w{1,32})?$`)

/** Yields the first row of an insert; if nothing of it is left, a parameter a column. */
function* insertedPairs(columns: readonly string[], tuple: string): Generator<readonly [string, string]> {
  const { spans } = valuesOf(tuple, 0)
  const values = spans.map(({ start, end }) => tuple.slice(start, end).trim())
  const isKnown = values.some((value) => ONE_PARAMETER.test(value))
  for (const [at, column] of columns.entries()) {
    const parameter = ONE_PARAMETER.exec(values[at] ?? '')?.[1]
    if (parameter !== undefined) yield [column, parameter]
    else if (!isKnown) yield [column, '?']
  }
}

/** Names of the columns that a statement's parameters are for, in their order; `null` of any other text. */
function boundNames(statement: string): readonly string[] | null {
  const names = boundColumns(statement)?.names ?? []
  return names.length === 0 ? null : names
}

/** `-- params: ["X"]`, `[parameters: ('X', 4)]`: what a log writes behind a statement. */
export const MAYBE_BOUND =
  /(?:\b(?:param(?:eter)?|binding|arg(?:ument)?|value)s|\bbinds?)["']?\s{0,2}[:=]\s{0,2}[[(]|[\d?];\s["']|\$\d{1,3} = '|binding parameter [[(]|Parameters=\[@|with params? [[(]|[\d?s]\)? \[["'\d]|==> Parameters: |\nparams: /i
const BOUND_LIST =
  /\bwith params? [[(]|\nparams: |(?<=(?:\$\d{1,3}|\?|%s)\)?)\s\[(?=["'\d])|(?:\b(?:param(?:eter)?|binding|arg(?:ument)?|value)s|\bbinds?)["']?\s{0,2}[:=]\s{0,2}[[(]|(?<=[\d?]);\s(?=["'])/gi
const BOUND_VALUE =
  /\s{0,8}(?:"([^"\\\n]{0,1024})"|'([^'\\\n]{0,1024})'|([^,\])"'\n]{0,256}))\s{0,8}(,|[\])]|$)/y
const STATEMENT_WORD = /\b(?:select|insert|update|delete|replace|merge|call|exec)\s/i
const BEFORE_CHARS = 4_096
const LISTS_MAX = 8

/** `parameters: $1 = 'a', $2 = 'X'` of Postgres, `binding parameter [2] as [VARCHAR] - [X]` of Hibernate. */
const NUMBERED_VALUE =
  /(\$(\d{1,3}) = ')([^'\n]{3,1024})(?=')|(binding parameter (?:\[(\d{1,3})\] as \[\w{1,32}\] - \[|\((\d{1,3}):\w{1,32}\) <- \[))([^\]\n]{3,1024})(?=\])/g
const MAYBE_NUMBERED = /\$\d{1,3} = '|binding parameter [[(]/

/** Columns by the numbers of their parameters, of the first statement within the text. */
function numberedNames(text: string): ReadonlyMap<number, string> {
  const at = text.search(STATEMENT_WORD)
  const names = at === -1 ? [] : (boundNames(text.slice(at, at + BEFORE_CHARS)) ?? [])
  return new Map(names.map((name, index) => [index + 1, name]))
}

/** Scrubs a logged record of bound parameters, whose statement stands in a record before it. */
export function scrubBinding(statement: string, text: string, options: StatementOptions): string {
  return scrubNumbered(text, options, statement)
}

export function isBinding(text: string): boolean {
  return text.startsWith('binding param')
}

function scrubNumbered(text: string, { keys, onFound }: StatementOptions, statement = text): string {
  if (!MAYBE_NUMBERED.test(text)) return text
  const names = numberedNames(statement)
  if (names.size === 0) return text
  return text.replace(NUMBERED_VALUE, (whole: string, ...groups: (string | undefined)[]) => {
    const [before, one, value, beforeBinding, two, three, bound] = groups
    const name = names.get(Number(one ?? two ?? three)) ?? ''
    const found = value ?? bound ?? ''
    const rule = keys.ruleFor(name.replace(/^.*\./, '').replace(/["`[\]]/g, ''), found)
    if (rule === null || !isLiteral(found) || found.length < 4) return whole
    onFound(rule, found)
    return (before ?? beforeBinding ?? '') + FILTERED
  })
}

/** `==> Preparing: …`, `==> Parameters: X(String), 3(Integer)` of MyBatis. */
const TYPED_LIST = /==> {1,4}Parameters: ([^\n]{1,4096})/g
const TYPED_VALUE = /([^,\n]{0,1024}?)\((?:[A-Z]\w{2,24})\)(?:, |$)/g

function scrubTyped(text: string, { keys, onFound }: StatementOptions): string {
  if (!text.includes('==> Parameters: ')) return text
  const at = text.search(STATEMENT_WORD)
  const names = at === -1 ? null : boundNames(text.slice(at, at + BEFORE_CHARS))
  if (names === null) return text
  return text.replace(TYPED_LIST, (whole: string, list: string) => {
    let place = 0
    const scrubbed = list.replace(TYPED_VALUE, (one: string, value: string) => {
      const rule = keys.ruleFor(names[place++] ?? '', value)
      if (rule === null || !isLiteral(value) || value.length < 4) return one
      onFound(rule, value)
      return FILTERED + one.slice(value.length)
    })
    return whole.slice(0, whole.length - list.length) + scrubbed
  })
}

/** `[Parameters=[@p0='X' (Size = 60)], …] UPDATE …`: Entity Framework tells them before their statement. */
const NAMED_VALUE = /(@(\w{1,64})=')([^'\n]{3,1024})(?=')/g

function scrubNamedValues(text: string, { keys, onFound }: StatementOptions): string {
  if (!text.includes("='") || !/Parameters=\[@/.test(text)) return text
  const at = text.search(STATEMENT_WORD)
  const columns = at === -1 ? null : boundColumns(text.slice(at, at + BEFORE_CHARS))
  if (columns === null) return text
  return text.replace(NAMED_VALUE, (whole: string, before: string, name: string, value: string) => {
    const rule = keys.ruleFor(columns.named.get(name) ?? '', value)
    if (rule === null || !isLiteral(value)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

/** Values of such a list, each by the name of its column. */
export function scrubBound(whole: string, options: StatementOptions): string {
  const { keys, onFound } = options
  const text = scrubNumbered(scrubTyped(scrubNamedValues(whole, options), options), options)
  let out = ''
  let copied = 0
  let lists = 0
  for (const match of text.matchAll(BOUND_LIST)) {
    if (++lists > LISTS_MAX) break
    const before = text.slice(Math.max(copied, match.index - BEFORE_CHARS), match.index)
    const at = before.search(STATEMENT_WORD)
    const names = at === -1 ? null : boundNames(before.slice(at))
    if (names === null) continue
    BOUND_VALUE.lastIndex = match.index + match[0].length
    for (const name of names) {
      const found = BOUND_VALUE.exec(text)
      if (found === null) break
      const value = found[1] ?? found[2] ?? found[3]?.trim() ?? ''
      const rule = keys.ruleFor(name.replace(/^.*\./, ''), value)
      const start = found.index + found[0].indexOf(value)
      if (rule !== null && isLiteral(value) && value.length >= 4 && start >= copied) {
        onFound(rule, value)
        out += text.slice(copied, start) + FILTERED
        copied = start + value.length
      }
      if (found[4] !== ',') break
    }
  }
  return copied === 0 ? text : out + text.slice(copied)
}

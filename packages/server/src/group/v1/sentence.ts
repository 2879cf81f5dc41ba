/**
 * Part of grouping version 1, and what titles are made of. The sentence of a text whose first line says nothing: a list of
 * problems as JSON, the page of a proxy, a heading that ends in a colon.
 *
 * Every pattern is linear, on text of at most `CHARS_MAX`.
 */
import { isObject } from '#base/json.ts'
import { withoutColours } from './colours.ts'

const CHARS_MAX = 8_192
const DEPTH_MAX = 5
const HEADING_CHARS_MAX = 160
const PATH_PARTS_MAX = 12

/** Returns the sentence, one line; `null` if it is the first line. */
export function sentenceIn(text: string): string | null {
  const first = text.charCodeAt(firstAt(text))
  const isStructured = first === 0x5b || first === 0x7b || first === 0x3c // [ { <
  if (!isStructured && !text.includes('\n')) return behindText(text)
  const told = readSentence(text.slice(0, CHARS_MAX).trim(), 0)
  return told === null ? null : safeLine(told)
}

/** The first line that says something, or the sentence. */
export function firstSentence(text: string): string {
  return sentenceIn(text) ?? safeLine(textLines(text.slice(0, CHARS_MAX))[0] ?? '')
}

/** A text on one line, without what moves a terminal's cursor or turns the text around. */
export function safeLine(text: string): string {
  return withoutColours(text)
    .replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
}

function firstAt(text: string): number {
  let at = 0
  while (at < text.length && at < CHARS_MAX && text.charCodeAt(at) <= 0x20) at += 1
  return at
}

function readSentence(text: string, depth: number): string | null {
  if (depth > DEPTH_MAX || text === '') return null
  if (text.startsWith('[') || text.startsWith('{')) return ofJson(text)
  if (text.startsWith('<')) return ofMarkup(text)
  return ofHeading(text, depth) ?? behindText(text)
}

function textLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

// --- lists and objects

function ofJson(text: string): string | null {
  try {
    return ofValue(JSON.parse(text), 0)
  } catch {
    return ofLiteral(text) ?? ofCutJson(text)
  }
}

/** `['Enter a date.']`, `{'email': ['Not an address.']}`: as Python and Ruby write them. */
const LITERAL_LIST = /^\[\s{0,9}(?:ErrorDetail\(string=)?(['"])((?:(?!\1)[^\\\n]|\\.){1,500})\1/
const LITERAL_FIELD = /^\{\s{0,9}['":]([\w.-]{1,100})['"]?\s?(?::|=>)\s?/

function ofLiteral(text: string): string | null {
  const field = LITERAL_FIELD.exec(text)
  const told = LITERAL_LIST.exec(field === null ? text : text.slice(field[0].length))?.[2]
  if (told === undefined) return null
  return field === null ? told : `${field[1]}: ${told}`
}

/** Returns the first message of JSON that was cut, and the path before or behind it. */
function ofCutJson(text: string): string | null {
  if (!/^[[{]\s*[[{"]/.test(text)) return null
  const message = /"(?:message|msg)"\s{0,9}:\s{0,9}"((?:[^"\\]|\\.){1,500})"/.exec(text)?.[1]
  if (message === undefined) return null
  const inside = /"(?:path|loc)"\s{0,9}:\s{0,9}\[([^\]]{0,500})\]/.exec(text)?.[1] ?? ''
  const path = [...inside.matchAll(/"([^"\\]{1,100})"|(\d{1,9})/g)].map(([, name, index]) => name ?? index)
  return path.length === 0 ? message : `${path.slice(0, PATH_PARTS_MAX).join('.')}: ${message}`
}

/** Keys of messages, most telling first. */
const MESSAGES = [
  'message',
  'msg',
  'error_description',
  'errorMessage',
  'detail',
  'reason',
  'statusText',
  'title',
  'description',
] as const
const INSIDE = [
  'error',
  'errors',
  'issues',
  'details',
  'detail',
  'graphQLErrors',
  'reason',
  'cause',
  'body',
  'data',
  'response',
] as const

/** Returns the text of a value that is not an error: its message and its error's, each with its place. */
export function ofValue(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return sentenceOfList(value, depth)
  const record = isObject(value) ? value : {}
  const problem = ofProblem(record)
  if (problem !== null) return problem
  for (const key of MESSAGES) {
    const told = record[key]
    if (typeof told === 'string' && told.trim() !== '') return withPath(record, told.trim())
  }
  for (const key of INSIDE) {
    const told = ofValue(record[key], depth + 1) ?? (key === 'errors' ? ofFields(record[key], depth) : null)
    if (told !== null) return told
  }
  return null
}

/** RFC 9457: the title is of the kind of failure, the detail of this one; it may be no sentence. */
function ofProblem({ title, detail, message }: Record<string, unknown>): string | null {
  if (typeof title !== 'string' || typeof detail !== 'string' || typeof message === 'string') return null
  const [said, more] = [title.trim(), detail.trim()]
  return said === '' || more === '' || /\s/.test(more) ? null : `${said}: ${more}`
}

function sentenceOfList(list: readonly unknown[], depth: number): string | null {
  const first = ofValue(list[0], depth + 1)
  if (first === null) return null
  return list.length === 1 ? first : `${first} (and ${list.length - 1} more)`
}

/** `{"email": ["is invalid"]}` */
function ofFields(value: unknown, depth: number): string | null {
  if (!isObject(value)) return null
  const entries = Object.entries(value)
  const [field, told] = entries[0] ?? []
  const first = field === undefined ? null : ofValue(told, depth + 1)
  if (first === null) return null
  return entries.length === 1 ? `${field}: ${first}` : `${field}: ${first} (and ${entries.length - 1} more)`
}

function withPath({ path, loc, field, instancePath }: Record<string, unknown>, message: string): string {
  const place = pathText(path) || pathText(loc) || pathText(field) || pathText(instancePath)
  // Joi and others name the field in the message.
  return place === '' || message.includes(place) ? message : `${place}: ${message}`
}

function pathText(path: unknown): string {
  if (typeof path === 'string') return path.length > 200 ? '' : path.replace(/^\//, '').replaceAll('/', '.')
  if (!Array.isArray(path)) return ''
  return path
    .slice(0, PATH_PARTS_MAX)
    .map((part: unknown) => (isObject(part) ? (part.key ?? '') : part))
    .filter((part): part is string | number => typeof part === 'string' || typeof part === 'number')
    .join('.')
}

// --- pages and documents

const DOCUMENT = /^<(?:!doctype html|html|head|body|\?xml)\b/i
const PAGE_BEHIND = /^([^<\n]{1,200}?)[:\s-]{0,3}\s?<(?:!doctype html|html)[\s>]/i
const TITLES = [
  /<title(?:\s[^<>]{0,200})?>(?!\s{0,20}(?:Error|Document|Untitled)?\s{0,20}<)([^<]{1,500})<\/title>/i,
  /<(?:[\w-]{1,40}:)?(?:message|faultstring|errormessage|error_description|detail|reason)(?:\s[^<>]{0,200})?>([^<]{1,500})</i,
  /<h[1-3](?:\s[^<>]{0,200})?>([^<]{1,500})</i,
  /<pre(?:\s[^<>]{0,200})?>([^<]{1,500})</i,
  /<(?:[\w-]{1,40}:)?code(?:\s[^<>]{0,200})?>([^<]{1,500})</i,
  /<(?:[\w-]{1,40}:)?(?:text|faultcode)(?:\s[^<>]{0,200})?>([^<]{1,500})</i,
  /<title(?:\s[^<>]{0,200})?>([^<]{1,500})<\/title>/i,
]

function ofMarkup(text: string): string | null {
  const name = /^<([A-Za-z][\w:.-]{0,80})[\s>]/.exec(text)?.[1]
  // `<Link> must be used within <Router>` is a sentence.
  if (!DOCUMENT.test(text) && (name === undefined || !text.endsWith(`</${name}>`))) return null
  return titleIn(text)
}

/** Returns what follows a text and says more, or repeats it: a page, an answer as JSON. */
function behindText(text: string): string | null {
  const last = text.charCodeAt(text.length - 1)
  const hasJson = last === 0x7d || last === 0x5d // } ]
  const told = pageBehind(text) ?? (hasJson && text.length <= CHARS_MAX ? jsonBehind(text) : null)
  return told === null ? null : safeLine(told)
}

/** `HTTP 400: {"error":"declined"}` */
function jsonBehind(text: string): string | null {
  const at = text.search(/\{"|\[[{"]/)
  if (at <= 0 || at > HEADING_CHARS_MAX * 2 || text.slice(0, at).includes('\n')) return null
  const told = ofJson(text.slice(at))
  if (told === null) return null
  const before = text.slice(0, at).replace(/[:\s-]{1,9}$/, '')
  return before.includes(told) ? before : `${before}: ${told}`
}

/** `Unexpected answer: <!DOCTYPE html>…` */
function pageBehind(text: string): string | null {
  if (!text.includes('<')) return null
  const before = PAGE_BEHIND.exec(text.slice(0, CHARS_MAX))?.[1]
  const title = before === undefined ? null : titleIn(text.slice(before.length, CHARS_MAX))
  return title === null ? null : `${before}: ${title}`
}

function titleIn(text: string): string | null {
  for (const pattern of TITLES) {
    const told = pattern.exec(text)?.[1]?.trim()
    if (told !== undefined && told !== '') return withoutEntities(told)
  }
  return null
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function withoutEntities(text: string): string {
  return text.replace(/&(#?\w{2,8});/g, (whole, name: string) => {
    const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name)
    if (number === null) return ENTITIES[name.toLowerCase()] ?? whole
    const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

// --- headings

/** Headings of Prisma and OTP; others end with a colon. */
const IS_HEADING = /:$|\binvocation in$|\bterminating$/
/** The error that another process had: Python tells it last. */
const TRACEBACK = /^(?:"{3}\s{0,20})?Traceback \(most recent call last\):/
const VALIDATION = /^\d{1,6} validation errors? for /
const BULLET = /^(?:[-*•·–]|\d{1,4}[.)]|\(\d{1,4}\))\s{1,9}/
/** Lines of source beside a message, and the place that they are of. */
const SOURCE_LINE =
  /^(?:[→>|]|\d{1,6}\s{0,3}[|│]|[~^-]{2,}|(?:at )?(?:[A-Za-z]:[\\/]|\/)\S{1,400}:\d{1,9}(?::\d{1,9})?$)/

function ofHeading(text: string, depth: number): string | null {
  const [heading = '', ...others] = textLines(text)
  if (VALIDATION.test(heading)) return ofValidation(heading, others)
  if (TRACEBACK.test(text)) return others.findLast((line) => line !== '"""') ?? null
  const opened = /^(.{0,160}?)[:\s]{0,3}[[{]$/.exec(heading)?.[1]
  if (opened !== undefined) {
    const told = ofJson(text.slice(text.search(/[[{]\s{0,200}(?:\n|\r)/)).trim())
    return told === null ? null : `${opened}: ${told}`
  }
  if (!IS_HEADING.test(heading) || others.length === 0) return null
  const start = heading.slice(0, HEADING_CHARS_MAX).replace(/(?: in|:)$/, '')
  const rest = text.slice(text.indexOf(heading) + heading.length).trim()
  const told = readSentence(/^[[{<]/.test(rest) ? rest : textBehindHeading(rest), depth + 1) ?? lineIn(rest)
  return told === null || told === '' ? null : `${start}: ${told}`
}

/** Without the source that some tools print between heading and message. */
function textBehindHeading(text: string): string {
  const paragraphs = text.split(/(?:\r?\n[ \t]{0,200}){2}/).slice(0, 50)
  const said = paragraphs.findIndex((paragraph) => paragraph.trim() !== '' && !isSource(paragraph))
  return said < 0 ? text : paragraphs.slice(said).join('\n').trim()
}

function isSource(paragraph: string): boolean {
  return textLines(paragraph).some((line) => SOURCE_LINE.test(line))
}

function sentenceOfText(text: string): string | null {
  const line = textLines(textBehindHeading(text)).find((each) => !SOURCE_LINE.test(each))
  return line?.replace(BULLET, '') ?? null
}

/** Returns the line that begins as JSON, if the JSON is whole. */
function lineIn(rest: string): string | null {
  const line = sentenceOfText(rest)
  return line === null || !/^[[{<]/.test(rest) || /[\]}>]$/.test(line) ? line : null
}

/** Pydantic: the place on one line, what is wrong there on the next. */
function ofValidation(heading: string, [place = '', told = '']: readonly string[]): string | null {
  if (place === '') return null
  const message = told.replace(/ [[(]type=.*$/, '')
  return `${heading}: ${place.replaceAll(' -> ', '.')}${message === '' ? '' : `: ${message}`}`
}

/** Titles of recognised events: the same for every event of a group, as far as they are alike. */
import { max } from '#limits/limits.ts'
import {
  type Hydration,
  type Recognised,
  SKEW_TITLE,
  type SkewFailure,
  type Unloaded,
  type UnloadedReason,
} from '#model/recognised.ts'
import { changesBetween } from '#recognise/hydration/changed-parts.ts'

const TITLE_CHARS_MAX = max('titleCharsMax')
const PART_CHARS_MAX = 60
const NUMBER = /^(?:Uncaught )?(?:Error: )?(Minified React error #\d{1,5})\b(?:: |; visit \S+)?/

/**
 * Returns the title of a recognised error. `value`: of the exception, decoded. The number of a minified error stays in
 * the title, so that it is found.
 */
export function recognisedTitle(recognised: Recognised, value: string): string {
  if (recognised.category === 'skew') return SKEW_TITLE
  if (recognised.category === 'client') return unloadedTitle(recognised)
  const number = NUMBER.exec(value)?.[1]
  const end = number === undefined ? '' : ` (${number})`
  const told = differenceIn(recognised) ?? titleSentence(value.replace(NUMBER, ''))
  return `${cutTitle(told || 'Hydration failed', TITLE_CHARS_MAX - end.length)}${end}`
}

const WHAT: Readonly<Record<SkewFailure, string>> = {
  ...{ action: 'Server action', key: 'Server action', chunk: 'Script', stylesheet: 'Style sheet' },
  ...{ 'page-data': 'Page data', reload: 'Page data' },
}
const WHY: Readonly<Record<UnloadedReason, string>> = {
  'broken address': 'has a broken address',
  'time-out': 'did not load in time',
  ...{ missing: 'is missing', unknown: 'did not load' },
}

function unloadedTitle({ failure, reason, subject, isDevelopment }: Unloaded): string {
  const where = isDevelopment ? ' (development)' : ''
  const told = `${WHAT[failure]} ${WHY[reason]}${where}`
  return cutTitle(subject === null ? told : `${told}: ${subject}`, TITLE_CHARS_MAX)
}

/** `null` where the halves are not known, or too much differs for a line. */
function differenceIn({ server, client }: Hydration): string | null {
  if (server === null || client === null) return null
  const [change] = changesBetween(server, client)
  if (change === undefined) return null
  const [before, after] = [change.server.trim(), change.client.trim()]
  const isShort = [before, after].every((part) => part.length <= PART_CHARS_MAX)
  if (!isShort || before === after) return null
  // A tag beside a text: an element moved, and these lines only happen to stand at one place.
  if (before !== '' && after !== '' && before.startsWith('<') !== after.startsWith('<')) return null
  if (before === '') return `Hydration: Server HTML did not match: “${after}” was missing`
  if (after === '') return `Hydration: Server HTML did not match: “${before}” was not expected`
  return `Hydration: Server HTML did not match: “${before}” rendered, “${after}” expected`
}

function titleSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return (/^.{1,300}?[.!](?=\s|$)/.exec(line)?.[0] ?? line).replace(/\.$/, '')
}

function cutTitle(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

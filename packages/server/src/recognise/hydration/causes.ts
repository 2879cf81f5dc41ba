/**
 * Why server and browser rendered different HTML, judged by what differs. One cause is likely at most; the others say why
 * they are not, or that nothing tells.
 */
import { type ChangedParts, changesBetween } from './changed-parts.ts'
import type { Halves } from './halves.ts'
import { wrongNesting } from './nesting.ts'

export const HYDRATION_CAUSES = [
  'nesting',
  'extension',
  'time_zone',
  'locale',
  'render_time',
  'browser_only',
  'changed_data',
] as const
export type HydrationCause = (typeof HYDRATION_CAUSES)[number]

export interface JudgedCause {
  readonly cause: HydrationCause
  readonly isLikely: boolean
  /** Evidence for or against, in one sentence. */
  readonly evidence: string
}

/** Traces by which causes are judged; texts are already bounded. */
export interface Traces {
  readonly halves: Halves | null
  /** The message, and lines of the console before it. */
  readonly texts: readonly string[]
}

type Judge = (
  traces: Traces,
  difference: ChangedParts | null,
) => { readonly for: string } | { readonly against: string }

const NOT_BOTH = 'Both fragments are needed to tell'
const NESTING =
  /(?:validateDOMNesting\(\.\.\.\): )?(?:In HTML, )?(<[^\n]{1,80}>|[\w ]{1,40}text nodes?) cannot (?:be|appear as) a (?:child|descendant) of <[\w-]{1,40}>/

/** Judges in order: of two that fit, the first says more. */
const JUDGES: Readonly<Record<HydrationCause, Judge>> = {
  nesting({ halves, texts }) {
    const found = texts.map((text) => NESTING.exec(text)?.[0]).find((one) => one !== undefined)
    if (found !== undefined) return { for: found.replace(/^validateDOMNesting\(\.\.\.\): /, '') }
    const wrong = wrongNesting(halves?.client ?? '')
    if (wrong !== null)
      return { for: `<${wrong.inner}> is rendered in <${wrong.outer}>, which HTML parsers don’t allow` }
    return halves === null
      ? { against: 'The console says nothing about elements that can’t be nested' }
      : { against: 'Every element is allowed where it’s rendered' }
  },
  extension({ halves, texts }) {
    const all = [halves?.server ?? '', halves?.client ?? '', ...texts]
    const mark = all.map((text) => EXTENSION_MARK.exec(text)?.[0]).find((one) => one !== undefined)
    if (mark !== undefined) return { for: `“${mark}” is added to pages by a browser extension` }
    return { against: 'No attribute or element of a known extension' }
  },
  time_zone(_, difference) {
    if (difference === null) return { against: NOT_BOTH }
    const [server, client] = [clockOf(difference.server), clockOf(difference.client)]
    if (server === null || client === null) return { against: 'No time of day in what differs' }
    const apart = Math.abs(server.minutes - client.minutes)
    const hours = Math.min(apart, 1_440 - apart)
    const isZone = hours > 0 && hours % 15 === 0 && server.seconds === client.seconds
    return isZone
      ? {
          for: `The times differ by ${durationText(hours)}: ${server.text} on the server, ${client.text} in the browser`,
        }
      : { against: 'The times differ by no time zone' }
  },
  locale(_, difference) {
    if (difference === null) return { against: NOT_BOTH }
    const [server, client] = [numbersOf(difference.server), numbersOf(difference.client)]
    const isWord = ONE_WORD.test(difference.server.trim()) && ONE_WORD.test(difference.client.trim())
    const isSame =
      server.length > 0 &&
      server.join() === client.join() &&
      difference.server !== difference.client &&
      !isWord
    return isSame
      ? {
          for: `The same numbers are written differently: ${quoteShort(difference.server)} and ${quoteShort(difference.client)}`,
        }
      : { against: 'Not the same numbers in another format' }
  },
  render_time(_, difference) {
    if (difference === null) return { against: NOT_BOTH }
    const [server, client] = [difference.server.trim(), difference.client.trim()]
    if (RANDOM.test(server) && RANDOM.test(client))
      return { for: `Both look random: ${quoteShort(server)} and ${quoteShort(client)}` }
    const [before, after] = [clockOf(server), clockOf(client)]
    if (before !== null && after !== null)
      return { for: `The time of rendering: ${before.text} and ${after.text}` }
    if (EPOCH.test(server) && EPOCH.test(client))
      return { for: `The time of rendering: ${quoteShort(server)} and ${quoteShort(client)}` }
    return { against: 'Neither random nor a time of rendering' }
  },
  browser_only({ halves }, difference) {
    if (halves === null || halves.server === null || halves.client === null) return { against: NOT_BOTH }
    const [server, client] = [difference?.server.trim() ?? '', difference?.client.trim() ?? '']
    if (server === '' && client !== '')
      return { for: `Rendered only in the browser: ${quoteShort(client)}, as behind typeof window` }
    if (client === '' && server !== '')
      return { for: `Rendered only on the server: ${quoteShort(server)}, as behind typeof window` }
    return { against: 'Both sides render something here' }
  },
  changed_data(_, difference) {
    if (difference === null) return { against: NOT_BOTH }
    const { server, client } = difference
    const isText = server.trim() !== '' && client.trim() !== '' && !/[<>]/.test(server + client)
    return isText
      ? {
          for: `Another value was read: ${quoteShort(server)} on the server, ${quoteShort(client)} in the browser`,
        }
      : { against: 'More than a value differs' }
  },
}

export function judgeCauses(traces: Traces): readonly JudgedCause[] {
  const differences = differencesOf(traces.halves)
  let found = false
  return HYDRATION_CAUSES.map((cause): JudgedCause => {
    const judged = differences.map((difference) => JUDGES[cause](traces, difference))
    const proof = judged.find((one) => 'for' in one) ?? judged[0]
    if (proof === undefined || !('for' in proof)) {
      return { cause, isLikely: false, evidence: proof?.against ?? NOT_BOTH }
    }
    if (found) return { cause, isLikely: false, evidence: 'Another cause is more certain' }
    found = true
    return { cause, isLikely: true, evidence: proof.for }
  })
}

/** At least one: `null` where nothing can be compared. */
function differencesOf(halves: Halves | null): readonly (ChangedParts | null)[] {
  if (halves === null || halves.server === null || halves.client === null) return [null]
  const changes = changesBetween(halves.server, halves.client)
  return changes.length === 0 ? [null] : changes
}

const CLOCK = /\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?\s?([AaPp])?\.?[Mm]?\b/
const RANDOM =
  /^(?:0\.\d{6,20}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[a-z\d_-]*\d)(?=[a-z\d_-]*[a-z])[a-z\d_-]{8,64})$/i
/** Digits within a word of letters are no number that a locale would write otherwise. */
const ONE_WORD = /^(?=\d*[a-z])[a-z\d]{8,64}$/i
const EPOCH = /^1\d{9}(?:\d{3})?$/

interface Clock {
  readonly text: string
  /** Minutes of the day. */
  readonly minutes: number
  readonly seconds: string
}

function clockOf(text: string): Clock | null {
  const [found, hours, minutes, seconds, half] = CLOCK.exec(text) ?? []
  if (found === undefined) return null
  const twelve = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0)
  return { text: found.trim(), minutes: twelve * 60 + Number(minutes), seconds: seconds ?? '' }
}

/** Digits alone, in order of size, so that `1,234.5` and `1.234,5`, or 11/21 and 21/11, are the same. */
function numbersOf(text: string): readonly string[] {
  const joined = text
    .replace(/(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/g, '$1 $2 $3')
    .replace(/(?<=\d)[.,'’\u00a0\u202f ](?=\d{3}(?!\d))/g, '')
    .replace(/(?<=\d),(?=\d)/g, '.')
  return [...joined.matchAll(/\d{1,15}(?:\.\d{1,10})?/g)].map(([number]) => number).sort()
}

function durationText(minutes: number): string {
  const hours = minutes / 60
  if (minutes % 60 !== 0) return `${minutes} minutes`
  return hours === 1 ? 'one hour' : `${hours} hours`
}

const SHOWN_CHARS = 60

function quoteShort(text: string): string {
  const plain = text.trim().replace(/\s{1,200}/g, ' ')
  return `“${plain.length <= SHOWN_CHARS ? plain : `${plain.slice(0, SHOWN_CHARS - 1)}…`}”`
}

/** Attributes and elements that extensions of browsers put into pages before React reads them. */
const EXTENSION_MARK =
  /\b(?:data-new-gr-c-s-[\w-]{1,40}|data-gr-[\w-]{1,40}|data-gramm[\w-]{0,20}|grammarly-[\w-]{1,40}|cz-shortcut-listen|data-lastpass-[\w-]{1,40}|data-1p-[\w-]{1,40}|data-dashlane-[\w-]{1,40}|data-bitwarden-[\w-]{1,40}|bis_(?:skin_checked|register|size|id)|data-darkreader-[\w-]{1,40}|darkreader--[\w-]{1,40}|fdprocessedid|katalonextensionid|crxlauncher|data-extension-[\w-]{1,40}|monica-(?:id|version)|inmaintabuse|__processed_[\w-]{1,40}|data-atm-ext-installed|data-liner-extension-version|wotdisconnected|vsc-initialized|data-google-query-id)/i

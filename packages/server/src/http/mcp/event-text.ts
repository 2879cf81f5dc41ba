/**
 * Writes one event as compact text for an agent: what failed, where in the original source, and what happened
 * before. Pure.
 */
import type { Breadcrumb, ExceptionValue, Frame, Stacktrace } from '#model/event.ts'
import { type ExceptionPlace, relationHead } from '#model/exception-tree.ts'
import type { Queries } from '#queries/queries.ts'
import type { EventView } from '#queries/types.ts'
import { cutUntrusted, minuteText, quotedLine, withinChars } from './untrusted.ts'

const FRAMES_SHOWN = 15
const FRAMES_WITH_CODE = 6
const LINES_AROUND = 3
const CRUMBS_SHOWN = 25
const LINE_CHARS = 200
const VALUE_CHARS = 2_000

type Suspects = Awaited<ReturnType<Queries['suspectCommits']>>

interface EventTextAsked {
  readonly suspects: Suspects
  readonly charsMax: number
}

/** Writes an event for an agent. The parts that explain most come first: what lacks room is cut from the end. */
export function eventText(view: EventView, { suspects, charsMax }: EventTextAsked): string {
  const { event } = view
  const exceptions = view.exceptions.flatMap((place) => exceptionText(event.exception?.values ?? [], place))
  const sections = [
    factsText(view),
    exceptions.length === 0 ? eventMessageText(view) : '',
    ...exceptions,
    exceptions.length === 0 && event.stacktrace !== undefined ? `Stack:\n${stackText(event.stacktrace)}` : '',
    notesText(view),
    requestText(view),
    crumbsText(event.breadcrumbs?.values ?? []),
    eventTagsText(view),
    suspectsText(suspects),
  ]
  return withinChars(sections, charsMax)
}

function factsText({ row, payload, requestKind, digests, action }: EventView): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Event', `${row.eventId} of ${minuteText(row.timestampMs)}`],
    ['Level', row.handled === null ? row.level : `${row.level}, ${row.handled ? 'handled' : 'unhandled'}`],
    ['Release', row.release],
    ['Environment', row.environment],
    ['Request', row.route === null ? requestKind : `${requestKind} of ${row.route}`],
    ['Server action', action],
    ['Digest', digests.length === 0 ? null : digests.join(', ')],
    ['Trace', row.traceId],
    ['Details', payload === 'kept' ? null : 'not kept: what follows is all there is'],
  ]
  return facts
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${quotedLine(value)}`]))
    .join('\n')
}

function eventMessageText({ event, row }: EventView): string {
  return `Message: ${cutUntrusted(event.logentry?.formatted ?? event.message ?? row.title, VALUE_CHARS)}`
}

function exceptionText(values: readonly ExceptionValue[], place: ExceptionPlace): readonly string[] {
  const exception = values[place.index]
  if (exception === undefined) return []
  const { type = 'Error', value = '', stacktrace } = exception
  const head = `${relationHead(place)}: ${type}: ${cutUntrusted(value, VALUE_CHARS)}`
  return [stacktrace === undefined ? head : `${head}\n${stackText(stacktrace)}`]
}

/** Nearest to the failure first; the app's own frames with their code, library frames in a line. */
function stackText({ frames }: Stacktrace): string {
  const shown = frames.slice(-FRAMES_SHOWN).toReversed()
  let withCode = 0
  const lines = shown.map((frame) => {
    const code = frame.in_app === false || withCode >= FRAMES_WITH_CODE ? '' : frameCodeText(frame)
    if (code !== '') withCode += 1
    return `${placeText(frame)}${code}`
  })
  const rest = frames.length - shown.length
  return [...lines, ...(rest > 0 ? [`  … ${rest} more frames`] : [])].join('\n')
}

function placeText({ filename, abs_path, lineno, colno, function: name, in_app }: Frame): string {
  const place = [filename ?? abs_path ?? '<unknown>', lineno, colno].filter((part) => part !== undefined)
  return `  at ${name ?? '<anonymous>'} (${cutUntrusted(place.join(':'), LINE_CHARS)})${in_app === false ? ' [library]' : ''}`
}

function frameCodeText({ lineno, context_line, pre_context = [], post_context = [] }: Frame): string {
  if (lineno === undefined || context_line === undefined) return ''
  const before = pre_context.slice(-LINES_AROUND)
  const lines = [...before, context_line, ...post_context.slice(0, LINES_AROUND)]
  return lines
    .map((text, index) => {
      const number = lineno - before.length + index
      return `\n    ${number === lineno ? '>' : ' '}${String(number).padStart(5)} | ${cutUntrusted(text, LINE_CHARS)}`
    })
    .join('')
}

/** Why some frames have no original source. */
function notesText({ readable }: EventView): string {
  if (readable.notes.length === 0) return ''
  const lines = readable.notes.map(
    ({ file, title, frames }) => `  ${quotedLine(file)}: ${title} (${frames} frames)`,
  )
  return `Without original source:\n${lines.join('\n')}`
}

/** Writes method and address. Headers, cookies and body are not passed on. */
function requestText({ event }: EventView): string {
  const { method, url } = event.request ?? {}
  if (method === undefined && url === undefined) return ''
  return `Request: ${[method, url === undefined ? undefined : quotedLine(url)].filter(Boolean).join(' ')}`
}

function crumbsText(crumbs: readonly Breadcrumb[]): string {
  if (crumbs.length === 0) return ''
  const lines = crumbs.slice(-CRUMBS_SHOWN).map(({ timestamp, category, type, level, message, data }) => {
    const at = timestamp === undefined ? '' : `${minuteText(timestamp * 1_000).slice(11)} `
    const said = [message, data === undefined ? undefined : JSON.stringify(data)].filter(Boolean).join(' ')
    return `  ${at}${level} ${category ?? type}: ${quotedLine(said, LINE_CHARS)}`
  })
  return `Breadcrumbs, the newest last:\n${lines.join('\n')}`
}

/** Writes tags. The affected person explains nothing and is not passed on. */
function eventTagsText({ row }: EventView): string {
  const tags = row.tags.filter(([key]) => key !== 'user')
  if (tags.length === 0) return ''
  return `Tags:\n${tags.map(([key, value]) => `  ${quotedLine(key)}: ${quotedLine(value, LINE_CHARS)}`).join('\n')}`
}

function suspectsText({ suspects, isCut }: Suspects): string {
  const rest = isCut ? 'Not all commits of the release were checked: they touch too many files.' : ''
  if (suspects.length === 0) return rest
  const lines = suspects.map(
    ({ commit, path }) =>
      `  ${commit.id.slice(0, 12)} ${quotedLine(commit.message ?? '')} (touched ${quotedLine(path)})`,
  )
  return [`Suspect commits:\n${lines.join('\n')}`, rest].filter(Boolean).join('\n')
}

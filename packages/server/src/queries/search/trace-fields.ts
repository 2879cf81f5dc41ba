/** The fields of a search of traces: how each is called, what it asks of segments, and what completes it. */
import { byWord } from '#base/by-word.ts'
import { SPANS } from '#kinds/span/fields.ts'
import { REQUEST_KINDS, type RequestKind } from '#model/event.ts'
import { tagFields } from '#model/fields.ts'
import { type RequestEnd, VITALS, type Vital } from '#model/span.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import { hasWildcard, literalText } from '#model/text-pattern.ts'
import { type SegmentConditions, WAITED_FOR } from '#ports/traces.ts'
import { VITAL_THRESHOLDS } from '#requests/vitals.ts'
import { DURATION_OFFERS, readCompared } from './comparisons.ts'
import { fieldOf, grammarOf, ownField, SEARCH_FIELDS, type SearchField } from './fields.ts'
import { nearestWord } from './nearest-word.ts'

/** Returns what a value asks for, or a sentence that says what is wrong. */
type Read = (value: string, negated: boolean) => SegmentConditions | string

interface TraceField {
  readonly field: SearchField
  /** `null`: as a tag of its name. */
  readonly read: Read | null
  /** Words that it takes, with which nothing else is meant; `null`: its values are what requests have. */
  readonly words: readonly string[] | null
  /** Whether the key itself is offered. */
  readonly isOffered: boolean
}

/** Values of `is:`: how a segment ended, or that one query ran in it again and again. */
const STATES: Readonly<Record<string, SegmentConditions>> = byWord({
  'n+1': { repeats: true },
  failed: { ends: ['failed', 'failed-behind-200'] },
  aborted: { ends: ['aborted'] },
})

const STATUSES: Readonly<Record<string, readonly RequestEnd[]>> = byWord({
  ok: ['answered'],
  failed: ['failed', 'failed-behind-200'],
  'failed-behind-200': ['failed-behind-200'],
  aborted: ['aborted'],
})
const TAGS: readonly string[] = tagFields(SPANS).map(({ tag }) => tag)

/** Fields in the order in which they are offered: the most asked for first. */
const TRACE_FIELDS: readonly TraceField[] = [
  traceField('kind', kindCondition, { words: REQUEST_KINDS }),
  traceField('route', routeCondition),
  traceField(ownField('is'), stateCondition, { words: Object.keys(STATES) }),
  traceField(
    ownField('status', [
      ...['http.status', 'http.status_code', 'http.response.status_code', 'span.status_code'],
    ]),
    statusCondition,
    { words: [...Object.keys(STATUSES), '404', '500', '5xx'] },
  ),
  traceField(ownField('duration', ['span.duration', 'transaction.duration']), durationCondition, {
    words: DURATION_OFFERS,
  }),
  traceField('action', null),
  traceField('user', null),
  traceField(ownField('op', ['span.op', 'transaction.op']), (value, negated) =>
    negated ? 'op can’t be negated.' : { ops: [value] },
  ),
  traceField(ownField('waits'), readWait, { words: WAITED_FOR }),
  traceField(ownField('service'), (name, negated) => ({ services: [{ name, negated }] })),
  traceField('issue', (value, negated) => (negated ? 'issue can’t be negated.' : { issue: value })),
  traceField('environment', null),
  traceField('release', null),
  traceField(ownField('method'), (value, negated) =>
    tagOfTraces('http.method', value.toUpperCase(), negated),
  ),
  ...VITALS.map((vital) =>
    traceField(
      ownField(vital, [`measurements.${vital}`]),
      (value, negated) => vitalCondition(vital, value, negated),
      { words: vitalOffers(vital) },
    ),
  ),
  ...['browser', 'os', 'device', 'runtime', 'server_name', 'dist'].map((key) => traceField(key, null)),
  traceField('has', null, { words: TAGS }),
  traceField(ownField('trace'), (value, negated) =>
    negated ? 'trace can’t be negated.' : { traceId: traceIdOf(value) },
  ),
  traceField(ownField('failed'), failedCondition, { words: ['yes', 'no'], isOffered: false }),
  traceField(
    'transaction',
    (value, negated) => (negated ? 'transaction can’t be negated.' : { texts: [value] }),
    {
      isOffered: false,
    },
  ),
  traceField(
    ownField('span.description', ['span.name', 'segment.name', 'description', 'title']),
    nameCondition,
    { isOffered: false },
  ),
  ...[
    ['browser.name', 'browser'],
    ['os.name', 'os'],
    ['transaction.method', 'http.method'],
    ['http.request.method', 'http.method'],
  ].map(([name = '', tag = '']) =>
    traceField(ownField(name), (value, negated) => eitherTag([tag, name], value, negated), {
      isOffered: false,
    }),
  ),
]

/** Fields of answers that nothing can be searched by: as tags they would find nothing, and say so to nobody. */
const SHOWN_FIELDS: readonly TraceField[] = [
  ...['id', 'segment.id', 'sdk.name'],
  ...['span.status', 'transaction.status', 'span_id', 'span_count', 'transaction.span_id'],
].map((name) =>
  traceField(
    ownField(name),
    () => `${name} is shown and can’t be searched by; a tag of that name is tags[${name}].`,
    {
      isOffered: false,
    },
  ),
)

/** `of`: a field, or the name of one that issues have too; a name that they have not is a tag's. */
function traceField(
  of: SearchField | string,
  read: Read | null,
  { words = null, isOffered = true }: Partial<Pick<TraceField, 'words' | 'isOffered'>> = {},
): TraceField {
  const named =
    typeof of === 'string' ? (fieldOf(of) ?? { ...ownField(of), filter: { by: 'tag', tag: of } }) : of
  return { field: named, read, words, isOffered }
}

const BY_NAME = new Map([...TRACE_FIELDS, ...SHOWN_FIELDS].map((one) => [one.field.name, one]))

/** Searches of traces. What issues alone have is known, so that it can be said. */
export const TRACE_GRAMMAR = grammarOf([
  ...[...BY_NAME.values()].flatMap(({ field: own }) => (own.filter.by === 'own' ? [own] : [])),
  ...SEARCH_FIELDS,
])

/** Returns the field of a name, as the parser writes it; `null` for what is a tag's, or of issues alone. */
export function traceFieldOf(name: string): TraceField | null {
  return BY_NAME.get(name) ?? null
}

/** True for a tag that segments have a column for. */
export function isTraceTag(key: string): boolean {
  return TAGS.includes(key)
}

/** Keys that a search is completed by: the most asked for first. */
export const TRACE_KEYS: readonly string[] = TRACE_FIELDS.flatMap(({ field: { name }, isOffered }) =>
  isOffered ? [name] : [],
)

/** Returns the key that may have been meant by one that no segment has. */
export function nearestTraceKey(key: string): string | null {
  return nearestWord(key, [...TRACE_FIELDS.map(({ field }) => field.name), ...TAGS])
}

/** Words that a key takes, with which nothing else is meant; `null`: its values are what requests have. */
export function traceWords(key: string): readonly string[] | null {
  return traceFieldOf(TRACE_GRAMMAR.fieldOf(key)?.name ?? key)?.words ?? null
}

/** True for a text that is the id of a trace, and nothing else. */
export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text)
}

const TRACE_ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Returns an id as it is stored. */
export function traceIdOf(text: string): string {
  return text.toLowerCase().replaceAll('-', '')
}

function nameCondition(value: string, negated: boolean): SegmentConditions | string {
  return negated ? 'Words of a name can’t be excluded.' : { texts: [value] }
}

function routeCondition(value: string, negated: boolean): SegmentConditions {
  return !negated && !hasWildcard(value)
    ? { routes: [literalText(value)] }
    : tagOfTraces('route', value, negated)
}

function stateCondition(value: string, negated: boolean): SegmentConditions | string {
  const state = Object.hasOwn(STATES, value) ? STATES[value] : undefined
  if (state === undefined) return `is takes one of ${Object.keys(STATES).join(', ')} in a search of traces.`
  if (!negated) return state
  return state.ends === undefined ? `is:${value} can’t be negated.` : { endsNot: state.ends }
}

function readWait(value: string, negated: boolean): SegmentConditions | string {
  const wanted = WAITED_FOR.find((known) => known === value.toLowerCase())
  if (wanted === undefined) return `waits takes one of ${WAITED_FOR.join(', ')}.`
  return { waitsFor: negated ? WAITED_FOR.filter((known) => known !== wanted) : [wanted] }
}

const ANSWERS: Readonly<Record<string, boolean>> = byWord({ yes: true, true: true, no: false, false: false })

function failedCondition(value: string, negated: boolean): SegmentConditions | string {
  const isFailed = Object.hasOwn(ANSWERS, value.toLowerCase()) ? ANSWERS[value.toLowerCase()] : undefined
  if (isFailed === undefined) return 'failed takes yes or no.'
  return stateCondition('failed', negated === isFailed)
}

/** Returns the condition that a tag has the value. */
export function tagOfTraces(key: string, value: string, negated: boolean): SegmentConditions {
  const condition: TagCondition = { key, value, negated }
  return { tags: [condition] }
}

/** A field of answers has its values in a column of another name; a tag may be called as the field. */
function eitherTag(keys: readonly string[], value: string, negated: boolean): SegmentConditions {
  const tags: readonly TagCondition[] = keys.map((key) => ({ key, value, negated }))
  return negated ? { tags } : { either: [tags.map((tag) => ({ tags: [tag] }))] }
}

function kindCondition(value: string, negated: boolean): SegmentConditions | string {
  const kind = REQUEST_KINDS.find((known) => known === value.toLowerCase().replaceAll(' ', '-'))
  if (kind === undefined) return `kind takes one of ${REQUEST_KINDS.join(', ')}.`
  const kinds: readonly RequestKind[] = [kind]
  return negated ? tagOfTraces('request_kind', kind, true) : { kinds }
}

/** A code, or a hundred of them: `404`, `5xx`. */
const HTTP_STATUS = /^([1-5])(\d\d|xx)$/i

function statusCondition(value: string, negated: boolean): SegmentConditions | string {
  const [, hundred, rest = ''] = HTTP_STATUS.exec(value) ?? []
  if (hundred !== undefined) {
    const isOne = rest.toLowerCase() !== 'xx'
    const from = Number(`${hundred}${isOne ? rest : '00'}`)
    return { httpStatuses: [{ from, to: isOne ? from : from + 99, negated }] }
  }
  // `answered` is what answers call it.
  const word = value === 'answered' ? 'ok' : value
  const ends = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined
  if (ends === undefined)
    return `status takes one of ${Object.keys(STATUSES).join(', ')}, or a code such as 500 or 5xx.`
  return negated ? { endsNot: ends } : { ends }
}

function vitalCondition(vital: Vital, value: string, negated: boolean): SegmentConditions | string {
  const read = readCompared(value, vital === 'cls' ? 'number' : 'duration')
  if (read !== null && !negated) return { vitals: [{ vital, sign: read.sign ?? '>=', value: read.value }] }
  return `${vital} takes a bound such as ${vitalOffers(vital).join(' or ')}.`
}

/** Returns the public thresholds as bounds: what is not good, and what is poor. */
function vitalOffers(vital: Vital): readonly string[] {
  return VITAL_THRESHOLDS[vital].map((bound) =>
    vital === 'cls' ? `>${bound}` : bound < 1_000 ? `>${bound}ms` : `>${bound / 1_000}s`,
  )
}

/** A bound without a sign is the least: long requests are what people look for. */
function durationCondition(value: string, negated: boolean): SegmentConditions | string {
  const read = readCompared(value, 'duration')
  if (read === null || negated) return 'duration takes a bound such as >500ms or <=2s.'
  switch (read.sign) {
    case '>':
      return { aboveDurationMs: read.value }
    case '<':
      return { belowDurationMs: read.value }
    case '<=':
      return { maxDurationMs: read.value }
    case '=':
      return { minDurationMs: read.value, maxDurationMs: read.value }
    default:
      return { minDurationMs: read.value }
  }
}

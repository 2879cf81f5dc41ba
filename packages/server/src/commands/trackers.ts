/** Issue trackers: what people set up, and the issues that they create, link and unlink there. */
import * as v from 'valibot'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { TRACKER_KINDS, type TrackerKind, type TrackerLink, type TrackerTarget } from '#ports/trackers.ts'
import { askTracker } from '#trackers/ask-tracker.ts'
import { TRACKER_TYPES } from '#trackers/kinds/kinds.ts'
import { isPlace } from '#trackers/places.ts'
import { titleOf } from '#trackers/replies.ts'
import { TRACKER_REFUSALS } from '#trackers/rules/links.ts'
import type { TrackerField, TrackerReply, TrackerType } from '#trackers/tracker-type.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import { fieldRule, splitValues } from './field-values.ts'
import type { CommandParts, TrackerParts } from './parts.ts'
import { CONTROL, read } from './schemas.ts'

/** Forms by kind of tracker, in the order people choose from. */
export const TRACKER_FORMS: readonly {
  readonly kind: TrackerKind
  readonly label: string
  readonly about: string
  readonly fields: readonly TrackerField[]
}[] = TRACKER_KINDS.map((kind) => {
  const { label, about, fields } = TRACKER_TYPES[kind]
  return { kind, label, about, fields }
})

export interface GivenTracker {
  readonly kind: string
  readonly name: string
  /** Settings and secrets by the names of the kind's fields; a secret left out, or empty, stays as it is. */
  readonly values: Readonly<Record<string, unknown>>
  readonly resolvesHere: boolean
  readonly closesThere: boolean
}

export interface TrackerCommands {
  createTracker(asking: Asking, tracker: GivenTracker): Promise<Result<{ readonly id: number }>>
  changeTracker(
    asking: Asking,
    change: Omit<GivenTracker, 'kind'> & { readonly id: number; readonly seen?: SeenSettings | undefined },
  ): Promise<Result<null>>
  /** Its links go along. */
  deleteTracker(asking: Asking, id: number): Promise<Result<null>>
  /** Creates an issue there now, with what is known of ours, and links it. `place` left out: where the tracker says. */
  createTrackerIssue(
    asking: Asking,
    asked: { readonly ref: string; readonly tracker: number; readonly place?: string },
  ): Promise<Result<TrackerLink>>
  /** Links the issue that an address names, of whichever tracker it is. */
  linkTrackerIssue(
    asking: Asking,
    asked: { readonly ref: string; readonly url: string },
  ): Promise<Result<TrackerLink>>
  unlinkTrackerIssue(
    asking: Asking,
    asked: { readonly ref: string; readonly link: number },
  ): Promise<Result<null>>
}

type Parts = Pick<CommandParts, 'trackers' | 'issues' | 'queries' | 'clock' | 'trackerCallLimits'>

const KIND = v.picklist(TRACKER_KINDS, `A kind is one of ${TRACKER_KINDS.join(', ')}.`)
const NAME = v.pipe(
  v.string('A name must be text.'),
  v.trim(),
  v.minLength(1, 'A name is required.'),
  v.maxLength(
    max('trackerNameCharsMax'),
    `A name may have at most ${max('trackerNameCharsMax')} characters.`,
  ),
  v.check((text) => !CONTROL.test(text), 'A name may not hold line breaks or control characters.'),
)
const GIVEN = v.strictObject({
  kind: KIND,
  name: NAME,
  values: v.record(v.string(), v.unknown()),
  resolvesHere: v.boolean('resolvesHere: true or false.'),
  closesThere: v.boolean('closesThere: true or false.'),
})

export function trackerCommands(parts: Parts): TrackerCommands {
  return {
    createTracker: (asking, tracker) =>
      managing(parts, asking, async (trackers) => {
        const checked = read(GIVEN, tracker)
        if (!checked.ok) return checked
        const { values, ...given } = checked.value
        const split = valuesOf(trackers, { kind: given.kind, values, kept: [], before: {} })
        if (!split.ok) return split
        const made = { ...given, ...split.value }
        return trackers.write.createTracker(asking.scope.orgId, made, actorOf(parts, asking))
      }),
    changeTracker: (asking, { id, seen, ...change }) =>
      managing(parts, asking, async (trackers) => {
        const known = await trackers.read.tracker(asking.scope, id)
        if (known === null) return TRACKER_REFUSALS.noTracker()
        const checked = read(GIVEN, { kind: known.kind, ...change })
        if (!checked.ok) return checked
        const { values, kind, ...given } = checked.value
        const split = valuesOf(trackers, { kind, values, kept: known.secretsSet, before: known.settings })
        if (!split.ok) return split
        const changed = { ...given, ...split.value, seen }
        return trackers.write.changeTracker(asking.scope.orgId, id, changed, actorOf(parts, asking))
      }),
    deleteTracker: (asking, id) =>
      managing(parts, asking, (trackers) =>
        trackers.write.deleteTracker(asking.scope.orgId, id, actorOf(parts, asking)),
      ),
    createTrackerIssue: (asking, asked) =>
      asInsider(parts, asking, asked.ref, (trackers, issue) =>
        create(parts, asking, { trackers, issue, ...asked }),
      ),
    linkTrackerIssue: (asking, asked) =>
      asInsider(parts, asking, asked.ref, (trackers, issue) =>
        link(parts, asking, { trackers, issue, ...asked }),
      ),
    unlinkTrackerIssue: (asking, asked) =>
      ofIssue(parts, asking, asked.ref, (trackers, { id }) => {
        const { orgId, projects } = asking.scope
        return trackers.write.unlinkIssue({ orgId, projects, ids: [id] }, asked.link, actorOf(parts, asking))
      }),
  }
}

async function managing<T>(
  { trackers }: Parts,
  asking: Asking,
  run: (trackers: TrackerParts) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(asking, 'tracker.write')
  if (refusal !== null) return refusal
  return trackers === undefined ? NOT_HERE : run(trackers)
}

const NOT_HERE = refuse('conflict', 'This process asks no issue tracker.')

type Issue = Awaited<ReturnType<CommandParts['issues']['issuesByRefs']>>[number]

/** A guest knows no tracker: what is asked of one is asked with the organisation's own token. */
function asInsider<T>(
  parts: Parts,
  asking: Asking,
  ref: string,
  run: (trackers: TrackerParts, issue: Issue) => Promise<Result<T>>,
): Promise<Result<T>> {
  return ofIssue(parts, asking, ref, async (trackers, issue) =>
    asking.scope.isGuest === true ? TRACKER_REFUSALS.noTracker() : run(trackers, issue),
  )
}

async function ofIssue<T>(
  { trackers, issues }: Parts,
  asking: Asking,
  ref: string,
  run: (trackers: TrackerParts, issue: Issue) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(asking, 'issue.write')
  if (refusal !== null) return refusal
  if (trackers === undefined) return NOT_HERE
  const [issue] = await issues.issuesByRefs(asking.scope, [ref])
  return issue === undefined ? TRACKER_REFUSALS.noIssue() : run(trackers, issue)
}

function valuesOf(
  { tests: { webhookUrl } }: TrackerParts,
  given: Pick<GivenTracker, 'values'> & {
    readonly kind: TrackerKind
    readonly kept: readonly string[]
    readonly before: TrackerTarget['values']
  },
) {
  const { fields } = TRACKER_TYPES[given.kind]
  const most = max('trackerValueCharsMax')
  return splitValues(
    { ...given, fields, unknown: 'This kind of tracker has no such field.' },
    (field, text) => fieldRule(field, text, { most, webhookUrl }),
  )
}

interface OnIssue {
  readonly trackers: TrackerParts
  readonly issue: Issue
  readonly ref: string
}

async function create(
  parts: Parts,
  asking: Asking,
  { trackers, issue, tracker: id, place }: OnIssue & { readonly tracker: number; readonly place?: string },
): Promise<Result<TrackerLink>> {
  const target = await trackers.read.trackerTarget(asking.scope.orgId, id)
  if (target === null) return TRACKER_REFUSALS.noTracker()
  const type = TRACKER_TYPES[target.kind]
  const where = placeOf(type, target, place)
  if (!where.ok) return where
  const refused = refuseCall(parts, asking)
  if (refused !== null) return refused
  const markdown = await parts.queries?.issueMarkdown(asking.scope, issue.shortId, 'report')
  const draft = {
    place: where.value,
    title: titleOf(issue.title) || issue.shortId,
    markdown: bodyOf(markdown ?? ''),
  }
  const reply = await type.create(askTracker(waysOf(trackers), target, neverStopped()), draft)
  return linked(parts, asking, { trackers, issue, target, reply, isNew: true })
}

/** The tracker's own heading says what its title says. Jira takes fewer characters than Errata writes. */
function bodyOf(markdown: string): string {
  const [heading = '', ...rest] = markdown.split('\n')
  const text = heading.startsWith('# ') ? rest.join('\n').trimStart() : markdown
  const most = max('trackerBodyCharsMax')
  if (text.length <= most) return text
  // What begins a block of code must end it.
  const whole = text.slice(0, most).split('\n\n').slice(0, -1)
  const isOpen = (whole.join('\n').match(/^`{3,}$/gm) ?? []).length % 2 === 1
  return `${whole.join('\n\n')}${isOpen ? '\n```' : ''}\n\n_The rest was left out: it is too long._\n`
}

function placeOf(type: TrackerType, { values }: TrackerTarget, given: string | undefined): Result<string> {
  const place = given?.trim() ?? ''
  if (place === '') return ok(values.place ?? '')
  const field = type.fields.find(({ name }) => name === 'place')
  const isFit = new RegExp(`^(?:${field?.pattern?.source ?? ''})$`, 's').test(place)
  const isShort = place.length <= max('trackerValueCharsMax')
  if (isFit && isShort && isPlace(values, place)) return ok(place)
  const rule = isFit && isShort ? 'This tracker isn’t set up for it.' : (field?.pattern?.rule ?? '')
  return refuse('invalid_input', `place: ${rule}`, { place: [rule] })
}

async function link(
  parts: Parts,
  asking: Asking,
  { trackers, issue, url }: OnIssue & { readonly url: string },
): Promise<Result<TrackerLink>> {
  const named = await trackerOfUrl(trackers, asking, url)
  if (named === null) {
    const rule = 'No issue tracker that is set up here has an issue at this address.'
    return refuse('invalid_input', rule, { url: [rule] })
  }
  const { target, remoteRef } = named
  const links = await trackers.read.trackerLinks(asking.scope, issue.id)
  if (links.some(({ tracker, ref }) => tracker.id === target.id && ref === remoteRef))
    return TRACKER_REFUSALS.linked()
  const refused = refuseCall(parts, asking)
  if (refused !== null) return refused
  const asked = askTracker(waysOf(trackers), target, neverStopped())
  const reply = await TRACKER_TYPES[target.kind].read(asked, remoteRef)
  return linked(parts, asking, { trackers, issue, target, reply, isNew: false })
}

async function trackerOfUrl(trackers: TrackerParts, { scope }: Asking, url: string) {
  const text = url.trim()
  if (text.length > max('trackerValueCharsMax') || !URL.canParse(text)) return null
  const address = new URL(text)
  for (const { id } of await trackers.read.trackers(scope)) {
    const target = await trackers.read.trackerTarget(scope.orgId, id)
    const remoteRef = target === null ? null : TRACKER_TYPES[target.kind].refOf(target.values, address)
    if (target !== null && remoteRef !== null) return { target, remoteRef }
  }
  return null
}

async function linked(
  parts: Parts,
  asking: Asking,
  given: Pick<OnIssue, 'trackers' | 'issue'> & {
    readonly target: TrackerTarget
    readonly reply: TrackerReply
    readonly isNew: boolean
  },
): Promise<Result<TrackerLink>> {
  const { trackers, issue, target, reply, isNew } = given
  const { attempt, remote } = reply
  if (remote === undefined || remote === 'missing' || attempt.outcome !== 'sent')
    return refuse('conflict', `${TRACKER_TYPES[target.kind].label}: ${attempt.says}`)
  const { orgId, projects } = asking.scope
  const change = { orgId, projects, ids: [issue.id] }
  const asked = { trackerId: target.id, remote, isNew }
  const done = await trackers.write.linkIssue(change, asked, actorOf(parts, asking))
  if (!done.ok) return done
  const link = (await trackers.read.trackerLinks(asking.scope, issue.id)).find(
    ({ id }) => id === done.value.id,
  )
  return link === undefined ? TRACKER_REFUSALS.noLink() : ok(link)
}

function refuseCall({ trackerCallLimits }: Parts, { scope }: Asking): Refusal | null {
  const attempt = trackerCallLimits.attempt(null, `trackers of ${scope.orgId}`)
  if (attempt.ok) return null
  return refuse('rate_limited', `Too many at once: try again in ${attempt.retryAfterSeconds} seconds.`)
}

function waysOf({ tests: { call }, version }: TrackerParts) {
  return { call, version }
}

/** Somebody waits for it; the call has its own time limit. */
function neverStopped(): AbortSignal {
  return new AbortController().signal
}

/** Issue trackers: what people set up, and the issues that they create, link and unlink there. */
import * as v from 'valibot'
import type { IssueId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { TRACKER_LINKS, TRACKERS } from '#model/tables/trackers.ts'
import type { Tx } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import {
  type NewTracker,
  type RemoteIssue,
  TRACKER_KINDS,
  type TrackerChange,
  type TrackerKind,
  type TrackerLink,
  type TrackerTarget,
  type TrackerValues,
} from '#ports/trackers.ts'
import { askTracker } from '#trackers/ask-tracker.ts'
import { TRACKER_TYPES } from '#trackers/kinds/kinds.ts'
import { isPlace } from '#trackers/places.ts'
import { readTitle } from '#trackers/replies.ts'
import { refuseLinks, refuseTrackers, TRACKER_REFUSALS } from '#trackers/rules/links.ts'
import { readTrackerKind } from '#trackers/rules/names.ts'
import type { TrackerField, TrackerReply, TrackerType } from '#trackers/tracker-type.ts'
import type { Asking } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { changeFound } from './change-found.ts'
import { type By, command, preparedCommand } from './command.ts'
import { fieldRule, splitValues } from './field-values.ts'
import type { CommandParts, TrackerParts } from './parts.ts'
import { line } from './schema-parts.ts'
import { readInput } from './schemas.ts'

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

type Parts = Pick<CommandParts, 'trackers' | 'issues' | 'queries' | 'clock' | 'trackerCallLimits'>

const KIND = v.picklist(TRACKER_KINDS, `A kind is one of ${TRACKER_KINDS.join(', ')}.`)
const NAME = line('A name', max('trackerNameCharsMax'))
const GIVEN = v.strictObject({
  kind: KIND,
  name: NAME,
  values: v.record(v.string(), v.unknown()),
  resolvesHere: v.boolean('resolvesHere: true or false.'),
  closesThere: v.boolean('closesThere: true or false.'),
})

type Kept = { readonly settings: TrackerValues; readonly secrets: TrackerValues }
type Made = Omit<NewTracker, 'settings' | 'secrets'> & Kept
type Changing = Omit<GivenTracker, 'kind'> & { readonly id: number; readonly seen?: SeenSettings | undefined }

/** Refused beyond `trackersPerOrgMax`, and where the name is taken. */
export const createTracker = preparedCommand({
  permission: 'tracker.write',
  input: (tracker: GivenTracker) => readInput(GIVEN, tracker),
  prepare: async ({ trackers }: Parts, _asking, { values, ...given }): Promise<Result<Made>> => {
    if (trackers === undefined) return NOT_HERE
    const split = readTrackerValues(trackers, { kind: given.kind, values, kept: [], before: {} })
    return split.ok ? ok({ ...given, ...split.value }) : split
  },
  change: async (tx, tracker: Made, { scope: { orgId }, actor }) => {
    const rows = tx.rows(TRACKERS)
    const refused = refuseTrackers(await rows.count({ orgId }))
    if (refused !== null) return refused
    const { kind, name } = tracker
    if ((await rows.one({ orgId, kind, name })) !== null) return TRACKER_REFUSALS.nameTaken()
    const { atMs: createdMs, label: createdBy } = actor
    const made = { orgId, ...tracker, createdBy, createdMs, changedMs: createdMs }
    const [id = 0] = await rows.insert([made])
    await writeAudit(tx, orgId, actor, { action: 'tracker.created', target: name, detail: { kind } })
    return ok({ id })
  },
})

export const changeTracker = preparedCommand({
  permission: 'tracker.write',
  input: (change: Changing) => ok(change),
  prepare: async ({ trackers }: Parts, asking, { id, seen, ...change }: Changing) => {
    if (trackers === undefined) return NOT_HERE
    const known = await trackers.read.tracker(asking.scope, id)
    if (known === null) return TRACKER_REFUSALS.noTracker()
    const checked = readInput(GIVEN, { kind: known.kind, ...change })
    if (!checked.ok) return checked
    const { values, kind, ...given } = checked.value
    const split = readTrackerValues(trackers, {
      kind,
      values,
      kept: known.secretsSet,
      before: known.settings,
    })
    return split.ok ? ok({ id, change: { ...given, ...split.value, seen } }) : split
  },
  change: async (tx, { id, change: given }: { readonly id: number; readonly change: TrackerChange }, by) => {
    const { orgId } = by.scope
    const rows = tx.rows(TRACKERS)
    const { seen, ...change } = given
    return changeFound(tx, by, {
      find: rows.one({ id, orgId }),
      missing: TRACKER_REFUSALS.noTracker,
      change: async (before) => {
        const { secrets: kept, ...shown } = before
        const unseen = refuseUnseen({ ...shown, secretsSet: Object.keys(kept) }, seen)
        if (unseen !== null) return unseen
        const { kind } = before
        const { name = before.name } = change
        const named = await rows.one({ orgId, kind, name })
        if (named !== null && named.id !== id) return TRACKER_REFUSALS.nameTaken()
        const { settings, resolvesHere, closesThere } = { ...before, ...change }
        const secrets = { ...kept, ...change.secrets }
        const changedMs = by.actor.atMs
        await rows.update([{ id, name, settings, secrets, resolvesHere, closesThere, changedMs }])
        const detail = { kind, changed: Object.keys(change).join(', ') }
        return { action: 'tracker.changed', target: name, detail }
      },
    })
  },
})

/** Its links go along, and what it is still to be told. */
export const deleteTracker = command({
  permission: 'tracker.write',
  input: (id: number) => ok({ id }),
  change: (tx, { id }, by) =>
    changeFound(tx, by, {
      find: tx.rows(TRACKERS).one({ id, orgId: by.scope.orgId }),
      missing: TRACKER_REFUSALS.noTracker,
      change: async ({ name: target, kind }) => {
        await tx.rows(TRACKERS).remove({ id })
        return { action: 'tracker.deleted', target, detail: { kind } }
      },
    }),
})

type Linking = {
  readonly issueId: IssueId
  readonly trackerId: number
  readonly remote: RemoteIssue
  readonly isNew: boolean
}

/** Creates an issue there now, with what is known of ours, and links it. `place` left out: where the tracker says. */
export const createTrackerIssue = preparedCommand({
  permission: 'issue.write',
  input: (asked: { readonly ref: string; readonly tracker: number; readonly place?: string }) => ok(asked),
  prepare: (parts: Parts, asking, asked) =>
    asInsider(parts, asking, asked.ref, (trackers, issue) =>
      createTicket(parts, asking, { trackers, issue, ...asked }),
    ),
  change: linkIssue,
})

/** Links the issue that an address names, of whichever tracker it is. */
export const linkTrackerIssue = preparedCommand({
  permission: 'issue.write',
  input: (asked: { readonly ref: string; readonly url: string }) => ok(asked),
  prepare: (parts: Parts, asking, asked) =>
    asInsider(parts, asking, asked.ref, (trackers, issue) =>
      linkFoundTicket(parts, asking, { trackers, issue, ...asked }),
    ),
  change: linkIssue,
})

type Unlinking = { readonly issueId: IssueId; readonly link: number }

/** Removes a link; what waits to be closed there is not closed any more: `claimTrackerWork` finds no link. */
export const unlinkTrackerIssue = preparedCommand({
  permission: 'issue.write',
  input: (asked: { readonly ref: string; readonly link: number }) => ok(asked),
  prepare: (parts: Parts, asking, { ref, link: of }): Promise<Result<Unlinking>> =>
    withTrackedIssue(parts, asking, ref, async (_trackers, { id }) => ok({ issueId: id, link: of })),
  change: async (tx, { issueId, link: id }: Unlinking, by) => {
    const [issue] = await findIssues(tx, by, issueId)
    if (issue === undefined) return TRACKER_REFUSALS.noIssue()
    const rows = tx.rows(TRACKER_LINKS)
    const known = await rows.one({ id, issueId })
    const tracker = known === null ? null : await tx.rows(TRACKERS).one({ id: known.trackerId })
    if (known === null || tracker === null) return TRACKER_REFUSALS.noLink()
    await rows.remove({ id })
    const { ref, url } = known
    const detail = { ref, url, tracker: tracker.name, kind: tracker.kind }
    await tx.issues.save([
      { id: issueId, note: { kind: 'unlinked', atMs: by.actor.atMs, actor: by.actor, detail } },
    ])
    return ok(null)
  },
})

async function findIssues(tx: Tx, { scope: { orgId, projects } }: By, id: IssueId) {
  return tx.issues.chosen({ orgId, projects, ids: [id] })
}

/** Refused beyond `trackerLinksPerIssueMax`, and if it is already linked. */
async function linkIssue(
  tx: Tx,
  { issueId, trackerId, remote, isNew }: Linking,
  by: By,
): Promise<Result<TrackerLink>> {
  const { actor, scope } = by
  const [issue] = await findIssues(tx, by, issueId)
  if (issue === undefined) return TRACKER_REFUSALS.noIssue()
  const tracker = await tx.rows(TRACKERS).one({ id: trackerId, orgId: scope.orgId })
  if (tracker === null) return TRACKER_REFUSALS.noTracker()
  const rows = tx.rows(TRACKER_LINKS)
  const links = await rows.find({ issueId }, max('trackerLinksPerIssueMax') + 1)
  const { ref, url, title, state, changedMs } = remote
  if (links.some((one) => one.trackerId === trackerId && one.ref === ref)) return TRACKER_REFUSALS.linked()
  const refused = refuseLinks(links.length)
  if (refused !== null) return refused
  const nowMs = Math.floor(actor.atMs)
  const said = { issueId, ref, url, title, state, checkedMs: nowMs, createdBy: actor.label, createdMs: nowMs }
  const [id = 0] = await rows.insert([{ ...said, trackerId, remoteMs: changedMs }])
  const { name } = tracker
  const kind = readTrackerKind(tracker.kind)
  const detail = { ref, url, tracker: name, kind, isNew }
  await tx.issues.save([{ id: issueId, note: { kind: 'linked', atMs: actor.atMs, actor, detail } }])
  return ok({ id, ...said, tracker: { id: trackerId, kind, name } })
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
  return withTrackedIssue(parts, asking, ref, async (trackers, issue) =>
    asking.scope.isGuest === true ? TRACKER_REFUSALS.noTracker() : run(trackers, issue),
  )
}

async function withTrackedIssue<T>(
  { trackers, issues }: Parts,
  asking: Asking,
  ref: string,
  run: (trackers: TrackerParts, issue: Issue) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (trackers === undefined) return NOT_HERE
  const [issue] = await issues.issuesByRefs(asking.scope, [ref])
  return issue === undefined ? TRACKER_REFUSALS.noIssue() : run(trackers, issue)
}

function readTrackerValues(
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

async function createTicket(
  parts: Parts,
  asking: Asking,
  { trackers, issue, tracker: id, place }: OnIssue & { readonly tracker: number; readonly place?: string },
): Promise<Result<Linking>> {
  const target = await trackers.read.trackerTarget(asking.scope.orgId, id)
  if (target === null) return TRACKER_REFUSALS.noTracker()
  const type = TRACKER_TYPES[target.kind]
  const where = trackerPlace(type, target, place)
  if (!where.ok) return where
  const refused = refuseCall(parts, asking)
  if (refused !== null) return refused
  const markdown = await parts.queries?.issueMarkdown(asking.scope, issue.shortId, 'report')
  const draft = {
    place: where.value,
    title: readTitle(issue.title) || issue.shortId,
    markdown: bodyOf(markdown ?? ''),
  }
  const reply = await type.create(askTracker(trackerCalls(trackers), target, neverStopped()), draft)
  return linkingOf({ issue, target, reply, isNew: true })
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

function trackerPlace(
  type: TrackerType,
  { values }: TrackerTarget,
  given: string | undefined,
): Result<string> {
  const place = given?.trim() ?? ''
  if (place === '') return ok(values.place ?? '')
  const field = type.fields.find(({ name }) => name === 'place')
  const isFit = new RegExp(`^(?:${field?.pattern?.source ?? ''})$`, 's').test(place)
  const isShort = place.length <= max('trackerValueCharsMax')
  if (isFit && isShort && isPlace(values, place)) return ok(place)
  const rule = isFit && isShort ? 'This tracker isn’t set up for it.' : (field?.pattern?.rule ?? '')
  return refuse('invalid_input', `place: ${rule}`, { place: [rule] })
}

async function linkFoundTicket(
  parts: Parts,
  asking: Asking,
  { trackers, issue, url }: OnIssue & { readonly url: string },
): Promise<Result<Linking>> {
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
  const asked = askTracker(trackerCalls(trackers), target, neverStopped())
  const reply = await TRACKER_TYPES[target.kind].read(asked, remoteRef)
  return linkingOf({ issue, target, reply, isNew: false })
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

function linkingOf({
  issue,
  target,
  reply: { attempt, remote },
  isNew,
}: Pick<OnIssue, 'issue'> & {
  readonly target: TrackerTarget
  readonly reply: TrackerReply
  readonly isNew: boolean
}): Result<Linking> {
  if (remote === undefined || remote === 'missing' || attempt.outcome !== 'sent')
    return refuse('conflict', `${TRACKER_TYPES[target.kind].label}: ${attempt.says}`)
  return ok({ issueId: issue.id, trackerId: target.id, remote, isNew })
}

function refuseCall({ trackerCallLimits }: Parts, { scope }: Asking): Refusal | null {
  const attempt = trackerCallLimits.attempt(null, `trackers of ${scope.orgId}`)
  if (attempt.ok) return null
  return refuse('rate_limited', `Too many at once: try again in ${attempt.retryAfterSeconds} seconds.`)
}

function trackerCalls({ tests: { call }, version }: TrackerParts) {
  return { call, version }
}

/** Somebody waits for it; the call has its own time limit. */
function neverStopped(): AbortSignal {
  return new AbortController().signal
}

/** Changing issues, one or many: `PUT` and `DELETE`. */
import * as v from 'valibot'
import { groupHash, projectId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import type { ArchiveRequest, IssueSelection } from '#commands/issues.ts'
import { max } from '#limits/limits.ts'
import { PRIORITIES } from '#model/priority.ts'
import type { Assignee, Issue, ResolveIn } from '#ports/issues.ts'
import { ISSUE_CHANGED, ISSUE_DETAIL, KEPT_APART, PARTED } from './answers/issue.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { issueDetail } from './issues.ts'
import { PROJECTS_PARAMETER } from './params.ts'
import { requireProject } from './projects.ts'
import { type QueryParameter, words } from './query.ts'
import { apiRefusal, badField, grantedOrThrow } from './refusals.ts'
import { assigneeShape, resolutionDetails } from './shape/issue.ts'

const STATUS_RULE = 'One of unresolved, resolved, ignored.'
const SUBSTATUS_RULE =
  'One of ongoing, archived_forever, archived_until_escalating, archived_until_condition_met.'
const counted = v.nullable(
  v.pipe(v.number('A number.'), v.safeInteger('A whole number.'), v.minValue(1, 'At least 1.')),
)
const CHANGE = v.object({
  status: v.optional(v.string(STATUS_RULE)),
  substatus: v.optional(v.nullable(v.string(SUBSTATUS_RULE))),
  statusDetails: v.optional(v.record(v.string(), v.unknown(), 'An object.')),
  /** Older clients put the details of archiving beside the status. */
  ignoreCount: v.optional(counted),
  ignoreDuration: v.optional(counted),
  ignoreUserCount: v.optional(counted),
  assignedTo: v.optional(v.nullable(v.string('An email, an id, user:ID, team:ID, #team, or empty.'))),
  priority: v.optional(v.picklist(PRIORITIES, 'One of high, medium, low.')),
  isSubscribed: v.optional(v.boolean('True or false.')),
  isBookmarked: v.optional(v.boolean('True or false.')),
  merge: v.optional(v.union([v.boolean(), v.literal(1), v.literal(0)], 'True or false.')),
  /** Why they are merged. */
  reason: v.optional(v.nullable(v.string('A reason must be text.'))),
})
type Change = v.InferOutput<typeof CHANGE>
const KEEP_APART = v.strictObject({
  /** Left out: all of them. */
  mirrors: v.optional(
    v.array(
      v.strictObject({
        project: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'The id of a project.')),
        hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'The hash of a mirror.')),
      }),
      'A list.',
    ),
  ),
})

const ID: QueryParameter = {
  ...{ name: 'id', what: 'Id or short id of an issue; several', repeats: true, schema: { type: 'string' } },
}
const QUERY = words('query', 'Instead of `id`: a search that finds them')
const STATUS = words('status', 'Instead of both: unresolved, resolved, ignored or muted, as sentry-cli asks')
/** Statuses in the words of searches. */
const SEARCHED: ReadonlyMap<string, string> = new Map([
  ['unresolved', 'is:unresolved'],
  ['resolved', 'is:resolved'],
  ['ignored', 'is:archived'],
  ['muted', 'is:archived'],
])
const HASH: QueryParameter = {
  ...{ name: 'id', what: 'Hash of a group; several', repeats: true, required: true },
  schema: { type: 'string' },
}
const REASON = words('reason', 'Why they are separated')
const INTO = words('into', 'Id or short id of the issue that they go to')

export const ISSUE_CHANGE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'PUT',
    pattern: '/organizations/{org}/issues/',
    permission: 'issue.write',
    what: 'changes the issues named by `id` or found by `query`',
    query: [ID, QUERY, PROJECTS_PARAMETER],
    answer: ISSUE_CHANGED,
    body: CHANGE,
    run: (call) => changeMany(call, selectionOf(call, PROJECTS_PARAMETER.read(call.url))),
  },
  {
    method: 'PUT',
    pattern: '/projects/{org}/{project}/issues/',
    permission: 'issue.write',
    what: 'changes issues of one project',
    query: [ID, QUERY, STATUS],
    answer: ISSUE_CHANGED,
    body: CHANGE,
    async run(call) {
      const projects = [String((await requireProject(call)).id)]
      const status = STATUS.read(call.url)
      return changeMany(
        call,
        status === '' ? selectionOf(call, projects) : ofStatus(call, { status, projects }),
      )
    },
  },
  {
    method: 'DELETE',
    pattern: '/organizations/{org}/issues/',
    permission: 'issue.delete',
    what: 'deletes the issues named by `id` or found by `query`',
    query: [ID, QUERY, PROJECTS_PARAMETER],
    run: (call) => deleteMany(call, selectionOf(call, PROJECTS_PARAMETER.read(call.url))),
  },
  {
    method: 'DELETE',
    pattern: '/projects/{org}/{project}/issues/',
    permission: 'issue.delete',
    what: 'deletes issues of one project',
    query: [ID, QUERY],
    run: async (call) => deleteMany(call, selectionOf(call, [String((await requireProject(call)).id)])),
  },
  {
    method: 'PUT',
    pattern: '/organizations/{org}/issues/{issue}/',
    permission: 'issue.write',
    what: 'changes one issue',
    answer: ISSUE_DETAIL,
    body: CHANGE,
    async run(call) {
      const ref = call.params.issue ?? ''
      const change = await readChange(call)
      if (change.merge !== undefined) throw badField('merge', 'Merging takes at least two issues.')
      await apply(call, { refs: [ref] }, change)
      return answerOk(await issueDetail(call, ref))
    },
  },
  {
    method: 'DELETE',
    pattern: '/organizations/{org}/issues/{issue}/',
    permission: 'issue.delete',
    what: 'deletes one issue',
    async run(call) {
      const selection = { refs: [call.params.issue ?? ''] }
      grantedOrThrow(await call.commands.run('deleteIssues', call, selection))
      return { status: 202 }
    },
  },
  orgRoute({
    method: 'DELETE',
    pattern: '/organizations/{org}/issues/{issue}/hashes/',
    permission: 'issue.write',
    what: 'moves the groups named by `id` to a new issue, or to the issue `into`',
    query: [HASH, REASON, INTO],
    answer: PARTED,
    async run(call) {
      const { searchParams } = call.url
      const parting = {
        ref: call.params.issue ?? '',
        groups: searchParams.getAll(HASH.name),
        reason: REASON.read(call.url) || null,
        into: INTO.read(call.url) || null,
      }
      const own = grantedOrThrow(await call.commands.run('unmergeIssue', call, parting))
      return { status: 202, body: { issue: String(own) } }
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/issues/{issue}/mirrors/keep-apart/',
    permission: 'issue.write',
    what: 'moves mirrors that were folded into the issue to issues of their own, for good',
    answer: KEPT_APART,
    body: KEEP_APART,
    async run(call) {
      const { mirrors } = readBody(KEEP_APART, await call.json())
      const groups =
        mirrors?.map((one) => ({ projectId: projectId(Number(one.project)), hash: groupHash(one.hash) })) ??
        null
      const apart = grantedOrThrow(
        await call.commands.run('keepMirrorsApart', call, { ref: call.params.issue ?? '', groups }),
      )
      return answerOk({ issues: apart.map(String) })
    },
  }),
]

/** A bulk change names what it changes: nothing named would mean everything. */
function selectionOf({ url }: OrgCall, projects: readonly string[]): IssueSelection {
  const refs = url.searchParams.getAll(ID.name).filter((id) => id !== '')
  if (refs.length > max('issuesPerChangeMax'))
    throw badField('id', `At most ${max('issuesPerChangeMax')} issues.`)
  if (refs.length > 0) return { refs }
  const query = QUERY.read(url)
  if (query.trim() === '') {
    throw apiRefusal('bad_request', 'Name the issues with `id`, or give a `query`.')
  }
  return { query, projects }
}

function ofStatus(
  { url }: OrgCall,
  { status, projects }: { readonly status: string; readonly projects: readonly string[] },
): IssueSelection {
  const query = SEARCHED.get(status)
  if (query === undefined) throw badField('status', `One of ${[...SEARCHED.keys()].join(', ')}.`)
  if (url.searchParams.has(ID.name) || QUERY.read(url).trim() !== '')
    throw badField('status', 'It goes with neither id nor query.')
  return { query, projects }
}

/** Fields that are not known are passed over, as Sentry does; a body without any says nothing. */
async function readChange(call: OrgCall): Promise<Change> {
  const body = await call.json()
  const change = readBody(CHANGE, body)
  if (isObject(body) && Object.keys(body).length > 0) return change
  throw apiRefusal('bad_request', `Say what to change: ${CHANGES}.`)
}

async function changeMany(call: OrgCall, selection: IssueSelection) {
  const change = await readChange(call)
  return answerOk(await apply(call, selection, change))
}

async function deleteMany(call: OrgCall, selection: IssueSelection) {
  grantedOrThrow(await call.commands.run('deleteIssues', call, selection))
  return gone
}

type StatusChange =
  | { readonly kind: 'resolve'; readonly within: ResolveIn | null }
  | { readonly kind: 'unresolve' }
  | { readonly kind: 'archive'; readonly until: ArchiveRequest }
  | null

/** Everything is read and checked before the first change; answers what was asked for, as Sentry does. */
async function apply(call: OrgCall, selection: IssueSelection, change: Change) {
  const status = statusOf(change)
  const assignee = change.assignedTo === undefined ? undefined : await findAssignee(call, change.assignedTo)
  const isMerge = change.merge === true || change.merge === 1
  const isMarked = change.isSubscribed !== undefined || change.isBookmarked !== undefined
  const { priority } = change
  if (change.reason !== undefined && !isMerge) throw badField('reason', 'It belongs to merge.')
  if (status !== null) grantedOrThrow(await applyStatus(call, selection, status))
  if (assignee !== undefined) {
    grantedOrThrow(
      await call.commands.run('assignIssues', call, { selection, assignee: assigneeId(assignee) }),
    )
  }
  if (priority !== undefined)
    grantedOrThrow(await call.commands.run('prioritiseIssues', call, { selection, priority }))
  const marked = isMarked ? await markByCall(call, selection, change) : {}
  const merged = isMerge ? await merge(call, selection, change.reason ?? null) : {}
  return {
    ...(status === null ? {} : statusAnswer(status)),
    ...(assignee === undefined ? {} : { assignedTo: assigneeShape(assignee) }),
    ...(priority === undefined ? {} : { priority }),
    ...marked,
    ...merged,
  }
}

const CHANGES = 'status, assignedTo, priority, isSubscribed, isBookmarked or merge'

/** Marks issues for the person who asks. Returns what was asked for. */
async function markByCall(call: OrgCall, selection: IssueSelection, { isSubscribed, isBookmarked }: Change) {
  if (isSubscribed !== undefined)
    grantedOrThrow(await call.commands.run('subscribeToIssues', call, { selection, isSubscribed }))
  if (isBookmarked !== undefined)
    grantedOrThrow(await call.commands.run('bookmarkIssues', call, { selection, isBookmarked }))
  return {
    ...(isSubscribed === undefined
      ? {}
      : { isSubscribed, subscriptionDetails: isSubscribed ? { reason: 'unknown' } : { disabled: true } }),
    ...(isBookmarked === undefined ? {} : { isBookmarked }),
  }
}

function applyStatus(call: OrgCall, selection: IssueSelection, status: NonNullable<StatusChange>) {
  switch (status.kind) {
    case 'resolve':
      return call.commands.run('resolveIssues', call, { selection, within: status.within })
    case 'unresolve':
      return call.commands.run('unresolveIssues', call, selection)
    case 'archive':
      return call.commands.run('archiveIssues', call, { selection, until: status.until })
  }
}

function statusAnswer(status: NonNullable<StatusChange>) {
  if (status.kind === 'resolve')
    return { status: 'resolved', substatus: null, statusDetails: resolutionDetails(status.within) }
  if (status.kind === 'unresolve') return { status: 'unresolved', substatus: 'ongoing', statusDetails: {} }
  const { eventsMore, usersMore, minutes } = status.until
  const statusDetails = {
    ...(eventsMore === null ? {} : { ignoreCount: eventsMore }),
    ...(usersMore === null ? {} : { ignoreUserCount: usersMore }),
    ...(minutes === null ? {} : { ignoreDuration: minutes }),
  }
  if (status.until.escalating === true)
    return {
      ...{
        status: 'ignored',
        substatus: 'archived_until_escalating',
        statusDetails: { untilEscalating: true },
      },
    }
  const substatus = isForEver(status.until) ? 'archived_forever' : 'archived_until_condition_met'
  return { status: 'ignored', substatus, statusDetails }
}

function isForEver({ eventsMore, usersMore, minutes }: ArchiveRequest): boolean {
  return eventsMore === null && usersMore === null && minutes === null
}

function statusOf(change: Change): StatusChange {
  const details = { ...change.statusDetails, ...olderDetails(change) }
  refuseUnsupported(details)
  const within = withinOf(change.status, details)
  const until = {
    eventsMore: readDetailCount(details, 'ignoreCount'),
    usersMore: readDetailCount(details, 'ignoreUserCount'),
    minutes: readDetailCount(details, 'ignoreDuration'),
  }
  if (within !== null && !RESOLVED.includes(change.status ?? '')) {
    throw badField('statusDetails', `${listInCode(RELEASE_DETAILS)} belong to the status resolved.`)
  }
  switch (change.status) {
    case 'resolved':
    case 'resolvedNow':
    case 'resolvedInNextRelease':
      if (!isForEver(until)) {
        throw badField('statusDetails', `${listInCode(ARCHIVE_DETAILS)} belong to the status ignored.`)
      }
      return { kind: 'resolve', within }
    case 'unresolved':
      if (change.substatus !== undefined && change.substatus !== null && change.substatus !== 'ongoing') {
        throw badField('substatus', 'With unresolved: ongoing.')
      }
      return { kind: 'unresolve' }
    case 'ignored':
    case 'archived':
    case 'muted':
      return archiveOf(change.substatus ?? null, { ...until, escalating: details.untilEscalating === true })
    case undefined:
      if (change.substatus === undefined && change.statusDetails === undefined) return null
      throw badField('status', 'It is needed beside substatus and statusDetails.')
    default:
      throw badField('status', STATUS_RULE)
  }
}

function archiveOf(substatus: string | null, until: ArchiveRequest): StatusChange {
  if (substatus === 'archived_until_escalating' || (substatus === null && until.escalating === true)) {
    if (isForEver(until)) return { kind: 'archive', until: { ...until, escalating: true } }
    throw badField('statusDetails', `archived_until_escalating takes none of ${listInCode(ARCHIVE_DETAILS)}.`)
  }
  if (substatus === 'archived_until_condition_met' && isForEver(until)) {
    throw badField(
      'statusDetails',
      `archived_until_condition_met needs one of ${listInCode(ARCHIVE_DETAILS)}.`,
    )
  }
  if (substatus === 'archived_forever' && !isForEver(until)) {
    throw badField('statusDetails', `archived_forever takes none of ${listInCode(ARCHIVE_DETAILS)}.`)
  }
  if (
    substatus !== null &&
    substatus !== 'archived_forever' &&
    substatus !== 'archived_until_condition_met'
  ) {
    throw badField('substatus', SUBSTATUS_RULE)
  }
  return { kind: 'archive', until }
}

function olderDetails({ ignoreCount, ignoreDuration, ignoreUserCount }: Change): Record<string, unknown> {
  const older = { ignoreCount, ignoreDuration, ignoreUserCount }
  return Object.fromEntries(
    Object.entries(older).filter(([, value]) => value !== undefined && value !== null),
  )
}

/** Events, users, minutes. */
const ARCHIVE_DETAILS: readonly string[] = ['ignoreCount', 'ignoreUserCount', 'ignoreDuration']
const RELEASE_DETAILS: readonly string[] = ['inRelease', 'inNextRelease', 'inCommit']
const RESOLVED: readonly string[] = ['resolved', 'resolvedNow', 'resolvedInNextRelease']

const COMMIT = v.object({
  commit: v.pipe(v.string(), v.minLength(1), v.maxLength(max('commitIdCharsMax'))),
  repository: v.optional(v.nullable(v.string())),
})

/** `null`: now. */
function withinOf(status: string | undefined, details: Readonly<Record<string, unknown>>): ResolveIn | null {
  const { inRelease, inNextRelease, inCommit } = details
  const named = [inRelease, inNextRelease, inCommit].filter((each) => each !== undefined && each !== null)
  if (named.length > 1) throw badField('statusDetails', `One of ${listInCode(RELEASE_DETAILS)}.`)
  if (status === 'resolvedInNextRelease' || inNextRelease === true) return { how: 'next' }
  if (typeof inRelease === 'string' && inRelease !== '') return { how: 'release', release: inRelease }
  const commit = v.safeParse(COMMIT, inCommit)
  if (commit.success) return { how: 'commit', commit: commit.output.commit }
  if (named.length === 0 || inNextRelease === false) return null
  const rule =
    '`inRelease` names a release, `inNextRelease` is true, `inCommit` has `commit` and `repository`.'
  throw badField('statusDetails', rule)
}

function refuseUnsupported(details: Readonly<Record<string, unknown>>): void {
  // Without them what was asked for would be something else.
  const name = UNSUPPORTED.find((each) => details[each] !== undefined && details[each] !== null)
  if (name === undefined) return
  const known = [...ARCHIVE_DETAILS, ...RELEASE_DETAILS, 'untilEscalating']
  throw badField('statusDetails', `\`${name}\` is not supported by this version: use ${listInCode(known)}.`)
}

const UNSUPPORTED = ['ignoreWindow', 'ignoreUserWindow', 'ignoreUntil', 'inUpcomingRelease'] as const

function listInCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function readDetailCount(details: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = details[name]
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw badField('statusDetails', `\`${name}\` must be a whole number of at least 1.`)
}

type Named = Pick<Issue, 'assignee' | 'assigneeTeam'>

const NOBODY: Named = { assignee: null, assigneeTeam: null }

/** `user:5`, `5`, an email; `team:2`, `#backend`; empty or null unassigns. */
async function findAssignee({ queries, scope }: OrgCall, text: string | null): Promise<Named> {
  const wanted = (text ?? '').trim().toLowerCase()
  if (wanted === '') return NOBODY
  if (/^(?:team:|#)/.test(wanted)) {
    const teams = await queries.teams(scope)
    const team = teams.find(({ id, slug }) => wanted === `team:${id}` || wanted === `#${slug}`)
    if (team === undefined) throw badField('assignedTo', 'No team has this ID or slug.')
    return { assignee: null, assigneeTeam: { teamId: team.id, slug: team.slug, name: team.name } }
  }
  const plain = wanted.replace(/^user:/, '')
  const members = await queries.members(scope)
  const member = members.find(
    ({ userId, email }) => String(userId) === plain || email.toLowerCase() === plain,
  )
  if (member === undefined) throw badField('assignedTo', 'No member has this ID or email.')
  return { assignee: member, assigneeTeam: null }
}

/** Returns the assignee as the store takes it. */
function assigneeId({ assignee, assigneeTeam }: Named): Assignee | null {
  return assigneeTeam === null ? (assignee?.userId ?? null) : { team: assigneeTeam.teamId }
}

async function merge(call: OrgCall, selection: IssueSelection, reason: string | null) {
  const { into, merged } = grantedOrThrow(await call.commands.run('mergeIssues', call, { selection, reason }))
  return { merge: { parent: String(into), children: merged.map(String) } }
}

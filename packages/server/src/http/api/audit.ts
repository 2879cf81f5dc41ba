/** The audit log. */
import { userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AuditEntry, AuditFilter, Member } from '#ports/accounts.ts'
import { AUDIT_ENTRY, AUDIT_LOG } from './answers/organisation.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { badCursor, PAGE, readPage } from './pages.ts'
import { moment } from './params.ts'
import { picks } from './pick.ts'
import { listParameter, type Reading, words } from './query.ts'
import { badField } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const TEXT_CHARS_MAX = 200
const CURSOR = /^(\d{1,15}):0:0$/

const ACTOR: Reading<number | null> = {
  ...{ name: 'actor', what: 'Id of who did it', schema: { type: 'string', pattern: '^\\d{1,15}$' } },
  read({ searchParams }) {
    const text = searchParams.get('actor') ?? ''
    if (text === '') return null
    if (!/^\d{1,15}$/.test(text)) throw badField('actor', 'The id of a person.')
    return Number(text)
  },
}
const EVENT = words('event', 'Exactly this event, such as `member.role_changed`', TEXT_CHARS_MAX)
const SUBJECT = listParameter('subject', 'First word of events, such as `member`: any of several')
const TARGET = words('target', 'Exactly what it was done to', TEXT_CHARS_MAX)
const WORDS = words('query', 'Words that must all stand in the entry', TEXT_CHARS_MAX)
const START = moment('start', 'Not before: RFC 3339, UTC without an offset')
const END = moment('end', 'Before: the same')

export const AUDIT_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/audit-logs/',
    permission: 'audit.read',
    what: 'the audit log, newest first',
    query: [ACTOR, EVENT, SUBJECT, TARGET, WORDS, START, END, ...PAGE],
    answer: AUDIT_LOG,
    run: auditLog,
  }),
]

async function auditLog({ queries, scope, url }: OrgCall) {
  const { limit, cursor } = readPage(url)
  const before = cursor === null ? null : Number(CURSOR.exec(cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(before)) throw badCursor()
  // One more says whether there are older ones.
  const found = await queries.audit(scope, { ...readAuditFilter(url), before, rows: limit + 1 })
  const members = await queries.members(scope)
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return answerOk(
    { rows: rows.map((entry) => auditShape(entry, members)) },
    { previous: null, next: last === undefined ? null : `${last.id}:0:0`, hits: null },
  )
}

/** Reads the filter of the audit log; a parameter left out does not narrow it. */
function readAuditFilter(url: URL): AuditFilter {
  const [actor, subjects] = [ACTOR.read(url), SUBJECT.read(url)]
  const asked = WORDS.read(url)
    .split(/\s+/)
    .filter((word) => word !== '')
  return {
    userId: actor === null ? null : userId(actor),
    subjects: subjects.length === 0 ? null : subjects,
    action: EVENT.read(url) || null,
    target: TARGET.read(url) || null,
    words: asked.slice(0, max('auditWordsMax')).map((text) => ({ text, actions: [] })),
    fromMs: START.read(url),
    untilMs: END.read(url),
  }
}

/** Shapes an entry as Sentry does, with the target in words: Errata keeps no ids there. */
const auditShape = picks(AUDIT_ENTRY).from<AuditEntry, readonly Member[]>({
  id: ({ id }) => String(id),
  actor: ({ userId: user, actor: name }, members) => {
    const email = members.find((each) => each.userId === user)?.email ?? null
    return { id: user === null ? null : String(user), name, email }
  },
  event: ({ action }) => action,
  note: ({ action, target }) => `${action.replaceAll(/[._]/g, ' ')}: ${target}`,
  ipAddress: ({ address }) => address,
  targetObject: () => null,
  targetUser: () => null,
  data: ({ detail }) => detail,
  dateCreated: ({ atMs }) => isoTimeText(atMs),
})

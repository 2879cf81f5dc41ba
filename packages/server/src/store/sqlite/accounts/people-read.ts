/** Reads of an organisation's people, within a scope. */
import { ErrataError } from '#base/errors.ts'
import type { ProjectId, TeamId, UserId } from '#base/ids.ts'
import { isKnownTo } from '#model/account-rules.ts'
import { foldAscii } from '#model/text-pattern.ts'
import type { AccountsRead, AuditEntry, AuditPage, Member, Role, Team, TeamName } from '#ports/accounts.ts'
import { type NamesAsked, wordsAsked } from '#ports/names.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { organisationById, roleDefault } from '../rows/account-rows.ts'
import { readableJson } from '../rows/readable.ts'
import { readApiToken, TOKEN_COLUMNS, type TokenRow } from './accounts-read.ts'
import { expiredInvitations, openInvitations } from './invitation-row.ts'

type WithinScope =
  | 'organisation'
  | 'roleDefault'
  | 'members'
  | 'teams'
  | 'teamNames'
  | 'invitations'
  | 'tokens'
  | 'audit'

export function peopleRead(db: Connection): Pick<AccountsRead, WithinScope> {
  return {
    organisation: async ({ orgId }) => {
      const found = organisationById(db, orgId)
      if (found === null) throw new ErrataError('not_found', 'the organisation does not exist any more')
      return found
    },
    roleDefault: async (org) => roleDefault(db, org),
    members: async (scope, asked = {}) => members(db, scope, asked),
    teams: async (scope, asked = {}) => teams(db, scope, asked),
    teamNames: async (scope, asked = {}) => teamNames(db, scope, asked),
    invitations: async ({ orgId }, nowMs, state = 'open') =>
      state === 'open' ? openInvitations(db, orgId, nowMs) : expiredInvitations(db, orgId, nowMs),
    tokens: async ({ orgId }) => {
      const sql = `SELECT ${TOKEN_COLUMNS} FROM tokens t
        WHERE t.org_id = ? AND t.client_id IS NULL ORDER BY t.id DESC`
      return db.all<TokenRow>(sql, [orgId]).map(readApiToken)
    },
    audit: async (scope, page) => audit(db, scope, page),
  }
}

/**
 * Whether a team opens one of the readable projects; everybody but guests knows of every team. The plus, here and below,
 * keeps SQLite from looking for each readable project by the primary key: 362,000 times for 400 people and 905 projects.
 */
const TEAM_SHOWN = `(:all OR EXISTS (SELECT 1 FROM team_projects tp WHERE tp.team_id = t.id
  AND +tp.project_id IN (SELECT value FROM json_each(:readable))))`

/** `:asked` as ids and `:words`, of a row's id and of the text beside it. */
function isAsked(id: string, text: string): string {
  return `(:asked IS NULL OR ${id} IN (SELECT value FROM json_each(:asked)))
    AND NOT EXISTS (SELECT 1 FROM json_each(:words) w WHERE instr(lower(${text}), w.value) = 0)`
}

function shownTo(scope: ReadScope, asked: NamesAsked<number>) {
  return {
    ...{ org: scope.orgId, all: scope.isGuest === true ? 0 : 1, readable: readableJson(scope, null) },
    ...{ asked: asked.ids === undefined ? null : JSON.stringify(asked.ids) },
    words: JSON.stringify(wordsAsked(asked.text)),
    // SQLite takes a negative number for none.
    limit: asked.limit ?? -1,
  }
}

/** Guests know of those who read one of their projects: by role, by a team, or as guests too. */
function members(db: Connection, scope: ReadScope, asked: NamesAsked<UserId>): readonly Member[] {
  const sql = `SELECT m.user_id AS userId, u.email, u.name, m.role, m.joined_ms AS joinedMs,
      (SELECT json_group_array(tm.team_id) FROM team_members tm JOIN teams t ON t.id = tm.team_id
        WHERE tm.user_id = m.user_id AND t.org_id = m.org_id AND ${TEAM_SHOWN}) AS teams,
      (SELECT json_group_array(g.project_id) FROM guest_projects g
        WHERE g.org_id = m.org_id AND g.user_id = m.user_id
          AND +g.project_id IN (SELECT value FROM json_each(:readable))) AS projects
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = :org AND ${isAsked('m.user_id', "u.name || ' ' || u.email")}
    ORDER BY u.name COLLATE NOCASE, u.email, u.id LIMIT :limit`
  interface Row {
    readonly userId: UserId
    readonly email: string
    readonly name: string
    readonly role: Role
    readonly joinedMs: number
    readonly teams: string
    readonly projects: string
  }
  return db
    .all<Row>(sql, shownTo(scope, asked))
    .map(({ teams, projects, ...row }) => ({
      ...row,
      teams: readIds<TeamId>(teams),
      projects: readIds<ProjectId>(projects),
    }))
    .filter((member) => isKnownTo(scope, member))
}

/** A team's projects are those that the viewer may read; how many others it has stays unknown. */
function teams(db: Connection, scope: ReadScope, asked: NamesAsked<TeamId>): readonly Team[] {
  const sql = `SELECT t.id, t.slug, t.name, t.created_ms AS createdMs, t.channel_id AS channelId,
      (SELECT json_group_array(tm.user_id) FROM team_members tm WHERE tm.team_id = t.id) AS members,
      (SELECT json_group_array(tm.user_id) FROM team_members tm
        WHERE tm.team_id = t.id AND tm.role = 'admin') AS admins,
      (SELECT json_group_array(tp.project_id) FROM team_projects tp WHERE tp.team_id = t.id
        AND +tp.project_id IN (SELECT value FROM json_each(:readable))) AS projects
    FROM teams t WHERE ${TEAM_ASKED} ORDER BY t.name COLLATE NOCASE, t.id LIMIT :limit`
  interface Row {
    readonly id: TeamId
    readonly slug: string
    readonly name: string
    readonly createdMs: number
    readonly channelId: number | null
    readonly members: string
    readonly admins: string
    readonly projects: string
  }
  return db.all<Row>(sql, shownTo(scope, asked)).map(({ members, admins, projects, ...row }) => ({
    ...row,
    members: readIds(members),
    admins: readIds(admins),
    projects: readIds(projects),
  }))
}

const TEAM_ASKED = `t.org_id = :org AND ${TEAM_SHOWN} AND ${isAsked('t.id', "t.name || ' ' || t.slug")}`

function teamNames(db: Connection, scope: ReadScope, asked: NamesAsked<TeamId>): readonly TeamName[] {
  const sql = `SELECT t.id, t.slug, t.name,
      EXISTS (SELECT 1 FROM team_members tm WHERE tm.team_id = t.id AND tm.user_id = :user) AS isMine,
      EXISTS (SELECT 1 FROM team_projects tp WHERE tp.team_id = t.id
        AND +tp.project_id IN (SELECT value FROM json_each(:readable))) AS opens
    FROM teams t WHERE ${TEAM_ASKED} ORDER BY t.name COLLATE NOCASE, t.id LIMIT :limit`
  type Row = Omit<TeamName, 'isMine' | 'opens'> & { readonly isMine: number; readonly opens: number }
  return db
    .all<Row>(sql, { ...shownTo(scope, asked), user: scope.userId ?? null })
    .map((row) => ({ ...row, isMine: row.isMine === 1, opens: row.opens === 1 }))
}

function audit(
  db: Connection,
  { orgId }: ReadScope,
  { limit, before, ...asked }: AuditPage,
): readonly AuditEntry[] {
  const { userId = null, subjects = null, action = null, target = null, words = null } = asked
  const { fromMs = null, untilMs = null } = asked
  // audit_by_org
  const sql = `SELECT id, at_ms AS atMs, actor, user_id AS userId, action, target, address, detail
    FROM audit WHERE org_id = :org AND id < :before AND (:user IS NULL OR user_id = :user)
      AND (:subjects IS NULL
        OR substr(action, 1, instr(action, '.') - 1) IN (SELECT value FROM json_each(:subjects)))
      AND (:action IS NULL OR action = :action) AND (:target IS NULL OR target = :target)
      AND NOT EXISTS (SELECT 1 FROM json_each(:words) w
        WHERE instr(lower(concat_ws(' ', action, target, actor, address, detail)), w.value ->> 'text') = 0
          AND action NOT IN (SELECT value FROM json_each(w.value, '$.actions')))
      AND (:from IS NULL OR at_ms >= :from) AND (:until IS NULL OR at_ms < :until)
    ORDER BY id DESC LIMIT :limit`
  type Row = Omit<AuditEntry, 'detail'> & { readonly detail: string }
  return db
    .all<Row>(sql, {
      ...{ org: orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit, user: userId },
      ...{ from: fromMs, until: untilMs, action, target },
      words: JSON.stringify((words ?? []).map((word) => ({ ...word, text: foldAscii(word.text) }))),
      subjects: subjects === null ? null : JSON.stringify(subjects),
    })
    .map((row) => ({ ...row, detail: JSON.parse(row.detail) as AuditEntry['detail'] })) // written by writeAudit
}

function readIds<Id extends number>(json: string): readonly Id[] {
  return JSON.parse(json) // json_group_array of integers
}

/** Organisations, and the first owner. */
import type { OrgId, ProjectId, UserId } from '#base/ids.ts'
import { orgId, userId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, foldEmail, refuseOrganisations } from '#model/account-rules.ts'
import type { AccountsWrite, FirstOwner } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { insertPresets } from '../alerts/alert-statements.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { insertProject } from '../rows/project-rows.ts'
import { setArtifactQuota } from './artifact-quotas.ts'
import { keepPublicUrl, needsSetup, publicUrl } from './setup-state.ts'

type OrganisationsWrite = Pick<
  AccountsWrite,
  'createFirstOwner' | 'setPublicUrl' | 'createOrganisation' | 'setArtifactQuota'
>

export function organisationsWrite(db: Connection): OrganisationsWrite {
  return {
    createFirstOwner: async (owner, actor) => db.transaction(() => createFirstOwner(db, owner, actor)),
    setPublicUrl: async (url, user, actor) =>
      db.transaction(() => {
        const detail = { before: publicUrl(db) }
        keepPublicUrl(db, url)
        writeAccountAudit(db, user, actor, { action: 'installation.address_changed', target: url, detail })
      }),
    createOrganisation: async (slug, name, owner, actor) =>
      db.transaction(() => {
        if (slugTaken(db, slug, null)) return ACCOUNT_REFUSALS.organisationSlug(slug)
        const count = 'SELECT count(*) AS count FROM organisations WHERE is_own = 0'
        const tooMany = refuseOrganisations(countOf(db, count, []))
        if (tooMany !== null) return tooMany
        if (db.get('SELECT 1 FROM users WHERE id = ?', [owner]) === undefined) {
          return ACCOUNT_REFUSALS.ownerUnknown()
        }
        return ok(insertOrganisation(db, { slug, name, owner }, actor))
      }),
    setArtifactQuota: async (org, quota, actor) =>
      db.transaction(() => setArtifactQuota(db, { org, quota }, actor)),
  }
}

function createFirstOwner(
  db: Connection,
  owner: FirstOwner,
  actor: Actor,
): Result<{ userId: UserId; orgId: OrgId; projectId: ProjectId }> {
  if (!needsSetup(db)) return ACCOUNT_REFUSALS.setUpAlready()
  if (slugTaken(db, owner.organisation.slug, null))
    return ACCOUNT_REFUSALS.organisationSlug(owner.organisation.slug)
  const user = insertUser(db, { ...owner, isOperator: true }, actor.atMs)
  const by: Actor = { ...actor, userId: user, label: owner.name === '' ? owner.email : owner.name }
  const org = insertOrganisation(db, { ...owner.organisation, owner: user }, by)
  const project = insertProject(
    db,
    { ...owner.project, orgId: org, teams: [], keyPublic: owner.keyPublic, isSelf: false },
    by,
  )
  insertOwnProject(db, owner, by)
  db.run('UPDATE users SET org_id_last = ? WHERE id = ?', [org, user])
  if (owner.publicUrl !== null) keepPublicUrl(db, owner.publicUrl)
  writeAudit(db, org, by, { action: 'installation.set_up', target: owner.organisation.name })
  return ok({ userId: user, orgId: org, projectId: project })
}

/** Slug of the installation's own organisation: a page, and so no other's. */
const OWN_SLUG = 'system'

/**
 * Inserts Errata's own project in an organisation of its own, without teams, so that no other lists it. Its
 * number shifts no other's.
 */
function insertOwnProject(db: Connection, { selfProject }: FirstOwner, by: Actor): void {
  const own = orgId(0)
  const sql = 'INSERT INTO organisations (id, slug, name, created_ms, is_own) VALUES (?, ?, ?, ?, 1)'
  const slug = slugTaken(db, OWN_SLUG, null) ? `${OWN_SLUG}-${selfProject.slug}` : OWN_SLUG
  db.run(sql, [own, slug, selfProject.name, by.atMs])
  const memberSql = `INSERT INTO memberships (org_id, user_id, role, joined_ms)
    SELECT ?, id, 'owner', ? FROM users WHERE is_operator = 1`
  db.run(memberSql, [own, by.atMs])
  const project = { ...selfProject, platform: 'node', orgId: own, teams: [], isSelf: true }
  insertProject(db, project, by)
}

export function insertUser(
  db: Connection,
  user: {
    readonly email: string
    readonly name: string
    readonly passwordHash: string
    readonly isOperator: boolean
  },
  atMs: number,
): UserId {
  const sql = `INSERT INTO users (email, email_folded, name, password_hash, is_operator, created_ms)
    VALUES (?, ?, ?, ?, ?, ?)`
  const email = user.email.trim()
  const params = [email, foldEmail(email), user.name, user.passwordHash, user.isOperator ? 1 : 0, atMs]
  return userId(db.run(sql, params).lastId)
}

/** With its default team, named like it, and its owner in both. */
function insertOrganisation(
  db: Connection,
  { slug, name, owner }: { readonly slug: string; readonly name: string; readonly owner: UserId },
  actor: Actor,
): OrgId {
  const sql = 'INSERT INTO organisations (slug, name, created_ms) VALUES (?, ?, ?)'
  const org = orgId(db.run(sql, [slug, name, actor.atMs]).lastId)
  const memberSql = 'INSERT INTO memberships (org_id, user_id, role, joined_ms) VALUES (?, ?, ?, ?)'
  db.run(memberSql, [org, owner, 'owner', actor.atMs])
  const teamSql = 'INSERT INTO teams (org_id, slug, name, created_ms) VALUES (?, ?, ?, ?)'
  const { lastId: team } = db.run(teamSql, [org, slug, name, actor.atMs])
  db.run('INSERT INTO team_members (team_id, user_id) VALUES (?, ?)', [team, owner])
  insertPresets(db, org, actor.atMs)
  writeAudit(db, org, actor, { action: 'organisation.created', target: name, detail: { slug } })
  return org
}

function slugTaken(db: Connection, slug: string, but: OrgId | null): boolean {
  return db.get('SELECT 1 FROM organisations WHERE slug = ? AND id IS NOT ?', [slug, but]) !== undefined
}

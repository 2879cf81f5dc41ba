/**
 * An organisation as an agency has it: hundreds of projects whose long names begin alike, many people, a team that holds all of them, a guest of
 * three projects. Written by the stores' own operations before a server starts, for a person costs 0.1 s of hashing otherwise.
 */
import { systemClock } from '../../packages/server/src/base/clock.ts'
import type { ProjectId, UserId } from '../../packages/server/src/base/ids.ts'
import { silentLog } from '../../packages/server/src/base/log.ts'
import type { Result } from '../../packages/server/src/base/result.ts'
import { openControlReader } from '../../packages/server/src/store/sqlite/control-reader.ts'
import { anActor } from '../../packages/server/testing/builders/actor.ts'
import { aMetricRule, anIssueRule } from '../../packages/server/testing/builders/alert-rule.ts'
import { openNewControl, type TestControl } from '../../packages/server/testing/new-control.ts'
import { OWNER } from './start-errata.ts'

export interface Width {
  readonly projects: number
  readonly people: number
  readonly teams: number
  readonly rules: number
}

export interface WideOrganisation {
  /** Projects that were added, sorted by name. */
  readonly projects: readonly ProjectId[]
  readonly people: readonly UserId[]
  /** Has the owner's password, and sees three projects. */
  readonly guest: string
}

/** Returns a name as long as names may be, told apart by its last characters alone. */
export function wideName(number: number): string {
  return `${'Agency client storefront '.repeat(4).slice(0, 93)} ${String(number).padStart(4, '0')}`
}

/** Adds to the organisation that `errata setup` made; its owner's password opens every account. */
export async function widen(path: string, width: Width): Promise<WideOrganisation> {
  const writer = openNewControl({ path, clock: systemClock, log: silentLog })
  const reader = openControlReader({ path, clock: systemClock, log: silentLog })
  try {
    const owner = await reader.userByEmail(OWNER.email)
    const [membership] = owner === null ? [] : await reader.memberships(owner.id)
    if (owner === null || membership === undefined) throw new Error('no organisation was set up')
    const place = { writer, org: membership.organisation.id, passwordHash: owner.passwordHash }
    const projects = await addProjects(place, width.projects)
    const guest = 'guest@wide.example'
    await join(place, guest, projects.slice(0, 3))
    const people: UserId[] = []
    for (const at of numbers(width.people)) people.push(await join(place, `person-${at}@wide.example`))
    for (const at of numbers(width.teams)) {
      const [from, until] = at === 0 ? [0, Infinity] : [at, at + 5]
      const team = done(await writer.createTeam(place.org, `wide-${at}`, wideName(at), anActor()))
      const members = people.slice(from, until)
      const change = { members, admins: members.slice(0, 2), projects: projects.slice(from, until) }
      done(await writer.setTeam(place.org, team, change, anActor()))
    }
    for (const at of numbers(width.rules)) {
      const name = wideName(at)
      const chosen = projects.slice(at % 100, (at % 100) + 3)
      const rule =
        at % 2 === 0 ? anIssueRule({ on: 'new' }, { name, projects: chosen }) : aMetricRule({}, { name })
      done(await writer.createRule(place.org, rule, anActor()))
    }
    return { projects, people, guest }
  } finally {
    await reader.close()
    await writer.close()
  }
}

interface Place {
  readonly writer: TestControl
  readonly org: Parameters<TestControl['createTeam']>[0]
  readonly passwordHash: string
}

async function addProjects({ writer, org }: Place, count: number): Promise<readonly ProjectId[]> {
  const ids: ProjectId[] = []
  for (const at of numbers(count)) {
    const name = wideName(at)
    const slug = `agency-client-storefront-${String(at).padStart(4, '0')}`
    const keyPublic = (at + 1).toString(16).padStart(32, '0')
    const project = { orgId: org, slug, name, platform: 'javascript', teams: [], keyPublic }
    ids.push(done(await writer.createProject(project, anActor())).id)
  }
  return ids
}

async function join(
  { writer, org, passwordHash }: Place,
  email: string,
  projects: readonly ProjectId[] = [],
): Promise<UserId> {
  const codeHash = `code of ${email}`
  const role = projects.length > 0 ? 'guest' : 'member'
  const expiresMs = systemClock.now() + 3_600_000
  const invitation = { codeHash, orgId: org, email, role, teams: [], projects, expiresMs } as const
  done(await writer.createInvitation(invitation, anActor(systemClock.now())))
  const account = { name: `${wideName(0).slice(0, 60)} of ${email.split('@')[0]}`, passwordHash }
  return done(await writer.acceptInvitation(codeHash, account, anActor(systemClock.now())))
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at)
}

function done<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.message)
  return result.value
}

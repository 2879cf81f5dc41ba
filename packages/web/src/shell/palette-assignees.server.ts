/** Choices of the palette for assigning the open issue. */

import { findChoices } from '#parts/choices.server.ts'
import { likelyFor } from '#parts/likely.server.ts'
import type { LikelyAssignee } from '#parts/likely-assignees.ts'
import { paths } from '#parts/paths.ts'
import { fitsText } from '#parts/text-match.ts'
import type { OrgContext } from '#wire/types.ts'

export interface PaletteAssignee {
  /** Argument of the assignment; empty for who is no member. */
  readonly to: string
  /** Page that invites who is no member; empty for others. */
  readonly invite: string
  readonly name: string
  /** Reason why it is likely; empty for others. */
  readonly why: string
}

const ASKED = /^assign(?:\s+(?:to(?:\s+|$))?(.*))?$/is

const SELF = /^(?:me|myself)$/i
const NOBODY = /^(?:nobody|no one|none)$/i

/**
 * Returns those who are likely first, then members and teams, all whose names have the text behind `assign to`. Without
 * an issue, those to whom one may be assigned at all.
 */
export async function assigneesFor(
  org: OrgContext,
  { text, issue }: { readonly text: string; readonly issue: string | null },
): Promise<readonly PaletteAssignee[]> {
  const asked = ASKED.exec(text)
  if (asked === null || !org.engine.access.can(org.viewer, org.scope, 'issue.write')) return []
  const name = asked[1]?.trim() ?? ''
  if (NOBODY.test(name)) return [{ to: 'none', name: 'nobody', why: '', invite: '' }]
  const view = issue === null ? null : await org.engine.queries.issue(org.scope, issue, NO_TREND)
  const fits = fitsText(name)
  const people = async (named: string) =>
    (await findChoices(org, { of: 'assignees', text: named, project: view?.project.slug ?? null })).found
  const [likely, own, found] = await Promise.all([
    view === null ? [] : likelyFor(org, view),
    SELF.test(name) ? people(org.viewer.user.email) : null,
    people(name),
  ])
  const self = (own?.people ?? []).filter(({ id }) => id === org.viewer.user.id)
  const mayInvite = org.engine.access.can(org.viewer, org.scope, 'member.write')
  const all = [
    ...self.map(({ id, name: person }) => ({ to: String(id), name: person, why: 'you', invite: '' })),
    ...likely
      .filter((one) => fits(one.name))
      .flatMap((one) => likelyEntry(org.scope.orgSlug, one, mayInvite)),
    ...found.people.map(({ id, name: person }) => ({ to: String(id), name: person, why: '', invite: '' })),
    ...found.teams.map(({ id, name: team }) => ({ to: `team-${id}`, name: team, why: '', invite: '' })),
  ]
  return all.filter(({ to }, at) => to === '' || all.findIndex((one) => one.to === to) === at)
}

function likelyEntry(
  org: string,
  { assign, name, why, email }: LikelyAssignee,
  mayInvite: boolean,
): readonly PaletteAssignee[] {
  if (assign !== null) return [{ to: assign, name, why, invite: '' }]
  if (email === null || !mayInvite) return []
  return [{ to: '', name, why, invite: paths.members(org, { invite: email }) }]
}

const NO_TREND = { startMs: 0, endMs: 0, stepMs: 3_600_000 }

/** Choices of the palette for assigning the open issue. */

import { findChoices } from '#parts/choices.server.ts'
import { likelyFor } from '#parts/likely.server.ts'
import type { OrgContext } from '#wire/types.ts'

export interface PaletteAssignee {
  readonly to: string
  readonly name: string
  /** Reason why it is likely; empty for others. */
  readonly why: string
}

const ASKED = /^assign(?:\s+(?:to(?:\s+|$))?(.*))?$/is

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
  const view = issue === null ? null : await org.engine.queries.issue(org.scope, issue, NO_TREND)
  const [likely, { found }] = await Promise.all([
    view === null ? [] : likelyFor(org, view),
    findChoices(org, { of: 'assignees', text: name, project: view?.project.slug ?? null }),
  ])
  const all = [
    ...likely.flatMap(({ assign, name: likelyName, why }) =>
      assign !== null && likelyName.toLowerCase().includes(name.toLowerCase())
        ? [{ to: assign, name: likelyName, why }]
        : [],
    ),
    ...found.people.map(({ id, name: person }) => ({ to: String(id), name: person, why: '' })),
    ...found.teams.map(({ id, name: team }) => ({ to: `team-${id}`, name: team, why: '' })),
  ]
  return all.filter(({ to }, at) => all.findIndex((one) => one.to === to) === at)
}

const NO_TREND = { startMs: 0, endMs: 0, stepMs: 3_600_000 }

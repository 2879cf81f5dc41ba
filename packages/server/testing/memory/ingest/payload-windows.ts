/** Answers what the commit asks before it stores a batch. */
import {
  boundsOf,
  eventsPerIssue,
  isBounded,
  payloadWindow,
  UNBOUNDED,
  type WindowAsk,
} from '#issues/payload-bounds.ts'
import { max } from '#limits/limits.ts'
import type { PayloadWindow } from '#ports/ingest.ts'
import { completeOptions } from '#ports/projects.ts'
import { digestsOf } from '../rows/digests.ts'
import { findGroup } from '../rows/group-rows.ts'
import type { Tables } from '../tables.ts'

export function payloadWindows(of: Tables, asks: readonly WindowAsk[]): readonly PayloadWindow[] {
  const asked = asks.map((ask) => {
    const project = of.projects.get(ask.projectId)
    const bounds =
      project === undefined ? UNBOUNDED : boundsOf(completeOptions(project.options), project.issues.begun)
    const group = isBounded(bounds) ? findGroup(of, ask) : undefined
    return { ask, bounds, issueId: group?.issueId ?? null, groupId: group?.id ?? 0 }
  })
  const events = eventsPerIssue(asked)
  return asked.map((one) =>
    payloadWindow(one, one.issueId === null ? 0 : (events.get(one.issueId) ?? 0), {
      window: (issue) => of.issues.get(issue)?.window ?? { hour: 0, events: 0 },
      digests: () => distinctDigests(of, one.groupId),
    }),
  )
}

function distinctDigests(of: Tables, groupId: number): readonly string[] {
  const digests = new Set(digestsOf(of, groupId).map(({ digest }) => digest))
  return [...digests].slice(0, max('digestPayloadsMax'))
}

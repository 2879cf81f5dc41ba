/** Tells pagers that an issue is over, whatever their rules listen to. */
import type { AlertIssue } from '#model/alert-message.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { AlertStore, OpenIncident, OrgProject, TellingOrg, WatchedIssue } from './alert-store.ts'
import { messageOf, resolvedHeadline } from './messages.ts'
import { MOMENTS } from './moments.ts'

export interface Over {
  readonly issue: WatchedIssue
  readonly project: OrgProject
}

/** Answers how many messages are queued. */
export async function closeIncidents(
  store: AlertStore,
  over: readonly Over[],
  nowMs: number,
): Promise<number> {
  if (over.length === 0) return 0
  const open = await store.openIncidents(over.map(({ issue }) => issue.id))
  const awaited = over.flatMap((one, at) => {
    const incidents = open[at] ?? []
    return incidents.length === 0 ? [] : [{ ...one, incidents }]
  })
  if (awaited.length === 0) return 0
  const told = await store.told(awaited.map(({ issue }) => issue.id))
  const orgs = await store.organisations([...new Set(awaited.map(({ project }) => project.orgId))])
  const messages = awaited.flatMap(({ issue, project, incidents }) => {
    const [as, org] = [told.get(issue.id), orgs.get(project.orgId)]
    if (as === undefined || org === undefined) return []
    return incidents.map((incident) => closing(incident, { told: as, org, project, issue, nowMs }))
  })
  await store.queueMessages(messages, nowMs)
  return messages.length
}

function closing(
  { channelId, rule, firingId, story }: OpenIncident,
  {
    told,
    org,
    project,
    issue,
    nowMs,
  }: Over & { readonly told: AlertIssue; readonly org: TellingOrg; readonly nowMs: number },
): NewMessage {
  const headline = resolvedHeadline(told)
  const said = {
    moment: 'resolved',
    level: 'ok',
    headline,
    because: MOMENTS.resolved,
    story,
    issue: told,
  } as const
  const message = messageOf({ id: 0, name: '' }, org, { firingId, project, nowMs, message: said })
  return {
    ...{ orgId: org.id, firingId, projectId: project.id, projects: null, issueId: issue.id, occasion: null },
    ...{ target: { to: 'channel', channelId }, message: { ...message, rule }, heldUntilMs: null },
  }
}

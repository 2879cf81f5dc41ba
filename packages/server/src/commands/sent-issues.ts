/** Issues that people send to a channel, one message each, and messages that go out again. */
import * as v from 'valibot'
import { assert } from '#base/errors.ts'
import type { IssueId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { CHANNELS } from '#model/tables/channels.ts'
import { ORGANISATIONS } from '#model/tables/organisations.ts'
import { sentHeadline } from '#notices/rules/messages.ts'
import type { Tx } from '#ports/control.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import { type Asking, refusalOf } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { type By, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'
import { readInput } from './schemas.ts'

type Given = { readonly ref: string; readonly channel: number; readonly note: string }
type Sent = {
  readonly issue: IssueId
  readonly channel: number
  /** Note by the sender; may be empty. */
  readonly note: string
}

const NOTE = v.strictObject({
  note: v.pipe(
    v.string('A note must be text.'),
    v.trim(),
    v.maxLength(max('reasonCharsMax'), `A note may have at most ${max('reasonCharsMax')} characters.`),
  ),
})

/** Whoever may work on issues and see the channels sends one to a channel, with a note. */
export const sendIssue = preparedCommand({
  permission: 'issue.write',
  input: (given: Given) => ok(given),
  prepare: async (
    parts: Pick<CommandParts, 'alerts' | 'issues' | 'channelTestLimits'>,
    asking,
    { ref, channel, note }: Given,
  ): Promise<Result<Sent>> => {
    const refusal = refusalOf(asking, 'alert.read')
    if (refusal !== null) return refusal
    if (parts.alerts === undefined) return refuse('conflict', 'This process sends no alerts.')
    const checked = readInput(NOTE, { note })
    if (!checked.ok) return checked
    const [issue] = await parts.issues.issuesByRefs(asking.scope, [ref])
    if (issue === undefined) return refuse('not_found', 'There is no such issue.')
    return refuseSending(parts, asking) ?? ok({ issue: issue.id, channel, note: checked.value.note })
  },
  change: async (tx, { issue, ...sent }: Sent, by) => {
    const { orgId, projects } = by.scope
    const [found] = await tx.issues.chosen({ orgId, projects, ids: [issue] })
    if (found === undefined) return refuse('not_found', 'There is no such issue.')
    const queued = await queueIssue(tx, { ...sent, issue: found }, by)
    if (!queued.ok) return queued
    const { note } = sent
    const detail = { channel: queued.value, ...(note === '' ? {} : { note }) }
    const { actor } = by
    await tx.issues.save([{ id: issue, note: { kind: 'sent', atMs: actor.atMs, actor, detail } }])
    return ok(null)
  },
  after: (parts) => parts.alerts?.wake(),
})

/** Queues an issue for a channel, with an audit entry; answers the channel's name. */
export async function queueIssue(
  tx: Tx,
  { issue, channel: id, note }: Omit<Sent, 'issue'> & { readonly issue: ChosenIssue },
  { scope: { orgId }, actor }: By,
): Promise<Result<string>> {
  const channel = await tx.rows(CHANNELS).one({ id, orgId })
  if (channel === null) return refuse('not_found', 'There is no such channel.')
  const told = await tx.alerts.toldIssue(issue.id)
  const organisation = await tx.rows(ORGANISATIONS).one({ id: orgId })
  const project = await tx.projects.one(orgId, issue.projectId)
  assert(organisation !== null && project !== null, `no project ${issue.projectId}: an issue is of it`)
  const message: AlertMessage = {
    organisation: { slug: organisation.slug, name: organisation.name },
    project: { slug: project.slug, name: project.name },
    ...({ moment: 'sent', level: 'info' } as const),
    ...{ atMs: actor.atMs, rule: null, headline: sentHeadline(told) },
    because: note === '' ? `sent by ${actor.label}` : `${actor.label}: ${note}`,
    ...{ issue: told, metric: null, gathered: null, story: `issue-${issue.id}` },
  }
  const to = { orgId, projectId: issue.projectId, projects: null, issueId: issue.id }
  const now = { firingId: null, occasion: null, heldUntilMs: null }
  const target = { to: 'channel', channelId: id } as const
  await tx.alerts.queueMessages([{ ...to, ...now, target, message }], actor.atMs)
  const entry = { action: 'issue.sent', target: issue.shortId, detail: { to: channel.name } }
  await writeAudit(tx, orgId, actor, entry)
  return ok(channel.name)
}

/** Refuses more sendings than one person may make in a minute. */
export function refuseSending(
  { channelTestLimits }: Pick<CommandParts, 'channelTestLimits'>,
  { viewer, scope }: Asking,
): Refusal | null {
  const attempt = channelTestLimits.attempt(null, `issues sent by ${viewer.user?.id ?? scope.orgId}`)
  if (attempt.ok) return null
  return refuse('rate_limited', `Too many messages: try again in ${attempt.retryAfterSeconds} seconds.`)
}

type OfMessage = { readonly id: number }

/** Sends a message once more, under a new key. */
export const sendMessageAgain = preparedCommand({
  permission: 'alert.write',
  input: (id: number) => ok({ id }),
  prepare: async (parts: Pick<CommandParts, 'alerts'>, { scope }, { id }: OfMessage) => {
    const { alerts } = parts
    if (alerts === undefined) return refuse('conflict', 'This process sends no alerts.')
    // Whoever may not read it sends it to nobody.
    const found = await alerts.messages.messageSent(scope, id)
    return found === null ? refuse('not_found', 'There is no such message.') : ok({ id })
  },
  change: async (tx, { id }: OfMessage, { scope: { orgId }, actor }) => {
    if (!(await tx.alerts.sendAgain(orgId, id, actor.atMs)))
      return refuse('conflict', 'It is already on its way, or its receiver is gone.')
    const note = { action: 'message.sent_again', target: `message ${id}` }
    await writeAudit(tx, orgId, actor, note)
    return ok(null)
  },
  after: (parts) => parts.alerts?.wake(),
})

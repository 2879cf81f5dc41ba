/**
 * Actions of buttons in Slack: as the person who connected their account to that Slack identity, with their
 * rights, second factor and provider. Nothing that a channel's own server says makes anybody somebody.
 */
import { personalViewer, readScopes } from '#access/access.ts'
import { tokenId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ChannelTarget, SlackLink } from '#ports/channels.ts'
import { type Asking, actorOf, type RequestFacts } from './asking.ts'
import type { Changes } from './changes.ts'
import type { AlertParts, CommandParts } from './parts.ts'
import type { RunCommand } from './run.ts'
import { isSigned, mayAnswerAt, type Pressed, readPressed, type SignedBody } from './slack-calls.ts'
import { slackApp, slackTicket } from './slack-links.ts'

interface SlackActionCommands {
  /** Answers what the person who pressed is told; Slack is told it where the call says. */
  slackAction(
    facts: RequestFacts,
    action: { readonly channel: number; readonly signed: SignedBody },
  ): Promise<Result<{ readonly text: string }>>
}

type Parts = Pick<
  CommandParts,
  'alerts' | 'accounts' | 'secondFactors' | 'clock' | 'seal' | 'publicAddress'
> &
  RunCommand & { readonly changes: Changes }

type Callback = NonNullable<Awaited<ReturnType<AlertParts['channels']['channelForCallback']>>>

/** Scopes of a button; its presser is held to their role as well. */
const SCOPES = ['event:read', 'event:write'] as const

export function slackActionCommands(parts: Parts): SlackActionCommands {
  return {
    async slackAction(facts, { channel: id, signed }) {
      const { alerts } = parts
      const channel = alerts === undefined ? null : await alerts.channels.channelForCallback(id)
      const secret = channel?.kind === 'slack-bot' ? channel.values.signingSecret : undefined
      // Whether the channel is there is told to nobody who cannot sign.
      if (alerts === undefined || channel === null || secret === undefined) return refuseSlackSignature()
      if (!isSigned(signed, { secret, nowMs: parts.clock.now() })) return refuseSlackSignature()
      const pressed = readPressed(signed.body)
      if (pressed === null) return ok({ text: 'This button isn’t known to this version of Errata.' })
      const text = await answerPress(parts, facts, { channel, pressed, app: slackApp(secret) })
      await tellSlack(alerts, channel, { pressed, text })
      return ok({ text })
    },
  }
}

function refuseSlackSignature() {
  return refuse('forbidden', 'The signature doesn’t match.')
}

async function answerPress(
  parts: Parts,
  facts: RequestFacts,
  { channel, pressed, app }: { readonly channel: Callback; readonly pressed: Pressed; readonly app: string },
): Promise<string> {
  const { orgId } = channel
  const identity = { orgId, app, slackUser: pressed.user }
  const link = await parts.alerts?.channels.slackPerson(identity)
  const asking =
    link === undefined || link === null ? null : await askingOfMember(parts, facts, { ...link, orgId })
  if (asking !== null) return act(parts, asking, { channel, pressed })
  const ticket = slackTicket(parts, { ...identity, slackName: pressed.name, channel: channel.name })
  const address = parts.publicAddress.link(`/connect-slack?ticket=${ticket}`)
  return `Nothing was changed. Connect your Errata account first: ${address}`
}

/** Slack shows what is posted there, and nothing of the answer to its call. */
async function tellSlack(
  { tests }: Pick<AlertParts, 'tests'>,
  { values }: ChannelTarget,
  { pressed: { responseUrl }, text }: { readonly pressed: Pressed; readonly text: string },
): Promise<void> {
  if (responseUrl === null || !mayAnswerAt(responseUrl, values)) return
  await tests.call({
    url: responseUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, text }),
    signal: AbortSignal.timeout(max('slackSaysMs')),
  })
}

/** The person with what a personal token of theirs could do; `null` when they are to connect again. */
async function askingOfMember(
  parts: Parts,
  { address, userAgent }: RequestFacts,
  { userId, byProvider, orgId }: Pick<SlackLink, 'userId' | 'byProvider' | 'orgId'>,
): Promise<Asking | null> {
  const { accounts, clock } = parts
  const all = await accounts.memberships(userId)
  const membership = all.find(({ organisation }) => organisation.id === orgId)
  // An organisation whose people come by its provider takes nobody's word who said it without.
  if (membership === undefined || (membership.needsProvider === true && !byProvider)) return null
  const token = {
    ...{ id: tokenId(0), orgId, userId, name: 'Slack', scopes: SCOPES, tail: '' },
    ...{ createdMs: clock.now(), createdBy: null, address: null, usedMs: null, expiresMs: null },
  }
  const { organisation, projects } = membership
  const viewer = await personalViewer(parts, { token, organisation, projects })
  const [scope] = viewer === null ? [] : readScopes(viewer)
  if (viewer === null || scope === undefined) return null
  return { viewer, scope, address, userAgent, via: 'Slack' }
}

async function act(
  parts: Parts,
  asking: Asking,
  { channel, pressed: { action, shortId } }: { readonly channel: Callback; readonly pressed: Pressed },
): Promise<string> {
  const selection = { refs: [shortId] }
  const assignee = asking.scope.userId ?? null
  const done = await {
    resolve: () => parts.run('resolveIssues', asking, { selection }),
    archive: () =>
      parts.run('archiveIssues', asking, {
        selection,
        until: { eventsMore: null, usersMore: null, minutes: null },
      }),
    assign: () => parts.run('assignIssues', asking, { selection, assignee }),
  }[action]()
  const isDone = done.ok && done.value.length > 0
  const detail = { did: action, channel: channel.name, done: isDone }
  const note = { action: 'slack.pressed', target: shortId, detail }
  const { orgId } = channel
  await parts.changes.own('noteAudit', { orgId, note, actor: actorOf(parts, asking) })
  if (!done.ok) return done.message
  const words = { resolve: 'is resolved', archive: 'is archived', assign: 'is assigned to you' }[action]
  return isDone ? `${shortId} ${words}.` : `There is no issue ${shortId} that you may change.`
}

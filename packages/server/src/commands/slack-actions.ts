/** What a button in Slack does: as the person who pressed it, within their role. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readScopes } from '#access/access.ts'
import type { TokenViewer } from '#access/viewer.ts'
import { MINUTE_MS } from '#base/durations.ts'
import { tokenId, type UserId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { serverOf } from '#notices/channels/channel-type.ts'
import { parsed } from '#notices/channels/kinds/parsed.ts'
import { SLACK_API } from '#notices/channels/kinds/slack-bot.ts'
import type { ChannelTarget } from '#ports/channels.ts'
import type { Asking, RequestFacts } from './asking.ts'
import type { IssueCommands } from './issues.ts'
import type { AlertParts, CommandParts } from './parts.ts'

export interface SlackCommands {
  /** Answers what the person who pressed is told. */
  slackAction(
    facts: RequestFacts,
    action: { readonly channel: number; readonly signed: SignedBody },
  ): Promise<Result<{ readonly text: string }>>
}

interface SignedBody {
  readonly signature: string
  /** Seconds since 1970, as Slack sends it. */
  readonly timestamp: string
  readonly body: string
}

type Parts = Pick<CommandParts, 'alerts' | 'accounts' | 'clock'> & {
  readonly issueCommands: Pick<IssueCommands, 'resolveIssues' | 'archiveIssues' | 'assignIssues'>
}

/** A call that is older may be somebody's copy. */
const AGE_MS_MAX = 5 * MINUTE_MS
/** Who presses a button is held to their role alone. */
const SCOPES = ['event:read', 'event:write'] as const

export function slackCommands(parts: Parts): SlackCommands {
  return {
    async slackAction(facts, { channel: id, signed }) {
      const { alerts } = parts
      const channel = alerts === undefined ? null : await alerts.channels.write.channelForCallback(id)
      const secret = channel?.kind === 'slack-bot' ? channel.values.signingSecret : undefined
      // Whether the channel is there is told to nobody who cannot sign.
      if (alerts === undefined || channel === null || secret === undefined) return unsigned()
      if (!isSigned(signed, { secret, nowMs: parts.clock.now() })) return unsigned()
      const pressed = readPressed(signed.body)
      if (pressed === null) return ok({ text: 'This button isn’t known to this version of Errata.' })
      const email = await emailOf(alerts, channel, pressed.user)
      if (email === null)
        return ok({ text: 'Slack didn’t send Errata your email: the bot needs users:read.email.' })
      const asking = await askingOf(parts, facts, { email, orgId: channel.orgId })
      if (asking === null)
        return ok({ text: `There is no member of this organisation with the email ${email}.` })
      return act(parts, asking, pressed)
    },
  }
}

function unsigned() {
  return refuse('forbidden', 'The signature doesn’t match.')
}

function isSigned(
  { signature, timestamp, body }: SignedBody,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > AGE_MS_MAX) return false
  const own = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  )
  const theirs = Buffer.from(signature)
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

interface Pressed {
  readonly action: 'resolve' | 'archive' | 'assign'
  readonly shortId: string
  /** As Slack names its people. */
  readonly user: string
}

/** `payload=JSON` in a form. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
function readPressed(body: string): Pressed | null {
  const payload = parsed(new URLSearchParams(body).get('payload') ?? '')
  if (!isObject(payload) || payload.type !== 'block_actions') return null
  const pressed: unknown = Array.isArray(payload.actions) ? payload.actions[0] : null
  const user = isObject(payload.user) ? payload.user.id : null
  if (!isObject(pressed) || typeof user !== 'string' || typeof pressed.value !== 'string') return null
  const action = (['resolve', 'archive', 'assign'] as const).find((name) => name === pressed.action_id)
  if (action === undefined || !/^[\w-]{1,100}$/.test(pressed.value)) return null
  return { action, shortId: pressed.value, user }
}

async function emailOf(
  { tests }: Pick<AlertParts, 'tests'>,
  { values }: ChannelTarget,
  user: string,
): Promise<string | null> {
  const answer = await tests.call({
    url: `${serverOf(values, SLACK_API)}/users.info?${new URLSearchParams({ user })}`,
    method: 'GET',
    body: '',
    headers: { authorization: `Bearer ${values.token ?? ''}` },
    reads: true,
    signal: new AbortController().signal,
  })
  const body = answer.isAnswered ? parsed(answer.body) : null
  const profile = isObject(body) && isObject(body.user) ? body.user.profile : null
  return isObject(profile) && typeof profile.email === 'string' ? profile.email : null
}

/** The person with the rights of their role, as a token of theirs would have them. */
async function askingOf(
  { accounts, clock }: Parts,
  { address, userAgent }: RequestFacts,
  { email, orgId }: { readonly email: string; readonly orgId: number },
): Promise<(Asking & { readonly userId: UserId }) | null> {
  const found = await accounts.userByEmail(email)
  if (found === null) return null
  const { passwordHash: _, ...user } = found
  const membership = (await accounts.memberships(user.id)).find(
    ({ organisation }) => organisation.id === orgId,
  )
  if (membership === undefined) return null
  const { organisation, projects, role, leads } = membership
  const viewer: TokenViewer = {
    kind: 'token',
    token: {
      ...{ id: tokenId(0), orgId: organisation.id, userId: user.id, name: 'Slack', scopes: SCOPES, tail: '' },
      ...{ createdMs: clock.now(), createdBy: null, address: null, usedMs: null, expiresMs: null },
    },
    ...{ organisation, projects, user, role, leads },
  }
  const [scope] = readScopes(viewer)
  return scope === undefined ? null : { viewer, scope, userId: user.id, address, userAgent }
}

async function act(
  { issueCommands }: Parts,
  { userId, ...asking }: Asking & { readonly userId: UserId },
  { action, shortId }: Pressed,
): Promise<Result<{ readonly text: string }>> {
  const selection = { refs: [shortId] }
  const done = await {
    resolve: () => issueCommands.resolveIssues(asking, selection),
    archive: () =>
      issueCommands.archiveIssues(asking, {
        selection,
        until: { eventsMore: null, usersMore: null, minutes: null },
      }),
    assign: () => issueCommands.assignIssues(asking, { selection, assignee: userId }),
  }[action]()
  if (!done.ok) return ok({ text: done.message })
  const words = { resolve: 'is resolved', archive: 'is archived', assign: 'is assigned to you' }[action]
  return ok({
    text:
      done.value.length === 0 ? `There is no issue ${shortId} that you may change.` : `${shortId} ${words}.`,
  })
}

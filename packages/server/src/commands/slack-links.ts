/**
 * Slack identities: people confirm theirs once, signed in, by a link shown only to whoever pressed a button.
 */
import { secretHash } from '#access/secrets.ts'
import type { PersonViewer } from '#access/viewer.ts'
import { orgId as readOrgId } from '#base/ids.ts'
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Membership } from '#ports/accounts.ts'
import type { SlackIdentity } from '#ports/channels.ts'
import { actorOf, type PersonAsking, refuseUnconfirmed } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'

interface SlackLinkCommands {
  /**
   * Returns what a link asks; `null` if it is too old, or of an organisation that the session doesn't open.
   */
  slackAsk(viewer: PersonViewer, ticket: string): SlackAsk | null
  /** Buttons that this one presses act as whoever asks from now on. */
  linkSlack(asking: PersonAsking, ticket: string): Promise<Result<null>>
  unlinkSlack(asking: PersonAsking, link: number): Promise<Result<null>>
}

export interface SlackAsk {
  readonly organisation: string
  readonly orgSlug: string
  readonly channel: string
  readonly slackName: string
  readonly slackUser: string
}

interface Ticket extends SlackIdentity {
  readonly slackName: string
  /** Name of the channel that the button was in. */
  readonly channel: string
}

type Parts = Pick<CommandParts, 'alerts' | 'seal' | 'clock'> & { readonly changes: Changes }

/** Apps are told apart by what they sign with: who sets another secret is nobody whom people said they are. */
export function slackApp(signingSecret: string): string {
  return secretHash(`slack app ${signingSecret}`)
}

/** Seals a ticket. It states its purpose: other sealed texts are no tickets. */
export function slackTicket({ seal, clock }: Pick<Parts, 'seal' | 'clock'>, ticket: Ticket): string {
  return seal.seal(JSON.stringify({ slack: ticket, expiresMs: clock.now() + max('slackLinkMs') }))
}

function openTicket({ seal, clock }: Parts, text: string): Ticket | null {
  const opened = text.length > max('slackTicketCharsMax') ? null : seal.open(text)
  const held = opened === null ? null : parseJsonOrNull(opened)
  if (!isObject(held) || !isObject(held.slack) || typeof held.expiresMs !== 'number') return null
  const { orgId, app, slackUser, slackName, channel } = held.slack
  if (held.expiresMs <= clock.now() || typeof orgId !== 'number' || typeof app !== 'string') return null
  if (typeof slackUser !== 'string' || typeof slackName !== 'string' || typeof channel !== 'string')
    return null
  return { orgId: readOrgId(orgId), app, slackUser, slackName, channel }
}

export function slackLinkCommands(parts: Parts): SlackLinkCommands {
  return {
    slackAsk(viewer, text) {
      const asked = openLinkTicket(parts, viewer, text)
      if (asked === null) return null
      const { organisation, ticket } = asked
      const { channel, slackName, slackUser } = ticket
      return { organisation: organisation.name, orgSlug: organisation.slug, channel, slackName, slackUser }
    },
    linkSlack: (asking, text) => linkSlackUser(parts, asking, text),
    async unlinkSlack(asking, id) {
      const { user, memberships } = asking.viewer
      const all = (await parts.alerts?.channels.slackLinks(user.id)) ?? []
      const found = all.find((one) => one.id === id)
      const isOpen = memberships.some(({ organisation }) => organisation.id === found?.orgId)
      if (parts.alerts === undefined || !isOpen) return refuse('not_found', 'This connection doesn’t exist.')
      return parts.changes.own('unlinkSlack', { user: user.id, id, actor: actorOf(parts, asking) })
    },
  }
}

function openLinkTicket(
  parts: Parts,
  { memberships }: PersonViewer,
  text: string,
): (Pick<Membership, 'organisation'> & { readonly ticket: Ticket }) | null {
  const ticket = openTicket(parts, text)
  const membership = memberships.find(({ organisation }) => organisation.id === ticket?.orgId)
  return ticket === null || membership === undefined
    ? null
    : { organisation: membership.organisation, ticket }
}

async function linkSlackUser(parts: Parts, asking: PersonAsking, text: string): Promise<Result<null>> {
  const asked = openLinkTicket(parts, asking.viewer, text)
  if (asked === null || parts.alerts === undefined)
    return refuse('link_expired', 'This link has expired. Press the button in Slack again.')
  const refusal = refuseUnconfirmed(parts, asking)
  if (refusal !== null) return refusal
  const { orgId, app, slackUser, slackName } = asked.ticket
  const { user, session } = asking.viewer
  const byProvider = session.orgId === orgId
  const link = { orgId, app, slackUser, slackName, userId: user.id, byProvider }
  return parts.changes.own('linkSlack', { link, actor: actorOf(parts, asking) })
}

/**
 * Channels: where alerts of an organisation go. What a service asks for is a table of fields of its kind
 * (`notices/channels/`); what is secret among them is written and never read back. A channel is deleted with its
 * waiting messages.
 */
import type { OrgId, UserId } from '#base/ids.ts'
import type { SeenSettings } from './projects.ts'
import type { ReadScope } from './scope.ts'

export const CHANNEL_KINDS = [
  ...['email', 'slack', 'slack-bot', 'discord', 'teams', 'google-chat', 'mattermost', 'telegram', 'ntfy'],
  ...['pushover', 'gotify', 'pagerduty', 'opsgenie', 'webhook'],
] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Values of a kind's fields by their names. */
export type ChannelValues = Readonly<Record<string, string>>

/** Latest answer of a channel's receiver. */
export interface LastAnswer {
  readonly isDelivered: boolean
  readonly says: string
  readonly atMs: number
}

export interface Channel {
  readonly id: number
  readonly kind: ChannelKind
  /** Display name, such as `#shop-alerts`; unique in the organisation and kind. */
  readonly name: string
  readonly settings: ChannelValues
  /** Which secrets it has; never their values. */
  readonly secretsSet: readonly string[]
  readonly createdBy: string
  readonly createdMs: number
  readonly changedMs: number
  /** `null` before the first message. */
  readonly last: LastAnswer | null
}

export interface NewChannel {
  readonly kind: ChannelKind
  readonly name: string
  readonly settings: ChannelValues
  readonly secrets: ChannelValues
}

/** `secrets` holds those that change alone. */
export type ChannelChange = Partial<Pick<NewChannel, 'name' | 'settings' | 'secrets'>> & {
  /** Name and settings as the editor saw them. */
  readonly seen?: SeenSettings | undefined
}

/** With its secrets: for the delivery loop, and a test by whoever may change it. */
export interface ChannelTarget {
  readonly id: number
  readonly kind: ChannelKind
  readonly name: string
  readonly values: ChannelValues
}

/** Somebody in Slack, as an app's signed calls name them. */
export interface SlackIdentity {
  readonly orgId: OrgId
  /** Hash of the secret that the app's calls are signed with. */
  readonly app: string
  readonly slackUser: string
}

export interface SlackLink extends SlackIdentity {
  readonly id: number
  /** Slack's name for the person when they linked it. */
  readonly slackName: string
  readonly userId: UserId
  /** Said in a session that the organisation's provider began. */
  readonly byProvider: boolean
  readonly linkedMs: number
}

export interface ChannelsRead {
  /** By name. */
  channels(scope: ReadScope): Promise<readonly Channel[]>
  channel(scope: ReadScope, id: number): Promise<Channel | null>
  /** Returns a person's linked Slack identities, newest first. */
  slackLinks(user: UserId): Promise<readonly SlackLink[]>
  slackPerson(of: SlackIdentity): Promise<Pick<SlackLink, 'userId' | 'byProvider'> | null>
  /** `null` outside the organisation. */
  channelTarget(org: OrgId, id: number): Promise<ChannelTarget | null>
  /**
   * Returns a channel for a signed call from its service, whatever the organisation. Check the signature
   * first.
   */
  channelForCallback(id: number): Promise<(ChannelTarget & { readonly orgId: OrgId }) | null>
}

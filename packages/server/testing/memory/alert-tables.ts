/** Rows of alerts: channels, messages, firings and what is counted for rules. */
import type { NewFiring } from '#alerts/rules/alert-store.ts'
import type { SlotRow, Width } from '#alerts/rules/slots.ts'
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelKind, ChannelValues } from '#ports/channels.ts'
import type { MessageState, MessageTry, Occasion } from '#ports/messages.ts'

export interface ChannelRow {
  readonly id: number
  readonly orgId: OrgId
  readonly kind: ChannelKind
  readonly name: string
  readonly settings: ChannelValues
  readonly secrets: ChannelValues
  readonly createdBy: string
  readonly createdMs: number
  readonly changedMs: number
  readonly last: { readonly isDelivered: boolean; readonly says: string; readonly atMs: number } | null
}

export interface MessageRow {
  readonly id: number
  readonly orgId: OrgId
  readonly projectId: ProjectId | null
  readonly projects: readonly ProjectId[] | null
  readonly firingId: number | null
  readonly issueId: IssueId | null
  readonly occasion: Occasion | null
  readonly channelId: number | null
  readonly userId: UserId | null
  readonly kind: ChannelKind
  readonly receiver: string
  readonly key: string
  readonly message: AlertMessage
  readonly state: MessageState
  readonly atMs: number
  readonly heldUntilMs: number | null
  readonly tries: number
  readonly dueMs: number | null
  readonly lease: string | null
  readonly says: string | null
  readonly settledMs: number | null
  readonly tried: readonly MessageTry[]
  readonly gatheredIn: number | null
}

export interface ThreadRow {
  readonly channelId: number
  readonly thread: string
  readonly atMs: number
}

export interface FiringRow extends NewFiring {
  readonly id: number
}

export interface SlotOfKey extends SlotRow {
  readonly key: string
  readonly width: Width
}

/** Changes of channels, as suites of the control store make them. */
import type { OrgId } from '#base/ids.ts'
import type { ChannelChange, NewChannel } from '#ports/channels.ts'
import type { Control } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { changesOf } from '../../changes.ts'

/** Channels as people set them up, whose preparation found nothing wrong. */
export function channelChanges(control: Control) {
  const change = changesOf(control)
  const by = (orgId: OrgId, actor: Actor) => ({ scope: scopeForTest({ orgId, projects: [] }), actor })
  return {
    createChannel: (org: OrgId, channel: NewChannel, actor: Actor) =>
      change('createChannel', channel, by(org, actor)),
    changeChannel: (org: OrgId, id: number, given: ChannelChange, actor: Actor) =>
      change('changeChannel', { id, change: given }, by(org, actor)),
    deleteChannel: (org: OrgId, id: number, actor: Actor) => change('deleteChannel', { id }, by(org, actor)),
  }
}

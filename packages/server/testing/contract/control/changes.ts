/** The half of commands that suites of the control store run: what is decided within the transaction. */
import type { OrgId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import { createChanges } from '#commands/changes.ts'
import type { By } from '#commands/command.ts'
import type { CommandName, PreparedOf, ValueOf } from '#commands/table.ts'
import type { ChannelChange, NewChannel } from '#ports/channels.ts'
import type { Control } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { scopeForTest } from '../../builders/scope.ts'

/** One change by its name, of what its preparation would have made. */
export function changesOf(control: Control) {
  const changes = createChanges(control)
  function change<N extends CommandName>(
    name: N,
    prepared: PreparedOf<N>,
    by: By,
  ): Promise<Result<ValueOf<N>>>
  function change(name: CommandName, prepared: unknown, by: By): Promise<Result<unknown>> {
    return changes.change(name, prepared, by)
  }
  return change
}

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

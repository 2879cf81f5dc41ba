/** The half of commands that runs where somebody asks. */
import type { Result } from '#base/result.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { Changes } from './changes.ts'
import type { Command, Done } from './command.ts'
import type { CommandParts } from './parts.ts'
import { COMMANDS, type CommandName, type GivenOf, type ValueOf } from './table.ts'

export interface RunCommand {
  run<N extends CommandName>(name: N, asking: Asking, given: GivenOf<N>): Promise<Result<ValueOf<N>>>
}

export function runCommand(parts: CommandParts & { readonly changes: Changes }): RunCommand {
  const commands: Readonly<Record<CommandName, Command>> = COMMANDS
  function run<N extends CommandName>(name: N, asking: Asking, given: GivenOf<N>): Promise<Result<ValueOf<N>>>
  async function run(name: CommandName, asking: Asking, given: unknown): Promise<Result<unknown>> {
    const command = commands[name]
    const refusal = refusalOf(asking, command.permission, command.about?.(given))
    if (refusal !== null) return refusal
    const checked = command.input(given)
    if (!checked.ok) return checked
    const prepared = await command.prepare(parts, asking, checked.value)
    if (!prepared.ok) return prepared
    const by = { scope: asking.scope, actor: actorOf(parts, asking) }
    const changed = await parts.changes.change(name, prepared.value, by)
    if (changed.ok) await follow(command, { asking, checked: checked.value, value: changed.value })
    return changed
  }
  /** Stored all the same: a failure here is not one of the change. */
  async function follow(command: Command, done: Done<unknown, unknown>): Promise<void> {
    try {
      await command.after?.(parts, done)
    } catch {
      // What waits is sent at the next beat, and files that no row names are swept.
    }
  }
  return { run }
}

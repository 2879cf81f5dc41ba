/** The half of commands that runs where the control store is written. */
import type { Refusal, Result } from '#base/result.ts'
import type { Control } from '#ports/control.ts'
import type { By, Command } from './command.ts'
import { COMMANDS, type CommandName } from './table.ts'

export interface Changes {
  /** Runs a change in one transaction, of which a refusal leaves nothing. */
  change(name: CommandName, prepared: unknown, by: By): Promise<Result<unknown>>
}

/** Undoes the transaction, and is the answer. */
class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export function createChanges(control: Control): Changes {
  const commands: Readonly<Record<CommandName, Command>> = COMMANDS
  return {
    async change(name, prepared, by) {
      try {
        return await control.write(async (tx) => {
          const result = await commands[name].change(tx, prepared, by)
          if (!result.ok) throw new Refused(result)
          return result
        })
      } catch (cause) {
        if (cause instanceof Refused) return cause.refusal
        throw cause
      }
    },
  }
}

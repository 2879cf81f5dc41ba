/** The half of commands that runs where the control store is written. */
import type { Refusal, Result } from '#base/result.ts'
import type { Control } from '#ports/control.ts'
import type { Deleted } from '#ports/deletions.ts'
import type { By, Command } from './command.ts'
import { OWN_CHANGES, type OwnChange, type OwnGiven, type OwnValue, type OwnWork } from './own-changes.ts'
import { COMMANDS, type CommandName } from './table.ts'

export interface Changes {
  /** Runs a change in one transaction, of which a refusal leaves nothing. */
  change(name: CommandName, prepared: unknown, by: By): Promise<Result<unknown>>
  /** The same of a change of Errata's own, which nobody asks for. */
  own<N extends OwnChange>(name: N, given: OwnGiven<N>): Promise<OwnValue<N>>
}

/** Undoes the transaction, and is the answer. */
class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** `hide` has queries hide what a change deleted. */
export function createChanges(
  control: Control,
  { hide = async () => {} }: { readonly hide?: (deleted: Deleted) => Promise<void> } = {},
): Changes {
  const commands: Readonly<Record<CommandName, Command>> = COMMANDS
  return {
    async change(name, prepared, by) {
      try {
        const done = await control.write(async (tx) => {
          const result = await commands[name].change(tx, prepared, by)
          if (!result.ok) throw new Refused(result)
          return result
        })
        const deleted = commands[name].hides?.(prepared)
        if (deleted !== undefined) await hide(deleted)
        return done
      } catch (cause) {
        if (cause instanceof Refused) return cause.refusal
        throw cause
      }
    },
    own<N extends OwnChange>(name: N, given: OwnGiven<N>) {
      const work: OwnWork<N> = OWN_CHANGES[name]
      return control.write((tx) => work(tx, given))
    },
  }
}

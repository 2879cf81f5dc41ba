/** The half of commands that runs where the control store is written. */
import { isObject } from '#base/json.ts'
import type { Result } from '#base/result.ts'
import type { Control, Tx } from '#ports/control.ts'
import type { Deleted } from '#ports/deletions.ts'
import type { By, Command } from './command.ts'
import {
  OWN_CHANGES,
  OWN_HIDING,
  type OwnChange,
  type OwnGiven,
  type OwnValue,
  type OwnWork,
} from './own-changes.ts'
import { COMMANDS, type CommandName } from './table.ts'

export interface Changes {
  /** Runs a change in one transaction, of which a refusal leaves nothing. */
  change(name: CommandName, prepared: unknown, by: By): Promise<Result<unknown>>
  /** Runs a change that no role is asked for. */
  own<N extends OwnChange>(name: N, given: OwnGiven<N>): Promise<OwnValue<N>>
}

/** Undoes the transaction: the refusal is the answer. */
class Refused extends Error {}

/** Runs work in one transaction, of which a refusal leaves nothing. */
async function writeOrRefuse<T>(control: Control, work: (tx: Tx) => Promise<T>): Promise<T> {
  const refused: T[] = []
  try {
    return await control.write(async (tx) => {
      const done = await work(tx)
      if (!isRefusal(done)) return done
      refused.push(done)
      throw new Refused()
    })
  } catch (cause) {
    const [refusal] = refused
    if (cause instanceof Refused && refusal !== undefined) return refusal
    throw cause
  }
}

function isRefusal(done: unknown): boolean {
  return isObject(done) && done.ok === false
}

async function unlessRefused<T>(done: Promise<T>, next: () => Promise<void>): Promise<T> {
  const value = await done
  if (!isRefusal(value)) await next()
  return value
}

/**
 * Makes what runs changes of commands and own changes, each in one transaction. `hide` has queries hide what a change
 * deleted.
 */
export function createChanges(
  control: Control,
  { hide = async () => {} }: { readonly hide?: (deleted: Deleted) => Promise<void> } = {},
): Changes {
  const commands: Readonly<Record<CommandName, Command>> = COMMANDS
  return {
    async change(name, prepared, by) {
      const done = await writeOrRefuse(control, (tx) => commands[name].change(tx, prepared, by))
      const deleted = done.ok ? commands[name].hides?.(prepared) : undefined
      if (deleted !== undefined) await hide(deleted)
      return done
    },
    own<N extends OwnChange>(name: N, given: OwnGiven<N>) {
      const work: OwnWork<N> = OWN_CHANGES[name]
      const done = writeOrRefuse(control, (tx) => work(tx, given))
      const deleted = OWN_HIDING[name]
      return deleted === undefined ? done : unlessRefused(done, () => hide(deleted))
    },
  }
}

/** The half of commands that suites of the control store run: what is decided within the transaction. */
import type { Result } from '#base/result.ts'
import { createChanges } from '#commands/changes.ts'
import type { By } from '#commands/command.ts'
import type { CommandName, PreparedOf, ValueOf } from '#commands/table.ts'
import type { Control } from '#ports/control.ts'
import type { Deleted } from '#ports/deletions.ts'

/** Runs one change by its name, of what its preparation would have made. `hide` has queries hide what it deleted. */
export function changesOf(control: Control, hide?: (deleted: Deleted) => Promise<void>) {
  const changes = createChanges(control, hide === undefined ? {} : { hide })
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

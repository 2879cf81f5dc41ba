/**
 * A named change that somebody asks for. Whoever asks calls `commands.run(name, asking, given)` from wherever they are; the
 * change itself runs where the control store is written, in one transaction. Between the two go its name and plain data.
 *
 * In this order: permission, input, preparation, change. What is decided of stored rows is decided within the
 * transaction, by rules that take loaded rows; refusals are values, and one undoes what was written before it.
 */
import type { Permission } from '#access/permissions.ts'
import type { About } from '#access/viewer.ts'
import { ok, type Result } from '#base/result.ts'
import type { Tx } from '#ports/control.ts'
import type { Deleted } from '#ports/deletions.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'
import type { Asking } from './asking.ts'
import type { CommandParts } from './parts.ts'

/** Author of a change, and what they may read: what crosses threads. */
export interface By {
  readonly scope: ReadScope
  readonly actor: Actor
}

interface Asked<Given, Checked> {
  readonly permission: Permission
  /** Subject of the permission, if not the organisation. */
  about?(given: Given): About
  input(given: Given): Result<Checked>
}

/** A change that is stored. */
export interface Done<Checked, Value> {
  readonly asking: Asking
  readonly checked: Checked
  readonly value: Value
}

export interface Command<Given = unknown, Checked = unknown, Prepared = unknown, Value = unknown>
  extends Asked<Given, Checked> {
  /** Search, hashing, calls: what takes long, and needs no transaction. Its answer is plain data. */
  prepare(parts: CommandParts, asking: Asking, checked: Checked): Promise<Result<Prepared>>
  change(tx: Tx, prepared: Prepared, by: By): Promise<Result<Value>>
  /** Says what was deleted with its events: it is hidden from queries before the command answers. */
  hides?(prepared: Prepared): Deleted
  /**
   * Follows where it was asked for, once the change is stored: wakes whoever delivers, removes what is no row. A failure
   * here is not one of the change.
   */
  after?(parts: CommandParts, done: Done<Checked, Value>): void | Promise<void>
}

/** Makes a command that needs no preparation. */
export function command<Given, Checked, Value>(
  parts: Asked<Given, Checked> & Pick<Command<Given, Checked, Checked, Value>, 'change' | 'after'>,
): Command<Given, Checked, Checked, Value> {
  return { ...parts, prepare: async (_parts, _asking, checked) => ok(checked) }
}

export function preparedCommand<Given, Checked, Prepared, Value>(
  parts: Command<Given, Checked, Prepared, Value>,
): Command<Given, Checked, Prepared, Value> {
  return parts
}

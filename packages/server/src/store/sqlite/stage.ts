/** A stage of the commit: what it takes of a batch, reads, decides and writes. Stages know nothing of each other. */
import type { Connection } from './connection.ts'

export interface Stage<Input, Loaded, Changes, At> {
  readonly name: string
  /** `null`: the batch has nothing for it, and not one statement runs. */
  pick(at: At): Input | null
  /** Reads by sets: as many calls for a thousand as for one. */
  load(db: Connection, input: Input): Loaded
  /** Pure. */
  decide(loaded: Loaded, input: Input): Changes
  save(db: Connection, changes: Changes): void
}

/** Runs a stage; returns what it changed, `null` where it had nothing to do. */
export function runStage<Input, Loaded, Changes, At>(
  db: Connection,
  stage: Stage<Input, Loaded, Changes, At>,
  at: At,
): Changes | null {
  const input = stage.pick(at)
  if (input === null) return null
  const changes = stage.decide(stage.load(db, input), input)
  stage.save(db, changes)
  return changes
}

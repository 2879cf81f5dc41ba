/** A stage of the commit: what it takes of a batch, reads, decides and writes. Stages know nothing of each other. */
import type { Connection } from './connection.ts'

type Maybe<T> = T | Promise<T>

/** `At`: what it looks at of a batch and of what earlier stages did; `Told`: what it tells those after it. */
export interface Stage<Input, Loaded, Changes, At, Told = void> {
  readonly name: string
  /** `null`: the batch has nothing for it, and not one statement runs. */
  pick(at: At): Input | null
  /** Reads by sets: as many calls for a thousand as for one. */
  load(db: Connection, input: Input): Maybe<Loaded>
  /** Runs no statement. Whoever takes long lets others of the thread go between, as in the other parts. */
  decide(loaded: Loaded, input: Input): Maybe<Changes>
  save(db: Connection, changes: Changes): Maybe<Told>
}

/** A stage that reads nothing first and decides nothing: what it picks is what it saves. */
export type WritingStage<Input, At, Told = void> = Pick<
  Stage<Input, never, Input, At, Told>,
  'name' | 'pick' | 'save'
>

/** A stage, without what its parts hand to each other. */
export interface StageStep<At, Told> {
  readonly name: string
  /** `null`: the batch has nothing for it. */
  run(db: Connection, at: At): Promise<Told | null>
}

export function asWritingStep<Input, At, Told>(stage: WritingStage<Input, At, Told>): StageStep<At, Told> {
  return {
    name: stage.name,
    async run(db, at) {
      const input = stage.pick(at)
      return input === null ? null : stage.save(db, input)
    },
  }
}

export function asStep<Input, Loaded, Changes, At, Told>(
  stage: Stage<Input, Loaded, Changes, At, Told>,
): StageStep<At, Told> {
  return {
    name: stage.name,
    async run(db, at) {
      const input = stage.pick(at)
      if (input === null) return null
      const changes = await stage.decide(await stage.load(db, input), input)
      return stage.save(db, changes)
    },
  }
}

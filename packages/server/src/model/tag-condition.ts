import type { ProjectId } from '#base/ids.ts'

/** A value in one project: `release:latest` is another release in each. */
export interface ValueOfProject {
  readonly projectId: ProjectId
  readonly value: string
}

/** One text, in which `*` stands for any; or any of several values, each in its own project alone. */
export type WantedValue = string | readonly ValueOfProject[]

/** One condition on a tag, asked of issues by their facets and of events by their rows. */
export interface TagCondition {
  readonly key: string
  /** `null` asks for presence. */
  readonly value: WantedValue | null
  readonly negated: boolean
}

/** One condition on who an event happened to, asked of events alone: only they keep every name of a person. */
export interface PersonCondition {
  /** Any of them, as columns name people (`email:anna@shop.example`); `*` stands for any text. */
  readonly names: readonly string[]
  readonly negated: boolean
}

/** One condition on what an event says beside its tags (`stack.filename`), asked of events alone; a tag of that key counts too. */
export interface DetailCondition {
  readonly key: string
  /** `*` stands for any text; `null` asks for presence. */
  readonly value: string | null
  readonly negated: boolean
}

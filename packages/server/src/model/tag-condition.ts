import type { ProjectId } from '#base/ids.ts'

/** A value in one project: `release:latest` is another release in each. */
export interface ValueOfProject {
  readonly projectId: ProjectId
  readonly value: string
}

/** Text in which `*` stands for any; or several values, each in its own project only. */
export type WantedValue = string | readonly ValueOfProject[]

/** Condition on a tag, for issues by their facets and for events by their rows. */
export interface TagCondition {
  readonly key: string
  /** `null` asks for presence. */
  readonly value: WantedValue | null
  readonly negated: boolean
}

/** Condition on the person of an event; only events keep every name of a person. */
export interface PersonCondition {
  /** Any of them, as columns name people (`email:anna@shop.example`); `*` stands for any text. */
  readonly names: readonly string[]
  readonly negated: boolean
}

/** Condition on a detail of an event beside its tags (`stack.filename`); a tag of that key counts too. */
export interface DetailCondition {
  readonly key: string
  /** `*` stands for any text; `null` asks for presence. */
  readonly value: string | null
  readonly negated: boolean
}

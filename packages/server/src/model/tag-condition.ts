/** One condition on a tag, asked of issues by their facets and of events by their rows. */
export interface TagCondition {
  readonly key: string
  /** `*` in it stands for any text; `null` asks for presence. */
  readonly value: string | null
  readonly negated: boolean
}

/** One condition on who an event happened to, asked of events alone: only they keep every name of a person. */
export interface PersonCondition {
  /** Any of them, as columns name people (`email:anna@shop.example`); `*` stands for any text. */
  readonly names: readonly string[]
  readonly negated: boolean
}

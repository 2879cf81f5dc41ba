/** The handbook as the build leaves it: what `../../handbook` makes of `docs`, and what serves it. */

export interface Handbook {
  /** Version of Errata. */
  readonly version: string
  readonly groups: readonly HandbookGroup[]
  /** By their addresses below `/docs`; the first page has an empty one. */
  readonly pages: readonly HandbookPage[]
  /** Pictures and files that pages lead to, by their names below `/docs/files`. */
  readonly files: readonly string[]
}

/** A heading of the list with what stands below it. */
export interface HandbookGroup {
  readonly title: string
  readonly links: readonly HandbookLink[]
}

export interface HandbookLink {
  readonly text: string
  /** Begins with `BASE_MARK`. */
  readonly href: string
  /** Slug of the page that it leads to as a whole; `null` for a heading, and for what is no page. */
  readonly slug: string | null
}

export interface HandbookPage {
  readonly slug: string
  readonly title: string
  /** Addresses in it begin with `BASE_MARK`; the example's host stands for the installation's own. */
  readonly html: string
  readonly sections: readonly HandbookSection[]
}

/** A heading with the text up to the next one. */
export interface HandbookSection {
  /** Empty for the page's own heading. */
  readonly anchor: string
  readonly heading: string
  readonly depth: number
  /** Text without marks, for the search. */
  readonly text: string
}

/** Stands in pages for the path before every address of ours. No text has it: it is for private use. */
export const BASE_MARK = '\uE000'

/** Input of the snippets of all platforms. */
export interface SnippetInput {
  readonly dsn: string
  /** Same-origin path of the relay with its parameters. */
  readonly tunnel: string
  /** Public address of Errata. */
  readonly url: string
}

/** Line for builds whose tools set no release: a name that nobody changes would be worse than none. */
export const RELEASE = "// release: 'my-app@1.4.0',   // of the build; no sessions are sent without it"

/** Beginners see each of their first requests; a busy app sends a part, and its figures count the rest too. */
export const TRACE_OPTIONS = 'tracesSampleRate: 1,   // traces and performance; 0.2 sends one in five'

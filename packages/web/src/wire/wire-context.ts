import { createContext, useContext } from 'react'
import type { FormOutcome } from './answers.ts'
import type { PageClient } from './client.ts'
import type { Reporter } from './reporter.ts'

/** Values that the wire gives to components below it. */
export interface Wire {
  /** `null` while rendering on the server. */
  readonly client: PageClient | null
  /** Result of a form posted without script; belongs to the first page only. */
  readonly form: FormOutcome | null
  /** Starts loading the script of the page at `path`. */
  readonly preloadView: (path: string) => void
  /** Called when another page is shown: scrolls to where it was left, or to its top. */
  readonly arrived: () => void
  /** `null` while rendering on the server. */
  readonly reporter: Reporter | null
}

export const WireContext = createContext<Wire>({
  client: null,
  form: null,
  preloadView: () => {},
  arrived: () => {},
  reporter: null,
})

export function useWire(): Wire {
  return useContext(WireContext)
}

/**
 * Adds both sides of a hydration error: what the server sent, and what the browser rendered in its place. An
 * integration of Sentry's SDKs, version 8 and later. In the commit that replaces the server's HTML a
 * framework removes the old nodes and adds its own, and reports the error after that, or before, in one task:
 * an observer of the page has both halves at its end, also of HTML that was streamed, and nothing has to be
 * kept of the page before.
 */
import { type HydrationHalves, halvesOf } from './hydration/halves.ts'
import type { PageChange, PageNode, PageObserverClass } from './hydration/page-types.ts'

declare const MutationObserver: PageObserverClass | undefined
declare const document: PageNode

export type { HydrationHalves } from './hydration/halves.ts'

/** Part of an event that is read. */
export interface HydrationEvent {
  message?: string | undefined
  contexts?: Record<string, Record<string, unknown> | undefined> | undefined
  exception?: { values?: { value?: string | undefined }[] | undefined } | undefined
}

export interface HydrationIntegration {
  readonly name: string
  processEvent<Event extends HydrationEvent>(event: Event): Event | Promise<Event>
}

const CONTEXT = 'errata.hydration'
const MISMATCH = /hydrat|error #(?:329|418|42[1-5])|server.html|not match/i
/** Hydration is over by then; after it, nothing of the page is watched. */
const WATCHED_MS = 60_000
/** Until an SDK that was told has asked for the halves. */
const KEPT_MS = 100
const CHANGES_MAX = 2_000

/**
 * Creates the integration. Call it before the app hydrates, where `Sentry.init` stands. Does nothing on a
 * server.
 */
export function hydrationIntegration(): HydrationIntegration {
  const halves = watchPage()
  return {
    name: 'Errata',
    processEvent(event) {
      const { message, exception } = event
      const text = `${message} ${exception?.values?.map(({ value }) => value)}`
      if (!halves || !MISMATCH.test(text)) return event
      // Vue reports before it replaces anything: behind the task that hydrates, and before what mounted components change.
      return Promise.resolve()
        .then(halves)
        .then((found) => (found ? { ...event, contexts: { ...event.contexts, [CONTEXT]: found } } : event))
    },
  }
}

/** Answers with the halves of what just changed; `null` on a server. */
function watchPage(): (() => HydrationHalves | null) | null {
  if (typeof MutationObserver === 'undefined') return null
  let recent: PageChange[] = []
  const keep = (changes: PageChange[]) => {
    recent = changes.slice(0, CHANGES_MAX)
    setTimeout(() => {
      recent = []
    }, KEPT_MS)
  }
  const observer = new MutationObserver(keep)
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    characterDataOldValue: true,
  })
  setTimeout(() => observer.disconnect(), WATCHED_MS)
  return () => {
    try {
      const changes = observer.takeRecords()
      if (changes[0]) keep(changes)
      return halvesOf(recent)
    } catch {
      // A page that cannot be read costs the halves; the error itself is on its way.
      return null
    }
  }
}

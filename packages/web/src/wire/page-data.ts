import type { WireError } from './answers.ts'
import type { Loader } from './loader.ts'
import { UNREAD } from './names.ts'
import { useLoaded, usePage } from './router.ts'

/** Returns the data of the page's loader: `usePageData<typeof loadIssueList>()`. */
export function usePageData<L extends Loader>(): Awaited<ReturnType<L>> {
  return useLoaded(usePage().id) as Awaited<ReturnType<L>> // the loader of this page made it
}

/** Why a part of the page could not be read; `null` where it was. */
export function useUnread(part: string): WireError | null {
  const unread = useLoaded(UNREAD)
  return isUnread(unread) && Object.hasOwn(unread, part) ? (unread[part] ?? null) : null
}

/** `runLoaders` made it, where there is one. */
function isUnread(value: unknown): value is Readonly<Record<string, WireError>> {
  return typeof value === 'object' && value !== null
}

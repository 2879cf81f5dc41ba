import type { Loader } from './loader.ts'
import { useLoaded, usePage } from './router.ts'

/** What the page's loader answered: `usePageData<typeof loadIssueList>()`. */
export function usePageData<L extends Loader>(): Awaited<ReturnType<L>> {
  return useLoaded(usePage().id) as Awaited<ReturnType<L>> // the loader of this page made it
}

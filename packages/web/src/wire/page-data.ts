import { useLoaderData } from 'react-router'
import type { Loader } from './loader.ts'

/** What the page's loader answered: `usePageData<typeof loadIssueList>()`. */
export function usePageData<L extends Loader>(): Awaited<ReturnType<L>> {
  return useLoaderData() as Awaited<ReturnType<L>> // the loader of this route made it
}

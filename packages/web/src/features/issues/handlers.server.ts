import type { HandlerRoute } from '#wire/app-tables.ts'
import { handleIssueNews, handleSearchSuggestions } from './issue-list.server.ts'

/** Parts of the issue list that are asked for by themselves. */
export const issueHandlers: readonly HandlerRoute[] = [
  { path: '/:org/issues/suggestions', access: 'issue.read', handle: handleSearchSuggestions },
  { path: '/:org/issues/news', access: 'issue.read', handle: handleIssueNews },
]

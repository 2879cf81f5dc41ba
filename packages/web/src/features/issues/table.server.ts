/** The issue list, and what people change about issues. */
import { featureTable } from '#wire/app-tables.ts'
import { issuesFeature } from './feature.ts'
import {
  changeIssues,
  deleteIssues,
  keepMirrorsApart,
  shareIssue,
  unshareIssue,
} from './issue-actions.server.ts'
import {
  handleIssueNews,
  handleSearchSuggestions,
  handleSearchTotals,
  loadIssueList,
  loadIssueTimeline,
} from './issue-list.server.ts'
import { issuesPaths } from './paths.ts'
import { commentIssue, deleteComment, editComment, markIssue } from './people-actions.server.ts'
import { changeList, deleteSearch, renameSearch, saveSearch } from './search-actions.server.ts'

export const issuesTable = featureTable({
  routes: issuesFeature.routes,
  loaders: {
    issues: loadIssueList,
    'issues.timeline': loadIssueTimeline,
  },
  actions: [
    changeIssues,
    deleteIssues,
    commentIssue,
    editComment,
    deleteComment,
    markIssue,
    keepMirrorsApart,
    shareIssue,
    unshareIssue,
    saveSearch,
    deleteSearch,
    renameSearch,
    changeList,
  ],
  handlers: [
    { path: '/:org/issues/suggestions', access: 'issue.read', handle: handleSearchSuggestions },
    { path: '/:org/issues/totals', access: 'issue.read', handle: handleSearchTotals },
    { path: '/:org/issues/news', access: 'issue.read', handle: handleIssueNews },
  ],
  named: [
    {
      kind: 'page',
      of: 'organisation',
      names: ['Issues over time'],
      also: 'timeline matrix began together',
      access: 'issue.read',
      path: (org) => issuesPaths.issueTimeline(org),
    },
  ],
})

/** The shapes of issues and events as the queries answer them, named for the screens. */
import type { EventView, IssueList, IssueListParams, IssueView } from '@errata/server/queries'

export type Issue = IssueView['issue']
export type IssueListRow = IssueList['rows'][number]
export type IssueSort = IssueListParams['sort']
export type IssueTab = NonNullable<IssueListParams['tab']>
export type Activity = IssueView['activity'][number]
export type TagDistribution = IssueView['tags'][number]
export type RequestKind = EventView['requestKind']
export type StoredEvent = EventView['event']
export type SearchOffer = IssueList['offers'][number]
export type UnknownTag = IssueList['unknownTags'][number]
export type SearchToken = IssueList['tokens'][number]
export type SearchProblem = IssueList['problems'][number]

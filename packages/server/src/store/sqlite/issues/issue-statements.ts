/** Rows of issues within a transaction: statements, which decide nothing. */
import type { IssueRows } from '#ports/issue-rows.ts'
import { changeIssues, dueToReturn } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { releasesOfProject, releaseWithCommit } from '../releases/release-rows.ts'
import { lastChanges, lastChoices } from '../rows/activity.ts'
import { assigneeName, peopleOfAssignee, projectsOfAssignee } from '../rows/assignees.ts'
import type { Statements } from '../statements.ts'
import { choose, namedIssues } from './chosen-issues.ts'
import { joinGroups } from './group-joining.ts'
import { removeIssues } from './issue-deletion.ts'
import { takeInIssues } from './issue-merge.ts'
import { beforeMerge, bringMergedBack, keepMerge, mergeOf } from './merge-undo.ts'
import { releaseMirror } from './mirror-folding.ts'
import { standAlone } from './mirror-issues.ts'
import { ownedGroups, partGroups } from './unmerge.ts'

export function issueStatements(db: Connection): Statements<IssueRows> {
  return {
    chosen: (change) => choose(db, change),
    named: (ids) => namedIssues(db, ids),
    lastChanges: (ids) => lastChanges(db, ids),
    lastChoices: (ids, kinds) => lastChoices(db, ids, kinds),
    releases: (project) => releasesOfProject(db, project),
    releaseWithCommit: (project, commit) => releaseWithCommit(db, project, commit),
    assignee: (org, assignee) => ({
      name: assigneeName(db, assignee),
      people: peopleOfAssignee(db, assignee),
      projects: assignee === null ? [] : projectsOfAssignee(db, org, assignee),
    }),
    dueToReturn: (nowMs) => dueToReturn(db, nowMs),
    save: (changes) => changeIssues(db, changes),
    ownedGroups: (ids) => ownedGroups(db, ids),
    takeIn: (from, into) => takeInIssues(db, from, into),
    beforeMerge: (from, into) => beforeMerge(db, from, into),
    mergeOf: (into, by) => mergeOf(db, into, by),
    keepMerge: (into, merged, by) => keepMerge(db, into, merged, by),
    bringBack: (into, merged) => bringMergedBack(db, into, merged),
    part: (parting) => partGroups(db, parting),
    keepMirrorApart(group, by) {
      const own = releaseMirror(db, group, by.atMs)
      const sql = 'UPDATE mirrors SET kept_apart_ms = ?, kept_apart_by = ? WHERE group_id = ?'
      if (own !== null) db.run(sql, [Math.floor(by.atMs), by.label, group])
      return own
    },
    remove: (ids, within) => removeIssues(db, ids, within),
    standAlone: (nowMs) => standAlone(db, nowMs),
    joinGroups: (groups, atMs) => joinGroups(db, groups, atMs),
  }
}

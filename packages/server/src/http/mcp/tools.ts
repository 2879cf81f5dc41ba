/** Every tool that agents may call. docs/agents.md lists them, and a test compares. */
import { findIssues } from './find-issues.ts'
import { findRows } from './find-rows.ts'
import { getEvent, getIssue, issueMarkdown, outcomes, releaseChanges, similarIssues } from './read-tools.ts'
import type { Tool } from './tool.ts'
import { archiveIssue, assignIssue, commentIssue, resolveIssue } from './write-tools.ts'

export const TOOLS: readonly Tool[] = [
  findIssues,
  getIssue,
  getEvent,
  issueMarkdown,
  similarIssues,
  findRows,
  releaseChanges,
  outcomes,
  resolveIssue,
  archiveIssue,
  assignIssue,
  commentIssue,
]

/** Every tool that agents may call. docs/agents.md lists them, and a test compares. */
import { findIssues } from './find-issues.ts'
import { findRows } from './find-rows.ts'
import {
  getEvent,
  getIssue,
  issueMarkdownTool,
  outcomes,
  releaseChangesTool,
  similarIssues,
} from './read-tools.ts'
import type { Tool } from './tool.ts'
import { archiveIssue, assignIssue, commentIssueTool, resolveIssue } from './write-tools.ts'

export const TOOLS: readonly Tool[] = [
  findIssues,
  getIssue,
  getEvent,
  issueMarkdownTool,
  similarIssues,
  findRows,
  releaseChangesTool,
  outcomes,
  resolveIssue,
  archiveIssue,
  assignIssue,
  commentIssueTool,
]

/** Tools of agents as people are told of them: what each needs, and whether it changes anything. */
import { PERMISSIONS, type Permission, type PermissionEntry } from './permissions.ts'

interface AgentToolEntry {
  readonly title: string
  readonly permission: Permission
  readonly changes: boolean
}

/** Tools in the order in which they are offered. */
export const AGENT_TOOLS = {
  find_issues: { title: 'Find issues', permission: 'issue.read', changes: false },
  get_issue: { title: 'Read an issue', permission: 'issue.read', changes: false },
  get_event: { title: 'Read an event', permission: 'issue.read', changes: false },
  issue_markdown: { title: 'Read an issue as Markdown', permission: 'issue.read', changes: false },
  similar_issues: { title: 'Find similar issues', permission: 'issue.read', changes: false },
  find_rows: { title: 'Find and count rows of any dataset', permission: 'trace.read', changes: false },
  release_changes: { title: 'What changed in a release', permission: 'release.read', changes: false },
  outcomes: { title: 'What was stored and what was not', permission: 'outcome.read', changes: false },
  resolve_issue: { title: 'Resolve an issue', permission: 'issue.write', changes: true },
  archive_issue: { title: 'Archive an issue', permission: 'issue.write', changes: true },
  assign_issue: { title: 'Assign an issue', permission: 'issue.write', changes: true },
  comment_issue: { title: 'Comment on an issue', permission: 'issue.write', changes: true },
} as const satisfies Readonly<Record<string, AgentToolEntry>>
export type AgentToolName = keyof typeof AGENT_TOOLS

export interface AgentTool extends AgentToolEntry {
  readonly name: string
  /** Any of these stands for its permission. */
  readonly scopes: readonly string[]
}

export const AGENT_TOOL_LIST: readonly AgentTool[] = Object.entries(AGENT_TOOLS).map(([name, tool]) => {
  const { scopes }: PermissionEntry = PERMISSIONS[tool.permission]
  return { name, ...tool, scopes }
})

/** The least scope of each permission that a tool needs: what an agent may ask people for. */
export const AGENT_SCOPES = {
  read: leastScopes(AGENT_TOOL_LIST.filter(({ changes }) => !changes)),
  change: leastScopes(AGENT_TOOL_LIST.filter(({ changes }) => changes)),
} as const

function leastScopes(tools: readonly AgentTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ scopes }) => scopes.slice(0, 1)))]
}

/** Building blocks of a tool for agents. */
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { can } from '#access/access.ts'
import { AGENT_TOOLS, type AgentToolName } from '#access/agent-tools.ts'
import { PERMISSIONS, type Permission } from '#access/permissions.ts'
import type { TokenViewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import type { Asking } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'
import type { Queries } from '#queries/queries.ts'
import { apiRefusal } from '../api/refusals.ts'

/** A call of a tool by a token: it is who asks, too, for commands. */
export interface ToolCall extends Asking<TokenViewer> {
  readonly queries: Queries
  readonly commands: Commands
  readonly clock: Clock
  /** Address of Errata as the agent's person opens it, without trailing slash. */
  readonly url: string
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly permission: Permission
  readonly changes: boolean
  readonly inputSchema: JsonSchema
  /** Returns the subject of a call for the audit log; empty if its arguments cannot be read. */
  about(args: unknown): string
  /** The answer's text; throws `ApiRefusal`. */
  run(call: ToolCall, args: unknown): Promise<string>
}

interface ToolDefinition<S extends v.GenericSchema> {
  readonly name: AgentToolName
  readonly description: string
  readonly input: S
  about(input: v.InferOutput<S>): string
  run(call: ToolCall, input: v.InferOutput<S>): Promise<string>
}

/** Permission first, then the arguments: who may not ask learns nothing of what would have been asked. */
export function defineTool<S extends v.GenericSchema>(tool: ToolDefinition<S>): Tool {
  const { name, description, input } = tool
  const { title, permission, changes } = AGENT_TOOLS[name]
  return {
    ...{ name, title, description, permission, changes },
    inputSchema: toJsonSchema(input, { typeMode: 'input', errorMode: 'ignore' }),
    about(args) {
      const read = v.safeParse(input, args)
      return read.success ? tool.about(read.output) : ''
    },
    async run(call, args) {
      if (!can(call.viewer, call.scope, permission))
        throw apiRefusal('forbidden', `This token may not ${PERMISSIONS[permission].what}.`)
      const read = v.safeParse(input, args)
      if (!read.success) throw apiRefusal('invalid_input', problemsOf(read.issues))
      return tool.run(call, read.output)
    },
  }
}

function problemsOf(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${v.getDotPath(issue) ?? 'arguments'}: ${issue.message}`).join(' ')
}

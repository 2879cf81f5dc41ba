/**
 * Answers an agent's call through the official server of the Model Context Protocol. Loaded with the first
 * call.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { can } from '#access/access.ts'
import { ERROR_CATALOGUE, ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { ApiRefusal } from '../api/refusals.ts'
import type { ToolCall } from './tool.ts'
import { TOOLS } from './tools.ts'
import { UNTRUSTED_NOTE } from './untrusted.ts'

export interface AgentCallParts {
  readonly call: ToolCall
  readonly version: string
  readonly log: Log
}

const INSTRUCTIONS = `Errata watches apps for failures. Find an issue with find_issues, read it with get_issue, and its stack with original source with get_event. ${UNTRUSTED_NOTE}`
/** Making one takes milliseconds, and nothing is ever checked with it: tools read their own arguments. */
const validator = new AjvJsonSchemaValidator()

/**
 * Answers a request of an agent. Nothing is kept from one request to the next: any process, and any start of it,
 * answers the next one.
 */
export async function answerAgent(request: Request, body: unknown, parts: AgentCallParts): Promise<Response> {
  const server = agentServer(parts)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: body })
  } finally {
    await server.close()
  }
}

function agentServer(parts: AgentCallParts): Server {
  const { call, version } = parts
  const server = new Server(
    { name: 'errata', title: 'Errata', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: validator },
  )
  // Who may not change anything is not offered to.
  const offered = TOOLS.filter(({ permission }) => can(call.viewer, call.scope, permission))
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: offered.map(({ name, title, description, inputSchema, changes }) => ({
      ...{ name, title, description },
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: { title, readOnlyHint: !changes, destructiveHint: false, openWorldHint: false },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text, isRefused } = await callTool(parts, params.name, params.arguments ?? {})
    return { content: [{ type: 'text' as const, text }], isError: isRefused }
  })
  return server
}

/** Every call is in the audit log, answered or refused, before its answer goes out. */
async function callTool({ call, log }: AgentCallParts, name: string, args: unknown) {
  const tool = TOOLS.find((each) => each.name === name)
  const beganMs = performance.now()
  let text: string
  let isRefused = false
  try {
    if (tool === undefined) throw new UnknownTool(`There is no tool "${name.slice(0, 60)}".`)
    text = await tool.run(call, args)
  } catch (cause) {
    isRefused = true
    text = refusalText(cause, log)
  }
  await call.commands.noteAgentCall(call, {
    tool: name,
    about: tool?.about(args) ?? '',
    chars: text.length,
    tookMs: performance.now() - beganMs,
    refused: isRefused ? text : null,
  })
  return { text, isRefused }
}

class UnknownTool extends Error {}

/** Expected refusals say what was wrong; a failure of ours is told to the log alone. */
function refusalText(cause: unknown, log: Log): string {
  if (cause instanceof ApiRefusal || cause instanceof UnknownTool) return cause.message
  if (cause instanceof ErrataError)
    return ERROR_CATALOGUE[cause.code].status >= 500 ? ERROR_CATALOGUE[cause.code].cause : cause.message
  log.error('agents: a call failed', {
    reason: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
  })
  return ERROR_CATALOGUE.internal.cause
}

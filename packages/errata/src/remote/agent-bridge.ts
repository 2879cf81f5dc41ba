/** Messages of an agent from standard input to `/mcp`, and its answers back. What they say is not looked into. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import type { Address } from './connection.ts'

const SERVER_FAILED = -32_000

/** Until the agent closes its end, and everything it asked is answered. */
export async function passOn({ url, token }: Address): Promise<void> {
  const agent = new StdioServerTransport()
  const server = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    // A token follows nobody to another address.
    requestInit: { headers: { authorization: `Bearer ${token}` }, redirect: 'error' },
  })
  const pending = new Set<Promise<void>>()
  agent.onmessage = (message) => {
    const sent = forward(server, agent, message)
    pending.add(sent)
    void sent.finally(() => pending.delete(sent))
  }
  server.onmessage = (message) => {
    const version = agreedVersion(message)
    if (version !== null) server.setProtocolVersion(version)
    void agent.send(message)
  }
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  await server.start()
  await agent.start()
  await ended
  await Promise.all(pending)
  await server.close()
  await agent.close()
}

/** A request that cannot be passed on is answered here: an agent would wait for ever. */
async function forward(
  server: StreamableHTTPClientTransport,
  agent: StdioServerTransport,
  message: JSONRPCMessage,
): Promise<void> {
  try {
    await server.send(message)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    console.error(reason)
    if (!isJSONRPCRequest(message)) return
    await agent.send({ jsonrpc: '2.0', id: message.id, error: { code: SERVER_FAILED, message: reason } })
  }
}

/** Reads the version both ends agreed on; it goes into the header of every later request. */
function agreedVersion(message: JSONRPCMessage): string | null {
  if (!isJSONRPCResultResponse(message)) return null
  const read = InitializeResultSchema.safeParse(message.result)
  return read.success ? read.data.protocolVersion : null
}

/** What coding agents ask over MCP, and what they are answered. */
import { KIB, type Limit, limit } from './limit.ts'

export const AGENT_LIMITS = {
  agentRequestBytesMax: limit(64 * KIB, 'bytes', 'A call of a tool: names, a search line or a comment.'),
  agentAnswerChars: limit(
    12_000,
    'chars',
    'Event text in an answer where nobody asked for another size: about 3,000 tokens.',
  ),
  agentAnswerCharsMin: limit(1_000, 'chars', 'Event text that an agent may ask for at least.'),
  agentAnswerCharsMax: limit(60_000, 'chars', 'Event text that an agent may ask for at most.'),
  agentIssuesMax: limit(25, 'count', 'Issues that one answer lists.'),
} satisfies Readonly<Record<string, Limit>>

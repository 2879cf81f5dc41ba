/** Bounds of what coding agents ask over MCP, and of what they are answered. */
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
  agentRowsMax: limit(200, 'count', 'Rows or figures that one answer lists.'),
  agentClientsMax: limit(500, 'count', 'Programs that registered to be connected: anybody may.'),
  agentClientsPerAddress: limit(20, 'count', 'Programs that one address registers in an hour.'),
  agentClientsWindowMs: limit(60 * 60_000, 'ms', 'Window of the limit above.'),
  agentClientUnusedMs: limit(
    24 * 60 * 60_000,
    'ms',
    'A registered program that nobody connected in so long is forgotten.',
  ),
  agentClientIdleDays: limit(
    90,
    'days',
    'A registered program without a connection is forgotten so long after the last one began.',
  ),
  agentRedirectUrisMax: limit(10, 'count', 'Addresses that a registered program may be sent back to.'),
  agentRedirectUriCharsMax: limit(1_000, 'chars', 'One such address.'),
  agentConnectionsPerPersonMax: limit(
    25,
    'count',
    'Connected apps of one person in an organisation: a list that is read whole.',
  ),
  agentCodeMs: limit(60_000, 'ms', 'From “Allow” to the token: a program asks for it at once.'),
  agentCodesMax: limit(10_000, 'count', 'Codes that wait to be exchanged, or to be told from reused ones.'),
  agentAccessMs: limit(60 * 60_000, 'ms', 'An access token of a connected app ends; the app refreshes it.'),
  agentRefreshDays: limit(30, 'days', 'A connected app that wasn’t used for so long has to ask again.'),
} satisfies Readonly<Record<string, Limit>>

/**
 * Marks around text of events in answers for agents. Random for each answer, so that nobody who sends an
 * event can write the end mark.
 */
import { randomBytes } from 'node:crypto'

const NAME = 'untrusted-event-data'
const RANDOM_BYTES = 9

export interface AgentMark {
  readonly begin: string
  readonly end: string
}

export function newAgentMark(): AgentMark {
  const name = `${NAME}-${randomBytes(RANDOM_BYTES).toString('hex')}`
  return { begin: `<${name}>`, end: `</${name}>` }
}

/** Rewrites text that looks like a mark of any answer. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/<(?=\s{0,9}\/?\s{0,9}untrusted-event-data)/gi, '‹')
}

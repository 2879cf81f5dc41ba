/**
 * What stands around text of events in answers for agents. It is another one in each answer: nobody who sends an event
 * can write what ends it.
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

/** What looks like a mark of any answer is written so that it is none. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/<(?=\s{0,9}\/?\s{0,9}untrusted-event-data)/gi, '‹')
}

/** Items of a kind that has no store in this version: counted apart, with their category and quantity. */
import { categoryOf } from '@errata/protocol'
import { type ItemAnswer, type ItemInput, refused } from '../item.ts'

export function readUnsupported({ type, header }: ItemInput): ItemAnswer {
  return refused({
    outcome: 'unsupported',
    reason: 'unsupported_kind',
    ...categoryOf(type, header),
    example: `item of type ${shownType(type)}`,
  })
}

/** A type is named by the client: shown only when it looks like one. */
function shownType(type: string): string {
  return /^[a-z][a-z0-9_]{0,39}$/.test(type) ? `"${type}"` : 'no known name'
}

/** Whether what stands under a secret's name is worth hiding. */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isWorkingDirectory } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'

/** Whether a value under a secret's name is worth hiding; flags and empty values are not. */
export function isSecret(key: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return (
        value.trim() !== FILTERED &&
        !isHarmlessWord(value) &&
        !(NAMED_SIGNAL.test(value) && /^sig/i.test(key)) &&
        !isWorkingDirectory(key, value) &&
        !isSecretNoun(value) &&
        !(value.length < 100 && COMPLAINT.test(value) && /^[a-z']+ [a-z']+/.test(value))
      )
    case 'number':
      return (
        !/(?:tokens|sessions|cookies|counts?)$|^pass$/i.test(key) &&
        Math.abs(value) >= 100 &&
        !isRowNumber(key, value)
      )
    case 'object':
      return value !== null && !isFilteredAlready(value) && !isComplaints(value)
    default:
      return false
  }
}

/** `sig: SIGTERM` of a process. */
const NAMED_SIGNAL = /^SIG[A-Z\d]{2,8}$/

/** `apiKeyId: 42`: which one it is. */
function isRowNumber(key: string, value: number): boolean {
  return /(?:[a-z]I[dD]|[_-]id)$/.test(key) && !/sess/i.test(key) && Math.abs(value) < 1e9
}

/** `{password: ["is too short"]}`: what a validator says of a field. */
const COMPLAINT =
  /^(?:is|must|can't|cannot|can not|should|has|may|does|doesn't|needs|please|this|the|your|too|at least|password) [a-z'" ]{1,80}\.?$/i

function isComplaints(value: object): boolean {
  if (!Array.isArray(value) || value.length > 8) return false
  const list: readonly unknown[] = value
  return list.every((one) => typeof one === 'string' && COMPLAINT.test(one) && /\s\S+\s/.test(one))
}

/** Empty containers, and those that hold nothing but what was taken out before. */
function isFilteredAlready(value: object): boolean {
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return inner.length === 0
}

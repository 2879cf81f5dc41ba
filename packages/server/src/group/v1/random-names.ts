/** Part of grouping version 1. Which words no person wrote: ids of payment providers, nano ids, tokens. */

import { isRandomName } from './hashed-names.ts'

/** Letters and digits in turns, as random and sortable ids have them; or letters whose case changes as no name's does. */
export function isIdentifier(text: string): boolean {
  if (!/[A-Za-z]/.test(text)) return false
  return (text.match(/\d{1,128}/g)?.length ?? 0) >= 3 || isMixedCase(text)
}

/** `dQw4w9WgXcQ`, `V1StGXR8_Z`: letters and digits in turns that no word is made of; `ISO-8859-1` is a name. */
export function isShortIdentifier(text: string): boolean {
  if (/^0x/i.test(text)) return false
  return text.split(/[_-]/).some((part) => part.length >= 6 && isTurning(part) && isRandomName(part))
}

function isTurning(part: string): boolean {
  return (part.match(/\d{1,16}/g)?.length ?? 0) >= 2 && /[A-Za-z]/.test(part)
}

/** True if a part of a name is random, as what follows the prefix of `cus_NffrFeUfNV2Hib`. */
export function isRandomPart(text: string): boolean {
  if (/[A-Za-z]\d|\d[A-Za-z]/.test(text)) return true
  return text.length >= 10 && isMixedCase(text)
}

/** Pieces between changes of case are shorter than words: `kXyPqRsTu`, not `getUserById`. */
function isMixedCase(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false
  const letters = text.replace(/[^A-Za-z]/g, '')
  const pieces = letters.match(/[A-Z]{1,128}(?![a-z])|[A-Z]?[a-z]{1,128}/g)?.length ?? 0
  return pieces >= 4 && letters.length / pieces < 3
}

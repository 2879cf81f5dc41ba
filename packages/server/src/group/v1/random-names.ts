/** Part of grouping version 1. Which words no person wrote: ids of payment providers, nano ids, tokens. */

/** Letters and digits in turns, as random and sortable ids have them; or letters whose case changes as no name's does. */
export function isIdentifier(text: string): boolean {
  if (!/[A-Za-z]/.test(text)) return false
  return (text.match(/\d{1,128}/g)?.length ?? 0) >= 3 || isMixedCase(text)
}

/** `cus_NffrFeUfNV2Hib`: what follows the prefix. */
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

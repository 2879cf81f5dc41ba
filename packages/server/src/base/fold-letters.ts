/** Names as people type them: in any case, with or without accents. Pure. */

/** Letters that Unicode takes for letters of their own, and that keyboards without them spell so. */
const SPELT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
    ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' },
  }),
)
const SPELT_LETTERS = new RegExp(`[${[...SPELT.keys()].join('')}]`, 'g')

// biome-ignore lint/suspicious/noControlCharactersInRegex: every character of ASCII
const ASCII = /^[\x00-\x7f]*$/

/** Returns a text as texts are compared where somebody looks for a name: `Łukasz Żółć` and `lukasz zolc` are one. */
export function foldLetters(text: string): string {
  return foldAccents(text).replace(SPELT_LETTERS, (letter) => SPELT.get(letter) ?? letter)
}

/** The same as far as databases know it: without marks on letters. */
export function foldAccents(text: string): string {
  const folded = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
  return folded.toLowerCase()
}

/** Words that open wallets and vaults. */
import { FILTERED } from './filtered.ts'
import { SEED_WORDS } from './seed-words.ts'

type OnFound = (rule: string, value: string) => void

/** Words that open a wallet or a vault: behind what they are called, twelve and more, or some in quotes. */
const SEED =
  /\b((?:(?:seed|recovery|secret|backup|wallet|mnemonic) ?(?:phrase|words?)|mnemonic|passphrase)["']?(?: (?:is|was))?\s?[:=]?\s{0,2})(?:((?:[a-z]{3,10}[ ,]{1,2}){11,23}[a-z]{3,10})|(["'`“])([a-z\d]{2,16}(?:[ -][a-z\d]{2,16}){2,24})(?=["'`”]))/gi

/** Twelve words and more that no sentence has in a row: wallets' lists leave out what joins words. */
const SEED_RUN = /(?<![a-z] )(?<![\w-])(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?![\w-])/g
const JOINING =
  /(?:^| )(?:the|and|for|was|with|not|from|are|has|have|had|but|you|your|can|cannot|its|will|when|where|which|were|been|then|than|they|does|did|because|should|could|would|must|how|who|any|our|his|her|their|being|after|before|while|until)(?: |$)/

const OF_WALLET = /wallet|seed|nemonic|phrase|recover|bip-?39|ledger|import/i

/** Shorter, no twelve words of a seed are. */
export const SEED_CHARS_MIN = 47
const SEED_WORDS_MIN = 12
const RUN_OF_WORDS = /(?<![A-Za-z-])(?:[a-z]{3,8}[ ,]{1,2}){11,}[a-z]{3,8}(?![A-Za-z-])/g

/** Whether a text has so many small words in a row. */
function mayHoldSeed(text: string): boolean {
  RUN_OF_WORDS.lastIndex = 0
  return text.length >= SEED_CHARS_MIN && RUN_OF_WORDS.test(text)
}

/** Twelve words in a row that wallets draw, whatever stands around them. */
export function scrubBareSeeds(text: string, onFound: OnFound): string {
  if (!mayHoldSeed(text)) return text
  return text.replace(RUN_OF_WORDS, (run) => {
    const words = [...run.matchAll(/[a-z]+/g)]
    let out = run
    let count = 0
    for (let at = words.length; at >= 0; at--) {
      if (at > 0 && SEED_WORDS.has(words[at - 1]?.[0].slice(0, 4) ?? '')) {
        count++
        continue
      }
      const [first, last] = [words[at], words[at + count - 1]]
      if (count >= SEED_WORDS_MIN && first !== undefined && last !== undefined) {
        const [start, end] = [first.index, last.index + last[0].length]
        onFound('secret', run.slice(start, end))
        out = out.slice(0, start) + FILTERED + out.slice(end)
      }
      count = 0
    }
    return out
  })
}

export function scrubSeeds(whole: string, onFound: OnFound): string {
  let text = whole
  if (text.length >= 47 && OF_WALLET.test(text))
    text = text.replace(SEED_RUN, (run) => {
      if (JOINING.test(run)) return run
      onFound('secret', run)
      return FILTERED
    })
  if (!/phrase|nemonic|words/i.test(text)) return text
  return text.replace(SEED, (_, before: string, ...[plain, quote = '', quoted = '']: string[]) => {
    onFound('secret', plain ?? quoted)
    return before + quote + FILTERED
  })
}

/** Words that open wallets and vaults. */
import { FILTERED } from './filtered.ts'

type OnFound = (rule: string, value: string) => void

/** Words that open a wallet or a vault: behind what they are called, twelve and more, or some in quotes. */
const SEED =
  /\b((?:(?:seed|recovery|secret|backup|wallet|mnemonic) ?(?:phrase|words?)|mnemonic|passphrase)["']?(?: (?:is|was))?\s?[:=]?\s{0,2})(?:((?:[a-z]{3,10}[ ,]{1,2}){11,23}[a-z]{3,10})|(["'`“])([a-z\d]{2,16}(?:[ -][a-z\d]{2,16}){2,24})(?=["'`”]))/gi

/** Twelve words and more that no sentence has in a row: wallets' lists leave out what joins words. */
const SEED_RUN = /(?<![a-z] )(?<![\w-])(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?![\w-])/g
const JOINING =
  /(?:^| )(?:the|and|for|was|with|not|from|are|has|have|had|but|you|your|can|cannot|its|will|when|where|which|were|been|then|than|they|does|did|because|should|could|would|must|how|who|any|our|his|her|their|being|after|before|while|until)(?: |$)/

const OF_WALLET = /wallet|seed|nemonic|phrase|recover|bip-?39|ledger|import/i

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

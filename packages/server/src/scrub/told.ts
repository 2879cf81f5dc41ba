/** Secrets that sentences and commands tell by their place, of letters alone too: "Login failed for bob/X", `vault login X`. */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import { isSalad, isToldBare } from './letters.ts'
import { namedGroup } from './named-group.ts'
import { STATUS } from './phrase-words.ts'
import { looksIssued } from './random.ts'

const ENDS = String.raw`(?=["'\x60)\]]{0,2}(?:$|[\s.,;]))`
const VALUE = String.raw`(?<value>[^\s"'\x60()[\]{}<>,;/]{4,256})`

interface ToldRule {
  /** Of which a text holds one, if the pattern can match. */
  readonly signs: readonly string[]
  readonly pattern: RegExp
  readonly rule: 'password' | 'token'
  readonly isSecret: (value: string) => boolean
}

/** No word of a command's own messages. */
const isNoMessage = (value: string): boolean =>
  !/^(?:fail|error|time|denied|was|is|to|for|at|with|requir|succe|help|command|page|prompt|attempt|form|token|on|via|using|returned|exit|and|or|again)\w{0,8}:?$/i.test(
    value,
  ) && !value.startsWith('-')
const isAnything = (): boolean => true
/** What chance or fancy made. */
const isTold = (value: string): boolean => isSalad(value) || looksIssued(value) || isToldBare(value)

const RULES: readonly ToldRule[] = [
  {
    signs: ['oken "', "oken '", 'oken `'],
    pattern: new RegExp(
      String.raw`\b(?:rejected|refused|denied|revoked|expired|leaked|stolen) (?:\w{2,12} )?token (?<quote>["'\x60])${VALUE}(?=\k<quote>)`,
      'gi',
    ),
    rule: 'token',
    isSecret: isAnything,
  },
  {
    signs: ['failed', 'failure', 'rejected', 'refused', 'denied', 'error ', 'error:'],
    pattern: new RegExp(
      String.raw`\b(?:log-?in|sign-?in|log-?on|auth(?:entication)?) (?:failed|failure|error|rejected|refused|denied)(?: for| of| by|:) (?:user )?[\w.@+-]{1,64}[/:](?!\/)${VALUE}(?=$|[,;)]|\s(?:from|at|on|via|\()|\.(?:\s|$))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/^[\d.:]+$|@/.test(value),
  },
  {
    signs: ['vault login ', 'cargo login '],
    pattern: new RegExp(String.raw`\b(?:vault|cargo) login (?:-[\w=-]{1,40} ){0,4}${VALUE}${ENDS}`, 'g'),
    rule: 'token',
    isSecret: isNoMessage,
  },
  {
    signs: [
      'redentials',
      'reds',
      'ogin: ',
      'ogins: ',
      'sername and pass',
      'ser and pass',
      'sername/pass',
      'ser/pass',
    ],
    pattern: new RegExp(
      String.raw`\b(?:credentials?|creds|logins?|user(?:name)?s?\s?(?:and|\/|&|,)\s?pass(?:word|wd)?)["']?(?:\s?[:=]\s?|\s)[(["']?(?:[\w.@+-]{1,64}|\[Filtered\])["']?\s?(?:[/:|,]|and\b)\s?["']?${VALUE}${ENDS}`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/^[\d.:]+$|[@=]/.test(value) && !isSecretNoun(value),
  },
  {
    signs: ['d [Filtered] '],
    pattern: new RegExp(
      String.raw`\buser(?:name)?s? (?:and|\/|&) pass(?:word|wd)? \[Filtered\]\s["']?${VALUE}(?=["']?\))`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['d [Filtered] '],
    pattern: new RegExp(
      String.raw`\buser(?:name)?s? (?:and|\/|&) pass(?:word|wd)? \[Filtered\]\s["']?${VALUE}(?=["']?\))`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: [' ['],
    pattern: new RegExp(
      String.raw`\bpass(?:word|phrase|wd) \[(?!Filtered)${VALUE}(?=\] (?:is|was|does|did|has|not)\b)`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: [' pass'],
    pattern: new RegExp(
      String.raw`\b(?:my|his|her|their|root|admin|default)(?: \w{2,12})? pass(?:word|phrase)(?: (?:is|was) ${VALUE}(?=[!.]?$))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/(?:ed|ing|ent|ect|ort|ong|eak|id|ame|ank|eady|ine|afe)$/.test(value),
  },
  {
    signs: ['AUTH '],
    pattern: new RegExp(String.raw`^AUTH (?:[\w.-]{1,64} (?=\S))?${VALUE}$`, 'g'),
    rule: 'password',
    isSecret: isNoMessage,
  },
  {
    signs: ['command: AUTH '],
    pattern: new RegExp(String.raw`\bcommand: AUTH (?:[\w.-]{1,64} (?=\S))?${VALUE}${ENDS}`, 'g'),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['htpasswd -'],
    pattern: new RegExp(String.raw`\bhtpasswd -\w{0,4}b\w{0,4} \S{1,128} \S{1,64} ${VALUE}`, 'g'),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['asscode', 'ass code'],
    pattern: new RegExp(
      String.raw`\bpass ?codes? ["'\x60]?${VALUE}(?=["'\x60]? (?:did|does|was|is|has|rejected|failed)\b)`,
      'gi',
    ),
    rule: 'password',
    isSecret: isTold,
  },
  {
    signs: ['d password ', 'the password ', 'ew password ', 'y password ', 'l password '],
    pattern: new RegExp(
      String.raw`\b(?:tried|used|entered|typed|submitted|new|temporary|initial) (?:the )?pass(?:word|phrase) ${VALUE}(?= (?:sent|mailed|emailed|assigned|generated|issued|once|twice|\w{1,8} times|but|and (?:was|got|failed))\b)`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/(?:ed|ing|ion|s)$/.test(value),
  },
]

/** One look before those of each rule: of most texts the only one. */
const MAYBE_TOLD =
  /oken ["'`]|ed for |ed of |ed by |ailure|rror (?:for|of|by|:)|ed: |(?:vault|cargo) login |redentials|[cC]reds|ogins?: | and pass|\/pass|d \[Fil|: AUTH |^AUTH |pass\w{2,6} \[|(?:[my]|is|er|ir|ot|in|lt) pass(?:word|phrase) (?:is|was)|htpasswd -|ass ?code|(?:d|the|new|[yl]) pass(?:word|phrase) /

/** For texts that are no code. */
export function scrubTold(text: string, onFound: (rule: string, value: string) => void): string {
  if (!MAYBE_TOLD.test(text)) return text
  let out = text
  for (const { signs, pattern, rule, isSecret } of RULES) {
    if (!signs.some((sign) => out.includes(sign))) continue
    out = out.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const value = namedGroup(rest, 'value')
      if (value.includes('[Filtered') || isPlaceholder(value) || isHarmlessWord(value)) return whole
      if (STATUS.test(value) || !isSecret(value)) return whole
      onFound(rule, value)
      return whole.slice(0, whole.length - value.length) + FILTERED
    })
  }
  return out
}

/**
 * Lines of settings that put a blank between a name and its value: `SmtpPassword hunter2`, `ServerPassword "moby dick"`. The
 * name must be of several words and be no verb's: `ResetPassword failed` is said of something.
 */
import { FILTERED } from './filtered.ts'
import { hidesNothing, isHarmlessWord, isPlaceholder, isRemark } from './harmless.ts'
import { DESCRIBING, isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { isChosen, isOrdinary } from './ordinary.ts'
import { looksIssued } from './random.ts'

interface LineOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

export const MAYBE_SETTING_LINE =
  /(?:[a-z\d]P|[._-][Pp]|[A-Z]_P|db|my|pg)(?:ass(?:word|wd|phrase|code)?|ASS(?:WORD|WD|PHRASE)?|wd)[ \t]|(?:[a-z\d]S|[._-][Ss])(?:ecret|ECRET)[ \t]|(?:[a-z\d]T|[._-][Tt])(?:oken|OKEN)[ \t]|(?:Api|[._-])[Kk]ey[ \t]/

const LINE =
  /(^|[\r\n]|\\n)([ \t]{0,40}([A-Za-z][\w.-]{3,63})[ \t]{1,24})(?:(["'])([^"'\r\n]{3,256})\4|([^\s"'=:{}()<>|&;,#→-][^\r\n"'=<>{}()]{2,128}?))(?=[ \t]{0,8};?(?:$|[\r\n]|\\n))/g
const VERB =
  /^(?:reset|change|forgot|update|verify|check|invalid|missing|wrong|bad|expired|get|set|create|delete|validate|unknown|no|refresh|revoke|generate|send|confirm|use|find|load|read|parse|decode|rotate|issue|exchange|old|new|incorrect|request)/i
const STRONG: ReadonlySet<string> = new Set([
  'password',
  'secret',
  'api_key',
  'private_key',
  'token',
  'project_key',
])
const COMPOUND = /[a-z\d][A-Z]|[A-Za-z\d][._-][A-Za-z]/
const OTHERS = /(?:^|[\r\n]|\\n)[ \t]{0,40}[A-Z][a-z]+[A-Z]\w{1,40}[ \t]{1,24}[^\s=:]/g

/** `initialAdminPassword X`: what was issued, wherever it stands. */
const ANYWHERE = /((?<![\w.$/-])([A-Za-z][\w-]{2,40}) )((?=\S{0,64}\d)[\w+/=.~-]{16,512})(?=$|[\s,;)])/g

function scrubAnywhere(text: string, { keys, onFound }: LineOptions): string {
  return text.replace(ANYWHERE, (whole: string, before: string, name: string, value: string) => {
    const rule = COMPOUND.test(name) && !VERB.test(name) ? keys.ruleOf(name) : null
    if (
      rule === null ||
      !STRONG.has(rule) ||
      !(looksIssued(value) || /^(?=[a-f]*\d)[0-9a-f]{20,}$/.test(value))
    )
      return whole
    if (!isWorth(rule, value)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

export function scrubSettingLines(whole: string, options: LineOptions): string {
  const { keys, onFound } = options
  const text = scrubAnywhere(whole, options)
  let isOfLines: boolean | undefined
  return text.replace(LINE, (line: string, ...groups: (string | undefined)[]) => {
    const [begin = '', before = '', name = '', quote = '', quoted, bare] = groups
    const value = quoted ?? bare ?? ''
    const rule = COMPOUND.test(name) && !VERB.test(name) ? keys.ruleOf(name) : null
    if (rule === null || !STRONG.has(rule) || value.includes('[Filtered') || !isWorth(rule, value))
      return line
    if (quoted === undefined && !isBare(value, rule)) {
      isOfLines ??= (text.match(OTHERS)?.length ?? 0) >= 2
      if (!isOfLines || !isSpaced(value)) return line
    }
    onFound(rule, value)
    return begin + before + quote + FILTERED + quote
  })
}

function isWorth(rule: string, value: string): boolean {
  return !(
    isPlaceholder(value) ||
    isHarmlessWord(value) ||
    isSecretNoun(value) ||
    hidesNothing(rule, value) ||
    isRemark(value)
  )
}

/** True for one word alone, which no sentence goes on with. */
function isBare(value: string, rule: string): boolean {
  if (/\s/.test(value) || DESCRIBING.has(value.toLowerCase())) return false
  if (rule === 'token' || rule === 'api_key') return value.length >= 8 && /\d/.test(value)
  return isChosen(value) || (/\d|[!@#$%^&*+~]/.test(value) && /[A-Za-z]/.test(value))
}

function isSpaced(value: string): boolean {
  const words = value.split(/\s+/)
  return words.length <= 5 && !isOrdinary(words[0] ?? '') && !words.every((word) => isOrdinary(word))
}

/**
 * Values that validators, databases and parsers quote beside the name of the field that they were for:
 * `"password" with value "X" fails`, `invalid value "X" for column 'secret'`, `<td>Password</td><td>X</td>`. The name decides.
 */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { namedGroup } from './named-group.ts'
import { isOrdinary } from './ordinary.ts'

interface ComplaintOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

const NAME = String.raw`(?<name>[A-Za-z][\w-]{1,63})`
/** A name that is marked as one: in quotes, behind what it is, or behind a sign. */
const MARKED = String.raw`(?:["'\x60]${NAME}["'\x60]|\b(?:field|column|property|attribute|param(?:eter)?|argument|key) ["'\x60(]{0,2}\$?${NAME.replace('name', 'second')}["'\x60)]{0,2}|[($]\$?${NAME.replace('name', 'third')}\)?|\b[A-Z][\w\\]{1,64}\)?\.${NAME.replace('name', 'fourth')}:)`
const VALUE = String.raw`(?<value>[^\s"'\x60<>()[\]{},;][^\s"'\x60<>\[\]{},;]{2,255})`
const END = String.raw`(?=["'\x60»\])}]?(?:$|[\s.,;:)\]}]))`

/** Names as settings and variables have, and no sentence. */
const UPPER_OR_HUMPS = String.raw`(?<![\w.$/-])(?<name>[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[a-z]+(?:[A-Z][a-z\d]+)+)`

interface ComplaintRule {
  readonly may: RegExp
  readonly pattern: RegExp
}

const RULES: readonly ComplaintRule[] = [
  // `"password" with value "X"`, `'pin' … , got X`, `$password must be …, X given`
  {
    may: /(?:got|value|received|given|found|was|actual):? ?["'`[]?\S|\S given\b/,
    pattern: new RegExp(
      String.raw`${MARKED}[^"'\x60\n]{0,120}?(?:, (?:but )?(?:got|received|found|was|actual):? ["'\x60[]?|\b(?:with |rejected |invalid |submitted |the )?value:? ["'\x60[])${VALUE}${END}`,
      'g',
    ),
  },
  {
    may: / given/,
    pattern: new RegExp(
      String.raw`${MARKED} must be [^,\n]{2,60}, (?:string |int )?["'\x60]?${VALUE}(?=["'\x60]? given)`,
      'g',
    ),
  },
  // `value "X" for column 'secret'`, `string "X" in field pin`, `'X' (field password)`
  {
    may: /["'`](?: (?:for|of|in|at)|,? \(|, expected)/,
    pattern: new RegExp(
      String.raw`["'\x60]${VALUE}(?=["'\x60],?\s(?:(?:for|of|in|at|on)\s(?:the\s)?(?:field|column|property|attribute|param(?:eter)?|argument|key|option)\s["'\x60]?|\((?:field|column|property|param(?:eter)?|key)[ :=]{1,2}["'\x60]?|expected (?:an? )?(?:valid )?)(?<name>[A-Za-z][\w-]{1,63}))`,
      'g',
    ),
  },
  // `for column 'password' at row 1: 'X'`, `parsing pin "X": invalid syntax`
  {
    may: /(?:column|parsing|field) ["'`]?\w/,
    pattern: new RegExp(
      String.raw`(?:\bparsing ["'\x60]?${NAME}["'\x60]? |\b(?:column|field) ["'\x60]${NAME.replace('name', 'second')}["'\x60][^"'\n]{0,40}: )["'\x60]${VALUE}(?=["'\x60])`,
      'g',
    ),
  },
  // `invalidValue=X, propertyPath=password`
  {
    may: /[vV]alue=/,
    pattern: new RegExp(
      String.raw`\b(?:invalid|rejected|attempted|actual)_?[vV]alue=["']?${VALUE}(?=["']?, ?(?:property(?:Path)?|field|path|name)=["']?${NAME})`,
      'g',
    ),
  },
  // `PasswordMismatch(given='X', expected='Y')`
  {
    may: /\((?:given|expected|value|actual|raw|plain)=/,
    pattern: new RegExp(
      String.raw`\b${NAME}\((?:\w{1,16}=["'][^"'\n]{0,80}["'], ?)?(?:given|expected|value|actual|raw|plain)=["']${VALUE}(?=["'])`,
      'g',
    ),
  },
  // `<td>Password</td><td>X</td>`, `<b>Passwort:</b> X`
  {
    may: />\s{0,4}[\p{L} ]{2,40}:?\s?<\//u,
    pattern: new RegExp(
      String.raw`>\s{0,4}(?<name>[\p{L}\p{M}]{2,24}(?: [\p{L}\p{M}]{2,16}){0,2})\s?:?\s?<\/\w{1,12}>\s{0,8}:?\s{0,8}(?:<\w{1,12}[^<>]{0,80}>\s{0,8}){0,2}${VALUE}(?=\s{0,8}(?:<|$|[\r\n]))`,
      'gu',
    ),
  },
  // `Set-Variable -Name Password -Value "X"`
  {
    may: /-[Nn]ame /,
    pattern: new RegExp(`-[Nn]ame ["']?${NAME}["']? -[Vv]alue ["']?${VALUE}`, 'g'),
  },
  // `setting DB_PASSWORD to X`, `dbPassword was X`
  {
    may: /[A-Z\d] (?:to|is|was|set|=>) |[a-z][A-Z]\w* (?:to|is|was|set|=>) /,
    pattern: new RegExp(
      String.raw`(?:(?<=\b(?:[Ss]et(?:ting)?|[Cc]hang(?:e[ds]?|ing)|[Uu]pdat(?:e[ds]?|ing)|[Rr]eset(?:ting)?|[Ee]xport(?:ed|ing)?|[Oo]verrid(?:e|es|ing)|[Dd]efault(?:s|ed|ing)?|[Uu]sing) )${UPPER_OR_HUMPS} (?:to|as)|${UPPER_OR_HUMPS.replace('name', 'second')} (?:is|was|=>|(?:(?:is|was|has been|got) )?(?:now )?set to)) ["'\x60]?${VALUE}(?=["'\x60]?(?:$|[.,;)](?:\s|$)|[\r\n]|\s(?:for|on|in|and|but)\s))`,
      'g',
    ),
  },
  // `["db"]["password"] "X"`
  { may: /["']\] ["']/, pattern: new RegExp(String.raw`\[["']${NAME}["']\] ["']${VALUE}(?=["'])`, 'g') },
  // `##vso[task.setvariable variable=TOKEN;issecret=true]X`
  {
    may: /##\w{0,8}\[/,
    pattern: new RegExp(
      String.raw`##\w{0,8}\[[^\]\n]{0,60}(?:name|variable)=${NAME}[^\]\n]{0,60}\]${VALUE}`,
      'g',
    ),
  },
  // `"value": "X", "sensitive": true, "name": "db_password"`
  {
    may: /["']value["']\s?:/,
    pattern: new RegExp(
      String.raw`["']value["']\s?:\s?["']${VALUE}(?=["'],[^{}\[\]]{0,60}["'](?:name|key)["']\s?:\s?["']${NAME}["'])`,
      'g',
    ),
  },
  // `Step 4/9 : ENV API_KEY X`
  {
    may: /\b(?:ENV|ARG) [A-Z]/,
    pattern: new RegExp(
      String.raw`\b(?:ENV|ARG) (?<name>[A-Z][A-Z\d]*(?:_[A-Z\d]+)+) ${VALUE}(?=\s{0,4}(?:$|[\r\n]))`,
      'g',
    ),
  },
  // `for 'Password' failed: value X is too weak`
  {
    may: /value \S+ (?:is|was|does|has|must)/,
    pattern: new RegExp(
      String.raw`${MARKED}[^"'\x60\n]{0,60}?\bvalue (?=\S{0,64}\d)${VALUE}(?= (?:is|was|does|has|must)\b)`,
      'g',
    ),
  },
  // `::set-output name=token::X` of a workflow's log
  { may: /::set-/, pattern: new RegExp(`::set-(?:output|env) name=${NAME}::${VALUE}`, 'g') },
]

export const MAYBE_COMPLAINT =
  /(?:[A-Z]_[A-Z]|[a-z][A-Z])\w* (?:to|as|is|was|set|has|got|=>) |(?:got|given|received|found|actual):? ["'`[\w]|value:? ["'`[]|[vV]alue=|["'`](?:,? (?:for|of|in|at|on) (?:the )?(?:field|column|prop|attr|param|arg|key|opt)| \(|, expected)|(?:column|parsing|field) ["'`\w]|<\/\w|-[Nn]ame |::set-|["']\] ["']|##\w{0,8}\[|\b(?:ENV|ARG) [A-Z]|["']value["']\s?:|value \S+ (?:is|was|does|has|must) |\((?:given|expected|value|actual|raw|plain)=/

export function scrubComplaints(text: string, { keys, onFound }: ComplaintOptions): string {
  let out = text
  for (const { may, pattern } of RULES) {
    if (!may.test(out)) continue
    out = out.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const value = namedGroup(rest, 'value')
      const name =
        ['name', 'second', 'third', 'fourth'].map((one) => namedGroup(rest, one)).find((one) => one !== '') ??
        ''
      const rule = keys.ruleOf(name) ?? keys.ruleOf(name.replace(/ /g, '_'))
      if (rule === null || !isQuotedValue(value)) return whole
      onFound(rule, value)
      const at = whole.lastIndexOf(value)
      return whole.slice(0, at) + FILTERED + whole.slice(at + value.length)
    })
  }
  return out
}

/** No word of the complaint itself, no type, no other name. */
function isQuotedValue(value: string): boolean {
  if (value.includes('Filtered') || isPlaceholder(value) || isHarmlessWord(value) || isSecretNoun(value))
    return false
  if (
    /^(?:[A-Z][a-z]+Type|str|int|dict|list|bytes|float|bool|number|string|object|array|undefined|null)$/.test(
      value,
    )
  )
    return false
  return /^\d{1,3}$/.test(value) ? false : !isOrdinary(value.replace(/[.!?]$/, ''))
}

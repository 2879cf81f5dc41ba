/**
 * Literals that a call types, saves, compares or makes beside what names a secret: `fill('#password', 'X')`,
 * `save("X", for: "token")`, `strcmp(password, "X")`, `jwtKey = []byte("X")`. Each look is bounded.
 */
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'
import { namedGroup } from './named-group.ts'

interface NamedCallOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
  /** Whether a literal may be the secret that this name means. */
  readonly isGiven: (value: string, naming: { name: string; rule: string; keys: SecretKeys }) => boolean
}

/** Up to its quote, or to the key that a test presses behind it: `X{enter}`. */
const VALUE = String.raw`(?<quote>["'\x60])(?<value>[^"'\x60\\\n{]{3,256})(?=\k<quote>|\{\w{2,16}\}\k<quote>)`
/** `"Password"`, `'input[name="password"]'`. */
const LABEL = String.raw`(?<mark>["'\x60])(?<name>(?:(?!\k<mark>)[^\n\\]){2,80})\k<mark>`
const TYPING = String.raw`(?:\w{0,10}_?fill\w{0,8}|(?:type|enter|input|replace|insert|paste|clear)_?(?:and_?)?(?:type|text|into|keys)?|press_?sequentially|send_?keys?|set_?(?:value|text)|(?:fireevent\.)?change|setinput)`
/** Functions by which values are kept. */
const SAVING = '(?:save|set|store|write|put|insert|add|persist|update|keep|record)'

interface CallRule {
  /** Signs of which a text holds one, if the pattern can match. */
  readonly signs: readonly string[]
  readonly may: RegExp
  readonly pattern: RegExp
}

const OPENING = ['("', "('", '(`']
const rule = (signs: readonly string[], may: RegExp, source: string, flags = 'g'): CallRule => ({
  signs,
  may,
  pattern: new RegExp(source, flags),
})

const RULES: readonly CallRule[] = [
  // `getByLabel('Password').fill('X')`
  rule(
    OPENING,
    /["'`][\])}\s]{0,4}(?:\.\w{1,24}\(\w{0,12}\)){0,2}\.\w{3,20}\(\s?["'`]/,
    String.raw`${LABEL}[\])}\s]{0,4}(?:\.\w{1,24}\(\w{0,12}\)){0,2}\.${TYPING}\(\s?${VALUE}`,
    'gi',
  ),
  // `type(getByLabelText("Password"), "X")`
  rule(
    ['fill', 'ype', 'nter', 'eys', 'ext', 'nput', 'hange', 'alue'],
    /(?:fill|type|enter|input|replace|paste|keys|value|text|change)\w{0,12}[( ]/i,
    String.raw`\b${TYPING}(?:\(|\s)(?:[\w.$]{1,40},\s?)?(?:[\w.$]{1,60}\(\s?){0,2}${LABEL}(?:,\s?\{[^{}\n]{0,60}\})?\s?\){0,2}\s?,\s?(?:with:\s?|\{\s?target:\s?\{\s?value:\s?)?${VALUE}`,
    'gi',
  ),
  // `fill in "Password" with "X"`, `enter "X" into "Password"` of what people test by.
  rule(
    [' with ', ' as ', ' to '],
    /["'`] (?:field )?(?:with|as|to) ["'`]/,
    String.raw`\b(?:fills?|enters?|types?|sets?|puts?|provides?|changes?)(?: in)?(?: the)? ${LABEL}(?: field)? (?:with|as|to) ${VALUE}`,
    'gi',
  ),
  rule(
    [' in', ' as ', ' for '],
    /["'`] (?:in|into|as|for)(?: the)? ["'`]/,
    String.raw`\b(?:fills?|enters?|types?|sets?|puts?|provides?)(?: in)? ${VALUE}(?=["'\x60] (?:in|into|as|for)(?: the)? ["'\x60](?<name>[\w -]{2,64})["'\x60])`,
    'gi',
  ),
  // `save("X", for: "password")`, `setObject:@"X" forKey:@"authToken"`
  rule(
    [' for', 'key:', 'Key:', ' as:', ' named', ' account', ' with', ' in:'],
    /["'`],?\s{1,2}\w{2,16}:\s?@?["'`.]/,
    String.raw`\b\w{0,24}${SAVING}\w{0,24}[(:]\s?@?${VALUE}(?=["'\x60],?\s{1,2}\w{2,16}:\s?@?["'\x60.](?<name>[\w.-]{2,64}))`,
    'gi',
  ),
  // `write(key: 'jwt', value: 'X')`
  rule(
    ['alue', 'data', 'content', 'val:'],
    /["'`],\s{0,4}["']?(?:[vV]alue|data|content|val)["']?\s?[:=]/,
    String.raw`\b(?:key|name|id|field|account)["']?\s?[:=]\s?${LABEL},\s{0,4}["']?(?:value|data|content|val)["']?\s?[:=]\s?${VALUE}`,
    'gi',
  ),
  // `strcmp(password, "X")`
  rule(
    ['cmp', 'quals', 'ompare', 'ecure', 'time', 'iming', '_equals', 'heck'],
    /[\w$],\s?["']/,
    String.raw`\b(?:strn?(?:case)?cmp|(?:object\.)?equals\w{0,12}|compare\w{0,12}|(?:secure|constant_?time|timing_?safe|fixed_?time)_?\w{0,12}|hash_equals|check_?\w{0,16}|assert_?equals?)\(\s?\$?(?:\w{1,40}(?:\.|->)){0,4}(?<name>[A-Za-z_]\w{1,60}),\s?${VALUE}`,
    'gi',
  ),
  // `jwtKey = []byte("X")`, `'password' => Hash::make('X')`
  rule(
    OPENING,
    /[=:>]\s?(?:new\s)?[\w:.\\[\]]{1,60}\(\s?["'`]/,
    String.raw`\b(?<name>[\w-]{2,64})["']?\s?(?:=>|:?=|:)\s?(?:new\s)?(?:[\w:.\\]{1,40}(?:::|\.|->))?(?:make|from|of|hash\w{0,12}|encrypt\w{0,8}|encode|bytes?|value_?of|create|\[\]byte|_?T|TEXT|NSString|parse|unwrap|wrap|protect|literal)\(\s?${VALUE}`,
  ),
  // `kApiToken{"X"}`
  rule(
    ['{"', "{'", '{ "', "{ '"],
    /\w\s?\{\s?["'][^"'\n]{3,256}["']\s?\}/,
    String.raw`\b(?<name>[A-Za-z]\w{2,63})\s?\{\s?${VALUE}(?=["']\s?\})`,
  ),
  // `{<<"client_secret">>, <<"X">>}`
  rule(['<<"', "<<'"], /<<["']/, String.raw`<<["'](?<name>[\w.-]{2,64})["']>>\s?(?:=>|,)\s?<<${VALUE}`),
  // `api_key <- "X"`
  rule(['<-'], /<-\s?["']/, String.raw`\b(?<name>[\w.]{2,64})\s?<<?-\s?${VALUE}`),
  // `(or (System/getenv "DB_PASSWORD") "X")`
  rule(
    ['env ', 'ENV ', 'Env ', 'env_opt '],
    /env\w{0,8}\s["']/,
    String.raw`env\w{0,8}\s["'](?<name>[\w.:-]{2,80})["']\)?\s${VALUE}`,
    'gi',
  ),
  // `fromMaybe "X" <$> lookupEnv "JWT_SECRET"`
  rule(
    ['env ', 'Env ', 'lookup '],
    /(?:env\w{0,6}|lookup)\s["']/i,
    String.raw`(?:from_?maybe|or_?else|default)\w{0,8}\s\(?${VALUE}(?=["'][^"'\n]{0,40}(?:env\w{0,6}|lookup)\s["'](?<name>[\w.:-]{2,80})["'])`,
    'gi',
  ),
  // `withId(R.id.password)).perform(typeText("X"))`
  rule(
    ['Text('],
    /R\.id\./,
    String.raw`\bR\.id\.(?<name>\w{2,64})\){1,3}\.perform\(\w{0,12}Text\w{0,12}\(${VALUE}`,
  ),
  // `let(:password) { "X" }`, `password by lazy { "X" }`
  rule(
    [') {', 'lazy {'],
    /\{\s?["'][^"'\n]{3,256}["']\s?\}/,
    String.raw`\b(?<name>[A-Za-z]\w{1,63})(?:["']?\)|\sby\slazy)\s\{\s?${VALUE}(?=["']\s?\})`,
  ),
  // `setPassword(QStringLiteral("X"))`, `set_env(shop, api_key, "X")`
  rule(
    ['set', 'with'],
    /\w\(["']|\w,\s?["']/,
    String.raw`\b(?:set|with)_?(?:env\(\s?\w{1,40},\s?)?(?<name>[A-Za-z]\w{2,63})(?:\(\w{1,30}\(|,)\s?${VALUE}`,
  ),
  // `set "Db:Password" "X"`
  rule(['set "', "set '", 'put "', 'add "'], /["']\s["']/, String.raw`\b(?:set|put|add)\s${LABEL}\s${VALUE}`),
  // `buildConfigField("String", "API_KEY", "\"X\"")`
  rule(
    ['ield(', 'alue('],
    /[Ff]ield\(|es_?[vV]alue\(/,
    String.raw`(?:config_?field|res_?value)\(\s?["']\w{1,16}["'],\s?["'](?<name>[\w.-]{2,64})["'],\s?(?<quote>["'])(?:\\["'])?(?<value>[^"'\\\n]{3,256})(?=\\?["'])`,
    'gi',
  ),
]

/** `auth: ['svc', 'X']`. */
const NAME_AND_PASSWORD =
  /(\bauth(?:entication)?["']?\s?(?:=>|[:=])\s?[[(]\s?["'][^"'\n]{1,128}["'],\s{0,4}["'])([^"'\\\s]{4,256})(?=["']\s?[\])])/gi
const MAYBE_AUTH = /auth(?:entication)?["']?\s?(?:=>|[:=])\s?[[(]/i

export function scrubNamedCalls(text: string, options: NamedCallOptions): string {
  if (!/["'`]/.test(text)) return text
  let out = text
  for (const { signs, may, pattern } of RULES)
    if (signs.some((sign) => out.includes(sign)) && may.test(out)) out = scrubCall(out, pattern, options)
  if (!(out.includes('auth') || out.includes('Auth')) || !MAYBE_AUTH.test(out)) return out
  return out.replace(NAME_AND_PASSWORD, (whole: string, before: string, value: string) => {
    if (!options.isGiven(value, { name: '', rule: 'password', keys: options.keys })) return whole
    options.onFound('password', value)
    return before + FILTERED
  })
}

function scrubCall(text: string, pattern: RegExp, { keys, onFound, isGiven }: NamedCallOptions): string {
  return text.replace(pattern, (whole: string, ...rest: unknown[]) => {
    const [name, value] = [namedGroup(rest, 'name'), namedGroup(rest, 'value')]
    const found = ruleOfLabel(name, keys)
    if (found === null || !isGiven(value, { name, rule: found, keys })) return whole
    onFound(found, value)
    return whole.slice(0, whole.length - value.length) + FILTERED
  })
}

const WORD = /[\p{L}_][\p{L}\d_-]{2,40}/gu
const WORDS_MAX = 8
/** `password-input`: what one types into. */
export const OF_FIELD = /[-_ ]?(?:(?:text)?(?:input|field|box|edit|entry|control)|label|text|el)$/i

/**
 * Returns the rule of a name, or of a label or selector that one of its words names: `Your password`, `#login
 * input[name=pin]`.
 */
function ruleOfLabel(label: string, keys: SecretKeys): string | null {
  const whole = keys.ruleOf(label) ?? keys.ruleOf(label.replace(OF_FIELD, ''))
  if (whole !== null) return whole
  if (!/[^\w.-]/.test(label)) return null
  for (const word of (label.match(WORD) ?? []).slice(0, WORDS_MAX)) {
    const found = keys.ruleOf(word)
    if (found !== null) return found
  }
  return null
}

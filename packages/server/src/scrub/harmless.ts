/** Values that hide nothing, whatever they are called: words that stand for "no value", words of a status, places. */
import { isPlainWord, isSalad } from './letters.ts'
import { isOrdinary } from './ordinary.ts'
import { looksIssued } from './random.ts'

/** Words that often follow a secret's name without being one. */
const HARMLESS: ReadonlySet<string> = new Set(
  `null undefined true false none nil yes no sent valor valeur wert waarde nein ja oui non sí nej não top bottom left right center start end empty missing required invalid expired unknown optional string number
  boolean object str int bool punc include omit same-origin nan function incorrect wrong valid correct ok success failed
  failure error rejected accepted denied granted revoked disabled enabled active inactive created destroyed deleted removed started ended
  closed opened changed updated reset set unset present absent mismatch mismatched weak short hidden redacted masked
  filtered [redacted] [masked] *** <redacted> n/a na on off auto manual any self default loading pending retry return
  eof void requerida requerido obligatoria obligatorio obrigatória obrigatório obbligatoria obbligatorio requis requise
  obligatoire erforderlich verplicht påkrevd krävs puuttuu wymagane povinné gerekli обязателен неверный
  prompt scram-sha-256 scram-sha-1 caching_sha2_password mysql_native_password too_short too_long too_weak too_common
  base64 md5 sha1 sha256 sha512 hs256 rs256 bcrypt argon2 utf8 utf-8 utf8mb4 x509 oauth2 pbkdf2 scrypt
  unrecognized unsupported buffer bytes uint8array arraybuffer varchar secretstr securestring ugfzc3dvcmq6 vxnlcm5hbwu6`.split(
    /\s+/,
  ),
)

/** Placeholders of templates and queries. */
const PLACEHOLDER =
  /^(?:\^(?:\.{3}|[a-z_]\w{0,40})|%[+#]?[a-zA-Z]|%!\w\(.{0,40}|%\(\w{1,40}\)s|\{\d{0,2}\}|\$\d{1,2}|\$\{?\w{1,40}\}?|%\w{1,40}%|:\w{1,40}|@p?\d{1,3}|\?|\*{1,40}|#{3,40}|&lt;[\w |-]{1,40}&gt;|<[/|]?[\w |:-]{1,40}>|\{\{?[\w .$-]{1,40}\}?\}|['\x22]\$\w{1,60}['\x22]|\$\{\{?[\w .-]{1,60}\}?\}|\[[A-Za-z_ -]{1,40}\]|(?:your|insert|enter|put|replace)[-_][a-z_-]{1,40}|x{3,40}|\.{3}|\$[({].{0,60}|\((?:sensitive|sensitive value|known after apply|empty|none|hidden|unset|null|masked|redacted|removed|blank|not set)\)?)$/i

/** Values that somebody masked before: `sk_…****jx`, `b***@example.com`. */
const MASKED = /^[\w.@-]{0,16}(?:\*{3,40}|•{3,40})[\w.@-]{0,24}$/

export function isPlaceholder(value: string): boolean {
  return value.length <= 64 && (PLACEHOLDER.test(value) || MASKED.test(value))
}

/** A file or folder: where a secret lies, and not what it is. */
const FILE_PATH =
  /^(?:file:\/\/)?(?:\/(?:etc|run|var|home|usr|opt|srv|app|tmp|root|mnt|dev|proc|data|keys|certs?|secrets|vault|Users)\/|~\/|\.{1,2}\/)[\w./@-]{1,200}$/
/** `shop/db`, `text/plain`: what a store of secrets calls them, and kinds of content. */
const WORD_PATH = /^[a-z][a-z-]{1,31}(?:\/[a-z][a-z-]{0,31}){1,6}$/
/** `color.primary.500`: a path into a table of names. */
export const DOTTED_PATH = /^[a-z][a-z-]{1,23}(?:\.(?:[a-z][a-z-]{1,23}|\d{1,3})){1,5}$/
const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
/** `^4.0.1`, `>=2.8`, `1h`, `250ms`: of packages called after tokens, of how long one lasts. */
const VERSION = /^[~^<>=]{0,2}v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+][\w.-]{1,40})?$|^\d{1,4}(?:ms|[smhdw])$/
/** Lengths of style sheets. */
const LENGTH = /^-?\d{1,5}(?:\.\d{1,4})?(?:px|r?em|%|vh|vw|ch|fr|deg|pt)$/
/** `AUTH_HEADER = "X-Auth-Token"`: what a header is called. */
const HEADER = /^(?:X-[A-Z][A-Za-z]{1,24}(?:-[A-Z][A-Za-z]{1,24}){0,4}|x-[a-z]{2,24}(?:-[a-z]{2,24}){0,4})$/
/** `!vault |`, `!Ref X`: the value is made elsewhere. */
const NAMED_BY_CLOUD = /^arn:[a-z-]{2,16}:[a-z-]{2,32}:/
/** `20261128T100000Z`: when, and not what. */
const TIMESTAMP = /^\d{8}T\d{6}(?:\.\d{1,9})?Z?$/
/** `isString`, `minLength`: what a validator asks of a field. */
const CONSTRAINT =
  /^(?:is(?:String|NotEmpty|Email|Length|Strong\w{0,10}|Defined|Number|Int|Boolean|Array|Url|Uuid|Optional|Not\w{1,10}|Alpha\w{0,10}|Jwt|Hash|Valid\w{0,10})|(?:min|max)(?:Length|Size)|matches|contains|whitelistValidation|nestedValidation)$/
/** A name of a secret, of several words, or the plural of one. */
export const LISTED_NAME =
  /^[a-z]+(?:[_-][a-z]+|[A-Z][a-z]+)+$|^(?:keys|secrets|tokens|passwords|sessions|cookies|credentials)$/
/** `$t('password')`, `form.token()`: code that makes the value. */
const CALLED = /^\$?[A-Za-z_][\w.$]{0,60}\((?:\\?["']?[\w. -]{0,40}\\?["']?)?\)$/
/** `AUTH_CALLBACK=/auth/callback` */
const ROUTE = /^\/(?:[a-z][a-z_-]{0,30}(?:\/[a-z:{][a-z_}-]{0,30}){0,6}\/?)?$/
/** `12|c|#env:prod`: what counters send. */
const METRIC = /^-?\d{1,12}(?:\.\d{1,9})?\|(?:c|g|ms|h|s|d)(?:\||$)/
const ALGORITHM =
  /^(?=[^a-z]{0,8}[a-z])(?:(?:hmac|rsa|ecdsa|aes|pbkdf2|ed25519|rsassa|dh|ecdhe)[-_/]?){0,2}(?:(?:sha|md)-?[1-5]\d{0,2}|\d{3}|gcm|cbc|pss|oaep|pkcs1)(?:[-_](?:gcm|cbc|ctr|\d{3}))?$/i
/** `#add-password`: what a page calls a part of it. */
const SELECTOR =
  /^[#.](?:[a-z]\w{0,24}-){0,5}(?:password|passwd|token|secret|pin|otp|code|key)(?:-[a-z]\w{0,24}){0,4}$/i
/** Code that joins something: `application:` + key, `" + key + "`. */
const JOINED = /^[a-z]{2,24}[:=]$|^\s?[+.]\s?(?:new\s)?\$?[A-Za-z_][\w$.>-]{0,80}[([+]/i
const YAML_TAG = /^!{1,2}[A-Za-z]{2,24}$/
/** The words that forms and databases describe a field with: `['required', 'min:8']`, `{ type: String }`. */
const OF_SCHEMAS: ReadonlySet<string> = new Set(
  `required string min max length minlength maxlength confirmed nullable sometimes optional type text select true false
  trim unique index email regex same different present filled integer numeric size bail password password_confirmation
  null default allownull not write_only read_only max_length min_length blank hidden varchar char datatypes`.split(
    /\s+/,
  ),
)
/** `["This field may not be blank."]`: what a validator says of a field. */
const COMPLAINT =
  /^[[{(]\s{0,4}\\?["'](?:[A-Z][a-z']{1,20}(?: [a-z',]{1,20}){2,20}\.|(?:is|must|can't|cannot|should|has|may|needs|too)(?: [a-z',]{1,20}){1,20}\.?)\\?["']\s{0,4}(?:[\]})]?$|,\s?\[?(?:validation|count|kind|type|constraint)\b[^"']{0,160}$)/
/** The same of several. */
const REMARKS =
  /^\[(?:\s{0,4}\\?["'][A-Za-z][a-z']{1,20}(?: [\w'(),-]{1,24}){0,3} (?:is|must|should|has|can|cannot|can't|may|does|too|not|required|at least)\b[\w '(),.-]{1,100}\\?["'],?){1,8}\s{0,4}\]$/
const MAC_ADDRESS = /^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i
/** `Passwort vergessen?`: what a form shows. */
const QUESTION = /^\p{Lu}[\p{L}\p{M}'’-]{1,40}(?: [\p{L}\p{M}'’-]{1,40}){1,8} ?\?$/u
/** `#{base}`, `{prefix}{n}`: made of other values. */
const MADE_OF = /^(?:[#$]?\{[^{}"';]{1,40}\}){1,6}$/
const SCHEMA_CHARS_MAX = 160

/** A value that is no secret, whatever it is called: a place, a colour, a number of two digits, what a field must be. */
export function hidesNothing(rule: string, value: string): boolean {
  if (/^\d{1,2}$/.test(value) || FILE_PATH.test(value) || COLOUR.test(value) || HEADER.test(value))
    return true
  if (
    AMBIGUOUS.has(rule) &&
    (DOTTED_PATH.test(value) || ROUTE.test(value) || /^(?:v\d{1,3}|[a-z][a-z.-]{0,60}:\d{1,5})$/.test(value))
  )
    return true
  if ((AMBIGUOUS.has(rule) && VERSION.test(value)) || YAML_TAG.test(value) || LENGTH.test(value)) return true
  if (NAMED_BY_CLOUD.test(value) || TIMESTAMP.test(value)) return true
  if (SELECTOR.test(value) || JOINED.test(value) || METRIC.test(value) || CALLED.test(value)) return true
  if (COMPLAINT.test(value) || MAC_ADDRESS.test(value) || QUESTION.test(value) || MADE_OF.test(value))
    return true
  if (REMARKS.test(value)) return true
  return ((AMBIGUOUS.has(rule) || rule === 'secret') && WORD_PATH.test(value)) || isSchema(value)
}

function isSchema(value: string): boolean {
  if (value.length > SCHEMA_CHARS_MAX || !/[|:'"]/.test(value)) return false
  const words = value.match(/[A-Za-z_]+|\d+|[^\sA-Za-z\d_'"|:,[\]{}()=>.]/g) ?? []
  return (
    words.length > 1 && words.every((word) => /^\d{1,3}$/.test(word) || OF_SCHEMAS.has(word.toLowerCase()))
  )
}

const foldName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

/** `headers['X-CSRF-Token'] = csrfToken`, `tokenStore: TokenStore`: a variable or a type that has the name once more. */
export function repeatsName(name: string, value: string): boolean {
  if (!/^[A-Za-z_$]{4,64}$/.test(value) || !/[a-z][A-Z]|[A-Za-z]_[A-Za-z]/.test(value)) return false
  const [own, other] = [foldName(name), foldName(value)]
  return own.endsWith(other) || other.endsWith(own)
}

/** True for words that stand for "no value" or for a status, such as `null` and `expired`. */
export function isHarmlessWord(value: string): boolean {
  return (
    value.length <= 21 &&
    (value.trim() === '' ||
      HARMLESS.has(value.toLowerCase()) ||
      CONSTRAINT.test(value) ||
      ALGORITHM.test(value))
  )
}

/** A bare value that code computes: `getToken()`, `req.body.password`, `params[:password]`, `${token}`. */
const EXPRESSION =
  /^(?:(?:await|new|typeof|yield|not|ref|nil|nullptr|this|self)\b|\$?[A-Za-z_$]+(?:(?:\?\.|\.|->|::)[A-Za-z_$]+)*[([<]|process\.env\b|\$?_?[a-z$]+(?:(?:\?\.|\.|->|::)[A-Za-z_$]+)+[;,)]*$|\$\{|\$_[A-Z]+)/
/** Words that begin a sentence about a name: `password: must be …`. */
const SENTENCE =
  /^(?:bad|wrong|unable|malformed|corrupt|incorrect|authentication|m[íi]nim[oa]|minimum|ensure|make|choose|provide|mindestens|maximum|m[áa]xim[oa]|au moins|almeno|минимум|максимум|must|should|cannot|can't|could|would|is|was|are|were|be|been|has|have|had|does|did|needs?|may|will|the|this|that|these|your|its|please|no|not|too|only|expected|unexpected|got|path|keyword|identifier|permission|read|see|use|enter|when|while|after|before|if|on|in|of|or|and|for|with|without|from|by|at|as|via|until|не|нет|ist|sind|muss|darf|nicht|zu|est|doit|trop|pas|debe|muy|no|deve|muito|não|è|troppo|non|är|er|för|for|måste|moet|te|niet)$/i
/** Beginnings of a sentence that was about a secret already. */
const AGAIN =
  /^(?:secrets?|passwords?|tokens?|keys?|session|cookie|auth(?:entication|orization)?|credentials?)$/i
/** Objects that code reads its settings from. */
const ENVIRONMENT =
  /^(?:os\.(?:environ|getenv)|process\.env|import\.meta\.env|Deno\.env|System\.getenv|Environment\.|ENV\[|getenv\(|env\(|\$_[A-Z]{3,10}\[)/
/** Pseudo-classes of style sheets. */
const PSEUDO = /^(?:hover|focus|visited|disabled|checked|before|after|first-child|last-child|nth-child)\b/

/** A value of code or of a sentence, by what stands before and behind it. */
export function isComputed(value: string, before: string, after: string): boolean {
  if (PSEUDO.test(value) && before.endsWith(':')) return true
  if (/^[A-Z][A-Za-z]{1,40}(?:\.[a-z_]{1,40}){2,8}$/.test(value)) return true
  if (/^(?:min|max)_?length$/i.test(value) && /^ \d/.test(after)) return true
  // A command of a shell makes the value.
  if (/^[A-Z][a-z]{2,9}(?:To)?-[A-Z][A-Za-z]{3,30}$/.test(value) && after.startsWith(' ')) return true
  if (ENVIRONMENT.test(value) || (/^\$[A-Za-z_]\w*-$/.test(value) && after.startsWith('>'))) return true
  // `volume "creds" : secret "shop" not found`
  if (/\s$/.test(before) && AGAIN.test(value) && /^\s["'(\p{L}][^=:]*$/u.test(after)) return true
  // Minified: `t.token===n.token`, `{token:e}`.
  if (/^[A-Za-z_$]{1,2}$/.test(value)) return true
  // `Configuration["Jwt:Secret"]`: a path of names.
  if (/^["']\]/.test(after) && /^[A-Za-z]{1,40}$/.test(value)) return true
  if (/[=!]=$/.test(before) && /^[A-Za-z_$]{1,3}\.[A-Za-z_$]/.test(value)) return true
  if (SENTENCE.test(value) && /^\s[\p{L}\d(`]/u.test(after)) return true
  return /\s$/.test(before) && EXPRESSION.test((value + after.slice(0, 1)).trimEnd())
}

/** `Bearer ` alone, `Bearer ${token}`, `Bearer <token> header is missing`: a scheme, and where its token will be. */
export function isSchemeAlone(value: string): boolean {
  return (
    value.length <= 120 &&
    /^(?:bearer|basic|token|digest|apikey|bot)\s{0,4}(?:(?:undefined|null|none|nil|\(null\)|\[object Object\]|\$\{?[\w.()]{1,60}\}?|\{\{?[\w .]{1,60}\}?\}|<[\w -]{1,40}>|\[Filtered\]|\$\([^()\n]{1,60}\)|%[sv@]|\*{3,40}|x{3,40}|\.{3}|(?:your|my|the|some)[-_ ](?:\w{1,16}[-_ ])?(?:token|key|secret|jwt))(?:[,;.]?(?: [a-z'][a-z',]{0,15}){0,8}[.!]?)?)?$/i.test(
      value,
    )
  )
}

/**
 * True if the variable is `PWD` or `OLDPWD` and its value a path. `PWD` of a process environment is a directory, not a
 * password.
 */
export function isWorkingDirectory(name: string, value: string): boolean {
  return (name === 'PWD' || name === 'OLDPWD') && /^(?:\/|[A-Za-z]:[\\/])/.test(value)
}

/** Rules whose names stand for things as often as for secrets: a token of a parser, the session that was created. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['token', 'session', 'cookie', 'authorization'])
/** `auth:login`, `session: recorder-started`: words, where a key would be long and mixed. */
export function isWordUnder(rule: string, value: string): boolean {
  return (
    AMBIGUOUS.has(rule) &&
    rule !== 'cookie' &&
    /^(?:[a-z]{2,15}(?:[-_.:][a-z]{1,15}){0,3}|\d{1,9}(?::[a-z]{2,15}){1,3})$/.test(value)
  )
}

/** A sentence: one word alone may be the secret. */
const WORDS = /^[a-z]{1,15}(?: [a-z]{1,15}){1,12}[.!]?$/
const PIECE = /[^\s"'`{}[\](),:;=]{6,}/g
const TREE_VALUES_MAX = 64
const TREE_DEPTH_MAX = 5

/** `auth: sso`: how somebody signs in. */
const METHOD =
  /^(?:basic|bearer|digest|none|anonymous|oauth\d?|oidc|openid|jwt|sso|saml2?|ldap|kerberos|ntlm|token|session|cookie|password|api[_-]?key|local|guest|mtls|iam|optional|required)$/i

/** A value that cannot be the secret an ambiguous name means: small words, or a structure of nothing else. */
export function isPlainUnder(rule: string, value: unknown): boolean {
  if (rule === 'authorization' && typeof value === 'string' && METHOD.test(value)) return true
  return AMBIGUOUS.has(rule) && isPlain(value, { left: TREE_VALUES_MAX, rule }, 0)
}

interface Look {
  left: number
  readonly rule: string
}

function isPlain(value: unknown, look: Look, depth: number): boolean {
  if (--look.left < 0 || depth > TREE_DEPTH_MAX) return false
  if (typeof value === 'string') return isPlainText(value, depth, look.rule)
  if (typeof value !== 'object' || value === null) return depth > 0 || typeof value !== 'number'
  if (Array.isArray(value)) return value.every((one) => isPlain(one, look, depth + 1) && !isMade(one))
  // The bytes of a text.
  if ('type' in value && value.type === 'Buffer') return false
  return Object.entries(value).every(
    ([key, one]) =>
      isPlain(one, look, depth + 1) &&
      !(IDENTIFYING.test(key) && !isShort(one) && !(typeof one === 'string' && isOrdinary(one))) &&
      !(key === 'value' && isMade(one)),
  )
}

/** Fields of a structure that are the secret itself, however plain their value. */
const IDENTIFYING = /^(?:id|sid|key|secret|jwt|raw|pass|password|pwd|hash|access|refresh|bearer)$/i

/** An element of a list that is no word of a parser. */
function isMade(value: unknown): boolean {
  return typeof value === 'string' && (isSalad(value) || (value.length >= 10 && isPlainWord(value)))
}

function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length < 4
}

function isPlainText(value: string, depth: number, rule: string): boolean {
  if (depth > 0)
    return value.length <= 64 && (!/\d/.test(value) || /^\d{4}-\d\d-\d\d(?:[T ][\d:.]{5,15}Z?)?$/.test(value))
  const first = value[0]
  if (first === '{' || first === '[') return value.length <= 400 && !hasTelling(value) && !KEYED.test(value)
  // A cookie is `name=value`; a sentence about one is not.
  return rule === 'cookie'
    ? /\s/.test(value.trim()) && !value.includes('=') && !looksIssued(value)
    : WORDS.test(value) || isCommandOf(value)
}

/** `token: "node token.js"`: a script, and nothing in it that was issued. */
function isCommandOf(value: string): boolean {
  return (
    /^[a-z][\w.-]{1,24} [\w./:-]/.test(value) &&
    !/^(?:bearer|basic|token|digest|negotiate|apikey|key|oauth|bot|hawk|dpop|pass\w*|secret)\b/i.test(
      value,
    ) &&
    value
      .split(/\s+/)
      .every(
        (piece) =>
          !isSalad(piece) &&
          (!/\d/.test(piece) || /^[\d.:]{1,8}$/.test(piece)) &&
          /^[\w./:@=-]{1,40}$/.test(piece),
      ) &&
    /[./:-]/.test(value)
  )
}

/** `{ "Key": "X" }` within what is called `Jwt`. */
const KEYED = /["'](?:key|secret|raw|pass|password|pwd)["']\s?[:=]\s?["'][^"']{4,}/i

function hasTelling(structure: string): boolean {
  return (structure.match(PIECE) ?? []).some(
    (piece) => looksIssued(piece) || (/\d/.test(piece) && /[A-Za-z]/.test(piece)),
  )
}

/** Functions followed by the name of what is asked for or removed: `clearCookie('sid')`. */
const ASKING =
  /(?:^|\.)(?:clear|remove|delete|unset|get|load|fetch|read|find|has|require|resolve|lookup|ask|prompt|list|rotate)(?!\w*(?:by|with|from|for)$)[A-Z_]\w{0,30}$/i

/** `cookies.get('sid')`, `res.cookie('sid', …)`: a name stands in the bracket. */
export function isAsking(text: string, at: number, name: string): boolean {
  if (ASKING.test(name) || /\.(?:get|has|delete|remove|clear|find)$/i.test(name)) return true
  return name.endsWith('.cookie') && /^["'][A-Za-z_.-]{1,40}["']/.test(text.slice(at + 1, at + 44))
}

/** Stems of what forms say about a field, in the languages that people sign in in. */
const DEMANDING_STEM =
  /^(?:обязат|необход|требу|поле|долж|неверн|неправ|не$|введите|слишк|обов|ungült|inválid|demasi|błędn|nesprávn|musí|kötelez|hibás|hiány|påkrev|påkræv|krävs|måste|geçersiz|hatalı|yanlış|υποχρεωτικ|απαιτ|λάθος|חובה|נדרש|שגוי|مطلوب|غير|خاطئ|يجب|आवश्यक|अनिवार्य|गलत|จำเป็น|ไม่|ต้อง|bắt|không|必須|必填|必需|必要|不能|不可|不正|不匹配|無効|有効|无效|错误|錯誤|不一致|正しく|間違|未入力|入力|请|請|至少|长度|太|필수|입력|올바|잘못|일치|유효|필요|최소|너무|è$|é$)/i
/** The same of words in ASCII, whole. */
const DEMANDING =
  /^(?:pflicht\w{0,8}|erforderlich\w{0,2}|muss|darf|falsch|fehlt|bitte|zu|ist|champ|requis\w{0,2}|obligat\w{2,8}|doit|incorrect\w{0,2}|saisi\w{0,4}|manquant\w{0,2}|veuillez|trop|campo|requerid[oa]s?|incorret[oa]|debe|deve|falta|muy|muito|introduz\w{1,3}|ingrese|obbligator\w{2,3}|richiest[oa]|non|troppo|errat[oa]|sbagliat[oa]|pole|wymagan\w{1,3}|nieprawid\w{2,8}|niepoprawn\w{1,3}|musi|povinn\w{1,3}|chybn\w{1,3}|verplicht\w{0,2}|gewijzigd|verlopen|vergeten|vervallen|ontbreekt|geblokkeerd|hersteld|onjuist|ongeldig|moet|vereist|obligatorisk\w{0,2}|felaktigt?|ogiltigt?|skal|pakollinen|puuttuu|vaaditaan|pakollinen|virheellinen|vanhentunut|zorunlu\w{0,4}|gerekli\w{0,4}|sai|wajib|salah|harus|tidak|mandatory|compulsory|does|must|should)$/i

/** True for a word that forms say of a field: `Pflichtfeld`, `obbligatoria`, `必須`. */
export function isDemanding(word: string | undefined): boolean {
  return word !== undefined && (DEMANDING.test(word) || DEMANDING_STEM.test(word))
}

/** `secret: name is required`, `password = "Passwords do not match"`, `пароль: обязательное поле`. */
export function isSentence(value: string, after: string, code: number): boolean {
  if (code === 0x3a && !/\d/.test(value)) {
    const [first, second] = `${value}${after}`.split(/[\s.,;:!?()"'\]}]+/, 2)
    // Behind an article alone: `Passwort: X falsch` tells X.
    if (isDemanding(first) || ((first?.length ?? 0) <= 3 && isDemanding(second))) return true
    if (
      /^[a-z]{2,20}$/.test(value) &&
      /^ (?:is|are|must|has|have|should|cannot|can|was|were|does|did|needs?|will) [a-z]/.test(after)
    )
      return true
  }
  return isRemark(value)
}

const REMARK =
  /^(?:(?:(?:the|your|this|both|old|new|current|please|enter|choose|invalid|wrong|incorrect|missing|use|at) )?[a-z][a-z'-]{1,24} (?:(?:and|or) [a-z]{2,20} )?(?:is|are|was|were|must|has|have|do|does|did|should|can|cannot|can't|may|needs?|will|not|too|least|required|confirmation|reset|your)\b[\w ,.'’()-]{2,100}|(?:please|enter|choose|use|type|confirm|repeat|forgot|reset|change|incorrect|invalid|wrong|missing|bad|unknown) [a-z]{1,12}(?: [\w'.,?()-]{1,24}){0,12})[.!?]?$/i

/** Matches such remarks in other languages: an article, a noun, a verb. */
const FOREIGN_REMARK =
  /^(?:das|der|die|dein|ihr|le|la|les|votre|ton|ce|el|los|tu|su|il|lo|o|a|sua|het|de|uw|je) [\p{L}-]{2,24} (?:[\p{L}-]{2,24} )?(?:ist|sind|muss|müssen|darf|wurde|hat|kann|stimmt|stimmen|fehlt|est|sont|doit|doivent|n'est|a|es|son|debe|deben|ha|no|è|deve|devono|é|não|foi|moet|mag|komt|is|zijn) [\p{L}\d ,.'’-]{2,80}$/iu

/** A sentence about a field: "Password is too weak", "Token has expired". */
export function isRemark(value: string): boolean {
  return (
    value.length <= 140 && /^\S+ \S+ \S/.test(value) && (REMARK.test(value) || FOREIGN_REMARK.test(value))
  )
}

/** `required`, `min:8` of a list of rules. */
export function isSchemaWord(value: string): boolean {
  return OF_SCHEMAS.has(value.toLowerCase()) || (value.includes(':') && isSchema(value))
}

/**
 * Secrets that a sentence, a statement or an address names: "the password is X", "token X has expired",
 * `IDENTIFIED BY 'X'`, `INSERT … (password) VALUES ('X')`, `/reset-password/X`. Each look behind a word is bounded.
 */
import { FILTERED } from './filtered.ts'
import { isDemanding, isHarmlessWord, isRemark } from './harmless.ts'
import { DESCRIBING, NAMING_WORDS } from './key-words.ts'
import { isPlainWord, isToldBare } from './letters.ts'
import { isChosen, isOrdinary } from './ordinary.ts'
import { CODE, isValue, MIXED_CODE, type PhraseKind, type Word } from './phrase-values.ts'
import { IS, LINKING, SECRET_NOUN, STATUS } from './phrase-words.ts'
import { looksIssued } from './random.ts'
import { scrubSeeds } from './seeds.ts'
import { scrubCodesFirst, scrubUsedAs } from './used-as.ts'

type OnFound = (rule: string, value: string) => void

const WORDS_MAX = 5
const WINDOW = 160

interface Span {
  readonly start: number
  readonly end: number
}

/** Texts that people wrote: secrets behind the word that names them. */
export function scrubProse(text: string, onFound: OnFound): string {
  let out = ''
  let copied = 0
  SECRET_NOUN.lastIndex = 0
  for (let match = SECRET_NOUN.exec(text); match !== null; match = SECRET_NOUN.exec(text)) {
    const kind = phraseKind(match)
    const from = SECRET_NOUN.lastIndex
    const value =
      namedAfter(text, from, { kind, noun: match[0], isSaid: isCompound(text, match.index) }) ??
      takenBefore(text, from) ??
      (kind === 'password' ? behindColon(text, from) : null)
    // "password sent to bob@example.com"
    const isReceiver =
      value !== null &&
      MAIL.test(value.text) &&
      SENT_TO.test(text.slice(Math.max(0, value.start - 6), value.start))
    if (value === null || isReceiver || value.start < copied) continue
    if (value.text !== FILTERED) onFound(kind, value.text)
    out += text.slice(copied, value.start) + FILTERED
    copied = value.end
    const next = secondOf(text, copied, kind)
    if (next !== null) {
      onFound(kind, next.text)
      out += text.slice(copied, next.start) + FILTERED
      copied = next.end
    }
    // "recovery codes: X, Y, Z"
    if (kind === 'one_time_code' && /s$/i.test(match[0]))
      for (const { start, end } of codesAfter(text, copied)) {
        onFound(kind, text.slice(start, end))
        out += text.slice(copied, start) + FILTERED
        copied = end
      }
    SECRET_NOUN.lastIndex = copied
  }
  const rest = scrubUsedAs(copied === 0 ? text : out + text.slice(copied), onFound)
  return scrubSeeds(scrubCodesFirst(rest, onFound), onFound)
}

export function phraseKind(match: RegExpExecArray): PhraseKind {
  if (match[1] !== undefined) return 'password'
  if (match[2] !== undefined) return 'token'
  if (match[3] !== undefined) return 'one_time_code'
  const noun = match[0].toLowerCase()
  if (noun.startsWith('s')) return 'ssn'
  return noun.startsWith('c') ? 'credit_card' : 'personal'
}

const CHANGED_TO =
  /["'`»”]?[!?]? (?:to|rotated to|replaced by|into|auf|zu|en|a|à|por|para|in|til|till|naar|na|->|→|=>)(?= )/y

const TAKEN = /[\s:='"`]{1,4}\[Filtered\]/y

/** Returns the noun behind which an earlier rule took something: another value may stand beside it. */
function takenBefore(text: string, from: number): Word | null {
  TAKEN.lastIndex = from
  if (!TAKEN.test(text)) return null
  const end = TAKEN.lastIndex
  return { text: FILTERED, start: end - FILTERED.length, end, isQuoted: false }
}

const COMPARED_WITH =
  /["'`»”]?,? (?:(?:but |and )?(?:got|received|was|found|had|saw|actual):?|!==?|===?|<>|≠|instead of|vs\.?|does(?: not|n't) (?:match|equal)|is not(?: equal to)?)(?= )/y

/** "password changed from X to Y", "expected token X but got Y": the other of two. */
function secondOf(text: string, from: number, kind: PhraseKind): Word | null {
  const joining = [CHANGED_TO, COMPARED_WITH].find((pattern) => {
    pattern.lastIndex = from
    return pattern.test(text)
  })
  if (joining === undefined) return null
  const word = wordAt(text, joining.lastIndex, joining.lastIndex + WINDOW)
  if (word === null) return null
  if (word.isQuoted && isChosen(word.text)) return word
  return /\d/.test(word.text) && isValue(word, kind, true) ? word : null
}

const NEXT_CODE = /[ ,;/|]{1,3}(?:(?:and|or) )?([A-Za-z0-9][A-Za-z0-9-]{3,40})(?![\w-])/y
const CODES_MAX = 32

/** The codes of a list, behind its first one. */
function codesAfter(text: string, from: number): Span[] {
  const spans: Span[] = []
  NEXT_CODE.lastIndex = from
  while (spans.length < CODES_MAX) {
    const code = NEXT_CODE.exec(text)?.[1]
    if (code === undefined || !(CODE.test(code) || MIXED_CODE.test(code))) break
    spans.push({ start: NEXT_CODE.lastIndex - code.length, end: NEXT_CODE.lastIndex })
  }
  return spans
}

/** `shared_key X`, `wifi-sec.psk X`: a name of settings, and no word of a sentence. */
function isCompound(text: string, at: number): boolean {
  return /[A-Za-z\d][_.-]$/.test(text.slice(Math.max(0, at - 2), at))
}

const BEHIND_COLON =
  /(?:[^.;!?\n:()]|\([^()\n]{1,100}\)){1,80}(?<!\b(?:user|username|id|account|request|trace|by|at|from|host|version|file|email)):\s{1,6}(?=\S{0,127}\d)([^\s:/]{8,128})(?=\s{0,4}(?:$|[\r\n(]))/y

/** Letters and digits, and no version, place or time. */
const MIXED = /^(?=\D{0,32}\d)(?=[^A-Za-z]{0,32}[A-Za-z])(?!v?\d+\.)[\w!@#$%^&*?+-]{6,64}$/
/** "the following password to proceed: X": what ends a line behind a colon, and was issued. */
function behindColon(text: string, from: number): Word | null {
  BEHIND_COLON.lastIndex = from
  const value = BEHIND_COLON.exec(text)?.[1]
  if (value === undefined) return null
  const last =
    /([\p{L}\d_-]+):\s+\S+$/u.exec(text.slice(from, BEHIND_COLON.lastIndex))?.[1]?.toLowerCase() ?? ''
  const isMixed = MIXED.test(value) && !DESCRIBING.has(last) && !NAMING_WORDS.has(last)
  if (!looksIssued(value) && !/[!#$%^&*?+<>(),;=~]/.test(value) && !isMixed) return null
  const end = BEHIND_COLON.lastIndex
  const word = { text: value, start: end - value.length, end, isQuoted: false }
  return isValue(word, 'password', true) ? word : null
}

function namedAfter(
  text: string,
  from: number,
  { kind, noun, ...first }: { readonly kind: PhraseKind; readonly noun: string; readonly isSaid: boolean },
): Word | null {
  // "the password's X"
  const isOwn = text.startsWith("'s ", from)
  let at = isOwn ? from + 2 : from
  let isSaid = first.isSaid || isOwn
  let isTelling = isOwn
  for (let count = 0; count < WORDS_MAX; count++) {
    const word = wordAt(text, at, from + WINDOW)
    if (word === null) return null
    if (!word.isQuoted && STATUS.test(word.text) && !LINKING.test(word.text)) {
      // "incorrect: X" goes on, "incorrect" ends.
      const rest =
        /^(?: (?:found|valid|v[áa]lid[ao]|valide|recogni[sz]ed|match(?:ed)?|correct|allowed|accepted)){0,2}(?: (?:for|f[üu]r|pour|para|per|voor|f[öo]r|til|dla|dla u[żz]ytkownika)(?: (?:user|usuario|usuário|utilisateur|benutzer|utente))? [\w.@+-]{1,64})?\s{0,2}:/i.exec(
          text.slice(word.end, word.end + WINDOW),
        )
      const isQuotedNext = kind === 'password' && QUOTED_NEXT.test(text.slice(word.end, word.end + 80))
      const isKeyNext = kind === 'token' && KEY_NEXT.test(text.slice(word.end, word.end + WINDOW))
      if (rest === null && !isQuotedNext && !isKeyNext && !/^mismatch/i.test(word.text)) return null
      at = word.end + Math.max(0, (rest?.[0].length ?? 0) - 1)
      continue
    }
    // "API key (live): X"
    if (
      text[word.start - 1] === '(' &&
      /^\)(?::| is)\s/.test(text.slice(word.end, word.end + 5)) &&
      /^[a-z]{2,16}$/.test(word.text)
    ) {
      at = word.end + 1
      continue
    }
    // "password for user 'bob' is 'X'": whose it is.
    if (word.isQuoted && OWNED.test(text.slice(Math.max(0, word.start - 16), word.start))) {
      const told = GOES_ON.exec(text.slice(word.end, word.end + WINDOW))?.[0]
      if (told !== undefined) {
        at = word.end + told.length
        isSaid = true
        continue
      }
    }
    const isNamed = word.isQuoted && /^secrets?$/i.test(noun) && RESOURCE.test(word.text)
    if (isNamed) return null
    if (isValue(word, kind, isSaid) || isWordTold(text, word, { kind, noun, isTelling, isNext: count === 0 }))
      return word
    if (word.isQuoted || !LINKING.test(word.text))
      return count > 0 && isSaid ? null : pastName(text, word, kind)
    isSaid ||= IS.test(word.text)
    isTelling ||= TOLD.test(word.text)
    at = word.end
  }
  return null
}

const SENT_TO = /\b(?:to|by|for|from|via) $/
const MAIL = /^[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4}$/i
/** `secret "stripe-webhook"` of a cluster: which one. */
const RESOURCE = /^[a-z]{2,24}(?:[-/][a-z]{2,24}){1,5}$/

const OWNED = /\b(?:for|of|user|username|account|role|login) ["'`“«]$/i
const GOES_ON =
  /^["'`”»]? (?:is|was|to|=|:|(?:is|was|has been) (?:now )?(?:re)?set to|set to)(?= ["'`“«]?\S)/i

/** Words that a password follows, and nothing that is said of it. */
const TOLD = /^(?:is|was|lautet|ist|es|é|è|est|jest|är|=|:|=>|->|→|\||equals)$/i

/** Nouns of English: of other languages it is not known what is said of a password. */
const PASSWORD_NOUN =
  /^(?:pass(?:words?|wd|phrase|code)|pwd?|bindpw|requirepass|masterauth|kennwort|passwort)$/i
const KEY_NOUN = /(?:secrets?|keys?|access token|auth token|refresh token|bearer token)$/i
const ENDS_HERE = /^["'`)\]}»”]{0,3}\s{0,2}(?:$|\n|\||[.,;!?(](?:\s|$|\w))/
const JUDGED_NEXT =
  /^ (?:is|was|does|did|has|had|will|cannot|could|should|would|isn't|wasn't|doesn't|didn't|not|rejected|refused|failed|fails)\b/

/** "with password X." */
const GIVEN_BEFORE =
  /(?:\b(?:with|using|and|by|via|use|try|tried|used|entered|typed|sent|gave|got|bad|wrong|invalid|incorrect)|[/,&|]|=\S{1,64}) (?:the )?\S{2,10} ["'`[(]?$/i
/** "with password X for bob". */
const GIVEN_NEXT =
  /^["'`\])]? (?:for|from|on|at|to|by|in|via|as|and|or|against|but|which|because|so|while|when|since) /
const API_KEY = /^(?:api[ _-]?key|client[ -]secret|secret[ -]key|client[ -]key)$/i
/** "API key X is not valid": of a key, and of nothing that it has. */
const REFUSED_NEXT =
  /^ (?:is (?:not|no longer|in)|was (?:re|not|de)|not (?:found|valid|rec)|rejected|refused|has been re)/
/** "set the password to X". */
const SET_BEFORE =
  /\b(?:sets?|setting|chang(?:e|ed|ing)|updat(?:e|ed|ing)) (?:(?:the|his|her|their|my|a|new|your|root|admin|user|db|database) ){0,2}\S{3,10}(?: (?:of|for) \S{1,64})? to ["'`]?$/i

interface Telling {
  readonly kind: PhraseKind
  readonly noun: string
  /** A word that tells stands between. */
  readonly isTelling: boolean
  /** Nothing stands between. */
  readonly isNext: boolean
}

/** `db.password X`, a line of settings: a name with parts, a blank, a word, and nothing else. */
function isDirective(text: string, word: Word): boolean {
  const from = text.lastIndexOf('\n', word.start) + 1
  return (
    isChosen(word.text) &&
    DIRECTIVE.test(text.slice(Math.max(from, word.start - 160), word.start)) &&
    /^["']?[ \t]{0,8}(?:$|[\r\n])/.test(text.slice(word.end, word.end + 12))
  )
}

/** Directives made of parts, or of settings only. */
const DIRECTIVE =
  /(?:^|[\s>])(?:[a-z]\w{0,39}[._-][\w.-]{2,64}|requirepass|masterauth|bindpw|rootpw|bindpass)[ \t]{1,16}["']?$/

/** True for a value chosen by a person, in English: other languages have other words for it. */
function isChosenHere(value: string, noun: string): boolean {
  return /^(?:pass(?:words?|wd|phrase|code)|pwd|pw)$/i.test(noun) && isChosen(value)
}

/** `mot de passe: chèvrefeuille`, and not `oublié`. */
function isAccented(text: string, { text: value, start }: Word): boolean {
  return (
    /[:=]\s{0,2}$/.test(text.slice(Math.max(0, start - 3), start)) &&
    /^(?=[a-z]{0,40}[^a-z])\p{Ll}{6,40}$/u.test(value) &&
    !/(?:[éáýíąęóèü]|ées?|és)$/u.test(value)
  )
}

/** True for a word of another language that is no participle and no adjective. */
function isForeignTold(value: string, noun: string): boolean {
  return (
    !PASSWORD_NOUN.test(noun) &&
    /^[A-Za-z][a-z]{4,}$/.test(value) &&
    !/(?:ed|ing|ees?|[ai][dt][oa]|lich|isch|ig|[tv][oa]|ecte?|uise?|ert|[zkr]t|us|en|er)$/.test(value)
  )
}

/** "client id x, client secret X", "API key X is not valid". */
function isKeyGiven(text: string, { start, end }: Word, { isTelling, noun }: Telling): boolean {
  const after = text.slice(end, end + 24)
  if (isTelling) return API_KEY.test(noun) && ENDS_HERE.test(after)
  return (
    (API_KEY.test(noun) && REFUSED_NEXT.test(after)) ||
    (/(?:,|and|with) (?:client|api|secret)[ -](?:secret|key) $/i.test(
      text.slice(Math.max(0, start - 32), start),
    ) &&
      ENDS_HERE.test(after))
  )
}

/** "the passphrase is 'X Y'", "Passwort lautet X". */
function isPhraseTold(text: string, { text: value, start, end, isQuoted }: Word): boolean {
  if (isQuoted)
    return (
      /^[\p{L}\d'!-]{1,32}(?: [\p{L}\d'!-]{1,32}){1,5}$/u.test(value) &&
      !isRemark(value) &&
      !isOrdinary(value.split(' ')[0] ?? '')
    )
  const isGiven = /\blautet\s{1,2}$/.test(text.slice(Math.max(0, start - 12), start))
  return (
    isGiven &&
    /^\p{L}{5,}$/u.test(value) &&
    !isHarmlessWord(value) &&
    ENDS_HERE.test(text.slice(end, end + 24))
  )
}

/** "the password is X.", "Password X does not match", "bad passphrase (X)", "API key 'X'": of letters alone. */
function isWordTold(text: string, word: Word, { kind, noun, isTelling, isNext }: Telling): boolean {
  if (isDemanding(word.text)) return false
  if (kind === 'password' && isTelling && isPhraseTold(text, word)) return true
  if (isNext && (kind === 'password' || kind === 'token') && isDirective(text, word)) return true
  const isPassword = kind === 'password' && PASSWORD_NOUN.test(noun)
  const isKey = kind === 'token' && KEY_NOUN.test(noun)
  const after = text.slice(word.end, word.end + 24)
  // `mot de passe : X`: a sign gives the value, in any language.
  if (
    kind === 'password' &&
    isTelling &&
    /(?:[:=|→]|->|=>|(?<=\s)(?:is|was|lautet|ist|es|é|è|est|jest|är|to))\s{0,2}$/i.test(
      text.slice(Math.max(0, word.start - 8), word.start),
    )
  )
    return (
      !isHarmlessWord(word.text) &&
      (isToldBare(word.text) ||
        isChosenHere(word.text, noun) ||
        isForeignTold(word.text, noun) ||
        (/^(?:passwort|kennwort)$/i.test(noun) && /^[A-ZÄÖÜ][a-zäöüß]{4,}$/.test(word.text)) ||
        isAccented(text, word)) &&
      (ENDS_HERE.test(after) || (isChosenHere(word.text, noun) && GIVEN_NEXT.test(after)))
    )
  if (
    isKey &&
    isNext &&
    word.isQuoted &&
    /decrypt\w{0,4} .{0,24}$/i.test(text.slice(Math.max(0, word.start - 40), word.start))
  )
    return true
  const isSet =
    isPassword &&
    isTelling === false &&
    SET_BEFORE.test(text.slice(Math.max(0, word.start - 120), word.start))
  if (isSet && /^[a-z]{6,}$/.test(word.text) && !/(?:ed|ing|ire|null|empty)$/.test(word.text))
    return ENDS_HERE.test(after)
  if ((!isPassword && !isKey) || !(isPlainWord(word.text) || (isPassword && isChosen(word.text))))
    return (
      isKey &&
      (API_KEY.test(noun) || /^secret$/i.test(noun)) &&
      isChosen(word.text) &&
      isKeyGiven(text, word, { kind, noun, isTelling, isNext })
    )
  if (isTelling && isOrdinary(word.text)) return false
  if (isTelling) return ENDS_HERE.test(after) || (isChosen(word.text) && GIVEN_NEXT.test(after))
  if (isPassword && SET_BEFORE.test(text.slice(Math.max(0, word.start - 120), word.start)))
    return ENDS_HERE.test(after)
  if (!isNext) return false
  // `Secret "shop-db" not found`: which one.
  if (word.isQuoted)
    return (
      word.text.length >= 8 &&
      !(isKey && /^["'`]? (?:was |is )?(?:not found|missing|already|does not exist)/.test(after))
    )
  if (text[word.start - 1] === '(') return isPassword && word.text.length >= 8 && after.startsWith(')')
  if (isKey && API_KEY.test(noun) && isChosen(word.text)) return REFUSED_NEXT.test(after)
  if (!isPassword || !(isToldBare(word.text) || isChosen(word.text))) return false
  const isGiven = GIVEN_BEFORE.test(text.slice(Math.max(0, word.start - 40), word.start))
  return (
    (isToldBare(word.text) && JUDGED_NEXT.test(after)) ||
    (isGiven && (ENDS_HERE.test(after) || GIVEN_NEXT.test(after)))
  )
}

/** "password for bob is X": one word may stand between. */
function pastName(text: string, name: Word, kind: PhraseKind): Word | null {
  const set = SET_TO.exec(text.slice(name.end, name.end + WINDOW))?.[0].length ?? 0
  if (set > 0) return saidAt(text, name.end + set, kind) ?? wordAtEnd(text, name.end + set, kind)
  let next = wordAt(text, name.end, name.end + WINDOW)
  // "for the admin account is X"
  if (next !== null && /^(?:account|user|login|role|database|server|host)$/i.test(next.text))
    next = wordAt(text, next.end, next.end + WINDOW)
  if (next === null || !IS.test(next.text) || /[.!?;]$/.test(text.slice(name.start, next.start).trimEnd()))
    return null
  return saidAt(text, next.end, kind) ?? toldAtEnd(text, next, kind)
}

/** "password for bob changed to X". */
function wordAtEnd(text: string, from: number, kind: PhraseKind): Word | null {
  const word = kind === 'password' ? wordAt(text, from, from + WINDOW) : null
  return word !== null &&
    isPlainWord(word.text) &&
    !/^(?:expire|change)/i.test(word.text) &&
    ENDS_HERE.test(text.slice(word.end, word.end + 24))
    ? word
    : null
}

/** "wrong password for root: X". */
function toldAtEnd(text: string, sign: Word, kind: PhraseKind): Word | null {
  const word =
    /^(?:[:=]|is|was)$/.test(sign.text) && kind === 'password'
      ? wordAt(text, sign.end, sign.end + WINDOW)
      : null
  return word !== null && isToldBare(word.text) && ENDS_HERE.test(text.slice(word.end, word.end + 24))
    ? word
    : null
}

const SET_TO =
  /^ (?:(?:(?:has|have|had) been|was|is|wurde) )?(?:now |successfully )?(?:set|changed|reset|updated|geändert|gesetzt) (?:to|auf)(?= )/i

function saidAt(text: string, from: number, kind: PhraseKind): Word | null {
  let word = wordAt(text, from, from + WINDOW)
  if (word !== null && /^(?:now|currently|actually)$/i.test(word.text))
    word = wordAt(text, word.end, word.end + WINDOW)
  return word !== null && isValue(word, kind, true) && !STATUS.test(word.text) ? word : null
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '«': '»',
  '“': '”',
  '„': '“',
  '(': ')',
}

function wordAt(text: string, from: number, stop: number): Word | null {
  let at = from
  while (at < stop && (text[at] === ' ' || text[at] === '\t')) at++
  if (at === from && text[at] !== ':' && text[at] !== '=') return null
  const quote = text[at] ?? ''
  const closing = CLOSING[quote]
  if (closing !== undefined) {
    const length = text.slice(at + 1, at + WINDOW * 4).indexOf(closing)
    const end = at + 1 + length
    return length === -1 ? null : quotedWord(text, at + 1, { end, isQuoted: quote !== '(' })
  }
  let end = at
  while (
    end < text.length &&
    end - at < 2_048 &&
    text.charCodeAt(end) > 0x20 &&
    (!'"\'`<>()'.includes(text[end] ?? '') || isElision(text, at, end))
  ) {
    end++
    if (end - at === 1 && (quote === ':' || quote === '=') && text[end] !== '>') break
  }
  // A call, not a value.
  if (text[end] === '(' && end > at) return null
  const whole = end
  while (end - at > 1 && '.,;:!?'.includes(text[end - 1] ?? '')) end--
  const isCut = whole > end && text[end] !== ':'
  return end === at
    ? null
    : { text: text.slice(at, end), start: at, end: isCut && end === at ? whole : end, isQuoted: false }
}

/** `dell'utente`: one word, and no quote. */
function isElision(text: string, start: number, at: number): boolean {
  return (
    text[at] === "'" && at - start <= 4 && /^(?:dell|all|nell|l|d)'\p{L}/iu.test(text.slice(start, at + 2))
  )
}

/** "jeton invalide X": what only chance writes. */
const KEY_NEXT = /^ (?=[A-Za-z]{0,64}\d)(?=\w{0,64}[A-Z]|[0-9a-f]{32})[\w-]{20,128}(?![\w/.-])/
/** "incorrect « X »". */
const QUOTED_NEXT = /^\s["'`«“„]\s?(?=[^"'`»”“\s]{0,64}\d)/

/** French quotes stand apart from what they hold. */
function quotedWord(text: string, from: number, { end, isQuoted }: Pick<Word, 'end' | 'isQuoted'>): Word {
  const isApart = text[from - 1] === '«'
  const start = isApart && /\s/.test(text[from] ?? '') ? from + 1 : from
  const stop = isApart && end > start && /\s/.test(text[end - 1] ?? '') ? end - 1 : end
  return { text: text.slice(start, stop), start, end: stop, isQuoted }
}

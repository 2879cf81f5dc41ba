/**
 * Which rules a text can match at all, told in one walk over its characters. A rule runs only where its mark was found:
 * whoever adds a word to a pattern adds its beginning here (prefixes of issuers come from their own table).
 */
import { codeAt } from '#base/code-at.ts'
import { ISSUER_RULES } from './issuers.ts'
import { CARD_RUN, hasCardRun, isTokenLike } from './long-runs.ts'
import { CLASS_OF, type Marks, markTable, WIDTH_BITS } from './marks.ts'
import { mayHoldIban } from './numbers.ts'
import { MAYBE_CODE } from './phrase-words.ts'
import { PLACED_TEXTS } from './placed-marks.ts'

/** Shorter texts hold no secret. */
export const CHARS_MIN = 5

/** A sign that stands between a name and its value. */
export const NAMED = 1
/** `@` or the port of a line of `.pgpass`, and a sign that an address with a password has. */
export const AT_SIGN = 2
/** The beginning of an escape that can be undone. */
export const ESCAPED = 4
/** A long run of letters and digits that may be a key. */
export const TOKEN = 8
/** Least digits: as many as the shortest IBAN that is worth a look. */
export const DIGITS = 16
/** A dash where a word begins: maybe an option. */
export const DASHED = 32
/** `Bearer`, `Basic`, `-u`. */
export const SCHEME = 64
/** A run of digits as long as a card number, with signs between them. */
export const CARD = 128
/** A step of signing in within a path. */
export const LINK = 256
/** A blank and a dash or a slash, and words. */
export const COMMAND = 512
/** JSON, by its first sign. */
export const JSON_TEXT = 1 << 10
/** A word that sentences name secrets by, or that stands behind a code. */
export const NOUN = 1 << 11
/** The first line of a private key. */
export const PEM = 1 << 12
/** `VALUES` and a bracket. */
export const VALUES = 1 << 13
/** A blank and a quote: maybe `IDENTIFIED BY '…'`. */
export const QUOTED = 1 << 14
/** `="`: maybe attributes of an element; only beside `NAMED`. */
export const ELEMENT = 1 << 15
/** `form-data`; only beside `NAMED`. */
export const MULTIPART = 1 << 16
/** Any sign that a name or a call may have. */
export const SIGNED = 1 << 17
/** A literal, an element or a validator's word: maybe a call. */
export const CALL = 1 << 18
/** A command that takes a password by its place. */
export const PLACED = 1 << 19
/** A letter of no Latin script: its words have no blanks that would tell. */
export const FOREIGN = 1 << 20
/** An address that is a key itself. */
export const HOOK = 1 << 21
/** Bit of words for national numbers, and digits. */
export const NATIONAL = 1 << 27
/** A part of a secret's name, wherever it stands; only beside a sign that gives it a literal. */
export const GIVEN = 1 << 28
/** A sign of a password's hash. */
export const HASHED = 1 << 26
/** Lines, and a word that may head a column of secrets. */
export const TABLE = 1 << 25

// What the others are concluded from.
const MORE = 1 << 22
export const LESS = 1 << 23
/** Bit of beginnings or parts of keys. */
export const ISSUED = 1 << 24

/** Only sentences, commands and paths hold these. */
export const OF_PROSE = NATIONAL | NOUN | COMMAND | PLACED | FOREIGN | LINK | HOOK | JSON_TEXT | TABLE
/** Means nothing without words. */
const OF_WORDS = NOUN | COMMAND | PLACED
export const CODED = 1 << 31
const CONCLUDED = MORE | LESS | ISSUED | HASHED | CODED
/** Mean nothing without `NAMED`. */
const BESIDE_NAMED = ELEMENT | MULTIPART

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const QUOTES = ['"', "'", '\\']
/** A code stands before these. */
const BEHIND_CODES = words('is es er är jest to as als com è')
/** Words that `code` and its like are glued to. */
const CODE_KINDS = [
  ...words(`verification security login onetime sms auth authentication confirmation 2fa mfa otp reset backup recovery
    access activation pairing bestätigungs bestatigungs verifizierungs sicherheits einmal verificatie inlog bevestigings
    verifikations verifierings engangs engångs bekraftelses bekraftelses bekraeftelses bekräftelses bekräfelses bekrafelses
    vahvistus kertakaytto kertakäyttö kertakayttö kertakäytto one-time sign-in`),
  ...['one time', 'sign in'],
]

export const MARKS: readonly Marks[] = [
  { bit: NAMED | SIGNED, texts: ['=', ':', '("', "('", '(`', '(\\', ' -> '] },
  { bit: SIGNED, texts: ['(', '|| '] },
  // A name of MessagePack.
  { bit: NAMED | SIGNED, texts: words('passwordü passwdü secretü tokenü api_keyü apikeyü pwdü passü') },
  { bit: MORE | SIGNED, texts: ['>'] },
  { bit: LESS, texts: ['<'] },
  { bit: AT_SIGN, texts: ['@', ':5432:', ':5433:', ':6432:'] },
  { bit: AT_SIGN | SIGNED, texts: ['^connect '] },
  {
    bit: ESCAPED,
    texts: words('\\u00 \\x %2 %3 %4 %5 %6 %7 %c3 %c4 %c5 %ce %cf %d %e &# &amp &quot &apos &lt &gt'),
  },
  { bit: PEM, texts: ['-----begin'] },
  { bit: MULTIPART, texts: ['form-data'] },
  { bit: VALUES, texts: ['^value'] },
  { bit: QUOTED, texts: QUOTES.flatMap((quote) => [` ${quote}`, `ü${quote}`]) },
  { bit: ELEMENT, texts: QUOTES.flatMap((quote) => [`=${quote}`, `= ${quote}`, `=ü${quote}`]) },
  { bit: CALL, texts: ['"', "'", '`', '</', 'value:', 'value=', ' valid ', ' invalid '] },
  { bit: CALL | SIGNED, texts: ['", "', "', '", '","', "','", 'binding param', '==> param'] },
  { bit: DASHED, texts: ['^-'] },
  { bit: COMMAND, texts: [' -', ' /'] },
  {
    bit: PLACED,
    texts: PLACED_TEXTS,
  },
  {
    bit: SCHEME,
    texts: [
      ...[
        '^bearer ',
        'token, ',
        'token,ü',
        '^bearer,',
        '^basic ',
        '-u ',
        '--user',
        '^token ',
        '^ssws ',
        '^apikey ',
        '^api-key ',
        '^geniekey ',
      ],
      ...[
        '^negotiate',
        '^ntlm ',
        '^bot ',
        '^dpop ',
        '^kakaoak ',
        '^sharedkey',
        '^sharedaccess',
        '^hawk ',
        '^oauth ',
      ],
      ...['^mac ', '^hmac', '^privatetoken', '^private-token', '^splunk ', '^digest ', '-u"', "-u'"],
    ],
  },
  {
    bit: LINK,
    texts:
      words(`/reset /forgot /recover /change /set /new /create /password /account /email /mail /user /verif
      /confirm /validate /activat /magic /accept /invit /unsubscribe /unlock /login /otp /one /token /signin /sso /join
      /hooks /share /pay /download /redeem /claim /rsvp /decline /l/ /i/ /s/ /r/ /feed /ical /calendar`),
  },
  {
    bit: HOOK,
    texts: words(
      'hook wifi: /bot api.render maker.ifttt alchemy.com infura.io quiknode ankr.com pipedream openweathermap loggly /api/push rtmp twitch.tv victorops api.day.app discord.gg /joinchat t.me/+ chat.whatsapp shared_invite',
    ),
  },
  {
    bit: NOUN,
    texts: [
      ...words(`passwort kennwort ^passw ^passp ^passo ^passk ^kennwort ^zugangs ^contrase ^clave ^senha ^palavra ^mdp ^wachtwoord ^haslo ^hasł
        ^heslo ^losenord ^lösenord ^kodeord ^adgangskode ^salasana ^jelsz ^parol ^sifre şifre ^pwd ^requirepass ^masterauth ^bindpw
        ^identified ^zugriffs ^toegangs ^token ^sitzung ^geheimnis ^chiave ^chave ^klucz ^invit ^jeton ^ficha żeton ^apikey
        ^api-key ^api_key ^api-schl ^api_schl ^apischl ^api키 ^key ^secret ^session ^cookie ^signature ^hmac ^credential
        ^csrf ^xsrf ^ssws ^geniekey ^negotiate ^ntlm ^jwt ^bearer ^authtoken ^creds ^ssn ^lozink ^geslo ^slaptaz ^slaptaž ^pasahitz ^parool
        ^fjalek ^fjalëk ^mnemonic ^passport ^appsecret ^clientsecret ^apisecret ^corpsecret ^cvv ^cvc ^psk ^tan ^mtan ^itan ^dob ^geburtsd`),
      ...[
        '^mot de passe',
        '^mật kh',
        '^mat kh',
        '^kata s',
        '^kata l',
        '^cle s',
        '^cle p',
        '^clé s',
        '^clé p',
        '^clé a',
        '^cle d',
        '^cle a',
        '^clé d',
      ],
      ...[
        '^api key',
        '^api schl',
        '^api 키',
        '^pass ',
        '^pat ',
        '^pass,',
        '^pass k',
        '^pass c',
        '^pw ',
        '^cod de',
        '^seed ',
        '^seedp',
        '^recovery p',
        '^backup p',
        '^backup w',
        '^date of b',
        '^card ver',
        '^mã x',
        '^ma x',
        '^social s',
      ],
      ...words(`^passcode ^otp ^totp ^hotp ^anmelde ^tancode ^engangs ^engång ^kertak ^kod ^kód ^kood ^code ^codul ^codigo
        ^código ^codice ^pin`),
      ...CODE_KINDS.flatMap((kind) => [`^${kind}c`, `^${kind}p`, `^${kind}k`]),
    ],
  },
  {
    bit: CODED,
    texts: words('0 1 2 3 4 5 6 7 8 9').flatMap((digit) => BEHIND_CODES.map((word) => `${digit} ${word}`)),
  },
  {
    bit: GIVEN,
    texts: [
      ...words(`pass pwd psw secret token key cred auth salt licen phrase pepper code bind cn= dc= ou= uid= jwt dsn session cookie
      _pin pin_ hmac geheim login signin setuser _connect getconn pdo( imap_o mysqli sequelize cookieparser signwith sign( security`),
      ...[
        'wifi',
        'directoryentr',
        'aes.new(',
        'des.new(',
        'createuser',
        'create_user',
        'createsuper',
        'create_super',
        'keystore',
        'tochararray',
        '^pw ',
        '^pw"',
        "^pw'",
        '^pw)',
        '^pw=',
        '^pw:',
      ],
    ],
  },
  {
    bit: NATIONAL,
    texts: [
      ...words(`^cpf ^cnpj ^nino ^bsn ^burgerserv ^sofinum ^pesel ^dni ^nif ^aadha ^tfn ^itin ^steuer ^idnr ^personnum ^cpr ^fødsels
        ^fodsels ^hetu ^henkilö ^insee ^curp ^rodné ^oib ^jmbg ^cnp ^amka ^afm ^nric ^hkid ^reisepass ^personalausw ^ssn ^medicare
        ^nhs ^ahv ^avs ^sozialv ^rentenv ^rijksreg ^rodne ^isikuk ^ppsn ^mykad ^cnic ^nik ^kimlik ^tckn ^asmens ^kennit ^emirates ^iqama`),
      ...[
        '^social s',
        '^social i',
        '^national i',
        '^tax f',
        '^tax i',
        '^taxpayer',
        '^codice f',
        '^sin ',
        '^sin:',
        '^nir ',
        '^rut ',
        '^rut:',
        '^run ',
        '^rfc ',
        '^nie ',
        '^tin ',
        'curité soc',
        '^my number',
        '^mynumber',
        '^resident r',
        '^identity ',
        '^driver',
        '^passport',
        '^nip ',
        '^nip:',
      ],
    ],
  },
  {
    bit: ISSUED,
    texts: [
      ...ISSUER_RULES.map(({ prefix }) => `^${prefix}`),
      // Behind `\n` written out a word begins as well.
      ...words(
        'eyj hook /bot api.render maker.ifttt alchemy.com infura.io quiknode ankr.com .atlasv1 _mmk q~ \\n \\r \\t -us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9',
      ),
    ],
  },
  {
    bit: ISSUED | HASHED,
    texts: [
      // Hashes of passwords and keys whose signs cut their runs.
      ...words(`$1$ $5$ $6$ $7$ $8$ $9$ $y$ $gy$ $2$ $2a$ $2b$ $2x$ $2y$ $apr1 $argon2 $scrypt $pbkdf2 $krb5 $bcrypt $sha1 $md5
        pbkdf2 scrypt: django-insecure ^sha ^ssha $ansible | +acr`),
    ],
  },
]

const { next: NEXT, bits: BITS, start: START } = markTable(MARKS)

/**
 * Kinds of characters in one look-up: its class, and one bit each for a digit, a blank and a letter of a
 * word.
 */
const KIND = new Int32Array(128)
const CLASS = 63
const ONE_DIGIT = 64
/** Behind the letters and accents of Latin scripts. */
const FOREIGN_MIN = 0x370
const FOREIGN_BIT = 1 << 29
const BLANK_BIT = 1 << 30
const WORD_BIT = 1 << 31
KIND.set(CLASS_OF)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-0123456789')
  mark(letter, WORD_BIT)
for (const digit of '0123456789') mark(digit, ONE_DIGIT)
for (const blank of ' \t') mark(blank, BLANK_BIT)
function mark(letter: string, bit: number): void {
  KIND[letter.charCodeAt(0)] = (KIND[letter.charCodeAt(0)] ?? 0) | bit
}
/** The same of every code there is, so that the loop over all texts need not look where ASCII ends. */
const KIND_OF_ANY = new Int32Array(0x1_0000).fill(KIND[127] ?? 0)
KIND_OF_ANY.set(KIND)
for (let code = FOREIGN_MIN; code < KIND_OF_ANY.length; code++)
  KIND_OF_ANY[code] = (KIND[127] ?? 0) | FOREIGN_BIT

export const LONG_RUN = 16
export const DIGITS_MIN = 9
export const NATIONAL_DIGITS = 5

/** True for a text that no rule can match, whatever the project's keys; addresses are another matter. */
export function isHarmlessText(text: string): boolean {
  return text.length < CHARS_MIN || triggersOf(text) === 0
}

/**
 * Returns what a text may hold: the one cost that every text of every event has. Nothing branches on a
 * character.
 */
export function triggersOf(text: string): number {
  const end = text.length
  let state = START
  let found = 0
  let run = 0
  let runs = 0
  let digits = 0
  let blank = 0
  let kinds = 0
  for (let at = 0; at < end; at++) {
    const kind = KIND_OF_ANY[codeAt(text, at)] ?? 0
    kinds |= kind
    state = NEXT[(state << WIDTH_BITS) + (kind & CLASS)] ?? 0
    found |= BITS[state] ?? 0
    // The highest bits, spread over all: a run goes on or is 0.
    blank |= run & ((kind << 1) >> 31)
    run = (run + 1) & (kind >> 31)
    runs |= run
    digits += kind & ONE_DIGIT
  }
  if ((kinds & FOREIGN_BIT) !== 0) found |= FOREIGN
  const all = withLonger(text, { found, isLong: runs >= LONG_RUN, digits: digits / ONE_DIGIT })
  return concludeTriggers(text, all, blank !== 0)
}

interface Runs {
  readonly found: number
  readonly isLong: boolean
  readonly digits: number
}

/** With what takes a closer look at few texts. */
function withLonger(text: string, { found, isLong, digits }: Runs): number {
  let triggers = found
  if ((found & HASHED) !== 0 || (isLong && ((found & ISSUED) !== 0 || isTokenLike(text)))) triggers |= TOKEN
  if ((found & CODED) !== 0 && MAYBE_CODE.test(text)) triggers |= NOUN
  if (digits < NATIONAL_DIGITS) triggers &= ~NATIONAL
  if (digits >= DIGITS_MIN && mayHoldIban(text)) triggers |= DIGITS
  if (digits >= CARD_RUN && hasCardRun(text)) triggers |= CARD
  return beginsJson(text) ? triggers | JSON_TEXT : triggers
}

/** Without the marks that mean nothing alone. */
function concludeTriggers(text: string, found: number, hasBlank: boolean): number {
  let triggers = found
  if ((triggers & (MORE | LESS)) === (MORE | LESS)) triggers |= NAMED
  const isSigned = (triggers & SIGNED) !== 0
  if ((found & NOUN) !== 0 && text.includes('\n')) triggers |= TABLE
  if (!hasBlank) triggers &= ~(VALUES | QUOTED)
  if (!hasBlank && (triggers & OF_WORDS) !== 0 && !(isSigned && text.includes(': '))) triggers &= ~OF_WORDS
  if (!isSigned) triggers &= hasBlank ? ~(AT_SIGN | VALUES) : ~(AT_SIGN | VALUES | CALL)
  if ((triggers & NAMED) === 0) triggers &= ~BESIDE_NAMED
  // A quote is enough, even without a blank: `[{password,"X"}]`.
  if ((found & GIVEN) !== 0 && (found & (PLACED | CALL | NAMED)) === 0 && !text.startsWith('ENV '))
    triggers &= ~GIVEN
  triggers &= ~CONCLUDED
  return (triggers & ~SIGNED) === 0 ? 0 : triggers
}

/** Whether a text of this first sign can be JSON. */
function beginsJson(text: string): boolean {
  const first = text.charCodeAt(0)
  return first === 0x7b || first === 0x5b || first <= 0x20
}

export { BLOB_RUN, CARD_RUN, WORD_RUN } from './long-runs.ts'

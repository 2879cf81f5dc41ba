/**
 * Lines that clients and servers exchange to sign somebody in, as logs of protocols keep them: mail, files, chat,
 * directories, stores and queues. A verb in capitals begins a line, behind a tag or a sign of direction; its last word is
 * the password, of letters alone too.
 */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isOrdinary } from './ordinary.ts'

type OnFound = (rule: string, value: string) => void

/**
 * Beginning of such a line: at a line's begin, behind a direction, a quote, a speaker, or the end of a log's
 * head.
 */
const BEGIN = String.raw`(?<=^|[\r\n]|\\[rn]|[<>"'\x60\])} ]|: ?)`
const TAG = String.raw`(?:[A-Za-z]{0,4}\d{1,6} |\* )?`
const QUOTED = String.raw`"[^"\r\n]{1,256}"|'[^'\r\n]{1,256}'`
const NAME = String.raw`(?:${QUOTED}|[^\s"']{1,128})`
const VALUE = String.raw`(["']?)([^\s"'\x60<>](?:[^"'\r\n\x60\\]{0,254}[^\s"'\r\n\x60\\])?)`
const WORD = String.raw`(["']?)([^\s"'\x60<>\\]{3,256})`
const LINE_END = String.raw`(?=\4?["'\x60\])}]{0,2}(?:\s{0,4}$|[ \t]{0,4}[\r\n]|\\[rn]))`
const lineOf = (verb: string, value: string, end = LINE_END): RegExp =>
  new RegExp(`(${BEGIN})(${verb} )()${value}${end}`, 'g')

interface VerbRule {
  readonly sign: string
  readonly pattern: RegExp
  /** Without a sign that the text is an exchange, a single word behind the verb may be anything. */
  readonly isClear: boolean
}

const RULES: readonly VerbRule[] = [
  // `PASS X` of POP, FTP and chat, `AUTHINFO PASS X` of news.
  { sign: 'PASS ', pattern: lineOf(`${TAG}(?:AUTHINFO )?X?PASS`, WORD), isClear: false },
  // `a1 LOGIN bob X`
  { sign: 'LOGIN ', pattern: lineOf(`${TAG}LOGIN ${NAME}`, `(?:${VALUE})`), isClear: false },
  // `AUTH X`, `AUTH bob X`, `HELLO 3 AUTH default X`
  {
    sign: 'AUTH ',
    pattern: lineOf(String.raw`(?:HELLO \d )?AUTH(?: [\w.@-]{1,64}(?= [^\s=]))?`, WORD),
    isClear: false,
  },
  {
    sign: 'HELLO ',
    pattern: lineOf(String.raw`HELLO \d AUTH [\w.@-]{1,64}`, WORD, String.raw`(?=["']?(?:\s|$))`),
    isClear: true,
  },
  // Of redis, in its settings and on its line.
  {
    sign: 're',
    pattern: lineOf('(?:CONFIG SET |config set )?requirepass', WORD, String.raw`(?=["']?(?:\s|$))`),
    isClear: true,
  },
  {
    sign: 'masterauth ',
    pattern: lineOf('(?:CONFIG SET |config set )?masterauth', WORD, String.raw`(?=["']?(?:\s|$))`),
    isClear: true,
  },
  // Of chat: services that know people, operators, channels with a key.
  {
    sign: 'IDENTIFY ',
    pattern: lineOf(
      String.raw`(?:PRIVMSG |NOTICE )?(?:\w{2,16}(?:@[\w.]{2,64})? :?)?IDENTIFY(?: \w{1,32}(?= \S))?`,
      WORD,
    ),
    isClear: true,
  },
  {
    sign: ' :',
    pattern: lineOf(
      String.raw`PRIVMSG \S{1,64} :(?:AUTH|LOGIN|REGISTER|GHOST|RECOVER)(?: \w{1,32}(?= \S))?`,
      WORD,
      String.raw`(?=\s|$|["'\\])`,
    ),
    isClear: true,
  },
  { sign: 'OPER ', pattern: lineOf(String.raw`OPER \S{1,32}`, WORD), isClear: false },
]

/** Lines of the same exchange, or a sign of who speaks. */
const EXCHANGE =
  /(?:^|[\r\n"'> ]|\\n)(?:USER|NICK|CAPA|EHLO|HELO|QUIT|CAP|PING|SELECT|STAT|LIST)\b[ :\r\n\\]?|\+OK|-ERR|-WRONGPASS|-NOAUTH|WRONGPASS|(?:^|[\r\n<>:" -])[2-5]\d\d[ -][A-Z]|(?:^|[\r\n]|\\n)(?:[CS<>]|-->|<--|>>>?|<<<?)[:>\s]|\b(?:[a-z]{1,2}\d{1,4} (?:OK|NO|BAD|LOGIN)|IMAP|imap|POP3?|pop3|SMTP|smtp|FTP|ftp|IRC|irc|redis|Redis|NNTP|command|sent|send|executing|client)\b|(?:PASS|AUTH|LOGIN)[^\r\n]{1,200}(?:\r|\\r)/
const MESSAGE =
  /^(?:[\w./-]{1,200}\.(?:[cm]?[jt]sx?|py|rb|go|php|java|rs|feature|spec)|[A-Za-z_.-]{1,64}(?:\/[A-Za-z_.-]{1,64}){1,8}|\d{1,6}|\(.{0,64})$/

export function scrubExchanges(text: string, onFound: OnFound): string {
  let out = text
  let isExchange: boolean | undefined
  for (const { sign, pattern, isClear } of RULES) {
    if (!out.includes(sign)) continue
    const before = out
    out = out.replace(pattern, (whole: string, ...groups: (string | number)[]) => {
      const [, verb = '', , quote = '', value = ''] = groups.map(String)
      if (value.startsWith('$') || isPlaceholder(value) || value.includes('[Filtered') || MESSAGE.test(value))
        return whole
      const first = value.split(' ')[0] ?? ''
      if (quote === '' && (isOrdinary(first) || isHarmlessWord(first) || value.includes(' '))) return whole
      if (!isClear && !/^\S{0,32}\d \S/.test(verb)) {
        isExchange ??= EXCHANGE.test(before)
        if (!isExchange && before.trim() !== whole.trim()) return whole
      }
      onFound('password', value)
      return whole.slice(0, whole.length - value.length) + FILTERED
    })
  }
  return out
}

/** Pattern of arrays, and of a protocol's bytes: `["AUTH", "default", "X"]`, `AUTH\r\n$9\r\nX`. */
const LISTED =
  /((["'])AUTH\2(?:(?:,\s?b?|\s)\2[^"'\n]{1,64}\2(?=[,\s]))?(?:,\s?b?|\s)\2)([^"'\n]{3,256})(?=\2(?:\s?[\])},]|\s{0,4}$|[\r\n]))/gi
/** Commands as Redis' monitor shows them: `"CONFIG" "SET" "requirepass" "X"`, `"ACL" "SETUSER" "bob" "on" ">X"`. */
const MONITORED =
  /("(?:CONFIG" "SET" "(?:requirepass|masterauth|tls-key-file-pass)" "|ACL" "SETUSER" (?:"[^">\n]{1,64}" ){1,8}">))([^"\n]{3,256})(?=")/gi
const BULK =
  /(\bAUTH(?:\r\n|\\r\\n)(?:\$\d{1,4}(?:\r\n|\\r\\n)[^\r\n\\]{1,64}(?:\r\n|\\r\\n)(?=\$))?\$\d{1,4}(?:\r\n|\\r\\n))([^\r\n\\]{3,256})/gi

export function scrubSpelled(text: string, onFound: OnFound): string {
  if (!/AUTH["'\r\\]|auth["'\r\\]|"SETUSER"|pass"/i.test(text)) return text
  const take = (whole: string, ...groups: string[]): string => {
    const value = whole.slice((groups[0] ?? '').length)
    if (value.includes('[Filtered') || isPlaceholder(value) || isOrdinary(value)) return whole
    onFound('password', value)
    return `${groups[0] ?? ''}${FILTERED}`
  }
  return text.replace(LISTED, take).replace(BULK, take).replace(MONITORED, take)
}

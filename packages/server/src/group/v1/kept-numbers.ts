/** Part of grouping version 1. Which number of a message is the cause and not what varies: a status, a code, a port. */

const AROUND_CHARS = 40
const BEFORE =
  /(?:\bHTTPS?(?:\/(?:\d|<float>|<int>))?(?:[ _-](?:error|response|status|exception))?(?:[ _-]?code)?|\bstatus(?:[ _-]?(?:code|text))?(?: was unacceptable)?|\b(?:response|error)[ _-]?code|\b(?:responded|failed|answered) with(?: error)?|\bresulted in|\bGraphQL Error|\b(?:server|upstream|backend|gateway) (?:returned|answered|sent)|\b(?:Client|Server) error|\bgoogleapi: Error|\breturned error|\bAn error occurred|\bfetch failed|\bwithin the given range|\bprotocol=[\w/.]{1,12}, code|\[[A-Z]{3,7}\] "[^"]{0,400}":)(?: (?:an?|of|is|was|the))?(?: (?:status|code|HTTP))?(?: \(?code)?["'`]?\s{0,2}[:=([#-]?\s{0,2}["'`]?$/i
/** Written as the standard writes it: `order 404 not found` tells of an order. */
const AFTER =
  /^(?:\)|:| -|,? message=)? ?["'`]?\(?(?:OK|Moved Permanently|Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Time-?out|Conflict|Gone|Precondition Failed|Payload Too Large|Content Too Large|Request Entity Too Large|URI Too Long|Unsupported Media Type|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out|Client Error|Server Error)(?!\w)/

/** `400 {"error": …}`: a status and the body that came with it. */
const BODY = /^ \{["\\]/

/** `at`: where the number begins in `text`. */
function isHttpStatus(number: string, at: number, text: string): boolean {
  if (!/^[1-5]\d\d$/.test(number)) return false
  const end = at + number.length
  if (at === 0 && BODY.test(text.slice(end, end + 3))) return true
  return (
    BEFORE.test(text.slice(Math.max(0, at - AROUND_CHARS), at)) ||
    AFTER.test(text.slice(end, end + AROUND_CHARS))
  )
}

const STATUS = /(?<![\w.-])[1-5]\d\d(?![\w]|\.\d)/g
const STATUSES_MAX = 20

/** RFC 9110 and kin: what clients such as aiohttp and superagent say alone. */
const STATUS_BY_TEXT: ReadonlyMap<string, string> = new Map(
  [
    ...['400 Bad Request', '401 Unauthorized', '402 Payment Required', '403 Forbidden', '404 Not Found'],
    ...['405 Method Not Allowed', '406 Not Acceptable', '408 Request Timeout', '409 Conflict', '410 Gone'],
    ...['411 Length Required', '412 Precondition Failed', '413 Payload Too Large', '413 Content Too Large'],
    ...['413 Request Entity Too Large', '415 Unsupported Media Type', '422 Unprocessable Entity'],
    ...['422 Unprocessable Content', '423 Locked', '425 Too Early', '428 Precondition Required'],
    ...['429 Too Many Requests', '431 Request Header Fields Too Large', '451 Unavailable For Legal Reasons'],
    ...['500 Internal Server Error', '501 Not Implemented', '502 Bad Gateway', '503 Service Unavailable'],
    ...['504 Gateway Timeout', '504 Gateway Time-out', '507 Insufficient Storage'],
  ].map((line) => [line.slice(4).toLowerCase(), line.slice(0, 3)]),
)
const STATUS_TEXT_CHARS_MAX = 40

/** The status of an answer that a client’s message tells; empty where it tells none. */
export function httpStatusIn(message: string): string {
  if (message.length <= STATUS_TEXT_CHARS_MAX) {
    const status = STATUS_BY_TEXT.get(message.trim().replace(/\.$/, '').toLowerCase())
    if (status !== undefined) return status
  }
  const text = message.slice(0, 1_024)
  let tried = 0
  for (const match of text.matchAll(STATUS)) {
    tried += 1
    if (tried > STATUSES_MAX) return ''
    const [number] = match
    // 1xx to 3xx are rarely a failure, and often a number of another kind.
    if (number >= '400' && isHttpStatus(number, match.index, text)) return number
  }
  return ''
}

/** Ports from here on are handed out by the system, one a connection. */
const EPHEMERAL_PORT = 32_768
const BEFORE_PORT = /(?:<ip>|\blocalhost|[\w-]\.[a-z]{2,24}|:\/\/[^\s/]{1,60}|\])\]?:$/i

/** `10.0.0.12:5432`: which service. */
function isPortNumber(number: string, at: number, text: string): boolean {
  if (text[at - 1] !== ':' || number.length > 5 || Number(number) >= EPHEMERAL_PORT) return false
  return BEFORE_PORT.test(text.slice(Math.max(0, at - 80), at))
}

const BEFORE_CODE =
  /(?:\bSQLSTATE[\s:[(=]{1,3}|\bORA-|\b(?:os |system )?errno[\s:=)]{1,3}|\[Errno |\[WinError |\bHRESULT[\s:=(]{1,3}|\b(?:exit|error|return|result|vendor|native|SQL|oracle|database|driver|exception)[ _-]?(?:code|status|number)(?: of| was| is)?[\s:=#(]{1,3}|\bexited with(?: code| status)?[ :]|\bexit status |\bsignal |\bos error |\bMySQL error |\(ER_\w{1,60}\) ?)$/i
/** `Error 1062 (23000): …`, `(1062, "Duplicate entry …")` */
const AFTER_CODE = /^ \([0-9A-Z]{5}\)[:\s]|^, ?["']/
const BEFORE_STATE = /\b\d{4} \($/
const CODE_CHARS_MAX = 5
const HEX_CODE = /^0x[0-9a-f]{1,8}$/i

/** True for a code of an error, as systems and databases give them. */
export function isCode(number: string, at: number, text: string): boolean {
  const before = text.slice(Math.max(0, at - AROUND_CHARS), at)
  if (number.startsWith('0x') || number.startsWith('0X')) {
    return (
      HEX_CODE.test(number) && (BEFORE_CODE.test(before) || (/^0x[8c]/i.test(number) && before.endsWith('(')))
    )
  }
  if (number.length > CODE_CHARS_MAX) return false
  if (BEFORE_CODE.test(before)) return true
  if (number.length === 4 && AFTER_CODE.test(text.slice(at + 4, at + 16)))
    return before === '(' || /(?:error|errno)[ :]{1,2}$/i.test(before)
  return number.length === CODE_CHARS_MAX && BEFORE_STATE.test(before)
}

/** True for a number that stays: a status, a port, a code, the `1` of `$1`, which is a place in a statement. */
export function isKeptNumber(match: string, at: number, text: string): boolean {
  if (text[at - 1] === '$') return true
  return isHttpStatus(match, at, text) || isPortNumber(match, at, text) || isCode(match, at, text)
}

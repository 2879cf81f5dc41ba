/** Frozen part of grouping version 1. Which number of a message is an HTTP status: the cause, not what varies. */

const AROUND_CHARS = 40
const BEFORE =
  /(?:\bHTTPS?(?:\/(?:\d|<float>|<int>))?(?:[ _-](?:error|response|status|exception))?(?:[ _-]?code)?|\bstatus(?:[ _-]?(?:code|text))?|\bresponse[ _-]?code|\bresponded with|\b(?:server|upstream|backend|gateway) (?:returned|answered|sent))(?: (?:an?|of|is|was|the))?(?: (?:status|code|HTTP))?["'`]?\s{0,2}[:=([#-]?\s{0,2}["'`]?$/i
/** Written as the standard writes it: `order 404 not found` tells of an order. */
const AFTER =
  /^(?:\)|:| -)? ?\(?(?:OK|Moved Permanently|Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Time-?out|Conflict|Gone|Precondition Failed|Payload Too Large|Content Too Large|Request Entity Too Large|URI Too Long|Unsupported Media Type|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out|Client Error|Server Error)(?!\w)/

/** `at`: where the number begins in `text`. */
export function isHttpStatus(number: string, at: number, text: string): boolean {
  if (!/^[1-5]\d\d$/.test(number)) return false
  const end = at + number.length
  return (
    BEFORE.test(text.slice(Math.max(0, at - AROUND_CHARS), at)) ||
    AFTER.test(text.slice(end, end + AROUND_CHARS))
  )
}

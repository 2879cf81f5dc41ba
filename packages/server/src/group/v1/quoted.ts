/**
 * Part of grouping version 1. What stands in quotation marks is mostly what a person typed: it differs from
 * occurrence to occurrence. Names of the code stay, for they are the cause: `has no attribute 'total'`.
 *
 * Every pattern is linear: a bound on each repetition, none inside another.
 */

/** An apostrophe is no quotation mark: the single ones begin after no letter and end before none. */
const QUOTED =
  /"[^"\n]{0,512}"|`[^`\n]{0,512}`|“[^”\n]{0,512}”|„[^“”\n]{0,512}[“”]|«[^»\n]{0,512}»|‘[^’\n]{0,512}’(?!\w)|‚[^‘’\n]{0,512}[‘’](?!\w)|‹[^›\n]{0,512}›|「[^」\n]{0,512}」|『[^』\n]{0,512}』|《[^》\n]{0,512}》|(?<!\w)'(?:[^'\n]|'(?=[\w<])){0,512}'(?!\w)/g

const NAME = /^[\w$.:@#/\\-]{1,80}$/
/** Distance within which code around a name is looked for. */
const AROUND_CHARS = 40
const BEFORE_NAME =
  /(?:\b(?:reading|setting|evaluating|attribute|property|prop|field|method|function|module|named|class|entity|variable|argument|parameter|(?:object|column|procedure|host|field) name|(?:row|values?) in object|column|table|view|relation|constraint|index|trigger|sequence|procedure|collection|keyspace|database|schema|import|export|package|component|hook|type|model|constant|identifier|interface|instance of|look ?up|resolv(?:e|ing)|no queue|vhost|key|keys|at path|option|setting|flag|feature|permission|role|scope|header|command|event|host|hostname|server|endpoint|queue|topic|bucket|stream|exchange|domain|execute|construct|supplied to|propert(?:y|ies) (?:from|of|on|in))(?:[: ] ?|=)|['"`] (?:on|from) |\b(?:fields?|columns?|properties|arguments?):? ?[([](?:[`'"][\w$.]{1,40}[`'"], ?){0,4})$/i
/** Java's words for a null: `Cannot invoke "shop.Cart.total()" because …`. */
const INVOKED = /\bCannot invoke $/
const METHOD = /^[\w$.]{1,120}\([\w$.,[\] ]{0,120}\)$/
const AFTER_NAME =
  /^ (?:object\b|is not (?:defined|a function|a constructor|iterable|callable|subscriptable|exported|assignable)|has (?:no|already)\b|is (?:undefined|read-only)|must be (?:of type|an instance)|(?:module|method|property|attribute|column|table|relation|keyword|argument)\b|before initialization)/i
/** Corner brackets and guillemets of Chinese and Japanese: a word of code stands before or behind, without a blank. */
const CORNERS = /^[「『《]/
const CODE_WORD =
  '(?:属性|屬性|字段|欄位|数据表|数据列|资料表|方法|函数|函式|変数|变量|變數|参数|參數|模块|模組|组件|接口|数据库|索引|约束|関数|引数|プロパティ|フィールド|カラム|テーブル|メソッド|モジュール|クラス|コンポーネント|(?<!\\p{Script=Han})[表列类])名?'
const BEFORE_CORNERS = new RegExp(`${CODE_WORD}[ :：]{0,2}$`, 'u')
const AFTER_CORNERS = new RegExp(`^ ?(?:という)?${CODE_WORD}`, 'u')
/**
 * Names in JSON of a cause (see `spelled-objects.ts`), and words of gRPC and loggers before what was wrong.
 */
const BEFORE_TOLD =
  /(?:["'](?:error|message|msg|code|type|kind|reason|status|title|detail|field|column|table|constraint|host|method|operation|service|path|loc)["'] ?: ?|\b(?:desc|err|error|cause|reason) ?= ?|\bwith (?:the )?(?:message|reason|error):? )$/i
/** A JSON body is no sentence: what is quoted there is all that it says. */
const JSON_BODY = /^[{[]/
/** `404`, `404 Not Found`, `GET https://api.shop.test/orders` */
const STATUS_OR_ADDRESS =
  /^[1-5]\d\d(?: [A-Z][A-Za-z ]{1,40})?$|^(?:[A-Z]{3,7} )?[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`]{1,300}$/
const PLACEHOLDERS = /<\w{1,20}>/g

/** Quoted text by one name for all; a message that consists of it alone stays. */
export function withoutQuotedText(text: string): string {
  if (JSON_BODY.test(text)) return text
  const isSql = isStatement(text)
  const plain = text.replace(QUOTED, (match: string, at: number, whole: string) =>
    isQuoteKept(match, at, whole) ||
    (isSql && NAME.test(match.slice(1, -1)) && isQuotedColumn(match, at, whole))
      ? match
      : '<quoted_str>',
  )
  return /\p{L}/u.test(plain.replace(PLACEHOLDERS, '')) ? plain : text
}

function isQuoteKept(match: string, at: number, whole: string): boolean {
  const inside = match.slice(1, -1)
  // A status that was left, an address without what varies in it, a file, a part of JSON within a sentence.
  if (STATUS_OR_ADDRESS.test(inside) || inside.includes('<path>')) return true
  const end = at + match.length
  const before = whole.slice(Math.max(0, at - AROUND_CHARS), at)
  if (BEFORE_TOLD.test(before)) return true
  if (whole[end] === ':') return JSON_KEY.test(before) || isSubject(inside, before)
  if (INVOKED.test(before) && METHOD.test(inside)) return true
  if (!NAME.test(inside)) return false
  const after = whole.slice(end, end + AROUND_CHARS)
  if (CORNERS.test(match) && (BEFORE_CORNERS.test(before) || AFTER_CORNERS.test(after))) return true
  return BEFORE_NAME.test(before) || AFTER_NAME.test(after)
}

const JSON_KEY = /[{,]\s{0,9}$/
/**
 * Words before a value that was read, or its owner: `parsing "x911": invalid syntax`, `user 'anna': no
 * access`.
 */
const BEFORE_READ =
  /\b(?:pars(?:e|ing)|values?|literal|input|text|string|got|received|given|token|duration|date|time|number|e-?mail|user(?: ?name)?|login|account|member|customer|recipient|person|called|search(?:ing)?|query|term|phrase)[ :=]{1,2}$/i

/** True for the subject of the rest of a sentence, such as a program: `exec: "convert": not found`. */
function isSubject(inside: string, before: string): boolean {
  return NAME.test(inside) && !/\d/.test(inside) && !BEFORE_READ.test(before)
}

/** Signs and words of a comparison; a value follows. */
const BEFORE_VALUE = /(?:[=<>]|\blike) ?$/i

/** Names of tables and columns in a statement. */
function isQuotedColumn(match: string, at: number, whole: string): boolean {
  return /^[`"]/.test(match) && !BEFORE_VALUE.test(whole.slice(Math.max(0, at - 8), at))
}

function isStatement(text: string): boolean {
  return (
    /\b(?:insert into|delete from|create table|alter table)\b/i.test(text) ||
    (/\bselect\b/i.test(text) && /\bfrom\b/i.test(text)) ||
    (/\bupdate\b/i.test(text) && /\bset\b/i.test(text))
  )
}

/**
 * Part of grouping version 1. One failure in the words of V8, SpiderMonkey and JavaScriptCore. What a wording says of the
 * program stays, such as the property that was read; `$<name>` is a name of the program where the engine tells it.
 *
 * Patterns are anchored and linear; texts are cut before.
 */

export interface EngineRule {
  readonly what: string
  readonly patterns: readonly RegExp[]
  /** `{name}`: the last part of what the pattern calls so, of a minifier `<name>`; `{prop}`, which minifiers leave, `{of}`. */
  readonly to: string
  /** Where engines have several types for it. */
  readonly type?: string
  readonly examples: readonly string[]
  readonly gives: string
  readonly source: string
}

const ENGINES = 'V8, messages-template.h; SpiderMonkey, js.msg; JavaScriptCore, ExceptionHelpers.cpp'
const PAGES = 'Blink, exception_messages.cc; Gecko, domerr.msg; WebKit, DOMException.cpp'
const JSON_TEXTS = 'V8, messages-template.h; SpiderMonkey, JSONParser.cpp; JavaScriptCore, LiteralParser.cpp'

/** Texts are given to the rules for these types alone. */
export const ENGINE_TYPES: ReadonlySet<string> = new Set([
  ...['Error', 'TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'InternalError', 'URIError'],
  ...['UnhandledRejection', 'QuotaExceededError', 'NotFoundError', 'SecurityError', 'DataCloneError'],
  ...['NS_ERROR_DOM_QUOTA_REACHED', 'NS_ERROR_OUT_OF_MEMORY', 'NS_ERROR_FAILURE', 'NS_ERROR_DOM_BAD_URI'],
])

const EVALUATED =
  "(?:[^']{0,300}?[.?\\s[\"]{1,3})?(?<prop>[\\w$#]{1,100})\"?\\]?(?:\\([^']{0,200})?(?: ?=[^']{0,200})?"

export const ENGINE_RULES: readonly EngineRule[] = [
  {
    what: 'something of nothing is iterated, and its name is not told',
    patterns: [
      /^(?:undefined|null|object)(?: null)? is not iterable(?:[!.]| \(cannot read property Symbol\(Symbol\.iterator\)\))?$/,
      /^(?:undefined|null) is not an object \(evaluating '[^']{0,300}\[Symbol\.iterator\][^']{0,100}'\)$/,
      /^Spread syntax requires \.\.\.iterable\[Symbol\.iterator\] to be a function/,
    ],
    to: '<name> is not iterable',
    examples: [
      'undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
      "undefined is not an object (evaluating 't[Symbol.iterator]')",
      'Spread syntax requires ...iterable[Symbol.iterator] to be a function',
      't is not iterable',
    ],
    gives: '<name> is not iterable',
    source: ENGINES,
  },
  {
    what: 'a property of nothing was read, written or called',
    patterns: [
      /^Cannot (?:read|set) propert(?:y|ies) of (?<of>null|undefined) \((?:reading|setting) '(?<prop>[^']{0,100})'\)/,
      /^Cannot (?:read|set) property '(?<prop>[^']{0,100})' of (?<of>null|undefined)/,
      /^Cannot destructure property '(?<prop>[^']{0,100})' of '[^']{0,200}' as it is (?<of>null|undefined)/,
      /^can't access property "?(?<prop>[^",]{1,100})"?, .{1,300} is (?<of>null|undefined)$/,
      /^.{1,300} is (?<of>null|undefined); can't access its "(?<prop>[^"]{1,100})" property$/,
      new RegExp(`^(?<of>null|undefined) is not an object \\(evaluating '${EVALUATED}'\\)$`),
    ],
    to: 'cannot read {prop} of {of}',
    examples: [
      "Cannot read properties of null (reading 'includes')",
      'can\'t access property "includes", e.request_types is null',
      "null is not an object (evaluating 'e.request_types.includes')",
      "Cannot set property 'includes' of null",
      "null is not an object (evaluating 'e.includes = 1')",
      "null is not an object (evaluating 'e.request_types.includes(t)')",
    ],
    gives: 'cannot read includes of null',
    source: ENGINES,
  },
  {
    what: 'something of nothing was read, and its name is not told',
    patterns: [
      /^Cannot read properties of (?<of>null|undefined)$/,
      /^[\w$.[\]()"']{1,200} is (?<of>null|undefined)$/,
      /^(?<of>null|undefined) is not an object(?: \(evaluating '[^']{0,400}'\))?$/,
      /^Cannot destructure '[^']{0,200}' as it is (?<of>null|undefined)\.?$/,
      /^(?<of>null|undefined) has no properties$/,
    ],
    to: '{of} has no properties',
    examples: ['e.items is undefined', 'undefined is not an object'],
    gives: 'undefined has no properties',
    source: ENGINES,
  },
  {
    what: 'something of nothing is iterated',
    patterns: [
      /^(?:.{0,200}[.\s])?(?<name>[\w$]{1,100}) is not iterable(?:[!.]| \(cannot read property Symbol\(Symbol\.iterator\)\))?$/,
      /^undefined is not a function \(near '\.\.\.(?:.{0,200}[.\s])?of (?:[\w$]{1,100}\.){0,9}(?<name>[\w$]{1,100})\.\.\.'\)$/,
    ],
    to: '{name} is not iterable',
    examples: ['e.items is not iterable', "undefined is not a function (near '...t of e.items...')"],
    gives: 'items is not iterable',
    source: ENGINES,
  },
  {
    what: 'what is called is no function, and its name is not told',
    patterns: [/^(?:undefined|null|object null) is not a function\.?$/],
    to: '<name> is not a function',
    examples: ['undefined is not a function', 't is not a function'],
    gives: '<name> is not a function',
    source: ENGINES,
  },
  {
    what: 'what is called is no function',
    patterns: [
      /^(?:.{0,200}[.\s])?(?<name>[\w$#]{1,100})(?:\([^()]{0,100}\))? is not a function(?:\. \(In '.{0,500})?\.?$/s,
      /^(?:undefined|null) is not a function \(near '\.\.\.(?:.{0,200}\.)?(?<name>[\w$#]{1,100})\.\.\.'\)$/,
      /^(?:undefined|null) is not a function \(evaluating '(?:[^']{0,300}\.)?(?<name>[\w$#]{1,100})(?:\([^']{0,200})?'\)$/,
    ],
    to: '{name} is not a function',
    examples: [
      'e.save is not a function',
      "e.save is not a function. (In 'e.save()', 'e.save' is undefined)",
      "undefined is not a function (near '...e.save...')",
      "undefined is not a function (evaluating 'e.save()')",
    ],
    gives: 'save is not a function',
    source: ENGINES,
  },
  {
    what: 'what is made anew is no class',
    patterns: [
      /^(?:undefined|null) is not a constructor \(evaluating 'new (?:[^'(]{0,200}\.)?(?<name>[\w$#]{1,100})(?:\([^']{0,300})?'\)$/,
      /^(?:.{0,200}[.\s])?(?<name>[\w$#]{1,100}) is not a constructor(?: \(evaluating '.{0,500})?\.?$/s,
    ],
    to: '{name} is not a constructor',
    examples: [
      't.Cart is not a constructor',
      "t.Cart is not a constructor (evaluating 'new t.Cart')",
      "undefined is not a constructor (evaluating 'new t.Cart')",
    ],
    gives: 'Cart is not a constructor',
    source: ENGINES,
  },
  {
    what: 'a variable does not exist',
    patterns: [
      /^(?<name>[\w$]{1,100}) is not defined$/,
      /^Can't find variable: (?<name>[\w$]{1,100})$/,
      /^Property '(?<name>[\w$]{1,100})' doesn't exist$/,
    ],
    to: '{name} is not defined',
    examples: ['gtag is not defined', "Can't find variable: gtag", "Property 'gtag' doesn't exist"],
    gives: 'gtag is not defined',
    source: ENGINES,
  },
  {
    what: 'a variable is used before it is set, and its name is not told',
    patterns: [/^Cannot access uninitialized variable\.?$/],
    to: "Cannot access '<name>' before initialization",
    examples: ['Cannot access uninitialized variable.', "Cannot access 't' before initialization"],
    gives: "Cannot access '<name>' before initialization",
    source: ENGINES,
  },
  {
    what: 'a variable is used before it is set',
    patterns: [
      /^Cannot access '(?<name>[\w$]{1,100})' before initialization\.?$/,
      /^can't access lexical declaration ['"`]?(?<name>[\w$]{1,100})['"`]? before initialization$/,
    ],
    to: "Cannot access '{name}' before initialization",
    examples: [
      "Cannot access 'total' before initialization",
      "can't access lexical declaration 'total' before initialization",
    ],
    gives: "Cannot access 'total' before initialization",
    source: ENGINES,
  },
  {
    what: 'what may not change is written',
    patterns: [
      /^Assignment to constant variable\.?$/,
      /^invalid assignment to const .{1,100}$/,
      /^Attempted to assign to readonly property\.?$/,
      /^Cannot assign to read only property .{1,300}$/s,
      /^(?:"[^"]{1,100}"|'[^']{1,100}'|[\w$.]{1,100}) is read-only$/,
    ],
    to: 'assignment to what is read-only',
    examples: [
      'Assignment to constant variable.',
      "invalid assignment to const 'total'",
      'Attempted to assign to readonly property.',
    ],
    gives: 'assignment to what is read-only',
    source: ENGINES,
  },
  {
    what: 'JSON ends too early',
    patterns: [
      /^Unexpected end of (?:JSON )?input$/,
      /^JSON\.parse: unexpected end of data\b/,
      /^JSON Parse error: Unexpected EOF$/,
      /^Failed to execute 'json' on 'Response': Unexpected end of (?:JSON )?input$/,
    ],
    to: 'JSON ends too early',
    examples: [
      'Unexpected end of JSON input',
      'JSON.parse: unexpected end of data at line 1 column 1 of the JSON data',
      'JSON Parse error: Unexpected EOF',
    ],
    gives: 'JSON ends too early',
    source: JSON_TEXTS,
  },
  {
    what: 'text is no JSON',
    patterns: [
      /^Unexpected (?:token|identifier|string|number|non-whitespace character).{0,300}\bJSON\b/s,
      /^.{1,200} is not valid JSON$/s,
      /^(?:Expected|Unterminated|Bad|No number|Exponent|Invalid).{1,120} (?:in|after) JSON\b/,
      /^(?:Expected|Unterminated|Bad) .{1,120} in JSON at position /,
      /^JSON\.parse: /,
      /^JSON Parse error: /,
      /^Failed to execute 'json' on 'Response': .{1,200}JSON\b/s,
      /^The string did not match the expected pattern\.?$/,
    ],
    to: 'text is no JSON',
    examples: [
      'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
      'Unexpected token < in JSON at position 0',
      'JSON.parse: unexpected character at line 1 column 1 of the JSON data',
      "JSON Parse error: Unrecognized token '<'",
      '"undefined" is not valid JSON',
      "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    ],
    gives: 'text is no JSON',
    source: JSON_TEXTS,
  },
  {
    what: 'endless recursion',
    patterns: [/^Maximum call stack size exceeded\.?/, /^too much recursion$/, /^Out of stack space$/],
    to: 'too much recursion',
    type: 'RangeError',
    examples: ['Maximum call stack size exceeded', 'Maximum call stack size exceeded.', 'too much recursion'],
    gives: 'too much recursion',
    source: ENGINES,
  },
  {
    what: 'no memory is left',
    patterns: [
      /^(?:uncaught exception: )?out of memory\.?$/i,
      /^allocation size overflow$/,
      /^Array buffer allocation failed$/,
      /^Invalid (?:array|string|typed array|array buffer) length(?:: .{0,40})?$/i,
      /^(?:Array|Typed array|String) (?:size|length) .{1,60}$/i,
      /^Length out of range of buffer$/,
      /^Cannot allocate (?:a )?.{1,60}$/,
    ],
    to: 'out of memory',
    type: 'RangeError',
    examples: [
      'Array buffer allocation failed',
      'out of memory',
      'Out of memory',
      'Invalid array length',
      'allocation size overflow',
    ],
    gives: 'out of memory',
    source: ENGINES,
  },
  {
    what: 'no answer from the network; the SDK names the host',
    patterns: [
      /^(?:Failed to fetch|Load failed|Network request failed|fetch failed: network)(?: \((?<name>[^()\s]{1,200})\))?\.?$/,
      /^NetworkError when attempting to fetch resource\.(?: \((?<name>[^()\s]{1,200})\))?$/,
      /^(?:The network connection was lost|The Internet connection appears to be offline|A server with the specified hostname could not be found|Could not connect to the server|The request timed out)\.?(?: \((?<name>[^()\s]{1,200})\))?$/,
    ],
    to: 'network failure {name}',
    examples: [
      'Failed to fetch (api.shop.test)',
      'Load failed (api.shop.test)',
      'NetworkError when attempting to fetch resource. (api.shop.test)',
    ],
    gives: 'network failure api.shop.test',
    source: PAGES,
  },
  {
    what: 'a circle has no JSON',
    patterns: [
      /^Converting circular structure to JSON/,
      /^cyclic object value$/,
      /^JSON\.stringify cannot serialize cyclic structures\.?$/,
    ],
    to: 'a circle has no JSON',
    examples: [
      'Converting circular structure to JSON',
      'cyclic object value',
      'JSON.stringify cannot serialize cyclic structures.',
    ],
    gives: 'a circle has no JSON',
    source: JSON_TEXTS,
  },
  {
    what: 'a date that is none',
    patterns: [/^Invalid time value$/i, /^invalid date$/i],
    to: 'invalid date',
    examples: ['Invalid time value', 'invalid date', 'Invalid Date'],
    gives: 'invalid date',
    source: ENGINES,
  },
  {
    what: 'an address that is none',
    patterns: [
      /^(?:Failed to construct 'URL': )?Invalid URL$/,
      /^URL constructor: .{0,2000} is not a valid URL\.?$/s,
      /^"?.{0,2000}"? cannot be parsed as a URL(?: against ".{0,2000}")?\.?$/s,
    ],
    to: 'invalid URL',
    examples: [
      "Failed to construct 'URL': Invalid URL",
      'URL constructor: /cart is not a valid URL.',
      '"/cart" cannot be parsed as a URL.',
    ],
    gives: 'invalid URL',
    source: ENGINES,
  },
  {
    what: 'nothing is made an object of',
    patterns: [
      /^Cannot convert undefined or null to object$/,
      /^can't convert (?:undefined|null) to object$/,
      /^Object\.\w{1,30} requires that input parameter not be null or undefined$/,
    ],
    to: 'cannot convert undefined or null to object',
    examples: [
      'Cannot convert undefined or null to object',
      "can't convert undefined to object",
      'Object.entries requires that input parameter not be null or undefined',
    ],
    gives: 'cannot convert undefined or null to object',
    source: ENGINES,
  },
  {
    what: 'reduce of an empty list',
    patterns: [/^reduce of empty array with no initial value$/i],
    to: 'reduce of empty array with no initial value',
    examples: ['Reduce of empty array with no initial value', 'reduce of empty array with no initial value'],
    gives: 'reduce of empty array with no initial value',
    source: ENGINES,
  },
  {
    what: 'an escape in an address that is none',
    patterns: [/^URI malformed$/, /^malformed URI sequence$/, /^URI error$/],
    to: 'URI malformed',
    examples: ['URI malformed', 'malformed URI sequence', 'URI error'],
    gives: 'URI malformed',
    source: ENGINES,
  },
  {
    what: '`in` and `instanceof` of what is no object',
    patterns: [
      /^cannot use 'in' operator to search for .{0,1000}$/is,
      /^right-hand side of 'in' should be an object, got .{1,40}$/,
      /^.{0,300} is not an Object\. \(evaluating '.{0,500}$/s,
    ],
    to: 'in: not an object',
    examples: [
      "Cannot use 'in' operator to search for 'a' in text",
      "right-hand side of 'in' should be an object, got string",
      't is not an Object. (evaluating \'"a" in t\')',
    ],
    gives: 'in: not an object',
    source: ENGINES,
  },
  {
    what: '`instanceof` of what is no class',
    patterns: [
      /^Right-hand side of 'instanceof' is not (?:callable|an object)$/,
      /^invalid 'instanceof' operand .{0,300}$/s,
      /^Right hand side of instanceof is not (?:an object|callable)$/,
      /^instanceof called on an object with an invalid prototype property\.?$/,
    ],
    to: 'instanceof: not a class',
    examples: [
      "Right-hand side of 'instanceof' is not callable",
      "invalid 'instanceof' operand t",
      'Right hand side of instanceof is not an object',
    ],
    gives: 'instanceof: not a class',
    source: ENGINES,
  },
  {
    what: 'a class is called as a function',
    patterns: [
      /^Class constructor .{1,100} cannot be invoked without 'new'$/,
      /^class constructors must be invoked with 'new'$/,
      /^Cannot call a class constructor(?: .{1,100})? without \|?new\|?\.?$/,
    ],
    to: 'class called without new',
    examples: [
      "Class constructor Cart cannot be invoked without 'new'",
      "class constructors must be invoked with 'new'",
      'Cannot call a class constructor Cart without |new|',
    ],
    gives: 'class called without new',
    source: ENGINES,
  },
  {
    what: 'BigInt and a number in one sum',
    patterns: [
      /^Cannot mix BigInt and other types, use explicit conversions$/,
      /^can't convert BigInt to number$/,
      /^Invalid mix of BigInt and other type in .{1,60}$/,
    ],
    to: 'BigInt mixed with other types',
    examples: [
      'Cannot mix BigInt and other types, use explicit conversions',
      "can't convert BigInt to number",
      'Invalid mix of BigInt and other type in addition.',
    ],
    gives: 'BigInt mixed with other types',
    source: ENGINES,
  },
  {
    what: 'a pattern that is none',
    patterns: [
      /^Invalid regular expression\b.{0,1000}$/s,
      /^(?:invalid|unterminated|unmatched|nothing) .{0,80}\b(?:in|to) (?:regular expression|regexp|repeat|character class)\b.{0,80}$/,
      /^(?:invalid regexp group|unterminated (?:parenthetical|character class)|nothing to repeat|invalid quantifier.{0,40}|invalid identity escape in regular expression)$/,
    ],
    to: 'invalid regular expression',
    examples: [
      'Invalid regular expression: /(/: Unterminated group',
      'unterminated parenthetical',
      'invalid capture group name in regular expression',
      'Invalid regular expression: missing )',
    ],
    gives: 'invalid regular expression',
    source: ENGINES,
  },
  {
    what: 'a node of the page is not where it was',
    patterns: [
      /^(?:Failed to execute '\w{1,40}' on 'Node'|Node\.\w{1,40}): .{0,80}is not a child of this node\.?$/,
      /^The object can not be found here\.?$/,
    ],
    to: 'node is not where it was',
    type: 'NotFoundError',
    examples: [
      "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
      'Node.removeChild: The node to be removed is not a child of this node',
      'The object can not be found here.',
    ],
    gives: 'node is not where it was',
    source: PAGES,
  },
  {
    what: 'the storage of the page is full',
    patterns: [
      /^Failed to execute 'setItem' on 'Storage': Setting the value of .{0,500} exceeded the quota\.?$/s,
      /^The quota has been exceeded\.?$/,
      /^Persistent storage maximum size reached$/,
    ],
    to: 'the quota has been exceeded',
    type: 'QuotaExceededError',
    examples: [
      "Failed to execute 'setItem' on 'Storage': Setting the value of 'cart' exceeded the quota.",
      'The quota has been exceeded.',
      'Persistent storage maximum size reached',
    ],
    gives: 'the quota has been exceeded',
    source: PAGES,
  },
  {
    what: 'the storage of the page is forbidden',
    patterns: [
      /^Failed to read the '\w{1,40}' property from 'Window': Access is denied for this document\.?$/,
      /^The operation is insecure\.?$/,
    ],
    to: 'access is denied for this document',
    type: 'SecurityError',
    examples: [
      "Failed to read the 'localStorage' property from 'Window': Access is denied for this document.",
      'The operation is insecure.',
    ],
    gives: 'access is denied for this document',
    source: PAGES,
  },
  {
    what: 'observers of sizes ran out of time',
    patterns: [/^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?$/],
    to: 'ResizeObserver loop limit exceeded',
    examples: [
      'ResizeObserver loop limit exceeded',
      'ResizeObserver loop completed with undelivered notifications.',
    ],
    gives: 'ResizeObserver loop limit exceeded',
    source: PAGES,
  },
]

/** Part of grouping version 1. What engines say of what is read, called, made anew or written. */
import { ENGINES, type EngineRule } from './engine-rule.ts'

const EVALUATED =
  "(?:[^']{0,300}?[.?\\s[\"]{1,3})?(?<prop>[\\w$#]{1,100})\"?\\]?(?:\\([^']{0,200})?(?: ?=[^']{0,200})?"

export const READ_RULES: readonly EngineRule[] = [
  {
    what: 'something of nothing is iterated, and its name is not told',
    patterns: [
      /^(?:undefined|null|object)(?: null)? is not iterable(?:[!.]| \(cannot read property Symbol\(Symbol\.iterator\)\))?$/,
      /^(?:undefined|null) is not an object \(evaluating '[^']{0,300}\[Symbol\.iterator\][^']{0,100}'\)$/,
      /^Spread syntax requires \.\.\.iterable\[Symbol\.iterator\] to be a function/,
      /^(?:number|string|boolean|object|symbol|bigint|function) .{1,200} is not iterable \(cannot read property /,
      /^iterator method is not callable$/,
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
    what: 'something of nothing is iterated',
    patterns: [
      /^(?:.{0,200}[.\s])?(?<name>[\w$]{1,100}) is not iterable(?:[!.]| \(cannot read property Symbol\(Symbol\.iterator\)\))?$/,
      /^undefined is not a function \(near '\.\.\.(?:.{0,200}[.\s])?of (?:[\w$]{1,100}\.){0,9}(?<name>[\w$]{1,100})\.\.\.'\)$/,
      /^can't access property Symbol\.iterator, (?:.{0,300}[.\s])?(?<name>[\w$]{1,100}) is (?:null|undefined)$/,
      /^(?:undefined|null) is not an object \(evaluating '[^']{0,200}\bof (?:[\w$]{1,100}\.){0,9}(?<name>[\w$]{1,100})'\)$/,
    ],
    to: '{name} is not iterable',
    examples: [
      'e.items is not iterable',
      "undefined is not a function (near '...t of e.items...')",
      "can't access property Symbol.iterator, e.items is undefined",
      "undefined is not an object (evaluating 'let [t, n] of e.items')",
    ],
    gives: 'items is not iterable',
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
      /^can't access property "?(?<prop>[^",]{1,100})"? of (?<of>null|undefined)$/,
      new RegExp(`^(?<of>null|undefined) is not an object \\(evaluating '${EVALUATED}'\\)$`),
    ],
    to: 'cannot read {prop} of {of}',
    examples: [
      "Cannot read properties of null (reading 'includes')",
      'can\'t access property "includes", e.request_types is null',
      'can\'t access property "includes" of null',
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
      /^.{0,200} is not a constructor \(evaluating 'new (?:[^'(]{0,200}\.)?(?<name>[\w$#]{1,100})(?:\([^']{0,300})?'\)$/s,
      /^(?:.{0,200}[.\s])?(?<name>[\w$#]{1,100}) is not a constructor(?: \(evaluating '.{0,500})?\.?$/s,
    ],
    to: '{name} is not a constructor',
    examples: [
      't.Cart is not a constructor',
      "t.Cart is not a constructor (evaluating 'new t.Cart')",
      "undefined is not a constructor (evaluating 'new t.Cart')",
      "8595 is not a constructor (evaluating 'new t.Cart(e)')",
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
      /^Cannot assign to read[ -]only property .{1,300}$/s,
      /^Cannot set property .{1,200} of .{1,200} which has only a getter$/s,
      /^setting getter-only property ".{1,200}"$/s,
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
]

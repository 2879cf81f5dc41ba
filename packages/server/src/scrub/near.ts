/**
 * Literals that a line gives to a secret's name in the words that its language has for it: behind the name, as what it is
 * compared with, moved to, tested against or declared as. The name decides; each look is bounded.
 */
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'
import { namedGroup } from './named-group.ts'
import { isOrdinary } from './ordinary.ts'

interface NearOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
  readonly isGiven: (value: string, naming: { name: string; rule: string; keys: SecretKeys }) => boolean
}

const NAME = String.raw`(?<![\w$.-])(?:[\w$]{1,40}(?:\.|->|::)){0,4}[@$%&:*]{0,2}(?<name>[A-Za-z][\w-]{1,63})`
const VALUE = String.raw`[bBuUrRfFLN@$]{0,2}(?<quote>["'\x60])(?<value>[^"'\x60\\\s]{3,512})(?=\k<quote>)`
/** Wrapping of a value that makes nothing else of it. */
const WRAPPING = String.raw`(?:[{(]\s?|(?:new |box )?(?:[a-z]\w{1,16}\.)?(?:&?\[\]byte|&?[A-Z]\w{0,30}(?:(?:::|\.)\w{1,24})?|bytes|str|string|b|to_?\w{1,12}|from_?\w{1,12}|lazy|_T|T|TEXT|s|decode|encode|b64decode|atob|literal|quote)!?\s?[({]\s?){1,3}`

interface NearRule {
  readonly may: RegExp
  readonly pattern: RegExp
  /** The value is nothing else than what is named: of an ambiguous name, too. */
  readonly isSure?: true
}
const rule = (may: RegExp, source: string, flags = 'g'): NearRule => ({
  may,
  pattern: new RegExp(source, flags),
})

const RULES: readonly NearRule[] = [
  // `password={"X"}`, `jwtKey = []byte("X")`, `secret: NewSecret("X")`
  rule(
    /[=:>][ \t]{0,4}(?:new )?[&\w:.[\]{(]{1,60}["'`]/,
    String.raw`${NAME}["'\])?]{0,3}\s{0,4}(?:=>|:=|=|:|<-)\s{0,4}${WRAPPING}${VALUE}`,
  ),
  // `@secret "X"`, `(setq password "X")`, `set password 'X'`, `VALIDATE PASSWORD 'X'`, `password => "X"`
  rule(
    /\w {1,4}["'`]/,
    String.raw`(?:^\s{0,80}@?|[{(]|\b(?:set|setq|setf|def|defvar|defparameter|let|define|validate|val|var|export|password|with|on|by|use|using|SET|DEF|VALIDATE|WITH) )[:$*]?(?<name>[A-Za-z*][\w.*-]{1,63}) {1,4}${VALUE}`,
  ),
  // `expect(user.password).toBe('X')`, `password.should eq 'X'`, `assert_that(password).is_equal_to("X")`
  rule(
    /\)?\.?[ (](?:to|not_to|should|is|be|eq)|\.(?:to|should|is|be|eq|equals?)/i,
    String.raw`${NAME}\)?(?:\(\))?(?:\.| )(?:(?:not_?)?(?:to|should|is|be|must)(?:\.| |_)?){0,3}(?:be|eql?|equals?(?:_?to)?|equal_?ignoring_?case|match|is|contain)\w{0,12}[ (]\s?${VALUE}`,
    'gi',
  ),
  // `"X" == password`, `"X".equals(password)`
  rule(
    /["'`](?: ?[!=]==? ?|\.equals\w{0,12}\()/,
    String.raw`${VALUE}["'\x60](?: ?[!=]==? ?|\.equals\w{0,12}\()(?=\$?(?:[\w$]{1,40}(?:\.|->|::)){0,4}(?<name>[A-Za-z]\w{1,63})\b(?!\())`,
  ),
  // `[]byte("X") // jwtKey`, `"X", # admin password`
  rule(
    /["'`][^"'`\n]{0,24}(?:\/\/|#|--|\/\*|;) ?[\w -]{3,60}$/,
    String.raw`${VALUE}["'\x60][^"'\x60\n]{0,24}(?:\/\/|#|--|\/\*|;{1,2}) ?(?=(?:[\w-]{1,20} ){0,3}(?<name>[A-Za-z][\w-]{2,63})(?: \*\/)?\s{0,4}$)`,
  ),
  // `switch (password) { case "X":`
  rule(
    /(?:case|when|of) ["'`]/,
    String.raw`\b(?:switch|case|match|when)\s?\(?\$?(?<name>[A-Za-z][\w.]{1,63})\)?\s?\{?\s{0,4}(?:case|when|of) ${VALUE}`,
  ),
  // `zip.setPassword(b"X")`
  rule(
    /\([bN@]["']/,
    String.raw`\b(?:set|with|use|check|verify|validate)_?(?<name>[A-Za-z]\w{2,40})\(\s?${VALUE}`,
  ),
  // `type(getByLabelText(/password/i), 'X')`
  rule(/\/i?\),/, String.raw`\(\/\^?(?<name>[a-z][\w-]{2,40})\$?\/i?\)\s?,\s?${VALUE}`, 'gi'),
  // `'password' => bcrypt('X')`, `call('set_password', 'X')`
  rule(
    /["'] ?(?:=>|:|,) ?\w{0,24}\(?["']/,
    String.raw`["'](?:set_)?(?<name>[a-z][\w-]{2,40})["'] ?(?:=> ?\w{2,24}\(|: ?\w{2,24}\(|, ?)${VALUE}(?=["']\))`,
  ),
  // `locator('#token').toHaveValue('X')`
  rule(
    /\)\.(?:not\.)?to(?:Have|Contain|Equal|Be)\w{0,12}\(["'`]/,
    String.raw`["'\x60][#.](?<name>[a-z][\w-]{2,40})["'\x60]\)\)?\.(?:not\.)?toHave(?:Value|Text)\(${VALUE}`,
  ),
  // `config["Jwt:Key"] = "X"`
  {
    ...rule(
      /["']\]\s?=\s?["']/,
      String.raw`\[["'](?<name>[A-Z]\w{1,40}(?:[:.]\w{1,40}){1,4})["']\]\s?=\s?${VALUE}`,
    ),
    isSure: true,
  },
  // `find('#password').set('X')`
  rule(
    /["'`]\)\.(?:set|val|fill|type)\(["'`]/,
    String.raw`["'\x60][#.](?<name>[a-z][\w-]{2,40})["'\x60]\)\.(?:set|val|fill|type)\(${VALUE}`,
  ),
  // `defaultValue: 'X', name: 'password'`
  rule(
    /["'`], ?(?:name|key|id): ?["'`]/,
    String.raw`\b(?:default(?:Value)?|initialValue|value): ?${VALUE}(?=\k<quote>, ?(?:name|key|id): ?["'\x60](?<name>[\w-]{2,40})["'\x60])`,
  ),
  // COBOL: `MOVE 'X' TO WS-PASSWORD`, `01 WS-PASSWORD PIC X(8) VALUE 'X'`
  rule(/ TO [A-Z]/i, String.raw`\bMOVE ${VALUE}["'] TO (?=(?<name>[A-Z][\w-]{2,63}))`, 'gi'),
  rule(
    / VALUE(?: IS)? ["']/i,
    String.raw`(?<name>[A-Z][\w-]{2,63}) {1,20}(?:PIC[^"'\n]{1,60})? VALUE(?: IS)? ${VALUE}`,
    'gi',
  ),
  // `x_token: str = Header("X")`, `Header("X", alias="X-Token")`, `Cookie(default="X")`
  {
    ...rule(
      /(?:Header|Query|Cookie|Form|Body|Field|Param)\((?:default\s?=\s?)?["']/,
      String.raw`(?<name>[A-Za-z]\w{2,63})\s?(?::\s?[\w[\]|., ]{1,60})?=\s?(?:Header|Query|Cookie|Form|Body|Field|Param)\((?:default\s?=\s?)?${VALUE}`,
    ),
    isSure: true,
  },
  rule(
    /alias=["']/,
    String.raw`\b(?:Header|Query|Cookie|Form|Body|Field|Param)\((?:default\s?=\s?)?${VALUE}(?=["'][^()\n]{0,60}alias=["'](?<name>[\w-]{2,64})["'])`,
  ),
]

const STRONG: ReadonlySet<string> = new Set(['password', 'secret', 'api_key', 'private_key', 'project_key'])
/** Names whose values are as often words of a program as secrets. */
const SOFT: ReadonlySet<string> = new Set(['token'])
const MAYBE = /["'`]/
/** Parts of such names: most lines with a part of a secret's name have another one. */
const STRONG_NAME = /pass|pwd|pw\b|psw|secret|key|phrase|pin\b|token|kennwort|clave|senha/i
/** Lines that load, test or show something by a name. */
const NAMING_LINE =
  /^\s{0,80}(?:import\b|from\b|require\b|#include|use |using |package |export \{|export \*|describe\(|it\(|test\(|context\(|@(?:import|use)|<(?:label|input|p|h\d|button|span|div)\b)/

export function scrubNear(text: string, { keys, onFound, isGiven }: NearOptions): string {
  if (!MAYBE.test(text) || !STRONG_NAME.test(text) || NAMING_LINE.test(text)) return text
  let out = text
  for (const { may, pattern, isSure } of RULES) {
    if (!may.test(out)) continue
    out = out.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const [name, value] = [namedGroup(rest, 'name'), namedGroup(rest, 'value')]
      const found = keys.ruleOf(name) ?? (value.length >= 32 ? keys.ruleFor(name, value) : null)
      if (found === null || !(STRONG.has(found) || (SOFT.has(found) && (isSure || !isWordy(value)))))
        return whole
      if (isWordy(value) && isNaming(value)) return whole
      if (!isGiven(value, { name, rule: found, keys })) return whole
      onFound(found, value)
      const at = whole.lastIndexOf(value)
      return whole.slice(0, at) + FILTERED + whole.slice(at + value.length)
    })
  }
  return out
}

const isWordy = (value: string): boolean => /^[A-Za-z][A-Za-z_-]*$/.test(value)

/** True for names in programs: `sign-in`, `new_user`. */
function isNaming(value: string): boolean {
  return value.split(/[_-]/).every((part) => part.length < 3 || isOrdinary(part))
}

/** Frozen part of grouping version 1. What of a function's name stays the same from build to build. */
import { Memo } from '#base/memo.ts'
import { MEMO_LIMITS } from './memo-limits.ts'

export type Family = 'javascript' | 'python' | 'ruby' | 'php' | 'java' | 'go' | 'csharp' | 'native' | 'other'

const NAME_CHARS_MAX = 512
const UNNAMED =
  /^(?:\?|<?anonymous>?|<?anonymous function>?|anonymous function|<redacted>|<unknown>|<module>|<lambda>|<listcomp>|<genexpr>|<dictcomp>|<setcomp>|<main>|<top \(required\)>|\{main\}|\{closure\}|<eval>|eval|native)$/i

const FAMILIES: Readonly<Record<string, Family>> = {
  javascript: 'javascript',
  node: 'javascript',
  bun: 'javascript',
  deno: 'javascript',
  python: 'python',
  ruby: 'ruby',
  php: 'php',
  java: 'java',
  groovy: 'java',
  kotlin: 'java',
  scala: 'java',
  clojure: 'java',
  go: 'go',
  csharp: 'csharp',
  dotnet: 'csharp',
  c: 'native',
  cocoa: 'native',
  objc: 'native',
  native: 'native',
  rust: 'native',
  swift: 'native',
}

export function familyOf(platform: string): Family {
  return Object.hasOwn(FAMILIES, platform) ? (FAMILIES[platform] ?? 'other') : 'other'
}

/** The name without markers of async calls, closures and generated code; empty when it names nothing. */
export function functionKey(name: string, family: Family): string {
  return name === '' ? '' : KEYS[family].of(name)
}

const keysOf = (family: Family) => new Memo((name) => readFunctionKey(name, family), MEMO_LIMITS)
const KEYS: Readonly<Record<Family, Memo<string>>> = {
  javascript: keysOf('javascript'),
  python: keysOf('python'),
  ruby: keysOf('ruby'),
  php: keysOf('php'),
  java: keysOf('java'),
  go: keysOf('go'),
  csharp: keysOf('csharp'),
  native: keysOf('native'),
  other: keysOf('other'),
}

function readFunctionKey(name: string, family: Family): string {
  const raw = name.slice(0, NAME_CHARS_MAX).trim()
  if (raw === '' || UNNAMED.test(raw)) return ''
  const cleaned = CLEANERS[family](raw).trim()
  return UNNAMED.test(cleaned) ? '' : cleaned
}

const CLEANERS: Readonly<Record<Family, (name: string) => string>> = {
  javascript: cleanJavaScript,
  python: (name) => name.replace(/\.?<(?:locals|lambda|listcomp|genexpr)>/g, ''),
  ruby: cleanRuby,
  php: cleanPhp,
  java: cleanJava,
  go: (name) => name.replace(/\.func\d+(?:\.\d+)*/g, '.func').replace(/\[\.\.\.\]/g, ''),
  csharp: cleanCsharp,
  native: cleanNative,
  other: (name) => name,
}

/** `async Object.save [as onClick]` is `save`; a name of one or two letters gives way to the alias. */
function cleanJavaScript(name: string): string {
  const alias = / \[as ([^\]]+)\]$/.exec(name)
  const plain = name
    .replace(/ \[as [^\]]+\]$/, '')
    .replace(/^async\*/, '')
    .replace(/^(?:async |new |get |set |static )+/, '')
    .replace(/(?:\/<)+$/, '')
  const last = plain.slice(plain.lastIndexOf('.') + 1).replace(/^#/, '')
  if (alias?.[1] !== undefined && last.length <= 2) return alias[1]
  // Numbers are the ids that bundlers give to modules.
  return /^\d+$/.test(last) || last.startsWith('<') || last.endsWith('>') || plain.startsWith('./')
    ? ''
    : last
}

/** `block (2 levels) in OrdersController#show` is `show`; a compiled template loses its numbers. */
function cleanRuby(name: string): string {
  const plain = name.replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '')
  if (/^(?:block|<main>|<top|<class:|<module:)/.test(plain)) return ''
  const method = plain.slice(Math.max(plain.lastIndexOf('#'), plain.lastIndexOf('.')) + 1)
  return /^_app_|_(?:erb|haml|slim)_/.test(method) ? method.replace(/_+\d+_+\d+$/, '') : method
}

/** Anonymous classes carry a path, and closures since PHP 8.4 a line. */
function cleanPhp(name: string): string {
  return name
    .replace(/@anonymous[^:]*(?::\d+\$[0-9a-f]+)?/i, '@anonymous')
    .replace(/\{closure:(.*):\d+\}$/s, '{closure:$1}')
}

function cleanJava(name: string): string {
  if (/^lambda\$/.test(name)) return ''
  // Some clients name the class with the method.
  const plain = name.includes('.') ? withoutCounters(name) : name
  return plain.replace(/^(access\$)\d+$/, '$1').replace(/\$\d+$/, '')
}

function cleanCsharp(name: string): string {
  const open = name.indexOf(' (')
  return (open > 0 ? name.slice(0, open) : name).replace(/<(\w+)>[a-z]__[\w|]*/g, '$1')
}

function cleanNative(name: string): string {
  const plain = name
    .replace(/::h[0-9a-f]{16}$/, '')
    .replace(/ ?\[clone [^\]]*\]/g, '')
    .replace(/@{1,2}GLIBC[\w.]*$/, '')
    .replace(/'?lambda'?\d*|\{lambda\([^{}]*\)#\d+\}/g, 'lambda')
  return withoutBrackets(plain).replace(/^(?:(?:static|virtual|void|bool|int|auto) )+/, '')
}

/** Without template arguments `<…>` and everything from the argument list on. */
function withoutBrackets(name: string): string {
  let depth = 0
  let kept = ''
  for (const char of name) {
    if (char === '<' && !kept.endsWith('operator')) depth += 1
    else if (char === '>' && depth > 0) depth -= 1
    else if (depth === 0) kept += char
  }
  const open = kept.indexOf('(', kept.startsWith('(') ? 1 : 0)
  return open > 0 && !kept.startsWith('(anonymous') ? kept.slice(0, open) : kept
}

/** The module that a frame names, without what is generated at run time; empty when it says nothing stable. */
export function moduleKey(module: string, family: Family): string {
  const raw = module.slice(0, NAME_CHARS_MAX).trim()
  if (family === 'python') return raw === '__main__' ? '' : raw
  if (family === 'go') return raw.replace(/@v[\w.+-]+/g, '')
  if (family !== 'java') return raw
  return raw.includes('$$Lambda') ? '' : withoutCounters(raw).replace(/\$(?:fn__|anon\$?)?\d+/g, '')
}

/** What the JVM and its frameworks number at run time, in the name of a class: lambdas, proxies, accessors. */
export function withoutCounters(name: string): string {
  return (
    name
      .replace(LAMBDA, '$$$$Lambda')
      .replace(/(\$\$(?:External)?SyntheticLambda)\d+/g, '$1')
      .replace(/(?:(?:com\.sun\.proxy|jdk\.proxy\d{1,9})\.)?\$Proxy\d+/g, '$$Proxy')
      .replace(/Generated(?:Method|Constructor|SerializationConstructor)Accessor\d+/g, 'GeneratedAccessor')
      .replace(/\$\$(?:EnhancerBy|FastClassBy|KeyFactoryBy|SpringCGLIB)[\w$]*/g, '')
      .replace(/\$\$_javassist_\d+|_\$\$_jvst[\w$]*|\$HibernateProxy[\w$]*|\$ByteBuddy[\w$]*/g, '')
      .replace(/\$auxiliary\$\w+/g, '$$auxiliary')
      // Hidden classes carry an address: `LambdaForm$MH/0x0000000800b2c400`.
      .replace(/[/.]0x[0-9a-f]{1,16}(?![0-9a-z])/gi, '')
  )
}

/** `$$Lambda$123/0x0000000800c03000`, since Java 21 without the number, on Android `-$$Lambda$Order$5a1Bc`. */
const LAMBDA = /\$\$Lambda(?:\$\d+)?(?:[/.]0x[0-9a-f]{1,16})?(?![\w$])/gi

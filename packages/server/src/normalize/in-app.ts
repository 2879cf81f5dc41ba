/** Decides whether a frame is the app's own code, if the SDK does not say. docs/wire.md, section "Frames". */
import { byWord } from '#base/by-word.ts'
import type { Frame } from '#model/event.ts'

/** The platform, and libraries that many apps have: the SDK says nothing without a list of the app's own packages. */
const JVM_SYSTEM =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|clojure|android|androidx|dalvik|akka|feign|freemarker|graphql|okhttp3|okio|reactor|retrofit2|rx|net\.bytebuddy|com\.(?:android|codahale|fasterxml|github\.benmanes|google|mongodb|mysql|netflix|microsoft|oracle|rabbitmq|squareup|zaxxer|datastax)|io\.(?:grpc|ktor|lettuce|micrometer|micronaut|netty|opentelemetry|projectreactor|quarkus|r2dbc|reactivex|sentry|undertow|vertx)|org\.(?:apache|aspectj|codehaus|eclipse|glassfish|graalvm|h2|hibernate|jboss|jetbrains|jooq|junit|mariadb|mockito|mybatis|postgresql|reactivestreams|slf4j|springframework|sqlite|thymeleaf|xnio|yaml)|redis\.clients|ch\.qos\.logback)\./
const PYTHON_SYSTEM = /[\\/](?:site-packages|dist-packages|lib[\\/]python\d|Lib[\\/])/
const JS_SYSTEM =
  /node_modules|webpack-internal|webpack\/(?:bootstrap|runtime)|^(?:node|internal|native|moz-extension|chrome-extension|safari-extension|safari-web-extension):/
const RUBY_SYSTEM = /[\\/](?:gems|rubygems|lib[\\/]ruby)[\\/]|^<internal:/
const PHP_SYSTEM = /(?:^|[\\/])vendor[\\/]|^\[internal\]/
const GO_SYSTEM = /[\\/](?:usr[\\/]local[\\/]go|go[\\/]src|pkg[\\/]mod|vendor)[\\/]/
const GO_STANDARD_MODULE = /^(?:runtime|net|testing|reflect|os|io|fmt|sync|syscall|internal)(?:[./]|$)/
/** The first folder of the standard library: a path of any other module begins with its address or its name. */
const GO_STANDARD_FOLDER =
  /^(?:archive|bufio|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|vendor|weak)[/.]/
const RUST_SYSTEM = /[\\/]rustc[\\/]|\.cargo[\\/]registry|^(?:std|core|alloc)::/
const DOTNET_SYSTEM = /^(?:System|Microsoft)\./
const NATIVE_SYSTEM = /^(?:\/usr\/lib|\/lib|\/System\/|\/Library\/|\/apex\/|\/system\/|[A-Za-z]:\\Windows\\)/

/**
 * Files that bundlers make of packages alone: `node_modules_next_dist_1a2b._.js` (Turbopack), `vendors-node_modules_…`
 * and `framework-<hash>.js` (webpack, Next.js), `vendor-<hash>.js` (Vite). `vendor-list.js` may be of the app.
 */
const LIBRARY_CHUNK =
  /^(?:.*node_modules[_~-].*|framework-[0-9a-f]{16}|(?:chunk-)?vendors?[.-](?:(?=[a-f]*\d)[0-9a-f]{6,64}|(?=[\w-]{0,7}\d|[\w-]{0,6}[A-Z][\w-]{0,6}[A-Z])[\w-]{8}))(?:\.chunk)?\.[cm]?js$/
/** Names of bundlers are shorter. */
const CHUNK_NAME_CHARS_MAX = 200

type Place = Pick<Frame, 'filename' | 'abs_path' | 'module' | 'package' | 'function'>

/** True for application code, false for libraries and the runtime; `undefined` when the frame names no place. */
export function deriveInApp(frame: Place, platform: string): boolean | undefined {
  const path = frame.abs_path ?? frame.filename
  if (path === undefined && frame.module === undefined && frame.package === undefined) return undefined
  return !isSystem(frame, path ?? '', platform)
}

/**
 * True for a call of the app in a Go program that was built with `-trimpath`: the SDK does not know where Go is installed and says of
 * every frame that it is a library's. What is of another module carries its version: `github.com/lib/pq@v1.12.3/conn.go`.
 */
export function isTrimmedOwn({ abs_path: path, filename = '', module = '' }: Place): boolean {
  if (path !== undefined || !filename.endsWith('.go') || /^(?:[/\\]|[A-Za-z]:)/.test(filename)) return false
  return !filename.includes('@') && !GO_STANDARD_FOLDER.test(filename) && !GO_STANDARD_MODULE.test(module)
}

/** Folders of what was installed beside an app: `/usr/src` and `/opt` are where images keep the app itself. */
const RUBY_INSTALLED =
  /[\\/](?:vendor|gems|rubygems)[\\/]|[\\/]lib[\\/]ruby[\\/]|^\/usr\/(?:local\/)?(?:s?bin|bundle|lib(?:32|64)?|share)\//

/**
 * True for a call of a Ruby app that the SDK takes for a library's: it knows apps by their folders `app`, `lib`, `config` …, so that a script
 * or an app of one file has no code of its own.
 */
export function isRubyScript({ abs_path: path = '' }: Place): boolean {
  return /^(?:\/|[A-Za-z]:).*\.r[bu]$/s.test(path) && !RUBY_INSTALLED.test(path)
}

const NATIVE = new Set(['native', 'rust', 'c'])
/** Functions that start a program or a thread, and lines of a Rust backtrace that name a place and no function. */
const NATIVE_START =
  /^(?:_start|__libc_start_(?:call_)?main\w{0,10}|__clone3?|clone3|start_thread|<unknown>|at \S{1,500}\.rs:\d{1,7}(?::\d{1,7})?)$/

/** True for a frame of a native stack that is no call of anybody's. */
export function isNativeStart({ function: name }: Place, platform: string): boolean {
  return name !== undefined && NATIVE.has(platform) && NATIVE_START.test(name)
}

const MARK = '<asynchronous suspension>'

/** True for what Dart writes between two calls and is none. */
export function isMark({ abs_path: path, filename, function: name }: Place): boolean {
  return path === MARK || filename === MARK || name === MARK
}

/** Folders of other people's packages, by platforms whose SDK goes by something else than where a file lies. */
const PACKAGE_FOLDERS: Readonly<Record<string, RegExp>> = byWord({
  go: /[\\/]pkg[\\/]mod[\\/]/,
  rust: /[\\/]rustc[\\/][0-9a-f]{7,40}[\\/]|\.cargo[\\/]registry[\\/]/,
  native: /[\\/]rustc[\\/][0-9a-f]{7,40}[\\/]|\.cargo[\\/]registry[\\/]/,
  // Names of Composer's packages are in lower case; Laravel publishes views and texts of packages for the app to change.
  php: /(?<!(?:^|[\\/])(?:views|lang))(?:^|[\\/])vendor[\\/](?:(?:composer|bin)|[a-z\d][a-z\d_.-]{0,79}[\\/][a-z\d][a-z\d_.-]{0,79})[\\/]/,
  ruby: /[\\/]gems[\\/][\w.-]{1,120}-\d[\w.]{0,40}[\\/]/,
  javascript: /(?:^|[\\/])node_modules[\\/]/,
})

/** True for a file below a folder that a package manager makes for a package, and names so as an app hardly would: its SDK may call it the app's own. */
export function isPackageFile({ abs_path: path, filename }: Place, platform: string): boolean {
  const folder = PACKAGE_FOLDERS[platform]
  return folder !== undefined && (folder.test(path ?? '') || folder.test(filename ?? ''))
}

/** True for a bundler's file of libraries, which SDKs call the app's own: its path has no folder `node_modules`. */
export function isLibraryChunk({ abs_path: path, filename }: Place, platform: string): boolean {
  if (platform !== 'javascript' && platform !== 'node' && platform !== 'bun' && platform !== 'deno')
    return false
  const place = path ?? filename ?? ''
  // Most paths hold none of these, which costs less to see than the pattern.
  const isLikely = place.includes('node_modules') || place.includes('vendor') || place.includes('framework-')
  if (!isLikely) return false
  const name = place.replace(/[?#].*$/s, '')
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  return base.length <= CHUNK_NAME_CHARS_MAX && LIBRARY_CHUNK.test(base)
}

function isSystem(frame: Place, path: string, platform: string): boolean {
  const name = frame.module ?? ''
  switch (platform) {
    case 'java':
    case 'kotlin':
    case 'scala':
    case 'groovy':
    case 'clojure':
      return JVM_SYSTEM.test(name === '' ? path : name)
    case 'python':
      return PYTHON_SYSTEM.test(path) || path.startsWith('<frozen')
    case 'javascript':
    case 'node':
    case 'bun':
    case 'deno':
      return (
        JS_SYSTEM.test(path) || JS_SYSTEM.test(frame.filename ?? '') || isBareNodeInternal(path, platform)
      )
    case 'ruby':
      return RUBY_SYSTEM.test(path)
    case 'php':
      return PHP_SYSTEM.test(path)
    case 'go':
      return GO_SYSTEM.test(path) || GO_STANDARD_MODULE.test(name)
    case 'rust':
      return RUST_SYSTEM.test(path) || RUST_SYSTEM.test(frame.function ?? '')
    case 'csharp':
    case 'dotnet':
      return DOTNET_SYSTEM.test(name)
    case 'native':
    case 'c':
    case 'cocoa':
    case 'objc':
    case 'swift':
      return NATIVE_SYSTEM.test(frame.package ?? path)
    default:
      return false
  }
}

/** Node before 16 names its own files `events.js` and `internal/process/…`, without a directory. */
function isBareNodeInternal(path: string, platform: string): boolean {
  return (
    platform === 'node' &&
    path !== '' &&
    !/^[/\\]|^[A-Za-z]:|:\/\/|^\.|^app:/.test(path) &&
    !path.includes('/src/') &&
    /^(?:internal\/[\w/]+|[a-z_]+)\.js$/.test(path)
  )
}

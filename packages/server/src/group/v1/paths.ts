/** Part of grouping version 1. What of a file's path stays the same on another server and after a deploy. */
import { Memo } from '#base/memo.ts'
import { hasHexHash, isRandomName, isTurbopackHash, withoutHashes } from './hashed-names.ts'
import { MEMO_LIMITS } from './memo-limits.ts'

/** Stands for a file name that is nothing but a content hash. */
const HASH_PLACEHOLDER = '<hash>'

const PATH_CHARS_MAX = 2048
const SCHEME = /^[a-z][a-z0-9+.-]{1,30}:\/{2,}/i
const WEB_SCHEME = /^(?:https?|wss?):\/\//i
/** Places that are no file: the same for every program. */
const NO_FILE =
  /^(?:blob:|data:|<|\[native|native code|eval code|VM\d+$|unknown$|\?$|-e$|\(eval\b)|<anonymous>/i
/** Folders that bundlers write to; a name in them that looks random is random. */
const BUILD_FOLDER = /(?:^|\/)(?:_next|\.next|_nuxt|\.output|_app|_astro|assets|chunks|static|build|dist)\//
/** Folders of which Vite names every file with a hash, and those where it may be the whole name. */
const VITE_FOLDER = /(?:^|\/)(?:_app|_nuxt|_astro|assets)\//
const HASH_ONLY_FOLDER = /(?:^|\/)(?:_app|_nuxt)\//
const SHORT_HASH = /^(?=.*[A-Z0-9])[A-Za-z0-9_-]{8}$/
/**
 * Beginning of a route in a Next.js build: what follows is the route's own path, the same on every server.
 */
const BUILT_ROUTE = /(?:^|\/)(?:_next\/static\/chunks|[._]next\/server)\/(?:app|pages)\/(.+)$/
/** File names that every route of an app directory has; alone they say nothing. */
const ROUTE_FILE = /^(?:page|layout|template|loading|not-found|global-error)\.[cm]?[jt]sx?$/
/** Names of compiled templates, and of a notebook's cells. */
const HEX_NAME = /^(?:[0-9a-f]{16,128}(?:_\d{1,9})?|\d{1,20})$/i
/** PHP names evaluated text behind the file that did it. */
/** Moose names what it makes by the place that asked for it. */
const MOOSE_MADE = / line \d{1,9}\)$/
const PHP_EVALUATED = /\(\d{1,9}\) : (?:eval\(\)'d code|runtime-created function).*$/s

/**
 * The part of a path that names the file wherever the program is installed: its name in lower case, without content
 * hashes; for the files of routes, which all have the same name, with the route. Empty where there is no file.
 */
export function fileKey(path: string, isJavaScript: boolean): string {
  return path === '' ? '' : (isJavaScript ? JAVASCRIPT_KEYS : OTHER_KEYS).of(path)
}

// A dozen patterns a path, 4 µs; a look-up is a tenth of a microsecond.
const JAVASCRIPT_KEYS = new Memo((path) => readFileKey(path, true), MEMO_LIMITS)
const OTHER_KEYS = new Memo((path) => readFileKey(path, false), MEMO_LIMITS)

function readFileKey(path: string, isJavaScript: boolean): string {
  const raw = path.slice(0, PATH_CHARS_MAX)
  if (raw === '' || NO_FILE.test(raw)) return ''
  const plain = plainPath(raw)
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  if (!isJavaScript) return otherFileKey(name.replace(PHP_EVALUATED, '').replace(MOOSE_MADE, ''))
  if (isPageName(raw, name)) return ''
  const route = BUILT_ROUTE.exec(plain)?.[1]
  if (route !== undefined) return routeKey(route)
  const key = javaScriptName(name, plain)
  if (!ROUTE_FILE.test(key) || !plain.includes('app/')) return key
  const parent = plain.slice(0, -name.length - 1)
  return `${parent.slice(parent.lastIndexOf('/') + 1).toLowerCase()}/${key}`
}

/** Ends of pages, wherever they are made; `load-scripts.php` makes scripts. */
const PAGE =
  /^(?!.*(?:script|loader|bundle|combine|minif|\bjs\b)).*\.(?:x?html?|shtml|php\d?|aspx?|jspx?|cfm|cgi)$/i

/** True for a document's own address: an inline script, which has no file. */
function isPageName(path: string, name: string): boolean {
  return WEB_SCHEME.test(path) && (!/\.[a-z]{2,5}$/i.test(name) || PAGE.test(name))
}

/** Addresses of scripts without an extension: `/v3`, `/gtag/js`, `/npm/vue`, `/react@18`. */
const SCRIPT_ADDRESS =
  /(?:^|\/)(?:js|javascripts?|scripts?|libs?|npm|[^/]{1,80}@\d[^/]{0,40})(?:\/|$)|\/v\d{1,4}(?:\.\d{1,4}){0,3}$/i

/**
 * True for the address of a page, by which engines name what stands in it. An address without an extension is none if scripts have
 * such paths, or if it is of another host than the page that is known.
 */
export function isPageAddress(path: string, pageUrl = ''): boolean {
  if (!WEB_SCHEME.test(path)) return false
  const plain = plainPath(path.slice(0, PATH_CHARS_MAX))
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  if (!isPageName(path, name) || PAGE.test(name)) return isPageName(path, name)
  const [host, pageHost] = [hostOf(path), hostOf(pageUrl)]
  return !SCRIPT_ADDRESS.test(plain) && (pageHost === undefined || host === pageHost)
}

function hostOf(address: string): string | undefined {
  return /^(?:https?|wss?):\/\/([^/?#]{1,300})/i.exec(address)?.[1]?.toLowerCase()
}

/** Without scheme, host, query and fragment, with `/` between folders. */
function plainPath(path: string): string {
  // Firefox names what was evaluated behind the file that did it.
  let plain = path.replace(/[?#].*$|(?: line \d{1,9} > \w{1,30}){1,9}$/s, '').replaceAll('\\', '/')
  plain = WEB_SCHEME.test(plain)
    ? plain.replace(WEB_SCHEME, '').replace(/^[^/]*/, '')
    : plain.replace(SCHEME, '/')
  return decodePath(plain)
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    // Not an encoded path: a file may be named `100%.js`.
    return path
  }
}

function routeKey(route: string): string {
  const slash = route.lastIndexOf('/')
  return `${route.slice(0, slash + 1).toLowerCase()}${javaScriptName(route.slice(slash + 1), '/_next/')}`
}

function javaScriptName(name: string, path: string): string {
  const isBuilt = BUILD_FOLDER.test(path)
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot).toLowerCase() : ''
  const stem = dot > 0 ? name.slice(0, dot) : name
  if (isBuilt && isTurbopackHash(stem)) return HASH_PLACEHOLDER + extension
  if (SHORT_HASH.test(stem) && HASH_ONLY_FOLDER.test(path)) return HASH_PLACEHOLDER + extension
  const left = withoutHashes(stem, VITE_FOLDER.test(path))
  const isHash = left === '' || /^\d+$/.test(left) || hasHexHash(left) || (isBuilt && isRandomName(left))
  return (isHash ? HASH_PLACEHOLDER : left.toLowerCase()) + extension
}

const BUILT_FILE =
  /\.(?:[cm]?[jt]sx?|css|map|wasm|woff2?|ttf|png|jpe?g|webp|avif|svg|gif|json|ico|mp4|webm)$/i

/** True for names that bundlers put a hash into. */
export function isHashedName(name: string): boolean {
  return BUILT_FILE.test(name)
}

/** `index-DbQ2xY9p.js` is `index.js`, wherever it stands. */
export function withoutHashesIn(name: string): string {
  return javaScriptName(name, '')
}

/** Template engines of other languages name compiled files after a hash of their content or path. */
function otherFileKey(name: string): string {
  const dot = name.indexOf('.')
  const stem = dot > 0 ? name.slice(0, dot) : name
  return HEX_NAME.test(stem) ? HASH_PLACEHOLDER + name.slice(stem.length).toLowerCase() : name.toLowerCase()
}

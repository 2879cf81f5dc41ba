/** Names of files as SDKs, bundlers and maps spell them. docs/wire.md, section "Source maps". */

/** Runtimes' own code and what never was a file. */
const NO_FILE =
  /^(?:native|\[native code\]|\[eval|<anonymous>|(?:debugger )?eval code|evalmachine\.|VM\d+$|unknown$|undefined$|(?:(?:node|workerd|cloudflare)-internal|node|bun|ext|data|blob|about|wasm|[a-z-]{1,32}-extension):|internal\/)|^$/
/**
 * Files as people write them: a runtime that reads maps itself names these, and so does a development server. Node puts
 * a source of webpack's behind the folder of what ran: `/srv/dist/webpack:/shop/src/cart.js`.
 */
const WRITTEN =
  /\.(?:[mc]?tsx?|jsx|vue|svelte|astro|coffee|mdx)(?:[?#].*)?$|(?:^|\/)(?:webpack|webpack-internal|turbopack|rsc|vite):|^https?:\/\/[^/]*\/(?:@fs|@id|@vite)\//
const WEB = /^https?:\/\/[^/?#]*([^?#]*)/i
const EXTENSION = /\.([a-z][a-z0-9]{1,8})$/i
const DOCUMENTS: ReadonlySet<string> = new Set(['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp', 'cfm'])

/** A frame's file without what some runtimes write before it: `async /srv/dist/main.js`. */
export function framePath(path: string): string {
  return path.startsWith('async ') ? path.slice('async '.length) : path
}

export function isRanFile(path: string): boolean {
  return !NO_FILE.test(path)
}

export function isWrittenFile(path: string): boolean {
  return WRITTEN.test(path)
}

/** True for a script inside of a document: it has the document's address. */
export function isPage(path: string): boolean {
  const web = WEB.exec(path)
  if (web === null) return false
  const extension = EXTENSION.exec(web[1] ?? '')?.[1]
  return extension === undefined || DOCUMENTS.has(extension.toLowerCase())
}

/** Sources of libraries and bundlers, by the name that a map gives them. */
const LIBRARY =
  /(?:^|\/)node_modules\/|^webpack\/|^webpack:\/\/[^?]*\/\?|(?:^|\/)sentry-wrapper-module$|^\(?webpack\)?\/|\[(?:turbopack[\w-]*|next|externals)\]\/|^turbopack\/|^\0|^vite\/|\/~\/|^external |^node:/

export function isLibrarySource(source: string): boolean {
  return LIBRARY.test(source)
}

/** Prefixes that bundlers and SDKs put before a source's path, in the order they are removed. */
const PREFIXES: readonly RegExp[] = [
  /^webpack-internal:\/\/\//,
  /^webpack:\/\/(?:@[^/]*\/)?(?:[^/]*\/)?/, // a package's name may have two parts: webpack://@acme/shop/./src/cart.ts
  /^(?:turbopack:\/\/(?:[^/]*\/)?|(?:file:\/\/)?\/turbopack\/)?(?:\[project\]\/)?/,
  /^(?:rsc|vite|rolldown|rollup|ng|meteor|app|ionic|capacitor):\/\/+/,
  /^https?:\/\/[^/]*\/+/,
  /^\/__parcel_source_root\//,
  /^\((?:[a-z-]+)\)\//, // webpack's layer: (rsc)/./app/page.tsx
  /^file:\/\/(?:\/(?=[A-Za-z]:\/))?/,
]

/**
 * A source's name without what differs between bundlers: `webpack://shop/./app/cart.ts`,
 * `turbopack:///[project]/app/cart.ts` and `../../app/cart.ts` are all `app/cart.ts`. Turbopack writes `[id]` and `@acme` as
 * browsers do.
 */
export function sourceName(source: string): string {
  let name = decodedAddress(source.replaceAll('\\', '/'))
  for (const prefix of PREFIXES) name = name.replace(prefix, '')
  name = name
    .replace(/ \[[a-z-]{1,40}\] \([a-z ,-]{1,60}\)$/, '') // Turbopack's: where and how a module runs
    .replace(/\?[^/]*$/, '') // webpack's suffix for one file read twice, or for a part of a component
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/\/~\//g, '/')
  name = withoutSteps(name)
  return name === '' ? source : name
}

/** Without the percent signs of browsers and bundlers. */
export function decodedAddress(address: string): string {
  if (!address.includes('%')) return address
  try {
    return decodeURI(address).replaceAll('%40', '@')
  } catch {
    return address // no encoded one: a file may be named `100%.js`
  }
}

/** `src/./cart.ts` and `src/ui/../cart.ts` are `src/cart.ts`. */
function withoutSteps(path: string): string {
  if (!path.includes('/.')) return path
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '.') continue
    const before = parts.at(-1)
    if (part === '..' && before !== undefined && before !== '' && before !== '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** The address of a source: beside the file that ran, where it is relative. */
export function sourceAddress(source: string, ran: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(source) || source.startsWith('/')) return source
  const base = ran.startsWith('/') ? `file://${ran}` : ran
  const address = URL.parse(source, base)?.href
  if (address === undefined) return source
  return ran.startsWith('/') ? address.slice('file://'.length) : address
}

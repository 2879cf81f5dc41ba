/** Names of files as SDKs, bundlers and maps spell them. docs/wire.md, section "Source maps". */

/** Runtimes' own code and what never was a file. */
const NO_FILE =
  /^(?:native|\[native code\]|<anonymous>|eval code|node:|internal\/|data:|blob:|about:|wasm:|[a-z-]{1,32}-extension:)|^$/
/** Files as people write them: a runtime that reads maps itself names these, and so does a development server. */
const WRITTEN =
  /\.(?:[mc]?tsx?|jsx|vue|svelte|astro|coffee)(?:[?#].*)?$|^(?:webpack|webpack-internal|turbopack|rsc|vite):/
/** A script inside of a document: it has the document's address. */
const PAGE = /^https?:\/\/[^/?#]*(?:\/(?:[^?#]*(?<!\.[a-z]{2,5}))?)?(?:[?#].*)?$/i

export function isRanFile(path: string): boolean {
  return !NO_FILE.test(path)
}

export function isWrittenFile(path: string): boolean {
  return WRITTEN.test(path)
}

export function isPage(path: string): boolean {
  return PAGE.test(path)
}

/** Sources of libraries and bundlers, by the name that a map gives them. */
const LIBRARY =
  /(?:^|\/)node_modules\/|^webpack\/|^\(?webpack\)?\/|\[turbopack\]\/|^turbopack\/|^\0|^vite\/|\/~\/|^external |^node:/

export function isLibrarySource(source: string): boolean {
  return LIBRARY.test(source)
}

/**
 * A source's name without what differs between bundlers: `webpack://shop/./app/cart.ts`,
 * `turbopack:///[project]/app/cart.ts` and `../../app/cart.ts` are all `app/cart.ts`.
 */
export function sourceName(source: string): string {
  const name = source
    .replaceAll('\\', '/')
    .replace(/^webpack-internal:\/\/\//, '')
    .replace(/^webpack:\/\/(?:[^/]*\/)?/, '')
    .replace(/^turbopack:\/\/(?:[^/]*\/)?(?:\[project\]\/)?/, '')
    .replace(/^(?:rsc|vite|rolldown|ng|meteor):\/\/+/, '')
    .replace(/^\((?:[a-z-]+)\)\//, '') // webpack's layer: (rsc)/./app/page.tsx
    .replace(/^file:\/\/(?:\/(?=[A-Za-z]:\/))?/, '')
    .replace(/ \[[a-z-]{1,40}\] \([a-z ,-]{1,60}\)$/, '') // Turbopack's: where and how a module runs
    .replace(/\?[^/]*$/, '') // webpack's suffix for one file read twice, or for a part of a component
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/\/~\//g, '/')
  return name === '' ? source : name
}

/** The address of a source: beside the file that ran, where it is relative. */
export function sourceAddress(source: string, ran: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(source) || source.startsWith('/')) return source
  const base = ran.startsWith('/') ? `file://${ran}` : ran
  const address = URL.parse(source, base)?.href
  if (address === undefined) return source
  return ran.startsWith('/') ? address.slice('file://'.length) : address
}

/**
 * Whether a browser's extension failed, and not the page. Told by where the failing call stands: an extension that
 * merely stands somewhere in the page's own stack did not fail.
 */
import type { Frame, NormalizedEvent, Stacktrace } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'

/** Addresses of extensions, of the browser's own pages, and what Safari shows in place of an extension's. */
const SCHEME =
  /\b(chrome-extension|moz-extension|safari-extension|safari-web-extension|ms-browser-extension|chrome|webkit-masked-url):\/\//i
const PATH_SCHEME = new RegExp(`^\\W{0,4}${SCHEME.source}`, 'i')
const UNPLACED = /^(?:<anonymous>|\[native code\]|native|<unknown>|undefined)?$/i

/** Messages that extensions and what else is put into pages are known by. What is said of them is ours. */
const MESSAGES: readonly (readonly [pattern: RegExp, example: string])[] = [
  [/extension context invalidated/i, 'an extension that was updated'],
  [
    /receiving end does not exist|message (?:port|channel) closed before a response/i,
    'messages of an extension',
  ],
  [/asynchronous response by returning true/i, 'messages of an extension'],
  [/can't access dead object/i, 'an extension of Firefox'],
  [
    /(?:cannot redefine property|can't redefine non-configurable property "?|redefine property: ?)\W{0,3}(?:ethereum|solana|tronlink|phantom|googletag)/i,
    'a wallet extension',
  ],
  [/window\.ethereum|metamask|tronlink|solana is not defined|runtime\.lasterror/i, 'a wallet extension'],
  [/talisman extension/i, 'a wallet extension'],
  [
    /__gcrweb|_gcrweb|__firefox__|webkit\.messagehandlers|_autofillcallbackhandler/i,
    'code an app puts into pages',
  ],
  [/zaloJSV2|instantSearchSDKJSBridgeClearHighlight|getReadModeExtract/i, 'code an app puts into pages'],
  [
    /evaluating 'elt\.parentnode'|evaluating 'document\.getelementsbytagname\('video'\)/i,
    'code an app puts into pages',
  ],
  [/myapp_removeallhighlights|originalcreatenotification|canvas\.contentdocument/i, 'a known extension'],
  [
    /top\.globals|conduitpage|atomicfindclose|jigsaw is not defined|combosearch is not defined/i,
    'a known extension',
  ],
  [/can't find variable: ziterreader|can't find variable: zitereader|fb_xd_fragment/i, 'a known extension'],
  [/bmi_safeaddonload|ebcallbackmessagereceived|plugin\.setsuspendstate/i, 'a known extension'],
]

/** A server may well write about addresses of extensions. */
const PAGES: ReadonlySet<string> = new Set(['javascript', 'other'])

/** Describes the extension at fault without text of the event; `null` if the page itself failed. */
export function extensionIn(event: NormalizedEvent): string | null {
  const ofPage = schemeOf(event.request?.url, PATH_SCHEME)
  if (ofPage !== null) return `a page of ${ofPage}`
  const exception = mainException(event)
  const stack = exception?.stacktrace ?? event.stacktrace
  const ofCall = stack === undefined ? null : schemeOf(framePath(failingFrame(stack)), PATH_SCHEME)
  if (ofCall !== null) return `a failing call of ${ofCall}`
  if (!PAGES.has(event.platform)) return null
  const text =
    exception === null ? (event.logentry?.formatted ?? event.message ?? '') : (exception.value ?? '')
  const named = schemeOf(text, SCHEME)
  if (named !== null) return `a message about ${named}`
  return MESSAGES.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** The newest call that has a place: built-in functions have none. */
function failingFrame({ frames }: Stacktrace): Frame | undefined {
  return frames.findLast((frame) => !UNPLACED.test(framePath(frame)?.trim() ?? ''))
}

function framePath(frame: Frame | undefined): string | undefined {
  return frame?.abs_path ?? frame?.filename
}

function schemeOf(text: string | undefined, pattern: RegExp): string | null {
  const scheme = text === undefined ? undefined : pattern.exec(text)?.[1]
  return scheme === undefined ? null : `${scheme.toLowerCase()}://`
}

/**
 * Requests of stale tabs, as spans tell of them where no error is sent: an action that nobody knows, a file of another
 * build, page data that another build answered. docs/wire.md, section "Deploy skew".
 */
import { max } from '#limits/limits.ts'
import { isBuiltAsset, isStylesheet } from '#model/asset-path.ts'
import { numberAttribute, textAttribute } from '#model/attributes.ts'
import type { StaleFailure } from '#model/recognised.ts'
import type { Attributes, Fragment, Span } from '#model/span.ts'
import { tabReleaseOf } from '#model/tab-release.ts'
import { isUnknownAction, type SegmentFacts } from './segment-facts.ts'

export interface StaleRequest {
  readonly failure: StaleFailure
  /** Id of the action, path of the file; `null` where nothing says it. */
  readonly subject: string | null
  readonly side: 'browser' | 'server'
  readonly httpStatus: number
  readonly atMs: number
  /** Build of the tab that asked, told by a server if it is known and differs. */
  readonly tabRelease?: string | null
}

const OF_FRAGMENT_MAX = max('staleRequestsPerFragmentMax')
/** Crawlers keep addresses for months, and who looks for holes asks for whatever others had. */
const CRAWLER = /bot\b|crawl|spider|slurp|scan(?:ner)?\b|facebookexternalhit|preview/i

/** `saidRelease`: of the tab, as the envelope says it. */
export function staleRequests(
  fragment: Fragment,
  facts: SegmentFacts,
  saidRelease: string | null = null,
): readonly StaleRequest[] {
  const root = fragment.root === null ? undefined : fragment.spans[fragment.root]
  if (facts.kind === 'browser') return [...missedFiles(fragment.spans), ...leftPage(fragment.spans, root)]
  if (root === undefined || facts.httpStatus === null) return []
  const tabRelease = saidRelease ?? releaseInBaggage(root.attributes ?? {}, fragment.release)
  const told = toldBy(fragment, root.attributes ?? {}, { ...facts, isOtherBuild: tabRelease !== null })
  if (told === null) return []
  const atMs = Math.round(root.start_timestamp * 1_000)
  const place = { side: 'server', httpStatus: facts.httpStatus, atMs } as const
  if (!isCrawler(root.attributes ?? {})) return [{ ...told, ...place, tabRelease }]
  return told.failure === 'reload' ? [] : [{ failure: 'crawler', subject: told.subject, ...place }]
}

type Told = Pick<StaleRequest, 'failure' | 'subject'>

function toldBy(
  fragment: Fragment,
  attributes: Attributes,
  facts: SegmentFacts & { readonly isOtherBuild: boolean },
): Told | null {
  const { kind, httpStatus, action } = facts
  if (isUnknownAction(fragment, attributes, facts)) return { failure: 'action', subject: action }
  const gone = facts.isOtherBuild ? goneOfKit(fragment, facts) : null
  if (gone !== null) return gone
  const path = pathIn(addressIn(attributes))
  if (httpStatus === 404 && path !== null && isBuiltAsset(path))
    return { ...fileFailure(path), subject: path }
  // React Router’s server, of a manifest that is asked for by another version; its client loads the page anew.
  if (httpStatus === 204 && path !== null && MANIFEST.test(path)) return { failure: 'reload', subject: null }
  const [ran, answered] = deploymentsIn(attributes)
  const isAnswered = httpStatus !== null && httpStatus < 400 && kind === 'page-data'
  if (isAnswered && ran !== null && answered !== null && ran !== answered)
    return { failure: 'reload', subject: null }
  return null
}

/**
 * SvelteKit answers 404 before it runs any action, and 405 where a page has no action any more; one that is there and says 404
 * has a span.
 */
function goneOfKit({ sdk, spans }: Fragment, { kind, httpStatus, action }: SegmentFacts): Told | null {
  if (!(sdk ?? '').includes('sveltekit')) return null
  const called = spans.find(({ name }) => name === 'sveltekit.remote.call')
  if (called !== undefined) return goneFunction(called, kind)
  if (kind !== 'action' || (httpStatus !== 404 && httpStatus !== 405)) return null
  const ran = spans.some(({ op, name }) => FORM_ACTION.test(op) || FORM_ACTION.test(name))
  return ran ? null : { failure: 'action', subject: action }
}

/** A remote function is looked for within its span, which has the name once it is found. What only reads is page data. */
function goneFunction({ attributes = {} }: Span, kind: SegmentFacts['kind']): Told | null {
  if (textAttribute(attributes, 'sveltekit.remote.call.name') !== null) return null
  if (numberAttribute(attributes, 'sveltekit.remote.call.result.status') !== 404) return null
  const id = textAttribute(attributes, 'sveltekit.remote.call.id') ?? ''
  const subject = /^[^/]{1,200}\/([^/]{1,200})/.exec(id)?.[1] ?? null
  return { failure: kind === 'action' ? 'action' : 'page-data', subject }
}

const FORM_ACTION = /sveltekit\.(?:form_action|remote)/
const RELEASE_IN_BAGGAGE = /(?:^|[,\s])sentry-release=([^,;\s]{1,600})/

/** Returns the release in the baggage of a span whose envelope states none. */
function releaseInBaggage(attributes: Attributes, release: string | null): string | null {
  const said = RELEASE_IN_BAGGAGE.exec(textAttribute(attributes, 'http.request.header.baggage') ?? '')?.[1]
  if (said === undefined) return null
  try {
    return tabReleaseOf({ release: decodeURIComponent(said) }, release)
  } catch {
    return null // Not encoded as SDKs do.
  }
}

const MANIFEST = /\/__manifest$/

/** The deployment that the page was loaded from, and the one that answered. */
function deploymentsIn(attributes: Attributes): readonly [string | null, string | null] {
  const header = (side: string, name: string) =>
    textAttribute(
      attributes,
      `http.${side}.header.${name}`,
      `http.${side}.header.${name.replaceAll('-', '_')}`,
    )
  const dpl = /[?&]dpl=([\w.-]{1,100})/.exec(addressIn(attributes) ?? '')?.[1] ?? null
  return [header('request', 'x-deployment-id') ?? dpl, header('response', 'x-nextjs-deployment-id')]
}

/** Returns files that a page loaded or fetched in vain. */
function missedFiles(spans: readonly Span[]): readonly StaleRequest[] {
  const found: StaleRequest[] = []
  for (const { op, name, attributes = {}, start_timestamp } of spans) {
    if (found.length >= OF_FRAGMENT_MAX) break
    if (!/^(?:resource\.|http\.client)/.test(op)) continue
    const httpStatus = numberAttribute(attributes, ...STATUSES)
    if (httpStatus !== 404) continue
    const path = pathIn(addressIn(attributes) ?? name.replace(/^[A-Z]+ /, ''))
    if (path === null || !isBuiltAsset(path)) continue
    const place = { side: 'browser', httpStatus, atMs: Math.round(start_timestamp * 1_000) } as const
    found.push({ ...fileFailure(path), subject: path, ...place })
  }
  return found
}

/**
 * The Pages Router of Next.js loads a page anew when the server knows no data of its build, which ends the navigation. Where
 * `getServerSideProps` says “not found” the answer is 404 as well, and the page is shown in place.
 */
function leftPage(spans: readonly Span[], root: Span | undefined): readonly StaleRequest[] {
  if (root?.op !== 'navigation' || (root.status !== 'cancelled' && root.status !== 'aborted')) return []
  const missed = spans.find(({ op, name, attributes = {} }) => {
    if (op !== 'http.client' || numberAttribute(attributes, ...STATUSES) !== 404) return false
    return PAGE_DATA.test(pathIn(addressIn(attributes) ?? name.replace(/^[A-Z]+ /, '')) ?? '')
  })
  if (missed === undefined) return []
  const atMs = Math.round(missed.start_timestamp * 1_000)
  return [{ failure: 'reload', subject: null, side: 'browser', httpStatus: 404, atMs }]
}

const PAGE_DATA = /\/_next\/data\/[^/]{1,200}\/.{1,2000}\.json$/

const STATUSES = ['http.response.status_code', 'http.response_status', 'http.status_code']

function fileFailure(path: string): Pick<StaleRequest, 'failure'> {
  return { failure: isStylesheet(path) ? 'stylesheet' : 'chunk' }
}

function isCrawler(attributes: Attributes): boolean {
  const names = [
    'user_agent.original',
    'http.user_agent',
    'http.request.header.user-agent',
    'http.request.header.user_agent',
  ]
  return CRAWLER.test(textAttribute(attributes, ...names) ?? '')
}

function addressIn(attributes: Attributes): string | null {
  const names = [
    'http.target',
    'url.full',
    'http.url',
    'url.path',
    'nextjs.request_path',
    'url',
    'url.same_origin',
  ]
  return textAttribute(attributes, ...names)
}

function pathIn(address: string | null): string | null {
  const path = (address ?? '').replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  return path.startsWith('/') ? path : null
}

/** Lists what is wrong with an answer, given who asked for what. Empty if nothing is. */
import { PERMISSIONS, type PermissionEntry } from '@errata/server/access'
import type { API_ROUTES } from '../../packages/server/src/http/api/routes.ts'
import type { HandlerRoute } from '../../packages/web/src/wire/app-tables.ts'
import { CANARIES, type Seat } from './two-organisations.ts'
import { type Access, type Verdict, verdictInProject, verdictOf, WITHOUT_PROJECT } from './verdicts.ts'

export type ApiRoute = (typeof API_ROUTES)[number]

/** Addresses that fail on purpose, or have nothing to show here. */
const STATUS_OF_OPEN: Readonly<Record<string, number>> = {
  '/system/self-test/document': 500,
  '/system/self-test/page-data': 500,
  '/system/self-test/handler': 500,
  '/system/quarantine/:seq': 404,
  // Leads on to an organisation's page.
  '/agents': 303,
  // Lead on, as Sentry spells them.
  '/:org/:project/issues/:id': 302,
  '/:org/:project/issues/:id/events/:event': 302,
  '/:org/:project/events/:event': 302,
  // No organisation of the walk has a provider, and nobody began to sign in.
  '/confirm/provider': 404,
  // Nobody pressed a button in Slack.
  '/connect-slack': 410,
  '/sign-in/with/:org/:kind': 404,
  '/sign-in/out/:org/:kind': 404,
  '/sign-in/back/:id/:kind': 410,
  // The walk’s trace holds an error and no span.
  '/:org/traces/:trace/span': 404,
}

/** Addresses that pages had before: they lead to those of today. */
const MOVED = /^\/account\/notices$|\/settings\/(?:notices|spans)$/

interface Asked {
  readonly address: string
  readonly access: Access
  readonly verdict: Verdict
  readonly seat: Seat
}

export async function documentProblems(answer: Response, asked: Asked): Promise<readonly string[]> {
  const { address, access, verdict, seat } = asked
  const text = await answer.text()
  const leaks = canaryProblems(text, seat, address)
  const location = answer.headers.get('location') ?? ''
  const expected =
    verdict === 'sign in'
      ? 303
      : verdict === 'missing'
        ? 404
        : verdict === 'forbidden'
          ? 403
          : MOVED.test(address)
            ? 303
            : openStatus(asked)
  const isRight =
    access === 'anyone' && verdict === 'open'
      ? answer.status < 500 && answer.status !== 401 && answer.status !== 403
      : answer.status === expected
  if (!isRight) return [...leaks, `document ${address}: ${answer.status} in place of ${expected}`]
  if (verdict === 'sign in' && location !== signInWith(address))
    return [...leaks, `document ${address} leads to ${location}`]
  return leaks
}

export async function pageDataProblems(answer: Response, asked: Asked): Promise<readonly string[]> {
  const { address, access, verdict, seat } = asked
  const text = await answer.text()
  const leaks = canaryProblems(text, seat, address)
  const body = JSON.parse(text) as { redirect?: string; error?: { code: string } } // the wire's three shapes
  if (verdict === 'sign in') {
    const isRight = answer.status === 200 && body.redirect === signInWith(address)
    return isRight ? leaks : [...leaks, `data of ${address}: ${answer.status} ${text.slice(0, 200)}`]
  }
  const expected = verdict === 'missing' ? 404 : verdict === 'forbidden' ? 403 : openStatus(asked)
  const isRight =
    access === 'anyone' && verdict === 'open'
      ? answer.status < 500 && answer.status !== 401 && answer.status !== 403
      : answer.status === expected
  return isRight ? leaks : [...leaks, `data of ${address}: ${answer.status} in place of ${expected}`]
}

export async function handlerProblems(
  answer: Response,
  { address, access, seat, path }: Omit<Asked, 'verdict'> & Pick<HandlerRoute, 'path'>,
): Promise<readonly string[]> {
  const verdict = verdictOf(access, seat)
  const leaks = canaryProblems(await answer.text(), seat, address)
  // Addresses as Sentry has them lead to Errata's, which ask who reads.
  const whenOpen = access === 'anyone' && answer.status === 302 ? 302 : (STATUS_OF_OPEN[path] ?? 200)
  const expected = refusalStatus(verdict) ?? whenOpen
  return answer.status === expected
    ? leaks
    : [...leaks, `${address}: ${answer.status} in place of ${expected}`]
}

function openStatus({ address }: Asked): number {
  return STATUS_OF_OPEN[address] ?? 200
}

/** `null`: it is open. */
function refusalStatus(verdict: Verdict): number | null {
  switch (verdict) {
    case 'sign in':
      return 401
    case 'missing':
      return 404
    case 'forbidden':
      return 403
    case 'open':
      return null
  }
}

function signInWith(address: string): string {
  return `/sign-in?next=${encodeURIComponent(address)}`
}

export async function actionProblems(
  answer: Response,
  { name, verdict, seat }: { readonly name: string; readonly verdict: Verdict; readonly seat: Seat },
): Promise<readonly string[]> {
  const text = await answer.text()
  const leaks = canaryProblems(text, seat, name)
  const expected = refusalStatus(verdict)
  const isFailing = name === 'self-test.fail' && answer.status === 500
  const isRight =
    expected === null
      ? isFailing || (answer.status < 500 && ![401, 403].includes(answer.status))
      : answer.status === expected
  return isRight
    ? leaks
    : [...leaks, `${name}: ${answer.status}, ${verdict} was expected: ${text.slice(0, 200)}`]
}

export function apiVerdict(route: ApiRoute, seat: Seat): Verdict {
  const access: Access = route.permission
  return inProject(route.pattern) ? verdictInProject(access, seat) : verdictOf(access, seat)
}

export function tokenVerdict(route: ApiRoute, scopes: readonly string[]): Verdict {
  if (route.permission === 'anyone' || route.permission === 'signed-in') return 'open'
  const entry: PermissionEntry = PERMISSIONS[route.permission]
  return entry.scopes.some((scope) => scopes.includes(scope)) ? 'open' : 'forbidden'
}

/** A call of an outside service, which proves itself by a signature: whoever has none is refused, signed in or not. */
export function isSigned({ pattern }: ApiRoute): boolean {
  return pattern.endsWith('/slack/') || pattern === '/trackers/{tracker}/webhook/'
}

/** Open to all, and missing to whoever may read nothing of what they name: a team of others, a tag of their projects. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set([
  '/organizations/{org}/tags/{key}/values/',
  '/teams/{org}/{team}/projects/',
])

export async function apiProblems(
  answer: Response,
  {
    route,
    verdict,
    seat,
    scope,
  }: { readonly route: ApiRoute; readonly verdict: Verdict; readonly seat: Seat; readonly scope?: string },
): Promise<readonly string[]> {
  const name = `${route.method} ${route.pattern}${scope === undefined ? '' : ` with ${scope}`}`
  const text = await answer.text()
  const leaks = canaryProblems(text, seat, name)
  const expected = isSigned(route) ? 403 : refusalStatus(verdict)
  const isOpenRead = expected === null && route.method === 'GET'
  const isRight = isOpenRead
    ? answer.status === 200 || (answer.status === 404 && MAY_BE_MISSING.has(route.pattern))
    : expected === null
      ? answer.status < 500 && ![401, 403].includes(answer.status)
      : answer.status === expected
  return isRight
    ? leaks
    : [...leaks, `${name}: ${answer.status}, ${verdict} was expected: ${text.slice(0, 200)}`]
}

/** Words that this seat must not read, in what it was answered. */
export function canaryProblems(text: string, seat: Seat, where: string): readonly string[] {
  const hidden: string[] = []
  if (seat !== 'owner of another organisation') hidden.push(CANARIES.rival)
  if (WITHOUT_PROJECT.includes(seat)) hidden.push(CANARIES.shopProject)
  if (['operator', 'owner of another organisation', 'nobody'].includes(seat))
    hidden.push(CANARIES.shopOrganisation)
  return hidden.filter((word) => text.includes(word)).map((word) => `${where} says ${word}`)
}

/** A pattern that names something inside a project. */
export function inProject(pattern: string): boolean {
  // Of a person everybody sees what is of their own projects.
  if (pattern.startsWith('/:org/people/')) return false
  // A release is of projects; what is uploaded for one is not asked for before it is there.
  const isRelease =
    /[:{]version\}?\/?(?:$|commits(?:\/|$)|commitfiles\/|resolved\/|deploys(?:\/|$)|previous-with-commits\/|slower$|artifacts$)/.test(
      pattern,
    )
  return (
    isRelease ||
    /:project|:id|:rule|:trace|\{(?:project|issue|event|short|number|file|trace|deploy|rule|metricRule|message)\}/.test(
      pattern,
    )
  )
}

import { AuthCard } from '#parts/auth-card.tsx'
import { DocsButton } from '#parts/docs-link.tsx'
import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { RANGES, type RangeKey } from '#parts/ranges.ts'
import { narrowerRange } from '#parts/readable.tsx'
import { buttonClass } from '#ui/button.tsx'
import { ErrorBox } from '#ui/error-box.tsx'
import { PageRefusal } from '#wire/failures.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation, usePage, useRouteError } from '#wire/router.ts'

const TITLES: ReadonlyMap<string, string> = new Map([
  ['forbidden', 'Not allowed'],
  ['link_expired', 'This link no longer works'],
])
/** The home page is the overview or the issues, as each account chose. */
const HOME = 'Start page'
/** Codes after which less may be readable than was asked for. */
const PASSING: ReadonlySet<string> = new Set(['store_timeout', 'overloaded'])
/** Codes for which asking again changes nothing. */
const FINAL: ReadonlySet<string> = new Set(['not_found', 'link_expired'])

/**
 * Page in place of one that is missing, not allowed, or could not be read. Anything else is the error page's.
 */
export function RefusalPage() {
  const error = useRouteError()
  const { viewer } = useFrame()
  const { frame } = usePage()
  const { pathname, search } = useLocation()
  if (!(error instanceof PageRefusal)) throw error
  const { code, message, digest, recorded, missing } = error.answer
  const title = missing?.title ?? TITLES.get(code) ?? 'This page couldn’t be loaded'
  const narrower = PASSING.has(code) ? narrowerRange(search, rangeNamed(search)) : null
  const isFirst = FINAL.has(code) && !missing?.search
  if (frame === 'plain' && code === 'link_expired') return <DeadLink title={title} message={message} />
  return (
    <div className="p-6 max-phone:p-4">
      <title>{`${title} · Errata`}</title>
      <ErrorBox
        isPage
        isCalm={!!missing}
        title={title}
        {...(!missing && { code })}
        {...(digest === undefined ? {} : { digest })}
        next={
          <>
            {missing?.search && (
              <PageLink to={missing.search} className="btn">
                Search for {missing.looksFor}
              </PageLink>
            )}
            {FINAL.has(code) ? null : (
              <>
                <a href={`${pathname}${search}`} className="btn">
                  Try again
                </a>
                <DocsButton to={code === 'forbidden' ? 'roles' : 'operating/what-to-do-when'} about={title} />
              </>
            )}
            {narrower === null ? null : (
              <PageLink to={`${pathname}${narrower.search}`} className="btn btn-quiet">
                {narrower.label}
              </PageLink>
            )}
            <PageLink
              to={viewer === null ? paths.signIn() : missing?.list || paths.home()}
              className={isFirst ? 'btn' : 'btn btn-quiet'}
            >
              {viewer === null ? 'Sign in' : missing?.list ? 'Show all' : HOME}
            </PageLink>
            {recorded === undefined ? null : (
              <PageLink to={recorded} className="btn btn-quiet">
                What was recorded
              </PageLink>
            )}
          </>
        }
      >
        {message}
        {narrower === null ? null : ' A shorter time range has less to read.'}
      </ErrorBox>
    </div>
  )
}

/** That of the address, whatever page it is of. */
function rangeNamed(search: string): RangeKey | undefined {
  const name = new URLSearchParams(search).get('range')
  return RANGES.find(({ key }) => key === name)?.key
}

/** A link of an email that was used or is too old: who follows it is outside, and wants the next one. */
function DeadLink({ title, message }: { readonly title: string; readonly message: string }) {
  const { viewer } = useFrame()
  const isReset = useLocation().pathname.startsWith(paths.reset(''))
  return (
    <AuthCard title={title} intro={message}>
      <div className="grid gap-4">
        {isReset ? (
          <PageLink to={paths.forgot()} className={buttonClass('primary')}>
            Get a new link
          </PageLink>
        ) : null}
        <PageLink
          to={viewer === null ? paths.signIn() : paths.home()}
          className={buttonClass(isReset ? 'quiet' : 'plain')}
        >
          {viewer === null ? 'Sign in' : HOME}
        </PageLink>
      </div>
    </AuthCard>
  )
}

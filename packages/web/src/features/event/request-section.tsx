import { KindBadge } from '#parts/issue-marks.tsx'
import type { RequestKind, StoredEvent } from '#parts/issue-types.ts'
import { safeHref } from '#ui/safe-href.ts'
import { ValueRows } from './value-rows.tsx'

/** The request that failed: where, headers, query, cookies, body. */
export function RequestFacts(props: {
  readonly event: StoredEvent
  readonly kind: RequestKind
  /** The server action that was asked for. */
  readonly action: string | null
  /** Id that the action was asked for by, if the route is its name. */
  readonly actionId: string | null
}) {
  const { event, kind, action, actionId } = props
  const { request = {} } = event
  const href = safeHref(request.url)
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-2 text-12">
        <code className="foreign">
          {request.method ?? ''}{' '}
          {href === undefined ? (
            request.url
          ) : (
            <a className="link" href={href} target="_blank" rel="noreferrer noopener">
              {request.url}
            </a>
          )}
        </code>
        <KindBadge kind={kind} />
        {action === null ? null : (
          <code className="foreign text-ink-2" title={actionId ?? undefined}>
            {action}
          </code>
        )}
      </p>
      <div className="grid gap-4">
        <Pairs title="Headers" path="request.headers" pairs={request.headers} />
        {typeof request.query_string === 'string' ? (
          <ValueRows title="Query" path="request" rows={[['query_string', request.query_string]]} />
        ) : (
          <Pairs title="Query" path="request.query_string" pairs={request.query_string} />
        )}
        {request.fragment === undefined ? null : (
          <ValueRows title="Fragment" path="request" rows={[['fragment', request.fragment]]} />
        )}
        <Pairs title="Cookies" path="request.cookies" pairs={request.cookies} />
        {request.data === undefined ? null : (
          <ValueRows title="Body" path="request" rows={[['data', request.data]]} />
        )}
        {request.env === undefined ? null : (
          <ValueRows title="Environment" path="request.env" rows={Object.entries(request.env)} />
        )}
      </div>
    </>
  )
}

function Pairs(props: {
  readonly title: string
  readonly path: string
  readonly pairs: readonly (readonly [string, string])[] | undefined
}) {
  if (props.pairs === undefined || props.pairs.length === 0) return null
  return <ValueRows title={props.title} path={props.path} rows={props.pairs} />
}

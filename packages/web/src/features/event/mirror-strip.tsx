import { DocsLink } from '#parts/docs-link.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueShared } from './issue.server.ts'
import { elsewhereText, matchText, seenInText } from './mirror-text.ts'

/** Strip of browsers' copies of a server's failure or, for a mirror alone, the missing half. */
export function MirrorStrip({ data }: { readonly data: IssueShared }) {
  const { mirrors, lone } = data.view
  const hasFolded = mirrors.total > 0 || mirrors.eventsElsewhere > 0
  if (!hasFolded && lone === null) return null
  return (
    <section
      aria-label="Browser copies"
      className="mb-4 flex items-start gap-3 rounded-field border bg-sunken px-4 py-2.5 text-13"
    >
      <Icon name="merge" size={14} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">{hasFolded ? <Folded data={data} /> : <Lone data={data} />}</div>
    </section>
  )
}

function Folded({ data }: { readonly data: IssueShared }) {
  const { issue, mirrors, tags } = data.view
  const seenIn = seenInText(tags)
  const elsewhere = elsewhereText(mirrors.eventsElsewhere)
  const more = mirrors.total - mirrors.halves.length
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="num">
          <b className="font-strong">
            {issue.mirrorCount === 0
              ? `${quantityText(issue.eventCount, 'event')} of one deploy`
              : 'Browser copy merged:'}
          </b>
          {issue.mirrorCount === 0
            ? ''
            : ` ${numberText(issue.mirrorCount)} of ${quantityText(issue.eventCount, 'event')}`}
          {seenIn === '' ? '' : ` · ${seenIn}`}
          {elsewhere === '' ? '' : ` · ${elsewhere}`} <DocsLink to="traces#one-failure-seen-once" />
        </p>
        {mirrors.total === 0 || issue.mirrorCount === 0 ? null : (
          <PageLink
            className="link link-text link-alone shrink-0"
            to={paths.issueEvents(data.org, issue.shortId, { query: 'request_kind:browser' })}
          >
            Show events
          </PageLink>
        )}
      </div>
      {mirrors.halves.length === 0 ? null : (
        <ul aria-label={issue.mirrorCount === 0 ? 'Of the same deploy' : 'In the browser'} className="mt-1">
          {mirrors.halves.map((half) => (
            <Half key={`${half.projectId} ${half.hash}`} issue={issue.shortId} half={half} />
          ))}
          {more === 0 ? null : <li className="num text-ink-3">and {numberText(more)} more</li>}
        </ul>
      )}
    </>
  )
}

type FoldedHalf = IssueShared['view']['mirrors']['halves'][number]

function Half({ issue, half }: { readonly issue: string; readonly half: FoldedHalf }) {
  const canWrite = useCan('issue.write')
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-3 py-0.5">
      <span className="shrink-0 text-ink-3">{half.projectSlug}</span>
      <span className="foreign min-w-0 flex-1 basis-40 truncate text-ink-2" title={half.title}>
        {half.title}
      </span>
      <span className="num text-ink-3">
        {quantityText(half.eventCount, 'event')}, {matchText(half)}
      </span>
      {canWrite ? (
        <ActionForm
          action="issue.mirrors.keep_apart"
          hidden={{ ref: issue, project: half.projectId, hash: half.hash }}
        >
          {({ pending, error }) => (
            <>
              <Button type="submit" variant="quiet" size="small" busy={pending} className="touch">
                {half.match === 'deploy' ? 'Not the same deploy' : 'Not the same failure'}
              </Button>
              {error === null ? null : (
                <span role="alert" className="ms-2 text-bad">
                  {error.message}
                </span>
              )}
            </>
          )}
        </ActionForm>
      ) : null}
    </li>
  )
}

function Lone({ data }: { readonly data: IssueShared }) {
  const { loneText: texts, view } = data
  if (texts === null) return null
  const keptApart = view.lone?.keptApart ?? null
  return (
    <>
      <p>
        <b className="font-strong">
          {texts.waiting === null
            ? 'Browser copy without a server event. '
            : 'Waiting for the server’s event. '}
        </b>
        {texts.waiting}
      </p>
      <p className="text-ink-2">
        {texts.missing}
        {keptApart === null ? null : (
          <>
            {' '}
            {keptApart.actor}, <Time ms={keptApart.atMs} />
          </>
        )}
      </p>
    </>
  )
}

/** Page of an issue for whoever has its link: read-only, without people, not for search engines. */
import type { ReactNode } from 'react'
import { BrandMark } from '#parts/brand-mark.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSharedIssue } from './shared.server.ts'

type Shared = Awaited<ReturnType<typeof loadSharedIssue>>

export function SharedView() {
  const issue = usePageData<typeof loadSharedIssue>()
  return (
    <div className="w-full max-w-240 min-w-0 px-6 py-6 max-phone:px-0">
      <title>{`${issue.shortId} · Errata`}</title>
      <meta name="robots" content="noindex, nofollow" />
      <meta name="referrer" content="no-referrer" />
      <p className="flex items-center gap-2 text-13 text-ink-2">
        <BrandMark /> <b className="font-strong text-ink">Errata</b> Shared issue, read-only. Names, emails,
        IP addresses and submitted data are left out.
      </p>
      <header className="mt-5 border-b pb-4">
        <p className="text-13 text-ink-3">
          {issue.project} / {issue.shortId}
        </p>
        <h1 className="foreign mt-1 text-20 wrap-anywhere">{issue.title}</h1>
        <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-13">
          <Fact name="Level">{issue.level}</Fact>
          <Fact name="Status">{issue.status}</Fact>
          <Fact name="Events">{numberText(issue.eventCount)}</Fact>
          <Fact name="Affected">{quantityText(issue.userCount, 'user')}</Fact>
          <Fact name="First seen">
            <Time ms={issue.firstSeenMs} />
          </Fact>
          <Fact name="Last seen">
            <Time ms={issue.lastSeenMs} />
          </Fact>
          {issue.lastRelease === null ? null : <Fact name="Release">{issue.lastRelease}</Fact>}
          {issue.route === null ? null : <Fact name="Route">{issue.route}</Fact>}
        </dl>
      </header>
      {issue.exceptions.map((exception, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chain may hold the same exception twice
        <Exception key={index} exception={exception} />
      ))}
      {issue.exceptions.length > 0 ? null : (
        <p className="mt-5 text-13 text-ink-2">The details of this issue’s events are no longer stored.</p>
      )}
      <Tags tags={issue.tags} />
      <Crumbs crumbs={issue.breadcrumbs} />
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="foreign wrap-anywhere">{children}</dd>
    </div>
  )
}

function Exception({ exception }: { readonly exception: Shared['exceptions'][number] }) {
  return (
    <section className="mt-5">
      <h2 className="foreign text-15 wrap-anywhere">
        <b className="font-strong">{exception.type}</b> {exception.value}
      </h2>
      <ol className="mt-2 overflow-hidden rounded-card border">
        {exception.frames.map((frame, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames have no other order, and may repeat
          <li key={index} className="border-b last:border-b-0">
            <p
              className={`foreign px-3 py-1.5 text-12 wrap-anywhere ${frame.isApp ? '' : 'bg-sunken text-ink-3'}`}
            >
              <code className={frame.isApp ? 'font-strong' : ''}>{frame.function ?? '<anonymous>'}</code>{' '}
              <span className="text-ink-3">
                {frame.filename ?? ''}
                {frame.line === null ? '' : `:${frame.line}`}
              </span>
            </p>
            {frame.isApp && frame.code.length > 0 ? <Code frame={frame} /> : null}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Code({ frame }: { readonly frame: Shared['exceptions'][number]['frames'][number] }) {
  return (
    <pre className="foreign overflow-x-auto bg-sunken py-1 font-mono text-12">
      {frame.code.map(({ number, text }) => (
        <code
          key={number}
          className={`block px-3 whitespace-pre ${number === frame.line ? 'bg-bad-soft' : 'text-ink-2'}`}
        >
          <span className="inline-block w-10 pe-3 text-end text-ink-3">{number}</span>
          {text}
        </code>
      ))}
    </pre>
  )
}

function Tags({ tags }: Pick<Shared, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <section className="mt-5">
      <h2 className="text-15 font-strong">Tags</h2>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-2 text-13">
        {tags.map(([key, value]) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Crumbs({ crumbs }: { readonly crumbs: Shared['breadcrumbs'] }) {
  if (crumbs.length === 0) return null
  return (
    <section className="mt-5">
      <h2 className="text-15 font-strong">Breadcrumbs</h2>
      <ol className="mt-2 grid gap-1 text-12 text-ink-2">
        {crumbs.map(({ atMs, level, category }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other order, and may repeat
          <li key={index} className="foreign flex gap-3">
            <span className="num w-24 text-ink-3">
              {atMs === null ? '' : new Date(atMs).toISOString().slice(11, 23)}
            </span>
            <span className="w-16">{level}</span>
            <span className="wrap-anywhere">{category}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

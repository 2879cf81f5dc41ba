/** The inbox: mentions, assignments, regressions, alerts and failed deliveries that concern who is signed in. */
import { useEffect } from 'react'
import { DocsButton, DocsLink } from '#parts/docs-link.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { usePolledCount } from '#parts/polled-count.ts'
import { Readable } from '#parts/readable.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { boundedText } from '#ui/number-text.ts'
import { Tabs, tab } from '#ui/tabs.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useRevalidator } from '#wire/router.ts'
import { KIND_NAMES } from './entry-words.ts'
import type { loadInbox } from './inbox.server.ts'
import { type InboxAddress, inboxQuery } from './inbox-params.ts'
import { InboxRow } from './inbox-row.tsx'

type InboxData = Awaited<ReturnType<typeof loadInbox>>

const POLL_MS = 10_000

export function InboxPage() {
  const data = usePageData<typeof loadInbox>()
  useArrivals(data.unread)
  const { address, entries, organisations } = data
  return (
    <Page>
      <PageHead title="Inbox" end={<DocsButton about="Inbox" />} />
      <InboxTabs data={data} />
      <Kinds address={address} kinds={data.kinds} />
      <Readable part="inbox" what="The inbox">
        {entries.length === 0 ? (
          <Nothing address={address} />
        ) : (
          <ul className="border-t">
            {entries.map((entry) => (
              <InboxRow
                key={entry.id}
                entry={entry}
                organisation={organisations[entry.organisation] ?? null}
              />
            ))}
          </ul>
        )}
        <Foot data={data} />
      </Readable>
    </Page>
  )
}

/** Reads the page anew once there is more or less unread than it says: what arrives stands there without a reload. */
function useArrivals(loaded: number): void {
  const { revalidate } = useRevalidator()
  const unread = usePolledCount(paths.inboxUnread(), { everyMs: POLL_MS, loaded })
  // An effect, because the server's answer to the poll is what asks for the page.
  useEffect(() => {
    if (unread !== null && unread !== loaded) void revalidate()
  }, [unread, loaded, revalidate])
}

function InboxTabs({ data: { address, unread, entries } }: { readonly data: InboxData }) {
  const newest = entries[0]?.id
  const to = (isAll: boolean) => paths.inbox(inboxQuery(address, { isAll }))
  return (
    <div className="mb-4 flex items-center gap-3 border-b">
      <Tabs label="Inbox" className="min-w-0 flex-1">
        <PageLink to={to(false)} className={tab} aria-current={address.isAll ? undefined : 'page'}>
          Unread <span className="num text-ink-3">{boundedText(unread)}</span>
        </PageLink>
        <PageLink to={to(true)} className={tab} aria-current={address.isAll ? 'page' : undefined}>
          All
        </PageLink>
      </Tabs>
      {unread === 0 || newest === undefined || address.before !== null ? null : (
        <ActionForm action="inbox.mark" hidden={{ upTo: newest }}>
          <Button type="submit" size="small" className="touch">
            Mark all as read
          </Button>
        </ActionForm>
      )}
    </div>
  )
}

function Kinds({ address, kinds }: Pick<InboxData, 'address' | 'kinds'>) {
  return (
    <nav
      aria-label="Kinds"
      className="mb-2 flex flex-wrap gap-1.5 max-phone:-mx-4 max-phone:flex-nowrap max-phone:overflow-x-auto max-phone:px-4"
    >
      {[null, ...kinds].map((kind) => (
        <PageLink
          key={kind}
          to={paths.inbox(inboxQuery(address, { kind }))}
          className={buttonClass(kind === address.kind ? 'plain' : 'quiet', 'small', 'touch')}
          aria-current={kind === address.kind ? 'true' : undefined}
        >
          {kind === null ? 'Everything' : KIND_NAMES[kind]}
        </PageLink>
      ))}
    </nav>
  )
}

function Nothing({ address }: { readonly address: InboxAddress }) {
  if (address.before !== null)
    return <Empty title="No older entries">You have reached the end of the inbox.</Empty>
  if (!address.isAll)
    return (
      <Empty
        title="Nothing unread"
        next={
          <PageLink className={buttonClass()} to={paths.inbox(inboxQuery(address, { isAll: true }))}>
            Show all
          </PageLink>
        }
      >
        {address.kind === null
          ? 'You’re all caught up.'
          : `No unread entries in ${KIND_NAMES[address.kind]}.`}
      </Empty>
    )
  return (
    <Empty title="Nothing yet">
      Mentions, assignments, regressions, alerts for you and deliveries that failed appear here.{' '}
      <DocsLink to="account#inbox" />
    </Empty>
  )
}

function Foot({ data: { address, next } }: { readonly data: InboxData }) {
  return (
    <div className="flex flex-wrap items-center gap-2 py-3 text-12 text-ink-2">
      <span className="flex-1">
        Choose what is listed here in{' '}
        <PageLink className="link underline" to={paths.accountAlerts()}>
          your notification settings
        </PageLink>
        .
      </span>
      {address.before === null ? null : (
        <PageLink className="btn touch" to={paths.inbox(inboxQuery(address))}>
          Newest
        </PageLink>
      )}
      {next === null ? null : (
        <PageLink className="btn touch" to={paths.inbox(inboxQuery(address, { before: next }))}>
          Older
        </PageLink>
      )}
    </div>
  )
}

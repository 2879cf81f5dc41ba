/** Nothing disappears uncounted: sent, stored, and why not. */

import { ConnectApp } from '#parts/connect-app.tsx'
import { DocsButton, DocsLink } from '#parts/docs-link.tsx'
import { ChoiceMenu, FilterBar, RangeMenu } from '#parts/filter-bar.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { RangeName } from '#parts/range-name.tsx'
import { RANGES } from '#parts/ranges.ts'
import { Readable } from '#parts/readable.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { useZone } from '#ui/time.tsx'
import { hourText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { BoundNotes } from './bound-notes.tsx'
import { CategoryTable } from './category-table.tsx'
import { ledgerOf } from './ledger.ts'
import { LedgerLine } from './ledger-line.tsx'
import type { loadOutcomes } from './outcomes.server.ts'
import { OutcomesChart } from './outcomes-chart.tsx'
import { outcomesQuery } from './outcomes-params.ts'
import { outcomesPaths } from './paths.ts'
import { ReasonTable } from './reason-table.tsx'
import { SpikeNotes } from './spike-notes.tsx'

type OutcomesData = Awaited<ReturnType<typeof loadOutcomes>>

export function OutcomesPage() {
  const data = usePageData<typeof loadOutcomes>()
  const ledger = ledgerOf(data.view)
  return (
    <>
      <title>{`Outcomes · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Outcomes</h1>
      <OutcomesFilters data={data} />
      <SpikeNotes data={data} />
      <Readable part="outcomes" what="Outcomes" range={data.address.range}>
        {ledger.all.sent === 0 ? (
          <Empty
            title="No items"
            next={
              <>
                {data.address.range === '90d' ? null : (
                  <PageLink
                    className={buttonClass()}
                    to={paths.outcomes(data.org, outcomesQuery(data.address, { range: '90d' }))}
                  >
                    Show the last 90 days
                  </PageLink>
                )}
                <ConnectApp org={data.org} project={data.choices.projects[0]?.slug} />
              </>
            }
          >
            Nothing arrived in this time range with these filters. Every item that SDKs send is counted here,
            stored or not. <DocsLink to="outcomes" />
          </Empty>
        ) : (
          <>
            <LedgerLine ledger={ledger} />
            <OutcomesChart
              view={data.view}
              buckets={ledger.buckets}
              marks={data.marks}
              isLive={data.address.chosen === null}
              rangeTo={({ from, to }) =>
                paths.outcomes(
                  data.org,
                  outcomesQuery(data.address, { chosen: { startMs: from, endMs: to } }),
                )
              }
            />
            <CategoryTable ledger={ledger} />
            <ReasonTable data={data} />
          </>
        )}
      </Readable>
      <BoundNotes data={data} />
    </>
  )
}

function OutcomesFilters({ data }: { readonly data: OutcomesData }) {
  const { org, address, view } = data
  const zone = useZone()
  const link = (change: Parameters<typeof outcomesQuery>[1]) =>
    paths.outcomes(org, outcomesQuery(address, change))
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={data.choices}
            chosen={address.project === null ? [] : [address.project]}
            link={([slug = null]) => link({ project: slug })}
          />
          <ChoiceMenu
            what="client key"
            chosen={address.key === null ? [] : [address.key]}
            options={view.keys.map(({ id, name, public: text, isActive }) => ({
              value: id,
              text: name,
              note: (
                <>
                  {' '}
                  <code className="text-12 text-ink-3">{text.slice(0, 8)}</code>
                  {isActive ? null : <span className="text-12 text-ink-3"> disabled</span>}
                </>
              ),
            }))}
            link={([key = null]) => link({ key })}
          />
          <RangeMenu
            ranges={RANGES}
            chosen={address.chosen === null ? address.range : null}
            label={<RangeName address={address} />}
            link={(range) => link({ range })}
          />
        </>
      }
    >
      <span className="num ms-auto text-12 text-ink-3 max-phone:hidden">
        All items up to {hourText(data.nowMs, zone)}
      </span>
      <DocsButton about="outcomes" />
      <a
        className={buttonClass('quiet')}
        href={outcomesPaths.outcomesCsv(org, outcomesQuery(address))}
        download
      >
        CSV
      </a>
    </FilterBar>
  )
}

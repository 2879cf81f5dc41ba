/** Page of a deploy's stale tabs: how many failed, for how long, why, and what helps. */
import { Readable } from '#parts/readable.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { CauseSide } from './cause-side.tsx'
import { BuildSection, PlaceSection } from './deploy-sections.tsx'
import { DeployTable } from './deploy-table.tsx'
import { deployName, Filters } from './filters.tsx'
import { NoSkew } from './no-skew.tsx'
import { OlderTabs } from './older-tabs.tsx'
import type { loadSkew } from './skew.server.ts'
import { SKEW_RANGES } from './skew-address.ts'
import { SkewChart } from './skew-chart.tsx'
import { type DeployDetail, longText, usersText } from './skew-text.ts'

export function SkewPage() {
  const data = usePageData<typeof loadSkew>()
  const { deploy } = data
  return (
    <>
      <title>{`Deploy skew · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Deploy skew</h1>
      <Filters data={data} />
      <Readable part="deploys" what="Deploys" range={data.address.range} ranges={SKEW_RANGES}>
        {deploy === null ? (
          <NoSkew data={data} />
        ) : (
          <>
            {data.isGone ? (
              <p role="status" className="px-6 pt-3 text-13 text-ink-2 max-phone:px-4">
                That deploy is no longer listed. This is the newest one.
              </p>
            ) : null}
            <Summary deploy={deploy} />
            <div className="grid gap-x-8 border-t px-6 max-phone:px-4 wide:grid-cols-[minmax(0,1fr)_17.5rem]">
              <div className="min-w-0">
                {deploy.count === 0 ? null : <SkewChart org={data.org} deploy={deploy} />}
                <OlderTabs deploy={deploy} />
                <PlaceSection org={data.org} deploy={deploy} />
                <BuildSection org={data.org} deploy={deploy} />
                <DeployTable data={data} />
              </div>
              <CauseSide data={data} deploy={deploy} />
            </div>
          </>
        )}
      </Readable>
    </>
  )
}

/** By how many there are. */
const CAUSES: Readonly<Record<number, string>> = {
  1: 'One cause, avoidable.',
  2: 'Two causes, both avoidable.',
  3: 'Three causes, all avoidable.',
}

function Summary({ deploy }: { readonly deploy: DeployDetail }) {
  const { count, users, halfLifeMs, lastHour, causes, isTold, reloads } = deploy
  return (
    <p className="px-6 py-4 text-15 text-ink-2 max-phone:px-4">
      {deploy.release === null ? (
        'After an unnamed deploy, '
      ) : (
        <>
          After <strong className="foreign font-strong text-ink">{deployName(deploy)}</strong>{' '}
          {isTold ? 'went out' : 'was first seen'} <Time ms={deploy.atMs} />,{' '}
        </>
      )}
      {count === 0 ? (
        <>
          no click failed; {quantityText(reloads, 'page')} of older builds reloaded{' '}
          {reloads === 1 ? 'itself' : 'themselves'}.
        </>
      ) : (
        <>
          <strong className="num font-strong text-ink">{quantityText(count, 'click')}</strong>
          {users.count === 0 ? null : (
            <>
              {' '}
              of <strong className="num font-strong text-ink">{usersText(users)}</strong>
            </>
          )}{' '}
          failed because their tab still ran an older build.
          {halfLifeMs === null ? null : (
            <>
              {' '}
              Half happened within{' '}
              <strong className="num font-strong text-ink">{longText(halfLifeMs)}</strong>;{' '}
              <strong className="num font-strong text-ink">
                {lastHour === 0 ? 'none' : numberText(lastHour)} in the last hour
              </strong>
              .
            </>
          )}{' '}
          {CAUSES[causes.length] ?? ''}
        </>
      )}
    </p>
  )
}

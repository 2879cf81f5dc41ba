import type { SystemView } from '@errata/server/queries'
import type { ReactNode } from 'react'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { acceptRows } from './accept-rows.ts'
import { MinuteBars } from './minute-bars.tsx'

/** The numbers, beside what is to be done; below it where there is no room. */
export function SystemSide({ system }: { readonly system: SystemView }) {
  return (
    <aside
      aria-label="Numbers"
      className="wide:border-s wide:ps-5 max-wide:grid max-wide:grid-cols-2 max-wide:gap-x-6 max-wide:border-t max-phone:block"
    >
      <SideSection title="Accepted" note="items a minute, 60 minutes">
        <MinuteBars minutes={system.perMinute} />
      </SideSection>
      <DiskSection system={system} />
      <SideSection title="Stored">
        <Numbers
          rows={[
            ['Events', numberText(system.stored.events)],
            ['Issues', numberText(system.stored.issues)],
            ['Projects, Errata’s own included', numberText(system.stored.projects)],
            ['Organisations', numberText(system.stored.organisations)],
          ]}
        />
      </SideSection>
      <SideSection title="Process">
        <Numbers
          rows={[
            ['Version', system.version],
            ['Node', system.node],
            ...acceptRows(system.acceptThreads),
            ['Started', <Time key="started" ms={system.startedMs} />],
            ['Journal', `${numberText(system.acceptingSeq)} in, ${numberText(system.appliedSeq)} stored`],
          ]}
        />
      </SideSection>
      <Backups backup={system.backup} />
    </aside>
  )
}

function DiskSection({ system: { disk, dataDirectory, retention } }: { readonly system: SystemView }) {
  const { overview } = retention
  const lasts =
    overview === null
      ? 'unknown'
      : overview.daysLeft === null
        ? 'more than a year'
        : quantityText(overview.daysLeft, 'day')
  return (
    <SideSection title="Disk" note={`of ${sizeText(disk.totalBytes)}`}>
      <Numbers
        rows={[
          ['Payloads', sizeText(disk.payloadBytes)],
          ['Columns', sizeText(disk.columnBytes)],
          [
            'Attachments',
            disk.attachments
              ? `${bytesText(disk.attachments.bytes)} in ${quantityText(disk.attachments.count, 'file')}`
              : 'unknown',
          ],
          ['Control store', bytesText(disk.controlBytes)],
          ['Journal', sizeText(disk.journalBytes)],
          [
            'Total',
            overview === null
              ? 'unknown'
              : `${bytesText(overview.usedBytes)}${overview.maxDiskBytes === null ? '' : ` of ${bytesText(overview.maxDiskBytes)}`}`,
          ],
          ['Free', sizeText(disk.freeBytes)],
          ['Lasts', lasts],
        ]}
      />
      <code className="mt-2 block text-12 wrap-anywhere text-ink-3">{dataDirectory}</code>
    </SideSection>
  )
}

function Backups({ backup: { last, schedule } }: { readonly backup: SystemView['backup'] }) {
  return (
    <SideSection
      title="Backups"
      note={schedule === null ? 'not scheduled' : `every ${quantityText(schedule.everyHours, 'hour')}`}
    >
      <div className="text-13 text-ink-2 wrap-anywhere">
        {schedule === null ? null : <p>{`Into ${schedule.directory}`}</p>}
        <p className="foreign">
          {last === null ? (
            'None yet.'
          ) : last === 'unknown' ? (
            'Unknown: the disk isn’t responding.'
          ) : (
            <>
              {last.ok ? 'Last one ' : 'Last one failed '}
              <Time ms={last.atMs} />
              {`: ${last.detail}`}
            </>
          )}
        </p>
      </div>
    </SideSection>
  )
}

function Numbers({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="text-13">
      {rows.map(([term, value]) => (
        <div key={term} className="flex justify-between gap-3 py-0.5">
          <dt className="text-ink-2">{term}</dt>
          <dd className="num text-end">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function sizeText(bytes: number | null): string {
  return bytes === null ? 'unknown' : bytesText(bytes)
}

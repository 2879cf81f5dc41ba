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

function DiskSection({ system }: { readonly system: SystemView }) {
  const { disk, dataDirectory, retention } = system
  const { overview } = retention
  const lasts =
    overview === null
      ? 'unknown'
      : overview.daysLeft === null
        ? 'more than a year'
        : quantityText(overview.daysLeft, 'day')
  return (
    <SideSection title="Disk" note={`of ${sizeText(disk.totalBytes)}`}>
      {overview === null ? null : <DiskBar disk={disk} usedBytes={overview.usedBytes} />}
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
            'fill-span-server',
          ],
          ['Other files, reserved', otherText(system), 'fill-bar-2'],
          ['Free', sizeText(disk.freeBytes), 'fill-grid'],
          ['Lasts', lasts],
        ]}
      />
      <code className="mt-2 block text-12 wrap-anywhere text-ink-3">{dataDirectory}</code>
    </SideSection>
  )
}

/** Errata's files, what else takes room, and what is free, on the whole disk. */
function DiskBar({ disk, usedBytes }: { readonly disk: SystemView['disk']; readonly usedBytes: number }) {
  const { totalBytes, freeBytes } = disk
  if (totalBytes === null || freeBytes === null || totalBytes <= 0) return null
  const share = (bytes: number) => `${Math.min(100, (bytes / totalBytes) * 100)}%`
  return (
    <svg width="100%" height="8" aria-hidden="true" className="mb-2 block">
      <rect width="100%" height="8" className="fill-grid" />
      <rect width={share(totalBytes - freeBytes)} height="8" className="fill-bar-2" />
      <rect width={share(Math.max(usedBytes, totalBytes / 200))} height="8" className="fill-span-server" />
    </svg>
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

/** A third value colours what stands for the row in a bar above. */
function Numbers({ rows }: { readonly rows: readonly (readonly [string, ReactNode, string?])[] }) {
  return (
    <dl className="text-13">
      {rows.map(([term, value, fill]) => (
        <div key={term} className="flex justify-between gap-3 py-0.5">
          <dt className="text-ink-2">
            {term}
            {fill === undefined ? null : (
              <svg width="8" height="8" aria-hidden="true" className="ms-2 inline-block">
                <rect width="8" height="8" className={`stroke-line-2 ${fill}`} />
              </svg>
            )}
          </dt>
          <dd className="num text-end">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Size of what is on the disk and none of Errata's, or kept free by the file system for its own. */
function otherText({ disk, retention }: SystemView): string {
  const { totalBytes, freeBytes } = disk
  const { overview } = retention
  if (totalBytes === null || freeBytes === null || overview === null) return 'unknown'
  return bytesText(Math.max(0, totalBytes - freeBytes - overview.usedBytes))
}

function sizeText(bytes: number | null): string {
  return bytes === null ? 'unknown' : bytesText(bytes)
}

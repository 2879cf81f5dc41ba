import type { SystemView } from '@errata/server/queries'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Icon } from '#ui/icons.tsx'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time, useNow } from '#ui/time.tsx'
import { spanText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AddressSection } from './address-section.tsx'
import { MinuteBars } from './minute-bars.tsx'
import { Pressures } from './pressures.tsx'
import { ResetLink } from './reset-link.tsx'
import { RetentionSection } from './retention-section.tsx'
import type { loadSystem } from './system.server.ts'
import { LostFromJournal, Quarantine, RefusedWithoutProject } from './system-lists.tsx'

export function SystemPage() {
  const system = usePageData<typeof loadSystem>()
  return (
    <Page>
      <PageHead
        title="System"
        end={
          <PageLink className="btn" to={paths.selfTest()}>
            Self-test
          </PageLink>
        }
      >
        <Summary system={system} />
      </PageHead>
      <Section title="Accepted and refused" note="items a minute, the last 60 minutes">
        <MinuteBars minutes={system.perMinute} />
      </Section>
      <Section title="Health">
        <ul className="text-13">
          {system.health.map(({ name, ok, detail }) => (
            <li key={name} className="flex gap-2 py-1">
              <Icon
                name={ok ? 'check' : 'exclamation'}
                className={ok ? 'mt-0.5 text-good' : 'mt-0.5 text-bad'}
                label={ok ? 'Works' : 'Broken'}
              />
              <span className="w-40 shrink-0">{name}</span>
              <span className="foreign text-ink-2">{detail}</span>
            </li>
          ))}
        </ul>
      </Section>
      <LostFromJournal lost={system.lostFromJournal} />
      <Pressures pressures={system.pressures} heldBack={system.heldBack} heldBackKeys={system.heldBackKeys} />
      <Numbers system={system} />
      <RetentionSection retention={system.retention} />
      <Backup backup={system.backup} />
      <Quarantine rows={system.quarantined} />
      <RefusedWithoutProject rows={system.refusedWithoutProject} />
      <AddressSection url={system.url} isFixed={system.isAddressFixed} />
      <ResetLink />
    </Page>
  )
}

function Summary({ system }: { readonly system: SystemView }) {
  const broken = system.health.filter(({ ok }) => !ok).length
  const { backlog } = system
  const waiting =
    backlog.records === 0
      ? 'Nothing waits to be processed.'
      : `${quantityText(backlog.records, 'envelope')} (${bytesText(backlog.bytes)}) wait to be processed, the oldest for ${spanText(backlog.oldestMs)}.`
  return (
    <p>
      {broken === 0 ? 'Every part works. ' : `${quantityText(broken, 'part')} broken. `}
      {waiting}
    </p>
  )
}

function Backup({ backup: { last, schedule } }: { readonly backup: SystemView['backup'] }) {
  return (
    <Section title="Backup">
      <Facts>
        <Fact term="By itself">
          {schedule === null ? (
            <>
              Never: start with <code>--backup-directory</code>, or run <code>errata backup</code> from time
              to time.
            </>
          ) : (
            `every ${quantityText(schedule.everyHours, 'hour')} into ${schedule.directory}`
          )}
        </Fact>
        <Fact term="Last">
          {last === null || last === 'unknown' ? (
            last === null ? (
              'None yet.'
            ) : (
              'Unknown: the disk does not answer.'
            )
          ) : (
            <>
              <Time ms={last.atMs} />
              {last.ok ? ', whole. ' : ', failed. '}
              <span className={last.ok ? 'foreign text-ink-2' : 'foreign text-bad'}>{last.detail}</span>
            </>
          )}
        </Fact>
      </Facts>
    </Section>
  )
}

function Numbers({ system }: { readonly system: SystemView }) {
  const now = useNow()
  const { disk, stored } = system
  return (
    <>
      <Section title="Stored">
        <Facts>
          <Fact term="Events">{numberText(stored.events)}</Fact>
          <Fact term="Issues">{numberText(stored.issues)}</Fact>
          <Fact term="Projects">
            {`${numberText(stored.projects)} in ${quantityText(stored.organisations, 'organisation')}`}
          </Fact>
          <Fact term="Journal">{`accepted up to ${numberText(system.acceptingSeq)}, stored up to ${numberText(system.appliedSeq)}`}</Fact>
        </Facts>
      </Section>
      <Section title="Disk">
        <Facts>
          <Fact term="Free">{`${sizeText(disk.freeBytes)} of ${sizeText(disk.totalBytes)}`}</Fact>
          <Fact term="Control store">{bytesText(disk.controlBytes)}</Fact>
          <Fact term="Columns">{sizeText(disk.columnBytes)}</Fact>
          <Fact term="Payloads">{sizeText(disk.payloadBytes)}</Fact>
          <Fact term="Journal">{sizeText(disk.journalBytes)}</Fact>
          <Fact term="Directory">
            <code className="text-12">{system.dataDirectory}</code>
          </Fact>
        </Facts>
      </Section>
      <Section title="Process">
        <Facts>
          <Fact term="Version">{`${system.version}, on Node ${system.node}`}</Fact>
          <Fact term="Running">
            {`${spanText(Math.max(0, now - system.startedMs))}, since `}
            <Time ms={system.startedMs} form="exact" />
          </Fact>
          <Fact term="Memory">{bytesText(system.memoryBytes)}</Fact>
        </Facts>
      </Section>
    </>
  )
}

function sizeText(bytes: number | null): string {
  return bytes === null ? 'unknown' : bytesText(bytes)
}

import type { SystemView } from '@errata/server/queries'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'

type RetentionView = SystemView['retention']

const REASONS = {
  age: 'past its retention',
  disk: 'beyond --max-disk',
  empty: 'every event deleted',
} as const

/** Shows what was removed and when, what is left to remove, and how long the disk lasts. */
export function RetentionSection({ retention }: { readonly retention: RetentionView }) {
  const { overview, removals, runs } = retention
  return (
    <Section title="Retention" note="every hour">
      <Facts>
        {overview === null ? (
          <Fact term="Deletions">unknown: the store isn’t responding</Fact>
        ) : (
          <Overview overview={overview} />
        )}
        {runs.map((run) => (
          <Fact key={run.kind} term={run.kind === 'retention' ? 'Last run' : 'Compacted'}>
            <Time ms={run.endedMs} />
            {run.failure === null
              ? `, ${quantityText(run.files, 'file')}, ${bytesText(run.freedBytes)} freed`
              : `, failed: ${run.failure}`}
          </Fact>
        ))}
      </Facts>
      {removals.length === 0 ? null : <Removals rows={removals} />}
    </Section>
  )
}

function Overview({ overview }: { readonly overview: NonNullable<RetentionView['overview']> }) {
  const { pendingDeletions } = overview
  return (
    <Fact term="Deletions">
      {pendingDeletions === 0
        ? 'all removed from the disk'
        : `${numberText(pendingDeletions)} hidden, not yet removed from the disk`}
    </Fact>
  )
}

const DAY_MS = 86_400_000

function Removals({ rows }: { readonly rows: RetentionView['removals'] }) {
  return (
    <Table caption="Removed files" stacks>
      <thead>
        <tr>
          <th>Removed</th>
          <th>Events of</th>
          <th>Why</th>
          <th className={tableNum}>Size</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Time ms={row.endedMs ?? row.begunMs} />
            </td>
            <td>{`${new Date(row.file.day * DAY_MS).toISOString().slice(0, 10)}, kept ${row.file.retentionDays} days`}</td>
            <td>{REASONS[row.reason]}</td>
            <td className={tableNum}>{bytesText(row.bytes)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

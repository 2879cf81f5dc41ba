import type { SystemView } from '@errata/server/queries'
import { bytesText, numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { systemPaths } from './paths.ts'

/** Envelopes that could not be processed three times. */
export function Quarantine({ rows }: { readonly rows: SystemView['quarantined'] }) {
  if (rows.length === 0) return null
  return (
    <Section title="Quarantine" id="quarantine" note="scrubbed, kept for 7 days">
      <Table caption="Quarantined envelopes" stacks>
        <thead>
          <tr>
            <th>Received</th>
            <th>Why</th>
            <th className={tableNum}>Size</th>
            <th>
              <span className="visually-hidden">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.seq}>
              <td>
                <Time ms={row.receivedMs} />
              </td>
              <td className="foreign">{row.reason}</td>
              <td className={tableNum}>{bytesText(row.bytes)}</td>
              <td className="text-end">
                <a
                  className="link max-phone:inline-flex max-phone:min-h-11 max-phone:items-center"
                  href={systemPaths.quarantined(row.seq)}
                  download
                >
                  {`Download ${row.seq}`}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

/** Lists refusals that named no project, so that no project's outcomes can show them. */
export function RefusedWithoutProject({ rows }: { readonly rows: SystemView['refusedWithoutProject'] }) {
  if (rows.length === 0) return null
  return (
    <Section
      title="Refused without a project"
      note="wrong or missing DSN, or an unreadable envelope; last 24 hours"
    >
      <Table caption="Refused without a project" stacks>
        <thead>
          <tr>
            <th>Reason</th>
            <th>Example</th>
            <th className={tableNum}>Items</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.reason ?? ''}>
              <td>{row.reason ?? 'none given'}</td>
              <td className="foreign">{row.example ?? ''}</td>
              <td className={tableNum} data-label="items">
                {numberText(row.quantity)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

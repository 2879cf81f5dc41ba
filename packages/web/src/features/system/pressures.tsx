import type { SystemView } from '@errata/server/queries'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { spanText } from '#ui/time-text.ts'

type Pressure = SystemView['pressures'][number]

const NAMES: Readonly<Record<Pressure['name'], string>> = {
  backlog: 'Waiting to be stored',
  backlog_age: 'Oldest waiting',
  memory: 'Memory',
  disk: 'Free disk',
}

const STATES: Readonly<Record<Pressure['state'], { readonly text: string; readonly tone: string }>> = {
  ok: { text: 'OK', tone: 'text-good' },
  soft: { text: 'Busiest client keys throttled', tone: 'text-warn' },
  hard: { text: 'Nothing accepted', tone: 'text-bad' },
}

const BAR = {
  ok: { width: 108, withText: false },
  soft: { width: 108, withText: false, tone: 'warn' },
  hard: { width: 108, withText: false, tone: 'bad' },
} as const

/** Shows what limits ingest, and which keys feel it. */
export function Pressures({
  pressures,
  heldBack,
  heldBackKeys,
}: Pick<SystemView, 'pressures' | 'heldBack' | 'heldBackKeys'>) {
  return (
    <Section
      title="Limits"
      note="above the first limit, the busiest client keys are throttled; above the second, all of them. Pages always work"
    >
      <Table caption="Limits of ingest" stacks="columns" className="[--stack-columns:3] [--stack-end:-2]">
        <thead>
          <tr>
            <th>What</th>
            <th className={tableNum}>Now</th>
            <th className="stack-none">
              <span className="visually-hidden">Share of the second limit</span>
            </th>
            <th className={tableNum}>First limit</th>
            <th className={tableNum}>Second limit</th>
            <th className="stack-end">State</th>
          </tr>
        </thead>
        <tbody>
          {pressures.map((pressure) => (
            <Row key={pressure.name} pressure={pressure} />
          ))}
        </tbody>
      </Table>
      <HeldBack rows={heldBack} />
      {heldBackKeys > heldBack.length ? (
        <p className="mt-2 text-13 text-ink-2">
          {`and ${quantityText(heldBackKeys - heldBack.length, 'more key')}, which send less`}
        </p>
      ) : null}
    </Section>
  )
}

function Row({ pressure: { name, unit, value, soft, hard, state } }: { readonly pressure: Pressure }) {
  const text = unit === 'bytes' ? bytesText : spanText
  return (
    <tr>
      <td>{NAMES[name]}</td>
      <td className={`${tableNum} font-name`} data-label="now">
        {value === 0 ? 'none' : text(value)}
      </td>
      <td className="stack-none">
        <ShareBar
          part={name === 'disk' ? hard : value}
          whole={name === 'disk' ? value : hard}
          {...BAR[state]}
        />
      </td>
      <td className={tableNum} data-label="limits">
        {text(soft)}
      </td>
      <td className={tableNum} data-label="and">
        {text(hard)}
      </td>
      <td className={`stack-end ${STATES[state].tone}`}>{STATES[state].text}</td>
    </tr>
  )
}

function HeldBack({ rows }: { readonly rows: SystemView['heldBack'] }) {
  if (rows.length === 0) return <p className="mt-2 text-13 text-ink-2">No client keys are throttled.</p>
  return (
    <Table caption="Throttled client keys" stacks="columns" className="[--stack-columns:3]">
      <thead>
        <tr>
          <th>Project</th>
          <th className="stack-lead">Key</th>
          <th className={tableNum}>Bytes per second</th>
          <th className={tableNum}>Allowed</th>
          <th className={tableNum}>Refused</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ keyId, organisation, project, key, askedBytes, allowedBytes, refused }) => (
          <tr key={keyId}>
            <td>{`${organisation}/${project}`}</td>
            <td className="foreign stack-lead">{key}</td>
            <td className={tableNum} data-label="bytes per second">
              {bytesText(askedBytes)}
            </td>
            <td className={tableNum} data-label="allowed">
              {bytesText(allowedBytes)}
            </td>
            <td className={tableNum} data-label="refused">
              {numberText(refused)}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

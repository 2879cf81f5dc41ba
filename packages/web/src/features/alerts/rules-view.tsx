/** Alert rules: what each is now, how often it fired, whom it notifies. */

import { ChoiceMenu, FilterBar } from '#parts/filter-bar.tsx'
import { FindForm } from '#parts/find-form.tsx'
import { FindPerson } from '#parts/find-person.tsx'
import { AndMore, PagedFoot } from '#parts/paged.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AlertTabs } from './alert-tabs.tsx'
import type { loadRules } from './alerts.server.ts'
import { RuleMenu } from './rule-menu.tsx'
import { type RulesAddress, rulesQuery } from './rules-params.ts'
import { StateMark } from './state-mark.tsx'

type Data = Awaited<ReturnType<typeof loadRules>>
type Row = Data['rows'][number]

export function AlertRulesPage() {
  const data = usePageData<typeof loadRules>()
  const { org, counts, rows, builtIn } = data
  return (
    <>
      <title>{`Alerts · ${org} · Errata`}</title>
      <h1 className="visually-hidden">Alerts</h1>
      <Filters data={data} />
      <AlertTabs org={org} counts={counts} />
      <Summary data={data} />
      {rows.length === 0 && builtIn.length === 0 ? (
        <Empty
          title="No rule matches"
          next={
            <>
              <PageLink className={buttonClass()} to={paths.alerts(org)}>
                Show all rules
              </PageLink>
              <FindPerson org={org} text={data.address.query} />
            </>
          }
        >
          No rule matches these filters.
        </Empty>
      ) : (
        <RuleTable data={data} />
      )}
      <div className="px-6 max-phone:px-4">
        <PagedFoot
          path={paths.alerts(org)}
          what="rule"
          kept={rulesQuery(data.address)}
          {...data}
          query={data.address.query}
        />
      </div>
      <p className="px-6 py-3 text-12 text-ink-2 max-phone:px-4">
        Metrics are evaluated every minute. Late or repeated events don’t fire a rule twice. Alerts to one
        receiver within a minute are sent as one message.
      </p>
    </>
  )
}

function Filters({ data }: { readonly data: Data }) {
  const { org, address, choices, mayWrite } = data
  const link = (change: Partial<RulesAddress>) => paths.alerts(org, rulesQuery(address, change))
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={choices}
            chosen={address.project === null ? [] : [address.project]}
            link={([project = null]) => link({ project })}
          />
          <ChoiceMenu
            what="kind"
            chosen={address.kind === null ? [] : [address.kind]}
            options={KINDS}
            link={([kind = null]) => link({ kind })}
          />
        </>
      }
    >
      <FindForm
        action={paths.alerts(org)}
        text={address.query}
        kept={rulesQuery(address)}
        label="Find a rule"
        placeholder="Rule, receiver, person…"
      />
      {mayWrite ? (
        <Menu className="btn btn-primary touch" label="New rule" align="end">
          <PageLink className={menuItem} to={paths.newAlertRule(org, { kind: 'issue' })}>
            On issues
          </PageLink>
          <PageLink className={menuItem} to={paths.newAlertRule(org, { kind: 'metric' })}>
            On a metric
          </PageLink>
        </Menu>
      ) : null}
    </FilterBar>
  )
}

const KINDS = [
  { value: 'issue', text: 'Issue rules' },
  { value: 'metric', text: 'Metric rules' },
] as const

function Summary({ data: { sums, org } }: { readonly data: Data }) {
  const { critical, broken, warning, quiet, few, muted, off, fired, delivered, failed } = sums
  const parts = [
    ...(broken > 0 ? [`${numberText(broken)} can’t be evaluated`] : []),
    ...(warning > 0 ? [`${numberText(warning)} ${warning === 1 ? 'warning' : 'warnings'}`] : []),
    `${numberText(quiet)} OK`,
    ...(few > 0 ? [`${numberText(few)} without enough data`] : []),
    ...(muted > 0 ? [`${numberText(muted)} muted`] : []),
    ...(off > 0 ? [`${numberText(off)} off`] : []),
  ]
  return (
    <p className="px-6 py-4 text-15 text-ink-2 max-phone:px-4">
      <b className={critical > 0 ? 'font-strong text-bad' : 'font-strong text-ink'}>
        {critical === 0 ? 'No rule' : quantityText(critical, 'rule')} is critical
      </b>
      , {parts.join(', ')}. In 14 days they fired{' '}
      <b className="font-strong text-ink">{quantityText(fired, 'time')}</b> and sent{' '}
      <b className="font-strong text-ink">{quantityText(delivered, 'message')}</b>
      {failed === 0 ? (
        '.'
      ) : (
        <>
          ; {numberText(failed)} {failed === 1 ? 'was' : 'were'} not delivered.{' '}
          <PageLink to={paths.alertLog(org, { rule: 'rules', state: 'failed' })} className="link link-text">
            See {failed === 1 ? 'it' : `the ${numberText(failed)}`}
          </PageLink>
        </>
      )}
    </p>
  )
}

function RuleTable({ data }: { readonly data: Data }) {
  return (
    <Table caption="Alert rules" edge stacks="earliest" className="[--stack-columns:6]">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Rule</th>
          <th scope="col">Project</th>
          <th scope="col" className="mid-only">
            Notifies
          </th>
          <th scope="col" className="mid-only">
            Fired, 14 d
          </th>
          <th scope="col" className={tableNum}>
            Last
          </th>
          <th scope="col" className="wide-only">
            By
          </th>
          <th scope="col">
            <span className="visually-hidden">Changes</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row) => (
          <RuleRow key={row.id} row={row} data={data} />
        ))}
        {data.builtIn.map((built) => (
          <BuiltInRow key={built.project} built={built} org={data.org} />
        ))}
      </tbody>
    </Table>
  )
}

function RuleRow({ row, data }: { readonly row: Row; readonly data: Data }) {
  return (
    <tr>
      <td className="whitespace-nowrap">
        <StateMark state={row.state} few={row.few} muted={row.muted} />
      </td>
      <th scope="row" className="stack-first max-w-110 whitespace-normal py-2">
        <PageLink to={paths.alertRule(data.org, row.id)} className="foreign link row-link font-strong">
          {row.name}
        </PageLink>
        <span className="ms-2 font-normal text-12 text-ink-3">{row.kind}</span>
        <span className="foreign block text-12 font-normal text-ink-2">
          {row.sentence}
          {row.value === null ? null : (
            <>
              ; now <b className={VALUE_TONES[row.state]}>{row.value}</b>
              {row.warns === null ? null : `, ${row.warns}`}
            </>
          )}
        </span>
      </th>
      <td className="foreign max-w-40 truncate" title={row.project}>
        {row.project}
        <AndMore count={row.moreProjects} />
      </td>
      <td className="foreign stack-line mid-only max-phone:order-1 max-phone:text-12 max-phone:text-ink-3">
        {row.notifies}
      </td>
      <td className="stack-none mid-only">
        <FiredBars days={row.firedByDay} state={row.state} />
      </td>
      <td className={`${tableNum} whitespace-nowrap max-phone:text-end!`}>
        {row.firedLastMs === null ? <span className="text-ink-3">never</span> : <Time ms={row.firedLastMs} />}
      </td>
      <td className="stack-none wide-only">
        {row.by === 'preset' ? <span className="text-ink-3">preset</span> : <Avatar name={row.by} />}
      </td>
      <td className="stack-end">{data.mayWrite ? <RuleMenu rule={row} /> : null}</td>
    </tr>
  )
}

const VALUE_TONES = {
  critical: 'font-strong text-bad',
  warning: 'font-strong text-warn',
  ok: 'font-strong text-ink',
  failed: 'font-strong text-ink-3',
  few: 'font-strong text-ink-3',
  off: 'font-strong text-ink-3',
} as const

/** Bars of firings, one a day; today's has the colour of the current state. */
function FiredBars({ days, state }: { readonly days: readonly number[]; readonly state: Row['state'] }) {
  const total = days.reduce((sum, count) => sum + count, 0)
  const peak = Math.max(1, ...days)
  return (
    <span className="inline-flex items-center gap-3">
      <svg
        width={days.length * 8}
        height={18}
        role="img"
        aria-label={`${quantityText(total, 'firing')} in 14 days`}
        className="shrink-0"
      >
        {days.map((count, index) => {
          const height = count === 0 ? 1 : Math.max(5, (count / peak) * 17)
          const isNow = index === days.length - 1 && count > 0
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day
              key={index}
              x={index * 8}
              y={18 - height}
              width={6}
              height={height}
              className={count === 0 ? 'fill-bar-2' : isNow ? NOW_FILLS[state] : 'fill-bar'}
            />
          )
        })}
      </svg>
      <span className="num min-w-5 text-end">{numberText(total)}</span>
    </span>
  )
}

const NOW_FILLS = {
  critical: 'fill-bad-fill',
  warning: 'fill-warn-fill',
  ok: 'fill-bar',
  failed: 'fill-bar',
  few: 'fill-bar',
  off: 'fill-bar',
} as const

function BuiltInRow({ built, org }: { readonly built: Data['builtIn'][number]; readonly org: string }) {
  return (
    <tr>
      <td>
        <StateMark state={built.isOn ? 'ok' : 'off'} few={null} muted={null} />
      </td>
      <th scope="row" className="stack-first py-2">
        <PageLink to={paths.projectAlerts(org, built.project)} className="link row-link font-strong">
          New issues and regressions
        </PageLink>
        <span className="ms-2 font-normal text-12 text-ink-3">built in</span>
        <span className="block text-12 font-normal text-ink-2">a new issue or a regression</span>
      </th>
      <td className="foreign max-w-40 truncate" title={built.project}>
        {built.project}
      </td>
      <td className="stack-line mid-only max-phone:order-1 max-phone:text-12 max-phone:text-ink-3">
        {built.notifies === '' ? 'nobody' : built.notifies}
      </td>
      <td colSpan={4} className="whitespace-nowrap text-ink-3 max-phone:text-end!">
        project setting
      </td>
    </tr>
  )
}

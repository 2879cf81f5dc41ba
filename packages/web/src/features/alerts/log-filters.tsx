import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { LogData } from './log-data.ts'
import { LOG_DAYS, type LogAddress, logQuery } from './log-params.ts'
import { alertsPaths } from './paths.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

const STATES: readonly Choice[] = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Not delivered' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'gathered', label: 'Combined' },
  { value: 'cancelled', label: 'Cancelled' },
]
const DAYS: readonly Choice[] = LOG_DAYS.map((value) => ({
  value,
  label: value === '1' ? 'Last 24 hours' : `Last ${value} days`,
}))

export function LogFilters({ data }: { readonly data: LogData }) {
  const { org, address, rules, kinds } = data
  const { text, message: _, before: __, ...rest } = address
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 pt-3 pb-2 max-phone:px-4">
      <Filter data={data} name="rule" all="All rules" choices={rules} />
      <Filter data={data} name="kind" all="All channels" choices={kinds} />
      <Filter data={data} name="state" all="All states" choices={STATES} />
      <Filter data={data} name="days" choices={DAYS} />
      <form method="get" action={paths.alertLog(org)} className="min-w-40 flex-1">
        {Object.entries(rest).map(([name, value]) =>
          value === '' ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <input
          key={text}
          type="search"
          name="text"
          className="field touch w-full"
          defaultValue={text}
          placeholder="Alert, receiver, response…"
          aria-label="Find a message"
        />
      </form>
      <a
        className={buttonClass('quiet', 'normal', 'touch')}
        href={alertsPaths.alertLogCsv(org, logQuery(address))}
      >
        CSV
      </a>
    </div>
  )
}

function Filter(props: {
  readonly data: LogData
  readonly name: keyof LogAddress
  readonly choices: readonly Choice[]
  /** Text when nothing is chosen; without it something always is. */
  readonly all?: string
}) {
  const { data, name, choices, all } = props
  const { org, address } = data
  const chosen = address[name]
  const offered = all === undefined ? choices : [{ value: '', label: all }, ...choices]
  const label = offered.find(({ value }) => value === chosen)?.label ?? chosen
  return (
    <Menu className="btn touch" label={<span className="foreign">{label}</span>}>
      {offered.map(({ value, label: text }) => (
        <PageLink
          key={value}
          to={paths.alertLog(org, logQuery(address, { [name]: value }))}
          className={menuItem}
          aria-current={value === chosen ? 'true' : undefined}
        >
          {value === chosen ? <Icon name="check" size={14} /> : <span className="size-3.5 shrink-0" />}
          <span className="foreign">{text}</span>
        </PageLink>
      ))}
    </Menu>
  )
}

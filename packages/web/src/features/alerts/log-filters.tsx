import { ChoiceMenu, FilterBar } from '#parts/filter-bar.tsx'
import { FindForm } from '#parts/find-form.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import type { LogData } from './log-data.ts'
import { LOG_DAYS, type LogAddress, logQuery } from './log-params.ts'
import { alertsPaths } from './paths.ts'

const STATES = [
  { value: 'delivered', text: 'Delivered' },
  { value: 'failed', text: 'Not delivered' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'gathered', text: 'Combined' },
  { value: 'cancelled', text: 'Cancelled' },
]
const DAYS = LOG_DAYS.map((value) => ({
  value,
  text: value === '1' ? 'Last 24 hours' : `Last ${value} days`,
}))

export function LogFilters({ data }: { readonly data: LogData }) {
  const { org, address, rules, kinds } = data
  const link = (change: Partial<LogAddress>) => paths.alertLog(org, logQuery(address, change))
  const chosenOf = (value: string) => (value === '' ? [] : [value])
  return (
    <FilterBar
      menus={
        <>
          <ChoiceMenu
            what="rule"
            chosen={chosenOf(address.rule)}
            options={rules}
            link={([rule = '']) => link({ rule })}
          />
          <ChoiceMenu
            what="channel"
            chosen={chosenOf(address.kind)}
            options={kinds}
            link={([kind = '']) => link({ kind })}
          />
          <ChoiceMenu
            what="state"
            chosen={chosenOf(address.state)}
            options={STATES}
            link={([state = '']) => link({ state })}
          />
          <ChoiceMenu
            what="day"
            isRequired
            chosen={[address.days]}
            options={DAYS}
            link={([days = address.days]) => link({ days })}
          />
        </>
      }
    >
      <FindForm
        action={paths.alertLog(org)}
        name="text"
        text={address.text}
        kept={logQuery(address)}
        label="Find a message"
        placeholder="Alert, receiver, response…"
      />
      <a
        className={buttonClass('quiet', 'normal', 'touch')}
        href={alertsPaths.alertLogCsv(org, logQuery(address))}
      >
        CSV
      </a>
    </FilterBar>
  )
}

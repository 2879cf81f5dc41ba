/** Fields of a rule in one form. Unchosen rows are left out when it is sent. */

import { type ReactNode, useState } from 'react'
import { type Choice, type Found, useFound } from '#parts/choices.ts'
import { FindField } from '#parts/find-field.tsx'
import { FormText } from '#parts/form-parts.tsx'
import { PickList } from '#parts/pick-list.tsx'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { byWord } from '#ui/by-word.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { useActionForm } from '#wire/action-form.tsx'
import { MetricPart } from './metric-fields.tsx'
import type { RuleData } from './rule-data.ts'
import {
  type ConditionRow,
  NO_CONDITION,
  NO_RECEIVER,
  NO_WHEN,
  type ReceiverRow,
  type WhenRow,
} from './rule-form.ts'
import { Choose, type Option, Typed } from './small-fields.tsx'

type Options = RuleData['options']

export function RuleFieldsPart({ data }: { readonly data: RuleData }) {
  const { fields, options, picked, rule } = data
  const whom = useFound({ org: options.org, of: 'receivers' }, options.receivers)
  const people: Whom = { found: whom.found, options }
  const find = options.receivers.isPart ? (
    <FindField
      label="Find a person or team to choose from"
      text={whom.text}
      onText={whom.setText}
      onTake={() => {}}
      className="field touch w-full max-w-90"
    />
  ) : null
  return (
    <>
      <input type="hidden" name="kind" value={fields.kind} />
      <FormText name="name" label="Name" initial={fields.name} required maxLength={100} />
      {fields.kind === 'issue' ? (
        <Rows
          title="When"
          name="when"
          of={fields.when}
          none={{ ...NO_WHEN, on: '' }}
          add="Add a trigger"
          head={
            <Choose name="whenMatch" label="When match" initial={fields.whenMatch} options={WHEN_MATCHES} />
          }
        >
          {(row) => <WhenFields row={row} />}
        </Rows>
      ) : (
        <Part title="When">
          <MetricPart metric={fields.metric} windows={options.windows} />
          <Errors of={['when', 'body']} />
        </Part>
      )}
      <Rows
        title="If"
        name="if"
        of={fields.conditions}
        none={NO_CONDITION}
        add="Add a condition"
        without="No conditions"
        head={
          fields.kind === 'issue' ? (
            <Choose name="match" label="Match" initial={fields.match} options={MATCHES} />
          ) : (
            <input type="hidden" name="match" value="all" />
          )
        }
      >
        {(row) => <ConditionFields row={row} whom={people} isMetric={fields.kind === 'metric'} />}
      </Rows>
      <Part title="Projects" note="None selected: all projects.">
        <PickList
          {...{ org: options.org, choices: options.projects, picked }}
          of="projects"
          name="projects"
          title="Projects"
          titleHidden
          className="flex flex-wrap gap-x-4 gap-y-2"
          {...(rule !== null && { heldBy: `rule:${rule.id}` })}
        />
      </Part>
      <Rows
        title="Then"
        name="notify"
        of={fields.receivers}
        none={NO_RECEIVER}
        add="Add a receiver"
        find={find}
      >
        {(row) => <ReceiverFields row={row} whom={people} isMetric={fields.kind === 'metric'} />}
      </Rows>
      <Part title="Frequency">
        <div className="flex flex-wrap items-center gap-2 text-13">
          {fields.kind === 'issue' ? 'At most once per issue every' : 'Repeat every'}
          <Typed name="everyMinutes" label="Minutes" initial={fields.everyMinutes} numeric unit="min" />
          {fields.kind === 'metric' ? 'while firing' : null}
          <span className="text-12 text-ink-3">
            {fields.kind === 'metric' ? '0: don’t repeat' : '0: only once'}
          </span>
        </div>
        <Errors of={['everyMinutes', 'projects']} />
        <Checkbox
          name="isQuiet"
          label="Respect quiet hours (critical always notifies)"
          showLabel
          defaultChecked={fields.isQuiet}
        />
        <Checkbox name="isOn" label="On" showLabel defaultChecked={fields.isOn} />
      </Part>
    </>
  )
}

/** Lists the errors of these parts of a rule, however deep. */
function Errors({ of }: { readonly of: readonly string[] }) {
  const { fields } = useActionForm()
  const isOfThem = (field: string) => of.some((part) => field === part || field.startsWith(`${part}.`))
  const rules = Object.entries(fields).flatMap(([field, said]) => (isOfThem(field) ? said : []))
  if (rules.length === 0) return null
  return (
    <p role="alert" className="text-12 text-bad">
      {[...new Set(rules)].join(' ')}
    </p>
  )
}

const MATCHES: readonly Option[] = [
  { value: 'all', label: 'all of these' },
  { value: 'any', label: 'any of these' },
  { value: 'none', label: 'none of these' },
]
const WHEN_MATCHES: readonly Option[] = [
  { value: 'any', label: 'any of these' },
  { value: 'all', label: 'all of these at once' },
]

function Part(props: {
  readonly title: string
  readonly note?: string
  readonly head?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="grid grid-cols-1 gap-2 border-t pt-4">
      <div className="flex items-center gap-2">
        <h2 className="text-13 font-strong">{props.title}</h2>
        {props.head}
        {props.note === undefined ? null : <span className="text-12 text-ink-3">{props.note}</span>}
      </div>
      {props.children}
    </section>
  )
}

/** Rows of one sort; at least one that is empty, so that one can be added without a script. */
function Rows<Row>(props: {
  readonly title: string
  /** Name in the rule. */
  readonly name: string
  readonly of: readonly Row[]
  readonly none: Row
  readonly add: string
  readonly head?: ReactNode
  /** Stands in place of rows where there need not be one. */
  readonly without?: string
  /** Looks for more to choose from. */
  readonly find?: ReactNode
  readonly children: (row: Row) => ReactNode
}) {
  const { without } = props
  const [more, setMore] = useState(props.of.length === 0 && without === undefined ? 1 : 0)
  const rows = [...props.of, ...Array.from({ length: more }, () => props.none)]
  return (
    <Part title={props.title} head={rows.length === 0 ? <span hidden>{props.head}</span> : props.head}>
      {props.find}
      {rows.length === 0 ? (
        <>
          <p className="text-13 text-ink-3">{without}</p>
          <noscript>
            <div className="flex flex-wrap items-center gap-2">{props.children(props.none)}</div>
          </noscript>
        </>
      ) : null}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the form
        <div key={index} className="flex flex-wrap items-center gap-2">
          {props.children(row)}
        </div>
      ))}
      <Errors of={[props.name]} />
      <div>
        <button type="button" className="link text-13" onClick={() => setMore((count) => count + 1)}>
          {props.add}
        </button>
      </div>
    </Part>
  )
}

const MOMENTS: readonly Option[] = [
  { value: '', label: 'Choose a trigger' },
  { value: 'new', label: 'an issue is new' },
  { value: 'regressed', label: 'a resolved issue regresses' },
  { value: 'escalating', label: 'an issue escalates (exceeds its forecast)' },
  { value: 'resolved', label: 'an issue is resolved' },
  { value: 'frequency', label: 'an issue has many …' },
  { value: 'increase', label: 'an issue has many more … than before' },
  { value: 'digest', label: 'a digest is looked up' },
  { value: 'activity', label: 'someone changes an issue' },
]
const COUNTED: readonly Option[] = [
  { value: 'events', label: 'events' },
  { value: 'users', label: 'users' },
]
const ACTIVITIES: readonly Option[] = [
  { value: 'comment', label: 'comments' },
  { value: 'assignment', label: 'assigns it' },
  { value: 'comment+assignment', label: 'comments or assigns it' },
]

function WhenFields({ row }: { readonly row: WhenRow }) {
  const [on, setOn] = useState(row.on)
  const isCounted = on === 'frequency' || on === 'increase' || on === 'digest'
  return (
    <>
      <Choose name="whenOn[]" label="When" initial={row.on} options={MOMENTS} onChange={setOn} />
      <span className={on === 'increase' ? 'contents' : 'hidden'}>
        <Typed name="whenTimes[]" label="Times" initial={row.times} numeric unit="×" />
      </span>
      <span className={isCounted ? 'contents text-13' : 'hidden'}>
        at least
        <Typed name="whenCount[]" label="At least" initial={row.count} numeric />
      </span>
      <span className={on === 'digest' || on === 'new' || on === '' ? 'hidden' : 'contents'}>
        {on === 'activity' ? (
          <Choose
            name="whenOf[]"
            label="What"
            initial={row.of === 'events' ? 'comment' : row.of}
            options={ACTIVITIES}
          />
        ) : (
          <span className={on === 'frequency' || on === 'increase' ? 'contents' : 'hidden'}>
            <Choose name="whenOf[]" label="Counted" initial={row.of} options={COUNTED} />
          </span>
        )}
      </span>
      {on === 'digest' ? <span className="text-13">people</span> : null}
      <span className={isCounted ? 'contents text-13' : 'hidden'}>
        within
        <Typed name="whenMinutes[]" label="Minutes" initial={row.minutes} numeric unit="min" />
      </span>
    </>
  )
}

const CONDITIONS: readonly Option[] = [
  { value: '', label: 'Choose a condition' },
  { value: 'environment', label: 'environment' },
  { value: 'release', label: 'release' },
  { value: 'level', label: 'level' },
  { value: 'priority', label: 'priority' },
  { value: 'tag', label: 'tag' },
  { value: 'kind', label: 'request kind' },
  { value: 'handled', label: 'handled' },
  { value: 'age', label: 'age' },
  { value: 'assignee', label: 'assignee' },
  { value: 'text', label: 'title contains' },
]
const HOWS: Readonly<Record<string, readonly Option[]>> = byWord({
  level: listOf('at least', 'exactly', 'at most'),
  priority: listOf('at least', 'exactly', 'at most'),
  tag: listOf(
    ...['is', 'is not', 'contains', 'does not contain', 'starts with', 'does not start with'],
    ...['ends with', 'does not end with', 'is set', 'is not set'],
  ),
  age: listOf('newer', 'older'),
})

function listOf(...values: readonly string[]): readonly Option[] {
  return values.map((value) => ({ value, label: value }))
}

function ConditionFields(props: {
  readonly row: ConditionRow
  readonly whom: Whom
  readonly isMetric: boolean
}) {
  const { row } = props
  const [is, setIs] = useState(row.is)
  const hows = HOWS[is]
  const offered = props.isMetric ? CONDITIONS.slice(0, 3) : CONDITIONS
  const [kept, setKept] = useState<Option | null>(null)
  const values = valuesOf(is, peopleOf(props.whom, kept))
  return (
    <>
      <Choose name="ifIs[]" label="Condition" initial={row.is} options={offered} onChange={setIs} />
      {is === 'tag' ? (
        <Typed name="ifKey[]" label="Tag" initial={row.key} />
      ) : (
        <input type="hidden" name="ifKey[]" value="" />
      )}
      {hows === undefined ? (
        <input type="hidden" name="ifHow[]" value="" />
      ) : (
        <Choose name="ifHow[]" label="How" initial={row.how} options={hows} />
      )}
      {is === '' ? (
        <input type="hidden" name="ifValue[]" value="" />
      ) : values === null ? (
        <Typed
          name="ifValue[]"
          label="Value"
          initial={row.value}
          {...(is === 'age' && { numeric: true, unit: 'min' })}
        />
      ) : (
        <Choose
          name="ifValue[]"
          label="Value"
          initial={row.value}
          options={values}
          onChange={(value) => setKept(values.find((one) => one.value === value) ?? null)}
        />
      )}
    </>
  )
}

function valuesOf(is: string, people: readonly Option[]): readonly Option[] | null {
  switch (is) {
    case 'level':
      return listOf('fatal', 'error', 'warning', 'info', 'debug')
    case 'priority':
      return listOf('high', 'medium', 'low')
    case 'kind':
      return Object.keys(REQUEST_KINDS).map((kind) => ({ value: kind, label: kind }))
    case 'handled':
      return listOf('yes', 'no')
    case 'assignee':
      return [{ value: 'nobody', label: 'nobody' }, ...people]
    default:
      return null
  }
}

interface Whom {
  readonly found: Found
  readonly options: Options
}

/** `kept`: what was chosen stays while others are looked for. */
function peopleOf({ found, options }: Whom, kept: Option | null): readonly Option[] {
  const people = [...found.people, ...options.named.people].map(({ id, name }) => ({
    ...{ value: String(id), label: name },
  }))
  return unique([...people, ...(kept === null ? [] : [kept])])
}

function receiversOf({ found, options }: Whom): readonly Option[] {
  const email = (sort: string, { id, name }: Choice) => ({ value: `${sort}:${id}`, label: `Email ${name}` })
  const { named } = options
  return unique([
    ...options.fixed,
    ...[...found.teams, ...named.teams].map((team) => email('team', team)),
    ...[...found.people, ...named.people].map((person) => email('user', person)),
  ])
}

function unique(options: readonly Option[]): readonly Option[] {
  return [...new Map(options.map((option) => [option.value, option])).values()]
}

function ReceiverFields(props: {
  readonly row: ReceiverRow
  readonly whom: Whom
  readonly isMetric: boolean
}) {
  const { row } = props
  const [kept, setKept] = useState<Option | null>(null)
  const offered = receiversOf(props.whom)
  const options = unique([
    { value: '', label: 'Choose a receiver' },
    ...offered,
    ...(kept === null ? [] : [kept]),
  ])
  const isKnown = options.some(({ value }) => value === row.to)
  return (
    <>
      <Choose
        name="notifyTo[]"
        label="Receiver"
        initial={row.to}
        options={isKnown ? options : [...options, { value: row.to, label: 'a former member' }]}
        onChange={(to) => setKept(options.find(({ value }) => value === to) ?? null)}
      />
      {props.isMetric ? (
        <span className="inline-flex items-center gap-2 text-13">
          from
          <Choose
            name="notifyFrom[]"
            label="From level"
            initial={row.from}
            options={listOf('warning', 'critical')}
          />
        </span>
      ) : (
        <input type="hidden" name="notifyFrom[]" value="warning" />
      )}
    </>
  )
}

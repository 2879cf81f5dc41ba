/** The form of a page of a project's options: its fields come from the table of settings. */
import type { ReactNode } from 'react'
import { FormLines, FormSelect, FormText } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { useCan } from '#parts/frame-data.ts'
import { RuleEditor } from '#parts/rule-editor.tsx'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Section } from '#ui/section.tsx'
import { LimitFields } from './limit-fields.tsx'
import type { OptionField } from './options.server.ts'

/** Suggestion of the form where there is no rule yet. */
const SLOW_MS = 1_000

interface Shown {
  readonly fields: readonly OptionField[]
  /** Hints that say more than those of the table, by field. */
  readonly hints?: Readonly<Record<string, string>>
  /** Returns what stands at the end of a field's label. */
  readonly ends?: (name: string) => ReactNode
  /** True if the lines of lists have numbers. */
  readonly numbersLines?: boolean
}

export function OptionsForm(
  props: Shown & {
    readonly action: string
    readonly view: { readonly seen: string; readonly project: { readonly slug: string } }
    /** True if parts of the form have visible titles. */
    readonly titled?: boolean
    /** Beside a form that has the page’s primary button. */
    readonly isPlain?: boolean
  },
) {
  const { action, view, titled = false, isPlain = false, ...shown } = props
  const mayWrite = useCan('project.write')
  const parts = [...Map.groupBy(shown.fields, ({ part }) => part)]
  return (
    <SettingsForm
      action={action}
      seen={view.seen}
      of={view.project.slug}
      mayWrite={mayWrite}
      isPlain={isPlain}
      className={`form-width ${titled ? 'pb-5' : 'grid gap-4'}`}
    >
      {parts.map(([part, fields]) => (
        <Part key={part} name={part} titled={titled}>
          {fields.map((field) => (
            <OptionInput key={field.name} field={field} shown={shown} />
          ))}
        </Part>
      ))}
    </SettingsForm>
  )
}

function Part(props: { readonly name: string; readonly titled: boolean; readonly children: ReactNode }) {
  const { name, titled, children } = props
  if (name === '') return children
  if (titled)
    return (
      <Section title={name}>
        <div className="grid gap-4">{children}</div>
      </Section>
    )
  return (
    <fieldset className="grid gap-4 border-t pt-4">
      <legend className="visually-hidden">{name}</legend>
      {children}
    </fieldset>
  )
}

function OptionInput({ field, shown }: { readonly field: OptionField; readonly shown: Shown }) {
  const { name, label } = field
  const hint = shown.hints?.[name] ?? field.hint
  const end = shown.ends?.(name)
  switch (field.kind) {
    case 'number':
      return (
        <FormText
          {...{ name, label, hint }}
          unit={field.unit}
          inputMode="numeric"
          initial={field.value}
          required={field.isRequired}
        />
      )
    case 'switch':
      return <FormTick {...{ name, label, hint, end }} initial={field.value} />
    case 'choice':
      return (
        <FormSelect {...{ name, label, hint }} initial={field.value}>
          {field.words.map(([word, says]) => (
            <option key={word} value={word}>
              {says}
            </option>
          ))}
        </FormSelect>
      )
    case 'texts': {
      const { rows, value } = field
      if (shown.numbersLines !== true)
        return <FormLines {...{ name, label, hint, rows }} mono initial={value} />
      return (
        <RuleEditor {...{ name, hint, rows }} label={<Labelled label={label} end={end} />} initial={value} />
      )
    }
    case 'limit':
      return <LimitFields limit={field.value} />
    case 'sampling':
      return (
        <>
          <FormText
            {...{ label, hint }}
            name="percent"
            unit="%"
            inputMode="decimal"
            initial={field.value?.percent}
          />
          <FormText
            name="slowMs"
            label="Slow from"
            unit="ms"
            inputMode="numeric"
            initial={field.value?.slowMs ?? SLOW_MS}
            hint="Requests that take this long or longer are always kept. Applies only with a sample rate."
          />
        </>
      )
  }
}

function Labelled({ label, end }: { readonly label: string; readonly end: ReactNode }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {label} {end}
    </span>
  )
}

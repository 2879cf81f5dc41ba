import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadTheme } from './account.server.ts'
import { AccountPage } from './account-page.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'

const LANDINGS = [
  { value: 'overview', name: 'Overview', hint: 'What needs you, failed requests, the latest releases' },
  { value: 'issues', name: 'Issues', hint: 'The list, as you left it' },
] as const

const THEMES = [
  { value: 'system', name: 'System', hint: 'Follows your system' },
  { value: 'light', name: 'Light', hint: 'Always light' },
  { value: 'dark', name: 'Dark', hint: 'Always dark' },
] as const

export function ThemeView() {
  const { theme, landing, isForeign } = usePageData<typeof loadTheme>()
  if (isForeign)
    return (
      <AccountPage title="Appearance">
        <OwnSignInNote what="change how Errata looks" />
      </AccountPage>
    )
  return (
    <AccountPage title="Appearance">
      <Choices action="account.theme" name="theme" legend="Theme" chosen={theme} of={THEMES} />
      <div className="mt-8">
        <Choices
          action="account.landing"
          name="landing"
          legend="After signing in, show"
          chosen={landing}
          of={LANDINGS}
        />
      </div>
    </AccountPage>
  )
}

/** Choices of which one is saved at once; without JavaScript by the button. */
function Choices(props: {
  readonly action: string
  readonly name: string
  readonly legend: string
  readonly chosen: string
  readonly of: readonly { readonly value: string; readonly name: string; readonly hint: string }[]
}) {
  const toast = useToast()
  return (
    <ActionForm
      action={props.action}
      onResult={() => toast({ text: 'Saved' })}
      className="grid form-width gap-4"
    >
      <FormRefusal />
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-13">{props.legend}</legend>
        {props.of.map(({ value, name, hint }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={props.name}
              value={value}
              className="check"
              defaultChecked={props.chosen === value}
              onChange={(event) => event.currentTarget.form?.requestSubmit()}
            />
            <span>
              <span className="block">{name}</span>
              <span className="block text-12 text-ink-3">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <Submit variant="plain">Save</Submit>
      </div>
    </ActionForm>
  )
}

import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadTheme } from './account.server.ts'
import { AccountPage } from './account-page.tsx'

const THEMES = [
  { value: 'system', name: 'System', hint: 'Follows your system' },
  { value: 'light', name: 'Light', hint: 'Always light' },
  { value: 'dark', name: 'Dark', hint: 'Always dark' },
] as const

export function ThemeView() {
  const { theme } = usePageData<typeof loadTheme>()
  return (
    <AccountPage title="Theme">
      <ActionForm action="account.theme" className="grid max-w-90 gap-4">
        <FormRefusal />
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-13">How Errata looks for you</legend>
          {THEMES.map(({ value, name, hint }) => (
            <label key={value} className="choice">
              <input
                type="radio"
                name="theme"
                value={value}
                className="check"
                defaultChecked={theme === value}
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
          <Submit>Save</Submit>
        </div>
      </ActionForm>
    </AccountPage>
  )
}

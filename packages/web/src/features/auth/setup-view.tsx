import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { PLATFORMS } from '#parts/platforms.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSetup } from './auth.server.ts'
import { AuthCard } from './auth-card.tsx'

export function SetupView() {
  const { code, passwordRule } = usePageData<typeof loadSetup>()
  return (
    <AuthCard
      title="Set up Errata"
      intro="Creates the first owner, an organisation, and a project that receives events."
    >
      <ActionForm action="auth.setup" className="grid gap-4">
        <FormRefusal />
        <FormText
          name="code"
          label="Setup code"
          hint="Printed by the server when it started."
          mono
          initial={code}
          autoComplete="off"
          required
        />
        <FormText name="email" label="Email" type="email" autoComplete="username" required />
        <FormText name="name" label="Your name" hint="Optional." autoComplete="name" />
        <FormText
          name="password"
          label="Password"
          hint={passwordRule}
          type="password"
          autoComplete="new-password"
          required
        />
        <FormText
          name="organisation"
          label="Organisation"
          hint="Your company or team, for example."
          required
        />
        <FormText name="project" label="First project" hint="One app or service." required />
        <FormSelect
          name="platform"
          label="Platform"
          initial="javascript-nextjs"
          hint="Decides which setup guide you see next."
        >
          {PLATFORMS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FormSelect>
        <Submit>Set up</Submit>
      </ActionForm>
    </AuthCard>
  )
}

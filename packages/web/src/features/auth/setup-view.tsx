import { useEffect, useState } from 'react'
import { AuthCard } from '#parts/auth-card.tsx'
import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { PLATFORMS } from '#parts/platforms.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSetup } from './auth.server.ts'

export function SetupView() {
  const { code, passwordRule, address } = usePageData<typeof loadSetup>()
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
          hint={
            <>
              Printed by the server when it started. <DocsLink />
            </>
          }
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
        <Address {...address} />
        <Submit>Set up</Submit>
      </ActionForm>
    </AuthCard>
  )
}

/** A proxy may tell the server another address than the one that is in the browser. */
function Address({ isFixed, url }: { readonly isFixed: boolean; readonly url: string }) {
  const [opened, setOpened] = useState(url)
  // An effect, because only the browser knows.
  useEffect(() => setOpened(window.location.origin), [])
  if (isFixed)
    return (
      <p className="text-13 text-ink-2">
        Address: <span className="foreign">{url}</span>, as set with <code>--url</code>.
      </p>
    )
  return (
    <FormText
      key={opened}
      name="url"
      label="Address of this Errata"
      hint="Where this page was opened. DSNs, tokens and links in emails begin with it. An operator can change it later."
      initial={opened}
      inputMode="url"
      autoComplete="off"
      required
    />
  )
}

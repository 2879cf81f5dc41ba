import { FoldSection } from '#parts/fold-section.tsx'
import { FormLines, FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Section } from '#ui/section.tsx'
import { dateText } from '#ui/time-text.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { OrgSettingsPage } from './settings-page.tsx'
import type { loadSignInSettings } from './sign-in.server.ts'

type Method = Awaited<ReturnType<typeof loadSignInSettings>>['methods'][number]

const TITLES = { oidc: 'OpenID Connect', github: 'GitHub' } as const

export function SignInSettingsView() {
  const { methods, scim } = usePageData<typeof loadSignInSettings>()
  return (
    <OrgSettingsPage title="Sign-in">
      {methods.map((method) => (
        <MethodSection key={method.kind} method={method} />
      ))}
      <DomainsSection />
      <FoldSection title="Provisioning" state="SCIM 2.0" verb="Show">
        <p className="text-13 text-ink-2">
          Base URL: <code className="foreign">{scim}</code>. Authenticate with an organisation token that has
          the scope <code>scim:write</code>.
        </p>
      </FoldSection>
    </OrgSettingsPage>
  )
}

/** A domain counts once its DNS shows the text that only this organisation was given. */
function DomainsSection() {
  const { domains } = usePageData<typeof loadSignInSettings>()
  const toast = useToast()
  if (domains.length === 0) return null
  return (
    <Section title="Email domains">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Until a domain is verified, single sign-on isn’t required and nobody can join through it. Add a TXT
        record to its DNS, then verify it.
      </p>
      <ul className="grid max-w-160 gap-4">
        {domains.map(({ domain, provedMs, endsMs, recordName, recordText }) => (
          <li key={domain} className="grid gap-1 text-13">
            <span className="flex flex-wrap items-center gap-2">
              <span className="foreign font-strong">{domain}</span>
              <span className={provedMs === null ? 'chip' : 'chip chip-good'}>
                {provedMs === null ? 'Not verified' : 'Verified'}
              </span>
            </span>
            {endsMs === null ? null : (
              <span className="text-warn">
                The DNS record was not found. Restore it by {dateText(endsMs, 'utc')}, or the domain becomes
                unverified.
              </span>
            )}
            {provedMs === null || endsMs !== null ? (
              <>
                <span>
                  TXT <code className="foreign">{recordName}</code> ={' '}
                  <code className="foreign">{recordText}</code>
                </span>
                <ActionForm
                  action="sign-in.prove-domain"
                  hidden={{ domain }}
                  onResult={() => toast({ text: 'Domain verified' })}
                >
                  <FormRefusal />
                  <Submit variant="plain" size="small">
                    Verify<span className="visually-hidden"> {domain}</span>
                  </Submit>
                </ActionForm>
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function MethodSection({ method }: { readonly method: Method }) {
  const { kind, provider, callback } = method
  const toast = useToast()
  return (
    <FoldSection
      title={TITLES[kind]}
      state={provider === null ? 'off' : 'on'}
      verb={provider === null ? 'Set up' : 'Change'}
      action={`sign-in.save&kind=${kind}`}
    >
      <p className="mb-4 text-13 text-ink-2">
        Redirect URL for the provider: <code className="foreign">{callback}</code>
      </p>
      <SettingsForm
        key={provider === null ? 'off' : 'on'}
        action="sign-in.save"
        hidden={{ kind }}
        seen={method.seen}
        submit={provider === null ? 'Turn on' : 'Save'}
        saved="Sign-in method saved"
        isPlain
      >
        <ConnectionFields method={method} />
        <PeopleFields method={method} />
      </SettingsForm>
      {provider === null ? null : (
        <ActionForm
          action="sign-in.remove"
          hidden={{ kind }}
          className="mt-3 grid form-width gap-2"
          onResult={() => toast({ text: 'Sign-in method removed' })}
        >
          <FormRefusal />
          <div>
            <Submit variant="danger-plain">Remove and end its sessions</Submit>
          </div>
        </ActionForm>
      )}
    </FoldSection>
  )
}

function ConnectionFields({ method: { kind, provider } }: { readonly method: Method }) {
  const isGithub = kind === 'github'
  return (
    <>
      <FormText
        name="name"
        label="Name"
        hint="The sign-in page says “Continue with …”."
        initial={provider?.name ?? (isGithub ? 'GitHub' : '')}
        required
      />
      <FormText
        name="issuer"
        label={isGithub ? 'Address' : 'Issuer'}
        type="url"
        mono
        hint={
          isGithub
            ? 'https://github.com, or the address of your GitHub Enterprise Server'
            : 'Exactly as the provider writes it, such as https://id.example.com/realms/main'
        }
        initial={provider?.issuer ?? (isGithub ? 'https://github.com' : '')}
        required
      />
      <FormText name="clientId" label="Client ID" mono initial={provider?.clientId} required />
      <FormText
        name="clientSecret"
        label="Client secret"
        type="password"
        autoComplete="off"
        hint={provider === null ? 'It isn’t shown again.' : 'Leave it empty to keep the current one.'}
        required={provider === null}
      />
    </>
  )
}

function PeopleFields({ method: { kind, provider } }: { readonly method: Method }) {
  const { roleDefault } = usePageData<typeof loadSignInSettings>()
  const isGithub = kind === 'github'
  return (
    <>
      {isGithub ? (
        <FormLines
          name="organisations"
          label="GitHub organisations"
          rows={3}
          hint="One per line. Only their members can sign in, and they join automatically."
          initial={provider?.organisations.join('\n')}
        />
      ) : null}
      <FormLines
        name="domains"
        label="Email domains"
        rows={3}
        hint="One per line. Once you verify a domain, people with a verified email in it join automatically; others need an invitation."
        initial={provider?.domains.join('\n')}
      />
      <FormTick
        name="isRequired"
        label="Required for these domains"
        hint="People in these domains can’t use a password for this organisation. Owners still can."
        initial={provider?.isRequired ?? false}
      />
      <FormSelect name="roleDefault" label="Role of new members" initial={provider?.roleDefault ?? ''}>
        <option value="">{`${roleDefault} (organisation default)`}</option>
        <option value="manager">manager</option>
        <option value="member">member</option>
        <option value="viewer">viewer</option>
      </FormSelect>
      {isGithub ? null : (
        <FormText
          name="roleClaim"
          label="Claim for roles"
          mono
          hint="Such as groups or realm_access.roles. Leave empty to set roles in Errata only."
          initial={provider?.roleClaim}
        />
      )}
      <FormLines
        name="roles"
        label={isGithub ? 'Roles by organisation' : 'Roles by group'}
        rows={3}
        mono
        hint="Lines such as “platform-team = manager”. Roles are updated at each sign-in; owners keep theirs."
        initial={provider?.roles.map(({ value, role }) => `${value} = ${role}`).join('\n')}
      />
    </>
  )
}

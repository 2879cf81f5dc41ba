import type { ReactNode } from 'react'
import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, FormSelect, Submit } from '#parts/form-parts.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAuthorize } from './authorize.server.ts'
import { authPaths } from './paths.ts'

type Data = Awaited<ReturnType<typeof loadAuthorize>>
type Asks = Extract<Data, { readonly kind: 'asks' }>

interface Allowed {
  readonly address: string
}

/** A person decides what an app may do in their name. */
export function AuthorizeView() {
  const data = usePageData<typeof loadAuthorize>()
  if (data.kind === 'asks') return <Consent data={data} />
  return (
    <AuthCard title="Can’t connect the app" intro={data.message}>
      {data.back === null ? null : (
        <Back address={data.back.address}>{`Back to ${appPlaceText(data.back)}`}</Back>
      )}
    </AuthCard>
  )
}

function Consent({ data }: { readonly data: Asks }) {
  const { clientName, organisations } = data
  return (
    <AuthCard
      title={`Connect ${clientName}`}
      heading={`Connect “${clientName}”?`}
      intro={<Who data={data} />}
    >
      <ActionForm<Allowed>
        action="app.authorize"
        className="grid gap-5"
        onResult={({ address }) => window.location.assign(address)}
      >
        {({ result }) =>
          result === null ? (
            organisations.length === 0 ? (
              <p className="text-13 text-ink-2">Your session has no access to any organisation.</p>
            ) : (
              <Choices data={data} />
            )
          ) : (
            <div role="status" className="grid gap-4">
              <p className="text-13 text-ink-2">
                Connected. You can close this page when the app shows that it is connected.
              </p>
              <Back address={result.address}>{`Continue to ${appPlaceText(data)}`}</Back>
            </div>
          )
        }
      </ActionForm>
    </AuthCard>
  )
}

function Who({ data: { email } }: { readonly data: Asks }) {
  return (
    <>
      Signed in as {email}.{' '}
      <PageLink className="link" to={authPaths.signOut()}>
        Not you?
      </PageLink>
    </>
  )
}

function Choices({ data }: { readonly data: Asks }) {
  const { organisations, initial, asksChanges, deniedAddress } = data
  const [only, ...more] = organisations
  return (
    <>
      <FormRefusal />
      <p className="box text-13">
        After you decide, the browser returns to <strong className="foreign">{appPlaceText(data)}</strong>.
        Anyone can register an app under any name. Allow it only if you started this in an app you trust.
      </p>
      {only !== undefined && more.length === 0 ? (
        <p className="text-13">
          <input type="hidden" name="organisation" value={only.slug} />
          Organisation: <strong className="foreign">{only.name}</strong>
        </p>
      ) : (
        <FormSelect name="organisation" label="Organisation" initial={initial}>
          {organisations.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </FormSelect>
      )}
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-13">Access, within your role</legend>
        <p className="text-13">
          Read
          <span className="block text-12 text-ink-3">Issues, events, releases and outcomes.</span>
        </p>
        {asksChanges ? (
          <Checkbox
            name="changes"
            className="items-start! [&>.check]:mt-0.5"
            showLabel
            label={
              <>
                Allow changes
                <span className="block text-12 text-ink-3">
                  Resolve, archive, assign and comment, in your name.
                </span>
              </>
            }
          />
        ) : null}
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        <Submit>Allow</Submit>
        <a className={buttonClass('plain')} href={deniedAddress}>
          Cancel
        </a>
      </div>
      <p className="text-12 text-ink-3">You can disconnect it at any time under Account › Connected apps.</p>
    </>
  )
}

function Back({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  return (
    <div>
      <a className={buttonClass('primary')} href={address}>
        <span className="foreign">{children}</span>
      </a>
    </div>
  )
}

function appPlaceText({ place: { isDevice, name } }: Pick<Asks, 'place'>): string {
  return isDevice ? `an app on your device (${name})` : name
}

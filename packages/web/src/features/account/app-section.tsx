import { CodeBoxes } from '#parts/code-boxes.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { loadSecurity } from './security.server.ts'

type App = Awaited<ReturnType<typeof loadSecurity>>['app']
type BegunApp = Extract<App, { readonly state: 'begun' }>

interface NewCodes {
  readonly codes: readonly string[] | null
}

export function AppSection() {
  const { app } = usePageData<typeof loadSecurity>()
  return (
    <Section title="Authenticator app" note={app.state === 'on' ? 'On' : 'Off'}>
      {app.state === 'none' ? <Begin /> : null}
      {/* Around every state: what it answers is shown when the fields are gone. */}
      <ActionForm<NewCodes> action="account.app-confirm" className="grid gap-4">
        {({ result }) => (
          <>
            {app.state === 'begun' ? <Confirm app={app} /> : null}
            {(result?.codes ?? null) === null ? null : <RecoveryCodes codes={result?.codes ?? []} />}
          </>
        )}
      </ActionForm>
      {app.state === 'on' || app.state === 'unreadable' ? <Remove state={app.state} /> : null}
    </Section>
  )
}

function Begin() {
  return (
    <ActionForm action="account.app-begin">
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        An app on your phone shows a six-digit code, which you enter after your password.
      </p>
      <FormRefusal />
      <Submit variant="plain">Set up an app</Submit>
    </ActionForm>
  )
}

function Confirm({ app }: { readonly app: BegunApp }) {
  const { qr, secret } = app
  return (
    <>
      <p className="max-w-160 text-13 text-ink-2">
        Scan the QR code with your app, or type the secret into it. Then enter the code it shows.
      </p>
      <div className="flex flex-wrap items-start gap-6">
        <svg
          role="img"
          aria-label="QR code of the secret"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          width={184}
          height={184}
          shapeRendering="crispEdges"
          className="rounded-field border"
        >
          <rect width={qr.size} height={qr.size} fill="#fff" />
          <path d={qr.path} fill="#000" />
        </svg>
        <div className="grid w-75 max-w-full gap-4">
          <div>
            <p className="text-13 font-strong">Secret</p>
            <code className="foreign text-12">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          </div>
          <CodeBoxes sendsItself={false} />
          <FormRefusal />
          <div>
            <Submit>Turn on</Submit>
          </div>
        </div>
      </div>
    </>
  )
}

function Remove({ state }: { readonly state: 'on' | 'unreadable' }) {
  const toast = useToast()
  return (
    <ActionForm action="account.app-remove" onResult={() => toast({ text: 'App removed' })}>
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        {state === 'on'
          ? 'After your password, Errata asks for a code from your app.'
          : 'The server’s encryption key has changed, so codes can’t be checked. Remove the app and set it up again.'}
      </p>
      <FormRefusal />
      <Submit variant="danger-plain">Remove the app</Submit>
    </ActionForm>
  )
}

import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icons.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadForgot } from './auth.server.ts'

/** By mail where this server sends any; otherwise whom to ask, and what they do. */
export function ForgotView() {
  const { sendsMail, minutes } = usePageData<typeof loadForgot>()
  return sendsMail ? <ByMail minutes={minutes} /> : <ByOperator />
}

function ByMail({ minutes }: { readonly minutes: number }) {
  return (
    <AuthCard
      title="Reset your password"
      intro={`You’ll get a link by email. It works once and expires in ${minutes} minutes.`}
    >
      <ActionForm<'sent'> action="auth.forgot" className="grid gap-4">
        {({ result }) => (
          <>
            <FormRefusal />
            <FormText name="email" label="Email" type="email" autoComplete="username" required />
            <Submit>Email me a link</Submit>
            <BackToSignIn />
            {result === null ? null : (
              <div role="status" className="auth-note">
                <span className="mt-0.5 text-good">
                  <Icon name="check" size={16} />
                </span>
                <p>
                  If there’s an account with that email, a link is on its way. No email after 5 minutes? Check
                  spam, or ask the person who runs this server.
                </p>
              </div>
            )}
          </>
        )}
      </ActionForm>
    </AuthCard>
  )
}

function ByOperator() {
  return (
    <AuthCard title="Reset your password" intro="This server sends no email, so it can’t send you a link.">
      <div className="grid gap-4">
        <div className="auth-note block">
          <p>Ask the person who runs this server for a reset link. They can create one</p>
          <ul className="my-2 list-disc ps-5">
            <li>in Errata, under System › Settings, or</li>
            <li>
              on the server, with
              <code className="mt-1 block text-12">errata user reset-password --email YOUR_EMAIL</code>
            </li>
          </ul>
          <p className="text-ink-2">The link works once and expires in seven days.</p>
        </div>
        <BackToSignIn />
      </div>
    </AuthCard>
  )
}

function BackToSignIn() {
  return (
    <PageLink className={buttonClass('quiet')} to={paths.signIn()}>
      Back to sign-in
    </PageLink>
  )
}

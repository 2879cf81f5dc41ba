import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { PasskeyButton } from '#parts/passkey-button.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { CodeField } from './code-field.tsx'
import { OrLine } from './or-line.tsx'
import { authPaths } from './paths.ts'
import type { loadConfirm } from './proofs.server.ts'

/** Before a dangerous action: passkey, code or password again. */
export function ConfirmView() {
  const { next, ways, what, minutes } = usePageData<typeof loadConfirm>()
  const hasMore = ways.hasApp || ways.hasPassword || ways.hasPasskey
  return (
    <AuthCard
      title={what === null ? 'Confirm it’s you' : `Confirm it’s you to ${what}`}
      intro={`You won’t be asked again for ${minutes} minutes. Your change is made right after.`}
    >
      {ways.provider === null ? null : (
        <>
          <a className={buttonClass('primary')} href={authPaths.providerConfirm(next)}>
            Sign in again with {ways.provider}
          </a>
          {hasMore ? <OrLine>or</OrLine> : null}
        </>
      )}
      {ways.hasPasskey ? (
        <>
          <PasskeyButton
            request="auth.confirm-request"
            answer="auth.confirm-passkey"
            next={next}
            variant={ways.provider === null ? 'primary' : 'plain'}
          />
          {ways.hasApp || ways.hasPassword ? (
            <OrLine>{ways.hasApp ? 'or a code from your app' : 'or your password'}</OrLine>
          ) : null}
        </>
      ) : null}
      {ways.hasApp ? <ByCode /> : ways.hasPassword ? <ByPassword /> : null}
      <OrLine>signed in as</OrLine>
      <Who />
    </AuthCard>
  )
}

function ByCode() {
  const { next, ways, isRecovery, action, of } = usePageData<typeof loadConfirm>()
  return (
    <ActionForm
      key={isRecovery ? 'recovery' : 'app'}
      action="auth.confirm-code"
      hidden={{ next }}
      className="grid gap-4"
    >
      <FormRefusal />
      <CodeField
        hasApp
        isRecovery={isRecovery}
        recoveryCodesLeft={ways.recoveryCodesLeft}
        otherPath={authPaths.confirm({ next, with: isRecovery ? null : 'recovery', for: action, of })}
      />
      <Submit variant={ways.hasPasskey || ways.provider !== null ? 'plain' : 'primary'}>Confirm</Submit>
    </ActionForm>
  )
}

function ByPassword() {
  const { next, ways } = usePageData<typeof loadConfirm>()
  return (
    <ActionForm action="auth.confirm-password" hidden={{ next }} className="grid gap-4">
      <FormRefusal />
      <FormText name="password" label="Password" type="password" autoComplete="current-password" required />
      <Submit variant={ways.hasPasskey || ways.provider !== null ? 'plain' : 'primary'}>Confirm</Submit>
    </ActionForm>
  )
}

function Who() {
  const { name, device, sinceMs } = usePageData<typeof loadConfirm>()
  return (
    <div className="flex items-center gap-3 text-13">
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <p className="foreign">{name}</p>
        <p className="text-12 text-ink-3">
          {device}, signed in <Time ms={sinceMs} />
        </p>
      </div>
      <PageLink className="link" to={authPaths.signOut()}>
        Not you?
      </PageLink>
    </div>
  )
}

import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { PasskeyButton } from '#parts/passkey-button.tsx'
import { paths } from '#parts/paths.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AuthCard } from './auth-card.tsx'
import { CodeField } from './code-field.tsx'
import { OrLine } from './or-line.tsx'
import type { loadConfirm } from './proofs.server.ts'

/** Before a dangerous action: passkey, code or password again. */
export function ConfirmView() {
  const { next, ways, minutes } = usePageData<typeof loadConfirm>()
  return (
    <AuthCard
      title="Confirm it’s you"
      intro={`This action asks again who you are, once in ${minutes} minutes. Then try it again.`}
    >
      {ways.hasPasskey ? (
        <>
          <PasskeyButton
            request="auth.confirm-request"
            answer="auth.confirm-passkey"
            next={next}
            variant="primary"
          />
          <OrLine>{ways.hasApp ? 'or a code from your app' : 'or your password'}</OrLine>
        </>
      ) : null}
      {ways.hasApp ? <ByCode /> : <ByPassword />}
      <OrLine>signed in as</OrLine>
      <Who />
    </AuthCard>
  )
}

function ByCode() {
  const { next, ways, isRecovery } = usePageData<typeof loadConfirm>()
  return (
    <ActionForm action="auth.confirm-code" hidden={{ next }} className="grid gap-4">
      <FormRefusal />
      <CodeField
        hasApp
        isRecovery={isRecovery}
        recoveryCodesLeft={ways.recoveryCodesLeft}
        otherPath={paths.confirm({ next, with: isRecovery ? null : 'recovery' })}
      />
      <Submit variant={ways.hasPasskey ? 'plain' : 'primary'}>Confirm</Submit>
    </ActionForm>
  )
}

function ByPassword() {
  const { next, ways } = usePageData<typeof loadConfirm>()
  return (
    <ActionForm action="auth.confirm-password" hidden={{ next }} className="grid gap-4">
      <FormRefusal />
      <FormText name="password" label="Password" type="password" autoComplete="current-password" required />
      <Submit variant={ways.hasPasskey ? 'plain' : 'primary'}>Confirm</Submit>
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
          {device}, since <Time ms={sinceMs} />
        </p>
      </div>
      <PageLink className="link" to={paths.signOut()}>
        Not you?
      </PageLink>
    </div>
  )
}

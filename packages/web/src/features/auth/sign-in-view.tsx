import { AuthCard } from '#parts/auth-card.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSignIn } from './auth.server.ts'
import { OrLine } from './or-line.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { PasswordSignIn } from './password-sign-in.tsx'
import { SignInProviders } from './sign-in-providers.tsx'

export function SignInView() {
  const { next, host, choices } = usePageData<typeof loadSignIn>()
  return (
    <AuthCard title="Sign in" heading="Sign in to Errata" intro={host}>
      <SignInProviders />
      <PasskeySignIn next={next} />
      <OrLine>or with a password</OrLine>
      <PasswordSignIn next={next} isSecond={choices.length > 0} />
    </AuthCard>
  )
}

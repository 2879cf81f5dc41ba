import { PasskeyButton } from '#parts/passkey-button.tsx'

/** Signing in without typing anything: a passkey knows whose it is. */
export function PasskeySignIn({ next }: { readonly next: string }) {
  return <PasskeyButton request="auth.passkey-request" answer="auth.passkey" next={next} />
}

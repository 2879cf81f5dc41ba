/** Note in place of what a session that an organisation's provider began neither sees nor changes. */
export function OwnSignInNote({ what }: { readonly what: string }) {
  return (
    <p role="note" className="mb-4 max-w-160 text-13 text-ink-2">
      You signed in with single sign-on. To {what}, sign out and sign in with your own password or passkey.
    </p>
  )
}

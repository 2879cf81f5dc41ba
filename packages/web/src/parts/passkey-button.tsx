/** A button that has the browser ask for a passkey. Its library is loaded when it is pressed. */
import { useState } from 'react'
import { Button, type ButtonVariant } from '#ui/button.tsx'
import { ErrorLine } from '#ui/error-box.tsx'
import { PathIcon } from '#ui/icons.tsx'
import type { Action } from '#wire/define-action.ts'
import { useAction } from '#wire/use-action.ts'
import type { PasskeyRequest } from './passkey-types.ts'

const KEY = 'M5 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM7.5 8H14v2.5M11.5 8v2'

export function PasskeyButton(props: {
  /** Action that says what is asked for. */
  readonly request: string
  /** Action that takes the answer. */
  readonly answer: string
  readonly next: string
  readonly variant?: ButtonVariant
}) {
  const { request, answer, next, variant = 'plain' } = props
  const asking = useAction<Action<PasskeyRequest, object>>(request)
  const answering = useAction<Action<null, object>>(answer)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)

  async function use() {
    setRefusal(null)
    setOpen(true)
    try {
      const asked = await asking.run({})
      if ('error' in asked) setRefusal(asked.error.message)
      if (!('result' in asked)) return
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const given = await startAuthentication({ optionsJSON: asked.result })
      const done = await answering.run({ answer: given, next })
      if ('error' in done) setRefusal(done.error.message)
    } catch {
      // The person closed the browser's dialog, or the browser has no passkey for this address.
      setRefusal('Sign-in with a passkey didn’t work. Try again, or sign in another way.')
    } finally {
      setOpen(false)
    }
  }

  return (
    <div className="grid gap-2">
      <Button variant={variant} busy={isOpen} onClick={() => void use()}>
        <span className="inline-flex items-center justify-center gap-2">
          <PathIcon path={KEY} /> Use a passkey
        </span>
      </Button>
      {refusal === null ? null : <ErrorLine>{refusal}</ErrorLine>}
    </div>
  )
}

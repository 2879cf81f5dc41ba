import { type FormEvent, useEffect, useRef, useState } from 'react'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import type { NewPasskeyRequest } from '#parts/passkey-types.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { ErrorLine } from '#ui/error-box.tsx'
import { TextField } from '#ui/field.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { Action } from '#wire/define-action.ts'
import { usePageData } from '#wire/page-data.ts'
import { useAction, useHeldOutcome } from '#wire/use-action.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { addPasskey, loadSecurity } from './security.server.ts'

type Passkey = Awaited<ReturnType<typeof loadSecurity>>['passkeys'][number]

export function PasskeysSection() {
  const { passkeys } = usePageData<typeof loadSecurity>()
  return (
    <Section title="Passkeys">
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        Sign in with your fingerprint, face or PIN instead of a password.
      </p>
      {passkeys.length === 0 ? null : (
        <Table caption="Passkeys" stacks>
          <thead>
            <tr>
              <th>Name</th>
              <th>Added</th>
              <th>Last used</th>
              <th>
                <span className="visually-hidden">Rename and remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </tbody>
        </Table>
      )}
      <AddPasskey />
    </Section>
  )
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const toast = useToast()
  const { id, name, host, createdMs, usedMs } = passkey
  return (
    <tr>
      <td className="stack-line foreign" title={`For ${host}`}>
        {name}
      </td>
      <td data-label="Added">
        <Time ms={createdMs} />
      </td>
      <td data-label="Last used">{usedMs === null ? 'Never' : <Time ms={usedMs} />}</td>
      <td className="stack-end">
        <div className="flex flex-wrap justify-end gap-2">
          <RenamePasskey passkey={passkey} />
          <ActionForm
            action="account.passkey-remove"
            hidden={{ passkey: id }}
            onResult={() => toast({ text: 'Passkey removed' })}
          >
            <Submit variant="plain" size="small">
              Remove<span className="visually-hidden"> the passkey {name}</span>
            </Submit>
            <FormRefusal />
          </ActionForm>
        </div>
      </td>
    </tr>
  )
}

function RenamePasskey({ passkey: { id, name } }: { readonly passkey: Passkey }) {
  const dialog = useDialogId()
  const toast = useToast()
  return (
    <>
      <DialogButton dialog={dialog} variant="plain" size="small">
        Rename…<span className="visually-hidden"> the passkey {name}</span>
      </DialogButton>
      <Dialog id={dialog} title="Rename the passkey">
        <ActionForm
          action="account.passkey-rename"
          hidden={{ passkey: id }}
          className="grid gap-4 text-start"
          onResult={() => toast({ text: 'Passkey renamed' })}
        >
          <FormRefusal />
          <FormText name="name" label="Name" initial={name} maxLength={100} required />
          <div className="flex flex-wrap justify-end gap-2">
            <DialogCancel dialog={dialog}>Cancel</DialogCancel>
            <Submit>Rename</Submit>
          </div>
        </ActionForm>
      </Dialog>
    </>
  )
}

/** True for what `account.passkey-offer` answers. */
function isPasskeyRequest(value: unknown): value is NewPasskeyRequest {
  return typeof value === 'object' && value !== null && 'challenge' in value
}

/** Needs script: the browser's own dialog makes the passkey. */
function AddPasskey() {
  const offer = useAction<Action<NewPasskeyRequest, object>>('account.passkey-offer')
  const add = useAction<typeof addPasskey>('account.passkey-add')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const codes = add.result?.codes ?? null
  const held = useHeldOutcome('account.passkey-offer')
  const heldName = typeof held?.values.name === 'string' ? held.values.name : ''
  const form = useRef<HTMLFormElement>(null)
  const isBegun = useRef(false)
  // An effect, because the browser's own dialog is outside of React: after the confirmation it opens by itself, once.
  useEffect(() => {
    if (held === null || isBegun.current) return
    isBegun.current = true
    if (held.error !== null) setRefusal(held.error.message)
    else if (isPasskeyRequest(held.result)) void make(heldName, held.result)
  })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    setRefusal(name.trim() === '' ? 'Name it after the device or password manager that stores it.' : null)
    if (name.trim() === '') return
    setOpen(true)
    const offered = await offer.run({ name })
    setOpen(false)
    if ('error' in offered) setRefusal(offered.error.message)
    if ('result' in offered) await make(name, offered.result)
  }

  async function make(name: string, optionsJSON: NewPasskeyRequest) {
    setOpen(true)
    try {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const answer = await startRegistration({ optionsJSON })
      const added = await add.run({ name, answer })
      if ('error' in added) setRefusal(added.error.message)
      else form.current?.reset()
    } catch {
      // The person closed the browser's dialog, or this device has the passkey already.
      setRefusal('No passkey was created. Your browser may already have one for this account.')
    } finally {
      setOpen(false)
    }
  }

  return (
    <>
      {codes === null ? null : <RecoveryCodes codes={codes} />}
      <form
        ref={form}
        className="mt-4 flex form-width flex-wrap items-end gap-3"
        onSubmit={(event) => void submit(event)}
      >
        <div className="min-w-50 flex-1">
          <TextField
            name="name"
            label="Name"
            placeholder="For example: work laptop"
            defaultValue={heldName}
            maxLength={100}
          />
        </div>
        <Button type="submit" busy={isOpen}>
          Add a passkey
        </Button>
      </form>
      {refusal === null ? null : <ErrorLine>{refusal}</ErrorLine>}
    </>
  )
}

/** Parts that the pages of outside services share: the choice of a kind, the form of one, a test of it, and deletion. */
import type { ReactNode } from 'react'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { Section } from '#ui/section.tsx'
import { ActionForm, type Hidden } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { FormRefusal, FormText, Submit } from './form-parts.tsx'
import { type ServiceField, ServiceInput, type StoredService } from './service-input.tsx'
import { SettingsForm } from './settings-form.tsx'

/** A kind of service, as its form is described. */
interface ServiceKind {
  readonly kind: string
  readonly label: string
  readonly about: string
}

/** Kinds to choose from, before there is a form. */
export function ServiceKinds(props: {
  readonly kinds: readonly ServiceKind[]
  readonly to: (kind: string) => string
  readonly className?: string
}) {
  const { kinds, to, className = '' } = props
  return (
    <ul className={`grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-3 ${className}`}>
      {kinds.map(({ kind, label, about }) => (
        <li key={kind}>
          <PageLink to={to(kind)} className="block h-full rounded-field border p-4 hover:bg-hover">
            <b className="block text-14 font-strong">{label}</b>
            <span className="text-13 text-ink-2">{about}</span>
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

/** The form of one service: its name, the fields of its kind, and what `children` add. */
export function ServiceForm(props: {
  /** Saves it, new or not. */
  readonly action: string
  /** Name in the singular: `channel`. */
  readonly what: string
  readonly form: { readonly kind: string; readonly fields: readonly ServiceField[] }
  readonly service: (StoredService & { readonly id: number; readonly name: string }) | null
  readonly seen: string | null
  readonly mayWrite: boolean
  readonly nameHint: string
  readonly className?: string
  readonly children?: ReactNode
}) {
  const { what, form, service } = props
  return (
    <SettingsForm
      action={props.action}
      hidden={{ kind: form.kind }}
      seen={props.seen}
      of={service?.id ?? form.kind}
      mayWrite={props.mayWrite}
      legend={`${what.slice(0, 1).toUpperCase()}${what.slice(1)}`}
      submit={service === null ? `Add ${what}` : 'Save changes'}
      {...(props.className !== undefined && { className: props.className })}
    >
      <FormText
        name="name"
        label="Name"
        initial={service?.name}
        hint={props.nameHint}
        autoComplete="off"
        required
      />
      {form.fields.map((field) => (
        <ServiceInput key={field.name} field={field} service={service} />
      ))}
      {props.children}
    </SettingsForm>
  )
}

/** Tries a service out; `children` draws what it answered. */
export function ServiceTest<Result>(props: {
  readonly action: string
  readonly hidden: Hidden
  readonly note: string
  readonly children: (result: Result) => ReactNode
}) {
  return (
    <Section title="Test" note={props.note}>
      <ActionForm<Result> action={props.action} hidden={props.hidden} className="grid max-w-160 gap-2">
        {({ result, pending }) => (
          <>
            <div>
              <Submit variant="plain">Send a test</Submit>
            </div>
            <FormRefusal />
            {result === null || pending ? null : (
              <p role="status" className="text-13">
                {props.children(result)}
              </p>
            )}
          </>
        )}
      </ActionForm>
    </Section>
  )
}

/** Deletes a service, once somebody has read what goes with it (`children`). */
export function DeleteService(props: {
  readonly action: string
  readonly hidden: Hidden
  readonly what: string
  readonly name: string
  readonly children: ReactNode
}) {
  const { what } = props
  const dialog = useDialogId()
  return (
    <Section title="Delete">
      <DialogButton dialog={dialog} variant="danger-plain">
        Delete {what}
      </DialogButton>
      <Dialog id={dialog} title={`Delete ${props.name}?`}>
        <p className="mb-4 text-13 text-ink-2">{props.children}</p>
        <ActionForm action={props.action} hidden={props.hidden} className="grid gap-3">
          <FormRefusal />
          <div className="flex justify-end gap-2">
            <DialogCancel dialog={dialog}>Cancel</DialogCancel>
            <Submit variant="danger">Delete {what}</Submit>
          </div>
        </ActionForm>
      </Dialog>
    </Section>
  )
}

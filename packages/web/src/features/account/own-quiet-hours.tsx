/** Hours in which one person is not emailed, in their own time zone. */
import { FoldSection } from '#parts/fold-section.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { QuietFields, type ShownQuietHours } from '#parts/quiet-fields.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'

export function OwnQuietHours(props: { readonly quiet: ShownQuietHours; readonly zones: readonly string[] }) {
  const toast = useToast()
  const { isOn, from, until } = props.quiet
  return (
    <FoldSection
      title="Quiet hours"
      state={isOn ? `${from} to ${until}` : 'off'}
      verb={isOn ? 'Change' : 'Set up'}
      action="account.quiet-hours"
    >
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Emails to you are held and sent as one when your quiet hours end. Critical alerts are always sent at
        once. Your inbox is not affected.
      </p>
      <ActionForm
        action="account.quiet-hours"
        className="grid form-width gap-4"
        onResult={() => toast({ text: 'Saved' })}
      >
        <FormRefusal />
        <QuietFields hours={props.quiet} zones={props.zones} />
        <div>
          <Submit variant="plain">Save quiet hours</Submit>
        </div>
      </ActionForm>
    </FoldSection>
  )
}

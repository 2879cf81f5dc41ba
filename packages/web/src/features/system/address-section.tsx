import { FoldSection } from '#parts/fold-section.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'

/** Shows the address where colleagues and SDKs reach this installation. */
export function AddressSection({ url, isFixed }: { readonly url: string; readonly isFixed: boolean }) {
  const toast = useToast()
  return (
    <FoldSection
      title="Public address"
      state={url}
      verb={isFixed ? 'Show' : 'Change'}
      action="system.address"
    >
      <p className="mb-3 max-w-160 text-13 text-ink-2">DSNs, snippets and links begin with it.</p>
      {isFixed ? (
        <Facts>
          <Fact term="Set by --url">{url}</Fact>
        </Facts>
      ) : (
        <ActionForm
          action="system.address"
          className="grid form-width gap-4"
          onResult={() => toast({ text: 'Saved' })}
        >
          <FormRefusal />
          <FormText
            name="url"
            label="Address"
            hint="Colleagues and SDKs must be able to reach it. Existing links stay as they are."
            type="url"
            initial={url}
            mono
            required
          />
          <div>
            <Submit>Save</Submit>
          </div>
        </ActionForm>
      )}
    </FoldSection>
  )
}

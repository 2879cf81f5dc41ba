import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'

/** Where colleagues and SDKs reach this installation. */
export function AddressSection({ url, isFixed }: { readonly url: string; readonly isFixed: boolean }) {
  const toast = useToast()
  return (
    <Section title="Address" note="DSNs, snippets and links begin with it">
      {isFixed ? (
        <Facts>
          <Fact term="Set by --url">{url}</Fact>
        </Facts>
      ) : (
        <ActionForm
          action="system.address"
          className="grid max-w-160 gap-4"
          onResult={() => toast({ text: 'Saved' })}
        >
          <FormRefusal />
          <div className="max-w-90">
            <FormText
              name="url"
              label="Public address"
              hint="Colleagues and SDKs must be able to reach it. Existing links stay as they are."
              type="url"
              initial={url}
              mono
              required
            />
          </div>
          <div>
            <Submit variant="plain">Save</Submit>
          </div>
        </ActionForm>
      )}
    </Section>
  )
}

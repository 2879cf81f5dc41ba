import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'

/** Says how many events go, and deletes them once that number is typed. */
export function PersonSection({ file }: { readonly file: string }) {
  const toast = useToast()
  return (
    <Section title="Delete a person’s data">
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        Deletes every event in this project that identifies the person. Events are hidden at once and removed
        from disk within two days. Issues and their counts stay; the person is removed from affected users and
        tags. Titles and comments are not searched, and later events are kept. This can’t be undone.
      </p>
      <ActionForm<{ readonly events: number }>
        action="person.delete"
        className="grid form-width gap-4"
        resets
        onResult={({ events }) => toast({ text: `Deleted ${quantityText(events, 'event')}` })}
      >
        {(form) => (
          <>
            {form.result === null ? null : (
              <p
                role="status"
                className="text-13"
              >{`Deleted ${quantityText(form.result.events, 'event')}.`}</p>
            )}
            <FormRefusal />
            <FormSelect name="by" label="Find by">
              <option value="id">User ID</option>
              <option value="email">Email</option>
              <option value="address">IP address</option>
              <option value="username">Username</option>
            </FormSelect>
            <FormText name="person" label="Person" autoComplete="off" required />
            <FormText
              name="confirm"
              label="Number of events"
              mono
              autoComplete="off"
              hint="Leave empty to see how many there are."
            />
            <div>
              <Submit variant="danger-plain">Delete events</Submit>
            </div>
          </>
        )}
      </ActionForm>
      <h3 className="mt-6 mb-1 text-13 font-strong">Export a person’s data</h3>
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        Download every event in this project that identifies the person, for example to answer an access
        request.
      </p>
      <form method="get" action={file} className="grid form-width gap-4">
        <SelectField name="by" label="Find by">
          <option value="id">User ID</option>
          <option value="email">Email</option>
          <option value="address">IP address</option>
          <option value="username">Username</option>
        </SelectField>
        <TextField name="person" label="Person" autoComplete="off" required />
        <SelectField name="format" label="File">
          <option value="jsonl">JSON lines: events as they are stored</option>
          <option value="csv">CSV: what lists show</option>
        </SelectField>
        <div>
          <button type="submit" className="btn">
            Download
          </button>
        </div>
      </form>
    </Section>
  )
}

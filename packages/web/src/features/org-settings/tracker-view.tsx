/** Page of an issue tracker: its form by kind, its webhook, what was closed there, and deletion. */
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { paths } from '#parts/paths.ts'
import { Seen } from '#parts/seen.tsx'
import { ServiceInput } from '#parts/service-input.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { OrgSettingsPage } from './settings-page.tsx'
import { TrackerLog } from './tracker-log.tsx'
import type { loadTracker } from './trackers.server.ts'

type Data = Awaited<ReturnType<typeof loadTracker>>
type TrackerData = NonNullable<Data['tracker']>

export function TrackerView() {
  const data = usePageData<typeof loadTracker>()
  const { form, tracker, callback } = data
  const title = tracker?.name ?? (form === null ? 'New issue tracker' : `New issue tracker: ${form.label}`)
  return (
    <OrgSettingsPage title={title} within={{ text: 'Issue trackers', path: paths.trackers(data.org) }}>
      {form === null ? (
        <Kinds data={data} />
      ) : (
        <Section title={form.label} note={form.about}>
          <TrackerForm key={tracker?.id ?? form.kind} data={data} />
        </Section>
      )}
      {tracker === null || callback === null ? null : (
        <>
          <Webhook tracker={tracker} callback={callback} />
          <TrackerLog org={data.org} entries={data.log} />
          {data.mayWrite ? <DeleteTracker tracker={tracker} /> : null}
        </>
      )}
    </OrgSettingsPage>
  )
}

function Kinds({ data: { org, kinds } }: { readonly data: Data }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-3">
      {kinds.map(({ kind, label, about }) => (
        <li key={kind}>
          <PageLink
            to={paths.newTracker(org, { kind })}
            className="block h-full rounded-field border p-4 hover:bg-hover"
          >
            <b className="block text-14 font-strong">{label}</b>
            <span className="text-13 text-ink-2">{about}</span>
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

function TrackerForm({ data }: { readonly data: Data }) {
  const { form, tracker, mayWrite } = data
  const toast = useToast()
  if (form === null) return null
  return (
    <ActionForm
      action="tracker.save"
      hidden={{ kind: form.kind }}
      className="form-width"
      onResult={() => toast({ text: 'Saved' })}
    >
      <fieldset disabled={!mayWrite} className="grid gap-4">
        <legend className="visually-hidden">Issue tracker</legend>
        <FormRefusal />
        {tracker === null ? null : <Seen values={data.seen} />}
        <FormText
          name="name"
          label="Name"
          initial={tracker?.name}
          hint="Shown on issues, such as Shop backlog."
          autoComplete="off"
          required
        />
        {form.fields.map((field) => (
          <ServiceInput key={field.name} field={field} service={tracker} />
        ))}
        <FormTick
          name="closesThere"
          label="Close there when resolved here"
          hint="About 15 seconds later, so that it can be undone."
          initial={tracker?.closesThere ?? true}
        />
        <FormTick
          name="resolvesHere"
          label="Resolve here when closed there"
          hint="Immediately with a webhook; otherwise when someone opens the issue."
          initial={tracker?.resolvesHere ?? true}
        />
        {mayWrite ? (
          <div>
            <Submit>{tracker === null ? 'Add issue tracker' : 'Save changes'}</Submit>
          </div>
        ) : null}
      </fieldset>
    </ActionForm>
  )
}

function Webhook({ tracker, callback }: { readonly tracker: TrackerData; readonly callback: string }) {
  const isReady = tracker.secretsSet.includes('secret')
  return (
    <Section title="Webhook" note="For events of issues, as JSON">
      <span className="flex min-w-0 items-center gap-1">
        <code className="foreign min-w-0 text-12 break-all">{callback}</code>
        <CopyButton text={callback} name="Copy the webhook’s address" />
      </span>
      {isReady ? null : (
        <p className="mt-2 text-13 text-ink-2">Calls are refused until you set a webhook secret above.</p>
      )}
      <div className="mt-3">
        <Facts>
          <Fact term="Last webhook">
            {tracker.heardMs === null ? (
              <span className="text-ink-3">none yet</span>
            ) : (
              <Time ms={tracker.heardMs} />
            )}
          </Fact>
          <Fact term="Added">
            <Time ms={tracker.createdMs} /> by <span className="foreign">{tracker.createdBy}</span>
          </Fact>
        </Facts>
      </div>
    </Section>
  )
}

function DeleteTracker({ tracker }: { readonly tracker: TrackerData }) {
  const dialog = useDialogId()
  return (
    <Section title="Delete">
      <DialogButton dialog={dialog} variant="danger-plain">
        Delete issue tracker
      </DialogButton>
      <Dialog id={dialog} title={`Delete ${tracker.name}?`}>
        <p className="mb-4 text-13 text-ink-2">
          Its links are removed from all issues. Issues in the tracker stay as they are.
        </p>
        <ActionForm action="tracker.delete" hidden={{ tracker: tracker.id }} className="grid gap-3">
          <FormRefusal />
          <div className="flex justify-end gap-2">
            <DialogCancel dialog={dialog}>Cancel</DialogCancel>
            <Submit variant="danger">Delete issue tracker</Submit>
          </div>
        </ActionForm>
      </Dialog>
    </Section>
  )
}

/** Page of an issue tracker: its form by kind, its webhook, what was closed there, and deletion. */

import { FormTick } from '#parts/form-tick.tsx'
import { paths } from '#parts/paths.ts'
import { DeleteService, ServiceForm, ServiceKinds } from '#parts/service-pages.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
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
        <ServiceKinds kinds={data.kinds} to={(kind) => paths.newTracker(data.org, { kind })} />
      ) : (
        <Section title={form.label} note={form.about}>
          <TrackerForm key={tracker?.id ?? form.kind} data={data} />
        </Section>
      )}
      {tracker === null || callback === null ? null : (
        <>
          <Webhook tracker={tracker} callback={callback} />
          <TrackerLog org={data.org} entries={data.log} />
          {data.mayWrite ? (
            <DeleteService
              action="tracker.delete"
              hidden={{ tracker: tracker.id }}
              what="issue tracker"
              name={tracker.name}
            >
              Its links are removed from all issues. Issues in the tracker stay as they are.
            </DeleteService>
          ) : null}
        </>
      )}
    </OrgSettingsPage>
  )
}

function TrackerForm({ data }: { readonly data: Data }) {
  const { form, tracker, mayWrite } = data
  if (form === null) return null
  return (
    <ServiceForm
      action="tracker.save"
      what="issue tracker"
      form={form}
      service={tracker}
      seen={tracker === null ? null : data.seen}
      mayWrite={mayWrite}
      nameHint="Shown on issues, such as Shop backlog."
    >
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
    </ServiceForm>
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

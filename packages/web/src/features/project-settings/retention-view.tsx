import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Seen } from '#parts/seen.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { LimitFields } from './limit-fields.tsx'
import type { loadRetention } from './project-settings.server.ts'
import { ProtectionFields } from './protection-fields.tsx'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

/** What the form suggests where there is no rule yet. */
const SLOW_MS = 1_000

/** How long and how much of each signal is kept: one place for all periods and limits of a project. */
export function RetentionView() {
  const view = usePageData<typeof loadRetention>()
  const { org, project, seen } = view
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={org} project={project} title="Retention and limits">
      {mayWrite ? null : <ReadOnlyNote />}
      <ActionForm action="project.retention" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="grid form-width gap-4">
          <FormRefusal />
          <Seen key={project.slug} values={seen} />
          <ProtectionFields view={view} />
          <LimitFields limit={project.rateLimit} />
          <SpanFields view={view} />
          <AttachmentFields view={view} />
          {mayWrite ? (
            <div>
              <Submit>Save</Submit>
            </div>
          ) : null}
        </fieldset>
      </ActionForm>
    </ProjectSettingsPage>
  )
}

function SpanFields({ view: { spanRetentionDays, sampling, limits } }: { readonly view: View }) {
  return (
    <fieldset className="grid gap-4 border-t pt-4">
      <legend className="visually-hidden">Spans</legend>
      <FormText
        name="spanRetentionDays"
        label="Retention of spans"
        unit="days"
        inputMode="numeric"
        initial={spanRetentionDays}
        hint={`1 to ${limits.daysMax}. Older spans are hidden at once and removed from disk later.`}
        required
      />
      <FormText
        name="percent"
        label="Sample rate"
        unit="%"
        inputMode="decimal"
        initial={sampling?.percent}
        hint="Share of traces that keep their spans. Failed and slow requests are always kept, and every request is counted. Leave empty to keep all."
      />
      <FormText
        name="slowMs"
        label="Slow from"
        unit="ms"
        inputMode="numeric"
        initial={sampling?.slowMs ?? SLOW_MS}
        hint="Requests that take this long or longer are always kept. Applies only with a sample rate."
      />
    </fieldset>
  )
}

function AttachmentFields({ view: { files, limits } }: { readonly view: View }) {
  return (
    <fieldset className="grid gap-4 border-t pt-4">
      <legend className="visually-hidden">Attachments</legend>
      <FormTick
        name="attachments"
        label="Store attachments"
        initial={files.attachments}
        hint="Files that SDKs send with events, such as screenshots and logs. They are not scrubbed."
      />
      <FormText
        name="attachmentRetentionDays"
        label="Retention of attachments"
        unit="days"
        inputMode="numeric"
        initial={files.attachmentRetentionDays}
        hint={`1 to ${limits.daysMax}. Older attachments are hidden at once and removed from disk later.`}
        required
      />
      <FormText
        name="attachmentDailyMegabytes"
        label="Attachments per day"
        unit="MB"
        inputMode="numeric"
        initial={files.attachmentDailyMegabytes ?? undefined}
        hint="What goes beyond it is left out and counted; events are kept. Leave empty for no limit."
      />
    </fieldset>
  )
}

type View = Awaited<ReturnType<typeof loadRetention>>

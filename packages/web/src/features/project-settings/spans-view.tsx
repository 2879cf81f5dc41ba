import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Seen } from '#parts/seen.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSpans } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

/** What the form suggests where there is no rule yet. */
const SLOW_MS = 1_000

export function SpansView() {
  const { org, project, seen, retentionDays, sampling, limits } = usePageData<typeof loadSpans>()
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={org} project={project} title="Spans">
      {mayWrite ? null : <ReadOnlyNote />}
      <ActionForm action="project.spans" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="grid max-w-110 gap-4">
          <FormRefusal />
          <Seen key={project.slug} values={seen} />
          <FormText
            name="spanRetentionDays"
            label="Retention (days)"
            inputMode="numeric"
            initial={retentionDays}
            hint={`1 to ${limits.daysMax}. Older spans are hidden at once and removed from disk later. Errors have their own retention.`}
            required
          />
          <FormText
            name="percent"
            label="Sample rate (%)"
            inputMode="decimal"
            initial={sampling?.percent}
            hint="Share of traces that keep their spans. Failed and slow requests are always kept, and every request is counted. Leave empty to keep all."
          />
          <FormText
            name="slowMs"
            label="Slow from (ms)"
            inputMode="numeric"
            initial={sampling?.slowMs ?? SLOW_MS}
            hint="Requests that take this long or longer are always kept. Applies only with a sample rate."
          />
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

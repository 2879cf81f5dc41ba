import { FormLines, FormRefusal, FormSelect, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Seen } from '#parts/seen.tsx'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadScrubbing } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

export function ScrubbingView() {
  const view = usePageData<typeof loadScrubbing>()
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Data scrubbing">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Passwords, tokens, authorization headers, cookies, card numbers and private keys are always removed
        before anything is stored. Changes apply to events that arrive from now on.
      </p>
      <ActionForm action="project.scrubbing" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="form-width">
          <FormRefusal />
          <Seen key={view.project.slug} values={view.seen} />
          <Section title="Secrets">
            <div className="grid gap-4">
              <FormLines
                name="extraKeys"
                label="Additional secret keys"
                hint="One per line, at most 100. Matches any part of a key, in any case: “iban” removes “customerIban”."
                rows={4}
                mono
                initial={view.extraKeys.join('\n')}
              />
              <FormLines
                name="allowedKeys"
                label="Safe keys"
                hint="One per line, at most 100. Never scrubbed. Matches the whole key, in any case: “session_length”."
                rows={4}
                mono
                initial={view.allowedKeys.join('\n')}
              />
            </div>
          </Section>
          <Section title="People">
            <FormSelect
              name="clientAddress"
              label="IP addresses of users"
              initial={view.clientAddress}
              hint="“Shorten” removes the last part of an IPv4 address and the last 80 bits of an IPv6 address."
            >
              <option value="keep">Keep</option>
              <option value="truncate">Shorten</option>
              <option value="drop">Remove</option>
            </FormSelect>
          </Section>
          <Section title="Allowed domains">
            <FormLines
              name="allowedDomains"
              label="Domains that browsers may send from"
              hint="One per line: example.com, *.example.com or https://app.example.com. Leave empty to allow any. Refused events are listed on Outcomes."
              rows={4}
              mono
              initial={view.allowedDomains.join('\n')}
            />
          </Section>
          {mayWrite ? <Submit>Save</Submit> : null}
        </fieldset>
      </ActionForm>
    </ProjectSettingsPage>
  )
}

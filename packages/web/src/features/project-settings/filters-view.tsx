import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { RuleEditor } from '#parts/rule-editor.tsx'
import { Seen } from '#parts/seen.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadFilters } from './filters.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type View = Awaited<ReturnType<typeof loadFilters>>

export function FiltersView() {
  const view = usePageData<typeof loadFilters>()
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Inbound filters">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Events that match a filter are not stored. They are counted as filtered, under the filter’s name, on{' '}
        <PageLink
          className="link underline"
          to={paths.outcomes(view.org, { project: view.project.slug, range: '7d' })}
        >
          Outcomes
        </PageLink>
        . Changes apply to events that arrive from now on.
      </p>
      <ActionForm action="project.filters" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="form-width">
          <FormRefusal />
          <Seen key={view.project.slug} values={view.seen} />
          <SourceFilters view={view} />
          <ListFilters view={view} />
          {mayWrite ? (
            <div className="pb-5">
              <Submit>Save</Submit>
            </div>
          ) : null}
        </fieldset>
      </ActionForm>
      <Origins view={view} />
    </ProjectSettingsPage>
  )
}

function SourceFilters({ view }: { readonly view: View }) {
  const { filters } = view
  return (
    <Section title="By source">
      <div className="grid gap-4">
        <FormTick
          name="browserExtensions"
          label="Browser extensions"
          initial={filters.browserExtensions}
          end={<Dropped view={view} rule="browser-extensions" />}
          hint="Errors thrown by an extension (chrome-extension://, moz-extension://, safari-web-extension://), and messages known to come from extensions."
        />
        <FormTick
          name="localhost"
          label="Localhost"
          initial={filters.localhost}
          end={<Dropped view={view} rule="localhost" />}
          hint="Pages and requests on localhost, *.localhost, 127.0.0.0/8, ::1 or 0.0.0.0. A server behind a proxy that doesn’t forward the host looks local, too."
        />
        <FormTick
          name="crawlers"
          label="Web crawlers"
          initial={filters.crawlers}
          end={<Dropped view={view} rule="web-crawlers" />}
          hint="User agents of search engines, link previews and other crawlers. HTTP clients and headless test browsers don’t count as crawlers."
        />
        <FormTick
          name="controlFlow"
          label="Control flow"
          initial={filters.controlFlow}
          end={<Dropped view={view} rule="control_flow" />}
          hint="Redirects, “not found” and thrown responses below 500 of Next.js, React Router, SvelteKit and TanStack Start. Missing assets of a build are kept."
        />
        <FormTick
          name="aborted"
          label="Aborted requests"
          initial={filters.aborted}
          end={<Dropped view={view} rule="aborted" />}
          hint="Requests and navigations that the visitor or the page ended: AbortError, a client that disconnected. Network errors and timeouts are kept."
        />
      </div>
    </Section>
  )
}

function ListFilters({ view }: { readonly view: View }) {
  const { filters, limits } = view
  const patterns = `One per line, at most ${limits.patterns}, each with at most ${limits.stars} asterisks.`
  return (
    <Section title="By content">
      <div className="grid gap-4">
        <RuleEditor
          name="releases"
          label={<Labelled view={view} rule="release-version" text="Releases" />}
          hint={`${patterns} “shop@1.*” drops every 1.x. * matches any text; case doesn’t matter.`}
          rows={3}
          initial={filters.releases.join('\n')}
        />
        <RuleEditor
          name="messages"
          label={<Labelled view={view} rule="error-message" text="Messages" />}
          hint={`${patterns} Matches all of “Type: value”, the type, the value or the message: “TypeError: *”, “*ResizeObserver loop*”.`}
          rows={4}
          initial={filters.messages.join('\n')}
        />
        <RuleEditor
          name="addresses"
          label={<Labelled view={view} rule="ip-address" text="IP addresses" />}
          hint={`One per line, at most ${limits.addresses}: 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32. Compared with the sender and with the user’s address in the event.`}
          rows={3}
          initial={filters.addresses.join('\n')}
        />
      </div>
    </Section>
  )
}

/** Allowed domains stand with scrubbing; what they drop is counted here with the rest. */
function Origins({ view }: { readonly view: View }) {
  return (
    <div className="max-w-160">
      <Section title="Allowed domains" end={<Dropped view={view} rule="cors" />}>
        <p className="text-13 text-ink-2">
          {view.allowedDomains === 0
            ? 'Browsers may send from any domain. '
            : `Browsers may send from ${quantityText(view.allowedDomains, 'domain')}. Others are refused with 403. `}
          <PageLink className="link underline" to={paths.projectScrubbing(view.org, view.project.slug)}>
            Data scrubbing
          </PageLink>
        </p>
      </Section>
    </div>
  )
}

function Labelled(props: { readonly view: View; readonly rule: string; readonly text: string }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {props.text} <Dropped view={props.view} rule={props.rule} />
    </span>
  )
}

function Dropped({ view, rule }: { readonly view: View; readonly rule: string }) {
  const count = view.dropped[rule] ?? 0
  return (
    <span className="num ms-auto text-12 text-ink-3">
      {count === 0 ? 'None' : numberText(count)} filtered in {view.days} days
    </span>
  )
}

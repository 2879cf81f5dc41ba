import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Chip } from '#ui/chip.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { spanText } from '#ui/time-text.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { LimitFields } from './limit-fields.tsx'
import { OptionsForm } from './options-form.tsx'
import type { loadKeys } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type KeyRow = Awaited<ReturnType<typeof loadKeys>>['keys'][number]

export function KeysView() {
  const { org, project, keys } = usePageData<typeof loadKeys>()
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={org} project={project} title="Client keys">
      {mayWrite ? null : <ReadOnlyNote />}
      {keys.length === 0 ? (
        <Empty title="No client keys">
          Nothing can be sent to this project until it has a key. <DocsLink to="projects#client-keys" />
        </Empty>
      ) : (
        keys.map((key) => <KeySection key={key.id} row={key} mayWrite={mayWrite} />)
      )}
      {mayWrite ? (
        <Section
          title="New client key"
          note="One for each app or team, so that each can be disabled separately"
        >
          <ActionForm
            action="key.create"
            className="grid form-width gap-4"
            resets
            onResult={() => toast({ text: 'Key created' })}
          >
            <FormRefusal />
            <FormText name="name" label="Name" required />
            <FormText
              name="public"
              label="Public key"
              mono
              hint="Leave empty to create one. To take over clients from another server, enter the key of their DSN: the 32 characters before the @."
            />
            <LimitFields limit={null} />
            <div>
              <Submit>Create key</Submit>
            </div>
          </ActionForm>
        </Section>
      ) : null}
      <NumbersSection />
    </ProjectSettingsPage>
  )
}

function NumbersSection() {
  const view = usePageData<typeof loadKeys>()
  return (
    <Section
      title="Project numbers"
      note={`The number at the end of a DSN. New DSNs end with ${view.project.id}`}
    >
      <OptionsForm action="project.numbers" view={view} fields={view.fields} isPlain />
    </Section>
  )
}

function KeySection({ row, mayWrite }: { readonly row: KeyRow; readonly mayWrite: boolean }) {
  return (
    <Section
      title={row.name}
      note={
        <>
          created <Time ms={row.createdMs} />, {row.usedMs === null ? 'never used' : 'last used '}
          {/* Use is kept to the minute: a key made within it was not used before. */}
          {row.usedMs === null ? null : <Time ms={Math.max(row.usedMs, row.createdMs)} />}
          {row.rateLimit === null
            ? ', no rate limit'
            : `, ${numberText(row.rateLimit.count)} in ${spanText(row.rateLimit.window * 1_000)}`}
        </>
      }
      end={row.isActive ? undefined : <Chip tone="outline">Disabled</Chip>}
    >
      <p className="mb-1 text-12 text-ink-3">DSN</p>
      <div className="copy-row flex max-w-160 items-center gap-2 rounded-field border border-line-2 bg-raised px-3 py-1">
        <code className="foreign min-w-0 flex-1 text-12">{row.dsn}</code>
        <CopyButton text={row.dsn} name={`Copy the DSN of ${row.name}`} />
      </div>
      {mayWrite ? <KeyControls row={row} /> : null}
    </Section>
  )
}

function KeyControls({ row }: { readonly row: KeyRow }) {
  const toast = useToast()
  const hidden = { key: row.id }
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        <ActionForm
          action="key.switch"
          hidden={{ ...hidden, to: row.isActive ? 'off' : 'on' }}
          onResult={() =>
            toast({
              text: row.isActive
                ? 'Client key disabled. Events sent with it are refused'
                : 'Client key enabled',
            })
          }
        >
          <Submit variant="plain" size="small">
            {row.isActive ? 'Disable' : 'Enable'}
          </Submit>
          <FormRefusal />
        </ActionForm>
        <ActionForm
          action="key.rotate"
          hidden={hidden}
          onResult={() => toast({ text: 'New key created, the old one is disabled' })}
        >
          <Submit variant="plain" size="small">
            Replace
          </Submit>
          <FormRefusal />
        </ActionForm>
        {row.isActive ? null : (
          <ActionForm action="key.delete" hidden={hidden} onResult={() => toast({ text: 'Key deleted' })}>
            <Submit variant="danger-plain" size="small">
              Delete key
            </Submit>
            <FormRefusal />
          </ActionForm>
        )}
      </div>
      <details className="tall-links mt-3">
        <summary className="link text-13">Name and rate limit</summary>
        <SettingsForm
          action="key.save"
          hidden={hidden}
          seen={row.seen}
          of={row.id}
          className="mt-3 grid form-width gap-4"
          isPlain
        >
          <FormText name="name" label="Name" initial={row.name} required />
          <LimitFields limit={row.rateLimit} />
        </SettingsForm>
      </details>
    </>
  )
}

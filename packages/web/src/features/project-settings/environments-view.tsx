/** Environments of a project: which are in menus and suggestions, and in which order. */
import { useEffect, useState } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { PagedFoot, PagedSearch } from '#parts/paged.tsx'
import { paths } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm, useActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadEnvironments } from './environments.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

export function EnvironmentsView() {
  const data = usePageData<typeof loadEnvironments>()
  const { org, project, rows, query } = data
  const mayWrite = useCan('project.write')
  const paging = { ...data, path: paths.projectEnvironments(org, project.slug) }
  return (
    <ProjectSettingsPage org={org} project={project} title="Environments">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Found in events and deploys. Hidden environments don’t appear in menus and search suggestions; their
        issues and events stay.
      </p>
      <PagedSearch label="Find an environment" {...paging} />
      {rows.length > 0 ? <EnvironmentTable /> : query === '' ? <NoEnvironments /> : null}
      <PagedFoot what="environment" {...paging} />
    </ProjectSettingsPage>
  )
}

function NoEnvironments() {
  return (
    <Empty title="No environments yet">
      Set <code>environment</code> in your SDK’s options, such as “production”. It appears here with the first
      event. <DocsLink to="everyday#environments" />
    </Empty>
  )
}

function EnvironmentTable() {
  const { rows } = usePageData<typeof loadEnvironments>()
  const mayWrite = useCan('project.write')
  const [moved, setMoved] = useState<Moved & { readonly from: typeof rows }>()
  // An effect, because a row takes the focus from its button as it moves: it goes back once the new order is drawn.
  useEffect(() => {
    if (moved === undefined || moved.from === rows) return
    focusMoved(moved)
    setMoved(undefined)
  }, [moved, rows])
  return (
    <Table caption="Environments" stacks="columns" className="[--stack-columns:2] [--stack-end:-2]">
      <thead>
        <tr>
          <th>Environment</th>
          <th>Last seen</th>
          <th className={tableNum}>Events</th>
          {mayWrite ? (
            <th className="stack-end">
              <span className="visually-hidden">Order and visibility</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, isHidden, eventCount, lastSeenMs }, index) => (
          <tr key={name} id={rowId(name)}>
            <td>
              <span className="flex flex-wrap items-center gap-2">
                <span className={`foreign ${isHidden ? 'text-ink-3' : 'font-strong'}`}>{name}</span>
                {isHidden ? <Chip tone="outline">Hidden</Chip> : null}
              </span>
            </td>
            <td>
              <Time ms={lastSeenMs} />
            </td>
            <td className={tableNum}>{numberText(eventCount)}</td>
            {mayWrite ? (
              <td className="stack-end">
                <div className="flex justify-end gap-1">
                  <MoveButtons name={name} index={index} onMoved={(to) => setMoved({ ...to, from: rows })} />
                  <HideButton name={name} isHidden={isHidden} />
                </div>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function rowId(name: string): string {
  return `environment ${name}`
}

interface Moved {
  readonly name: string
  readonly to: 'up' | 'down'
}

type OnMoved = (moved: Moved) => void

function MoveButtons(props: { readonly name: string; readonly index: number; readonly onMoved: OnMoved }) {
  const { name, index, onMoved } = props
  const { total, before, query } = usePageData<typeof loadEnvironments>()
  // Among what a search found nobody sees which one it changes places with.
  if (total < 2 || query !== '') return null
  return (
    <>
      <MoveButton name={name} to="up" atEnd={before + index === 0} onMoved={onMoved} />
      <MoveButton name={name} to="down" atEnd={before + index === total - 1} onMoved={onMoved} />
    </>
  )
}

interface Move extends Moved {
  readonly atEnd: boolean
}

function MoveButton(props: Move & { readonly onMoved: OnMoved }) {
  const { name, to } = props
  return (
    <ActionForm action="environment.move" hidden={{ name, to }} onResult={() => props.onMoved({ name, to })}>
      <MoveSubmit {...props} />
      <FormRefusal />
    </ActionForm>
  )
}

/** The button that was pressed, or the other one where the row stands at an end now. */
function focusMoved({ name, to }: Moved): void {
  const row = document.getElementById(rowId(name))
  const usable = [...(row?.querySelectorAll<HTMLButtonElement>('button[data-to]:enabled') ?? [])]
  const same = usable.find((button) => button.dataset.to === to) ?? usable[0]
  same?.focus()
}

function MoveSubmit({ name, to, atEnd }: Move) {
  const { pending } = useActionForm()
  return (
    <Button
      type="submit"
      variant="quiet"
      size="small"
      className="btn-icon touch"
      busy={pending}
      data-to={to}
      aria-label={`Move ${name} ${to}`}
      disabledReason={atEnd ? (to === 'up' ? 'Already first' : 'Already last') : undefined}
    >
      <Icon name={to === 'up' ? 'arrow-up' : 'arrow-down'} size={14} />
    </Button>
  )
}

function HideButton({ name, isHidden }: { readonly name: string; readonly isHidden: boolean }) {
  const toast = useToast()
  return (
    <ActionForm
      action="environment.hide"
      hidden={{ name, hidden: isHidden ? 'no' : 'yes' }}
      onResult={() => toast({ text: isHidden ? `${name} is shown` : `${name} is hidden` })}
    >
      <Submit variant="plain" size="small">
        {isHidden ? 'Show' : 'Hide'}
        <span className="visually-hidden"> {name}</span>
      </Submit>
      <FormRefusal />
    </ActionForm>
  )
}

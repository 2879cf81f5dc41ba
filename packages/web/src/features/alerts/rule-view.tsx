/** Page of a rule: its settings on the left, what they would have done on the right. */
import { useRef, useState } from 'react'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { Seen } from '#parts/seen.tsx'
import { markUnsaved } from '#parts/settings-form.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu } from '#ui/menu.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useSend } from '#wire/use-action.ts'
import type { loadRule } from './alerts.server.ts'
import { MessagePicture } from './message-picture.tsx'
import { PreviewPart } from './preview-part.tsx'
import type { PreviewData, RuleData } from './rule-data.ts'
import { RuleFieldsPart } from './rule-fields.tsx'
import { MenuEntry, MuteEntries } from './rule-menu.tsx'
import { minutesText } from './span-text.ts'
import { LevelWord, StateMark } from './state-mark.tsx'

const FORM_ID = 'alert-rule'

export function AlertRulePage() {
  const data = usePageData<typeof loadRule>()
  const stored = data.rule?.stored ?? null
  return stored === null ? <EditedRule data={data} /> : <StoredRule data={data} stored={stored} />
}

/** A rule that no form can show: as it is stored, to be copied and deleted. */
function StoredRule({ data, stored }: { readonly data: RuleData; readonly stored: string }) {
  const title = data.rule?.name ?? ''
  return (
    <>
      <title>{`${title} · Alerts · Errata`}</title>
      <Head data={data} title={title} />
      <div className="max-w-[48rem] p-6 max-phone:p-4">
        <p role="alert" className="mb-4 text-14">
          This rule never fires: this version of Errata can’t read it. It was saved by another version or
          changed outside Errata. Delete it, then create it again from the stored rule:
        </p>
        <section aria-label="Stored rule">
          <pre className="foreign overflow-x-auto rounded-card border p-4 text-12">{stored}</pre>
        </section>
        <Firings data={data} />
      </div>
    </>
  )
}

function EditedRule({ data }: { readonly data: RuleData }) {
  const { org, rule, fields } = data
  const toast = useToast()
  const preview = useSend<PreviewData>('alerts.preview')
  const box = useRef<HTMLDivElement>(null)
  const show = () => {
    const form = box.current?.querySelector('form')
    if (form === null || form === undefined) return
    const typed = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') typed.append(name, value)
    void preview.send({ kind: 'form', fields: typed })
  }
  const take = (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) {
      const field = box.current?.querySelector(`[name="${name}"]`)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
    show()
  }
  const shown = preview.state.result ?? data.preview
  // What a rule would have done stands beside it; until there is something, the form stands alone.
  const hasSide = shown !== null || data.firings.length > 0
  const title = rule?.name ?? `New ${fields.kind} rule`
  return (
    <>
      <title>{`${title} · Alerts · Errata`}</title>
      <Head data={data} title={title} />
      <div className={hasSide ? 'grid grid-cols-[minmax(0,26rem)_minmax(0,1fr)] max-wide:grid-cols-1' : ''}>
        <div ref={box} className={`p-6 max-phone:p-4 ${hasSide ? 'wide:border-e' : 'max-w-[40rem]'}`}>
          <ActionForm
            key={rule?.changedMs ?? 'new'}
            id={FORM_ID}
            action="alerts.save"
            onResult={() => toast({ text: 'Saved' })}
          >
            <fieldset
              disabled={!data.mayWrite}
              onInput={markUnsaved}
              className="grid min-w-0 grid-cols-1 gap-5"
            >
              <legend className="visually-hidden">Rule</legend>
              <FormRefusal />
              {rule === null ? null : <Seen values={rule.seen} />}
              <RuleFieldsPart data={data} />
              {data.mayWrite ? (
                <div className="flex gap-2">
                  <Submit>{rule === null ? 'Create rule' : 'Save changes'}</Submit>
                  <button type="button" className="btn touch" onClick={show}>
                    Show preview
                  </button>
                </div>
              ) : null}
            </fieldset>
          </ActionForm>
          {preview.state.error === null ? null : (
            <p role="alert" className="mt-3 text-13 text-bad">
              {preview.state.error.message}
            </p>
          )}
          {shown === null ? null : (
            <section aria-label="Message" className="mt-6 grid gap-2 border-t pt-4">
              <h2 className="text-13 font-strong">
                Message <span className="font-normal text-12 text-ink-3">{`as ${asShown(shown)}`}</span>
              </h2>
              <MessagePicture picture={shown.picture.picture} />
            </section>
          )}
        </div>
        <div className={`min-w-0 p-6 max-phone:p-4 ${hasSide ? '' : 'pt-0! max-w-[40rem]'}`}>
          {shown === null ? (
            <p className="text-13 text-ink-2">
              <b className="font-strong text-ink">Show preview</b> to see what this rule would have done in
              the last 14 days, before you save it.
            </p>
          ) : (
            <PreviewPart preview={shown} org={org} onTake={data.mayWrite ? take : null} />
          )}
          {rule === null ? null : <Firings data={data} />}
        </div>
      </div>
    </>
  )
}

function asShown({ picture }: PreviewData): string {
  // `Slack, bot` is Slack.
  const [name] = picture.service.split(',')
  return name === 'Email' ? 'email' : `${name} shows it`
}

function Head({ data, title }: { readonly data: RuleData; readonly title: string }) {
  const { org, rule, mayWrite } = data
  return (
    <header className="flex flex-wrap items-center gap-3 border-b px-6 py-4 max-phone:px-4">
      <div className="min-w-60 flex-1">
        <nav aria-label="Breadcrumbs" className="mb-1 flex items-center gap-1.5 text-13 text-ink-2">
          <PageLink to={paths.alerts(org)} className="hover:text-ink max-phone:-my-3 max-phone:py-3">
            Alerts
          </PageLink>
          <Icon name="chevron-right" size={12} />
          <span className="text-ink-3">{rule === null ? 'New rule' : 'Rule'}</span>
        </nav>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h1 className="foreign text-20 font-strong">{title}</h1>
          {rule === null ? null : (
            <span className="inline-flex items-center gap-2 text-14">
              <StateMark state={rule.state} few={rule.few} muted={rule.muted} />
              {rule.failedMs === null ? null : (
                <span className="text-ink-2">
                  since <Time ms={rule.failedMs} />
                  {rule.stored === null ? '. Save it again, or delete it.' : '.'}
                </span>
              )}
              {rule.value === null ? null : <span className="text-ink-2">now {rule.value}</span>}
            </span>
          )}
        </div>
      </div>
      {rule === null ? null : (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-13 text-ink-2 max-phone:w-full">
            {rule.isPreset ? 'preset' : `created by ${rule.createdBy}`}, changed <Time ms={rule.changedMs} />
          </span>
          {mayWrite && rule.stored === null ? <Buttons rule={rule} /> : null}
          {mayWrite && rule.stored !== null ? <DeleteButton rule={rule} /> : null}
        </div>
      )}
    </header>
  )
}

/** Tests, mutes and switches are for rules that can be read. */
function DeleteButton({ rule }: { readonly rule: NonNullable<RuleData['rule']> }) {
  return (
    <ActionForm action="alerts.delete" hidden={{ rule: rule.id, name: rule.name }}>
      <button type="submit" className="btn touch">
        Delete rule
      </button>
    </ActionForm>
  )
}

function Buttons({ rule }: { readonly rule: NonNullable<RuleData['rule']> }) {
  const toast = useToast()
  return (
    <>
      <ActionForm
        action="alerts.test"
        hidden={{ rule: rule.id }}
        onResult={() => toast({ text: 'Sent a test' })}
      >
        <button type="submit" className="btn touch">
          Send a test
        </button>
      </ActionForm>
      <Menu className="btn touch" label={rule.muted === null ? 'Mute' : 'Muted'} align="end">
        <MuteEntries rule={rule} />
      </Menu>
      <Menu className="btn touch" label="•••" name="More" chevron={false} align="end">
        <MenuEntry action="alerts.switch" rule={rule} more={{ on: rule.isOn ? 'off' : 'on' }}>
          {rule.isOn ? 'Turn off' : 'Turn on'}
        </MenuEntry>
        <MenuEntry action="alerts.delete" rule={rule}>
          Delete
        </MenuEntry>
      </Menu>
    </>
  )
}

function Firings({ data }: { readonly data: RuleData }) {
  const { firings, org } = data
  const [now] = useState(() => Date.now())
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-15 font-strong">Fired</h2>
      {firings.length === 0 ? (
        <p className="text-13 text-ink-2">It has not fired yet.</p>
      ) : (
        <Table caption="Firings" stacks="late">
          <thead>
            <tr>
              <th scope="col">Fired</th>
              <th scope="col">Level</th>
              <th scope="col">Why</th>
              <th scope="col" className={tableNum}>
                Worst
              </th>
              <th scope="col">Lasted</th>
            </tr>
          </thead>
          <tbody>
            {firings.map((firing) => (
              <tr key={firing.id}>
                <td className="whitespace-nowrap" data-label="Fired">
                  <Time ms={firing.startedMs} />
                </td>
                <td data-label="Level">
                  <LevelWord level={firing.level} />
                  {firing.untold === null ? null : (
                    <span className="ms-2 text-12 text-ink-3">{firing.untold}</span>
                  )}
                </td>
                <td className="foreign stack-line" data-label="Why">
                  <Why firing={firing} org={org} />
                </td>
                <td className={tableNum} data-label="Worst">
                  {firing.value ?? ''}
                </td>
                <td data-label="Lasted">{lastedText(firing, now)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

/** An issue rule is about its issue, of a metric most belongs to it. */
function Why({ firing, org }: { readonly firing: RuleData['firings'][number]; readonly org: string }) {
  const { issue, because, level } = firing
  if (issue === null) return because
  const link = (
    <PageLink to={paths.issue(org, issue)} className="link">
      {issue}
    </PageLink>
  )
  return level === 'info' ? (
    <>
      {link} {because}
    </>
  ) : (
    <>
      {because}, mostly {link}
    </>
  )
}

function lastedText(
  { level, startedMs, endedMs }: Pick<RuleData['firings'][number], 'level' | 'startedMs' | 'endedMs'>,
  nowMs: number,
): string {
  if (level === 'info') return ''
  return endedMs === null
    ? `still firing, ${minutesText(nowMs - startedMs)}`
    : minutesText(endedMs - startedMs)
}

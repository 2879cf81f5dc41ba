/** Filters of the audit log, in the address: who, what and when. */
import { type FormEvent, useRef } from 'react'
import { useFound } from '#parts/choices.ts'
import { FindField } from '#parts/find-field.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useNavigate } from '#wire/router.ts'
import type { loadAudit } from './audit.server.ts'
import { dayOf, shownDayText } from './audit-days.ts'
import { AUDIT_SUBJECTS, type AuditAddress, auditQuery, isAuditFiltered } from './audit-params.ts'
import { actionText } from './audit-texts.ts'

export function AuditFilters() {
  const { org, address } = usePageData<typeof loadAudit>()
  const link = (change: Partial<AuditAddress>) => paths.audit(org, auditQuery(address, change))
  const subject = AUDIT_SUBJECTS.find(({ key }) => key === address.what)
  return (
    <div className="mb-4 flex flex-wrap items-end gap-2">
      <Who />
      <Menu className="btn touch" label={subject?.label ?? 'All changes'}>
        <PageLink to={link({ what: null })} className={menuItem}>
          All changes
        </PageLink>
        {AUDIT_SUBJECTS.map(({ key, label }) => (
          <PageLink key={key} to={link({ what: key })} className={menuItem}>
            {label}
          </PageLink>
        ))}
      </Menu>
      <TextAndDays />
      <Exact />
      {isAuditFiltered(address) ? (
        <PageLink className={buttonClass('quiet')} to={paths.audit(org)}>
          Clear
        </PageLink>
      ) : null}
    </div>
  )
}

function Who() {
  const { org, address, people, who } = usePageData<typeof loadAudit>()
  const { found, text, setText } = useFound({ org, of: 'people' }, people)
  const list = useRef<HTMLDivElement>(null)
  const to = (id: number | null) => paths.audit(org, auditQuery(address, { who: id }))
  return (
    <Menu className="btn touch" label={who ?? (address.who === null ? 'Everyone' : 'Former member')}>
      {people.isPart ? (
        <FindField
          label="Find a person"
          text={text}
          onText={setText}
          onTake={() => list.current?.querySelector('a')?.click()}
        />
      ) : null}
      <PageLink to={to(null)} className={menuItem}>
        Everyone
      </PageLink>
      <div ref={list} className="contents">
        {found.people.map(({ id, name }) => (
          <PageLink key={id} to={to(id)} className={menuItem}>
            <span className="foreign">{name}</span>
          </PageLink>
        ))}
      </div>
    </Menu>
  )
}

/** Filter for one action, or one target, chosen in the list. */
function Exact() {
  const { org, address } = usePageData<typeof loadAudit>()
  const chosen = [
    { name: 'action', text: address.action === null ? null : actionText(address.action) },
    { name: 'target', text: address.target },
  ]
  return chosen.map(({ name, text }) =>
    text === null ? null : (
      <PageLink
        key={name}
        className={buttonClass('plain')}
        to={paths.audit(org, auditQuery(address, { [name]: null }))}
      >
        <span className="foreign max-w-60 truncate">{text}</span>
        <span aria-hidden="true">×</span>
        <span className="visually-hidden"> (remove this filter)</span>
      </PageLink>
    ),
  )
}

/** A browser's own field for days shows them in its language; the product has one format. */
const DAY = {
  maxLength: 11,
  pattern: ' *([0-9]{1,2} [A-Za-z]{3} [0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2}) *',
  placeholder: '22 Nov 2026',
  title: 'A day such as 22 Nov 2026',
  autoComplete: 'off',
} as const

/** A plain GET form, so that it works before JavaScript has loaded. */
function TextAndDays() {
  const { org, address } = usePageData<typeof loadAudit>()
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!areDays(event.currentTarget)) return
    const typed = new FormData(event.currentTarget)
    const text = (name: string) => {
      const value = typed.get(name)
      return typeof value === 'string' && value !== '' ? value : null
    }
    const day = (name: string) => dayOf(text(name) ?? '')
    const change = { words: text('words'), from: day('from'), to: day('to') }
    void navigate(paths.audit(org, auditQuery(address, change)))
  }
  return (
    <form
      key={`${address.words} ${address.from} ${address.to}`}
      action={paths.audit(org)}
      onSubmit={submit}
      className="flex flex-wrap items-end gap-2"
    >
      {(['who', 'what', 'action', 'target'] as const).map((name) =>
        address[name] === null ? null : <input key={name} type="hidden" name={name} value={address[name]} />,
      )}
      <TextField
        type="search"
        name="words"
        label="Text"
        placeholder="Name, role, release…"
        defaultValue={address.words ?? ''}
        className="w-52"
      />
      <TextField {...DAY} name="from" label="From" defaultValue={shownDay(address.from)} className="w-38" />
      <TextField {...DAY} name="to" label="To (UTC)" defaultValue={shownDay(address.to)} className="w-38" />
      <button type="submit" className="btn">
        Show
      </button>
    </form>
  )
}

/** Answers whether the days are of the calendar; the first that is not says so. */
function areDays(form: HTMLFormElement): boolean {
  for (const name of ['from', 'to']) {
    const field = form.elements.namedItem(name)
    if (!(field instanceof HTMLInputElement)) continue
    field.setCustomValidity(field.value.trim() === '' || dayOf(field.value) !== null ? '' : DAY.title)
    field.addEventListener('input', () => field.setCustomValidity(''), { once: true })
  }
  return form.reportValidity()
}

function shownDay(day: string | null): string {
  return day === null ? '' : shownDayText(day)
}

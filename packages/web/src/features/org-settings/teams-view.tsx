import type { ReactNode } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { AndMore, PagedFoot, PagedSearch } from '#parts/paged.tsx'
import { paths } from '#parts/paths.ts'
import { PickList } from '#parts/pick-list.tsx'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Empty } from '#ui/empty.tsx'
import { Isolated } from '#ui/isolated.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadTeams } from './org-settings.server.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type TeamsData = Awaited<ReturnType<typeof loadTeams>>
type Team = TeamsData['teams'][number]

export function TeamsView() {
  const data = usePageData<typeof loadTeams>()
  const toast = useToast()
  return (
    <OrgSettingsPage title="Teams">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        A team gives its members access to projects. Owners and managers see every project. Team admins change
        who is in the team, and the settings of its projects.
      </p>
      <PagedSearch path={paths.teams(data.org)} label="Find a team" {...data} />
      {data.teams.length === 0 && data.query === '' ? (
        <Empty title="No teams yet">
          Members and viewers see only their teams’ projects. <DocsLink to="roles#teams" />
        </Empty>
      ) : (
        data.teams.map((team) => <TeamSection key={team.id} team={team} data={data} />)
      )}
      <PagedFoot path={paths.teams(data.org)} what="team" {...data} />
      {data.mayWriteAll ? (
        <Section title="New team">
          <ActionForm
            action="team.create"
            className="grid form-width gap-4"
            resets
            onResult={() => toast({ text: 'Team created' })}
          >
            <FormRefusal />
            <FormText name="name" label="Name" required />
            <FormText
              name="slug"
              label="Slug"
              mono
              hint={`Used in ownership rules, searches and the API. Leave empty to derive it from the name. ${data.slugRule}`}
            />
            <div>
              <Submit>Create team</Submit>
            </div>
          </ActionForm>
        </Section>
      ) : null}
    </OrgSettingsPage>
  )
}

interface TeamProps {
  readonly team: Team
  readonly data: TeamsData
}

const NAMES_SHOWN = 12

function TeamSection({ team, data }: TeamProps) {
  const { members, projects } = team
  const note = `${quantityText(members.total, 'member')}, ${quantityText(projects.total, 'project')}`
  const shown = members.shown.slice(0, NAMES_SHOWN)
  const opened = projects.shown.slice(0, NAMES_SHOWN)
  return (
    <Section title={team.name} note={note}>
      <p className="foreign text-13">
        {shown.length === 0 ? 'No members yet' : null}
        <Isolated
          texts={shown.map(({ id, name }) => (team.admins.includes(id) ? `${name} (team admin)` : name))}
        />
        <AndMore count={members.total - shown.length} />
      </p>
      <p className="foreign text-13 text-ink-2">
        {opened.length === 0 ? 'No projects' : 'Access to '}
        <Isolated texts={opened.map(({ name }) => name)} />
        <AndMore count={projects.total - opened.length} />
      </p>
      {team.mayWrite ? <Change team={team} data={data} /> : null}
    </Section>
  )
}

/**
 * Form for one team at a time: one with everybody and everything of every team would be a page that nobody
 * can open.
 */
function Change({ team, data }: TeamProps) {
  const { org, query, page } = data
  if (team.seen !== null) return <TeamForms team={team} data={data} />
  return (
    <PageLink
      to={paths.teams(org, { query, page: page === 1 ? null : page, team: team.slug })}
      preventScrollReset
      className="link link-alone mt-2 inline-block text-13"
    >
      Change<span className="visually-hidden"> {team.name}</span>
    </PageLink>
  )
}

function TeamForms({ team, data }: TeamProps) {
  const { org, people, projects } = data
  return (
    <>
      <SettingsForm
        action="team.save"
        hidden={{ team: team.id }}
        seen={team.seen}
        className="mt-3 grid form-width gap-4"
        isPlain
      >
        <FormText name="name" label="Name" initial={team.name} required />
        {people === null ? null : (
          <PickList
            {...{ org, choices: people, picked: team.members, heldBy: `team:${team.id}` }}
            of="people"
            name="members"
            title="Members"
            row={(person, box) => (
              <Person box={box} id={person.id} isAdmin={team.admins.includes(person.id)} />
            )}
          />
        )}
        {projects === null ? null : (
          <>
            <input type="hidden" name="asksProjects" value="on" />
            <PickList
              {...{ org, choices: projects, picked: team.projects, heldBy: `team:${team.id}` }}
              of="projects"
              name="projects"
              title="Projects"
            />
          </>
        )}
      </SettingsForm>
      <TeamChannel team={team} data={data} />
      {data.mayWriteAll ? <DeleteTeam team={team} /> : null}
    </>
  )
}

/** A form of its own: it is set once, and no part of who is in the team. */
function TeamChannel({ team, data: { org, channels } }: TeamProps) {
  const toast = useToast()
  return (
    <ActionForm
      action="team.channel"
      hidden={{ team: team.id }}
      className="mt-4 grid form-width gap-3"
      onResult={() => toast({ text: 'Saved' })}
    >
      <FormRefusal />
      <FormSelect
        name="channel"
        label="Channel"
        initial={team.channel === null ? '' : String(team.channel)}
        hint={`Comments that name #${team.slug} are sent there, too.`}
      >
        <option value="">None</option>
        {channels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </FormSelect>
      <div className="flex flex-wrap items-center gap-3">
        <Submit variant="plain">Save channel</Submit>
        {channels.length === 0 ? (
          <PageLink className="link text-13" to={paths.alertChannels(org)}>
            Add a channel
          </PageLink>
        ) : null}
      </div>
    </ActionForm>
  )
}

/** Whether somebody is in the team, and one of its admins. */
function Person(props: { readonly box: ReactNode; readonly id: number; readonly isAdmin: boolean }) {
  return (
    <div className="team-person flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      {props.box}
      <span className="team-admin text-12 text-ink-2">
        <Checkbox
          name="admins[]"
          value={props.id}
          label="Team admin"
          showLabel
          defaultChecked={props.isAdmin}
        />
      </span>
    </div>
  )
}

function DeleteTeam({ team }: Pick<TeamProps, 'team'>) {
  const toast = useToast()
  return (
    <ActionForm
      action="team.delete"
      hidden={{ team: team.id }}
      className="mt-3"
      onResult={() => toast({ text: 'Team deleted' })}
    >
      <FormRefusal />
      <p className="mb-2 text-12 text-ink-2">
        {`${quantityText(team.members.total, 'member')} may lose access to ${quantityText(team.projects.total, 'project')}.`}
      </p>
      <Submit variant="danger-plain" size="small">
        Delete team
      </Submit>
    </ActionForm>
  )
}

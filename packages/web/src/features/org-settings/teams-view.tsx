import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { Seen } from '#parts/seen.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Empty } from '#ui/empty.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
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
      {data.teams.length === 0 ? (
        <Empty title="No teams yet">
          Members and viewers see only their teams’ projects. <DocsLink to="roles#teams" />
        </Empty>
      ) : (
        data.teams.map((team) => <TeamSection key={team.id} team={team} data={data} />)
      )}
      {data.mayWriteAll ? (
        <Section title="New team">
          <ActionForm
            action="team.create"
            className="grid max-w-90 gap-4"
            resets
            onResult={() => toast({ text: 'Team created' })}
          >
            <FormRefusal />
            <FormText name="name" label="Name" required />
            <FormText
              name="slug"
              label="Slug"
              mono
              hint={`What ownership rules, searches and the API call it. Leave empty to derive it from the name. ${data.slugRule}`}
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

function TeamSection({ team, data }: TeamProps) {
  const members = data.members.filter(({ id }) => team.members.includes(id))
  const projects = data.projects.filter(({ id }) => team.projects.includes(id))
  const note = `${quantityText(members.length, 'member')}, ${quantityText(projects.length, 'project')}`
  return (
    <Section title={team.name} note={note}>
      <p className="foreign text-13">
        {members
          .map(({ id, name }) => (team.admins.includes(id) ? `${name} (team admin)` : name))
          .join(', ') || 'No members yet'}
      </p>
      <p className="foreign text-13 text-ink-2">
        {projects.length === 0 ? 'No projects' : `Access to ${projects.map(({ name }) => name).join(', ')}`}
      </p>
      {team.mayWrite ? <TeamForms team={team} data={data} /> : null}
    </Section>
  )
}

function TeamForms({ team, data }: TeamProps) {
  const toast = useToast()
  return (
    <details className="mt-2">
      <summary className="link text-13">
        Change<span className="visually-hidden"> {team.name}</span>
      </summary>
      <ActionForm
        action="team.save"
        hidden={{ team: team.id }}
        className="mt-3 grid max-w-160 gap-4"
        onResult={() => toast({ text: 'Saved' })}
      >
        <FormRefusal />
        <Seen values={team.seen} />
        <FormText name="name" label="Name" initial={team.name} required />
        <People team={team} all={data.members} />
        {data.mayWriteAll ? (
          <>
            <input type="hidden" name="asksProjects" value="on" />
            <Boxes name="projects[]" title="Projects" all={data.projects} ticked={team.projects} />
          </>
        ) : null}
        <div>
          <Submit variant="plain">Save</Submit>
        </div>
      </ActionForm>
      {data.mayWriteAll ? <DeleteTeam team={team} /> : null}
    </details>
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
        {`${quantityText(team.members.length, 'member')} may lose access to ${quantityText(team.projects.length, 'project')}.`}
      </p>
      <Submit variant="danger-plain" size="small">
        Delete team
      </Submit>
    </ActionForm>
  )
}

/** Who is in the team, and which of them are its admins. */
function People({ team, all }: Pick<TeamProps, 'team'> & { readonly all: TeamsData['members'] }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-13">Members</legend>
      {all.map(({ id, name }) => (
        <div key={id} className="team-person flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <Checkbox
            name="members[]"
            value={id}
            label={name}
            showLabel
            defaultChecked={team.members.includes(id)}
          />
          <span className="team-admin text-12 text-ink-2">
            <Checkbox
              name="admins[]"
              value={id}
              label="Team admin"
              showLabel
              defaultChecked={team.admins.includes(id)}
            />
          </span>
        </div>
      ))}
    </fieldset>
  )
}

function Boxes(props: {
  readonly name: string
  readonly title: string
  readonly all: readonly { readonly id: number; readonly name: string }[]
  readonly ticked: readonly number[]
}) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-13">{props.title}</legend>
      {props.all.map(({ id, name }) => (
        <Checkbox
          key={id}
          name={props.name}
          value={id}
          label={name}
          showLabel
          defaultChecked={props.ticked.includes(id)}
        />
      ))}
    </fieldset>
  )
}

/** Page of a channel: its form by kind, the message as its service shows it, a test, and deletion. */

import { paths } from '#parts/paths.ts'
import { DeleteService, ServiceKinds, ServiceTest } from '#parts/service-pages.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AnswerMark } from './answer-mark.tsx'
import type { ChannelData, ChannelPageData as Data } from './channel-data.ts'
import { ChannelForm } from './channel-fields.tsx'
import { lossText } from './channel-form.ts'
import type { loadChannel } from './channels.server.ts'
import { LastAnswer, UsedBy } from './channels-view.tsx'

export function AlertChannelPage() {
  const data = usePageData<typeof loadChannel>()
  const { org, form, channel } = data
  const title = channel?.name ?? (form === null ? 'New channel' : `New channel: ${form.label}`)
  return (
    <>
      <title>{`${title} · Channels · ${org} · Errata`}</title>
      <header className="border-b px-6 py-4 max-phone:px-4">
        <nav aria-label="Breadcrumbs" className="mb-1 flex items-center gap-1.5 text-13 text-ink-2">
          <PageLink to={paths.alerts(org)} className="hover:text-ink max-phone:-my-3 max-phone:py-3">
            Alerts
          </PageLink>
          <Icon name="chevron-right" size={12} />
          <PageLink to={paths.alertChannels(org)} className="hover:text-ink max-phone:-my-3 max-phone:py-3">
            Channels
          </PageLink>
        </nav>
        <h1 className="foreign text-20 font-strong">{title}</h1>
        {form === null ? null : <p className="mt-1 text-13 text-ink-2">{`${form.label}. ${form.about}.`}</p>}
      </header>
      {form === null ? (
        <ServiceKinds
          kinds={data.kinds}
          to={(kind) => paths.newAlertChannel(org, { kind })}
          className="p-6 max-phone:p-4"
        />
      ) : (
        <ChannelForm key={channel?.id ?? form.kind} data={data} />
      )}
      {channel === null ? null : (
        <div className="px-6 pb-6 max-phone:px-4">
          <ChannelState data={data} channel={channel} />
        </div>
      )}
    </>
  )
}

function ChannelState({ data, channel }: { readonly data: Data; readonly channel: ChannelData }) {
  const { org, mayWrite, callback } = data
  return (
    <>
      {callback === null ? null : (
        <Section title="Buttons in Slack" note="Under “Interactivity” of the Slack app, as request URL">
          <span className="flex items-center gap-1">
            <code className="foreign text-12">{callback}</code>
            <CopyButton text={callback} name="Copy the request URL" />
          </span>
        </Section>
      )}
      <Section title="Messages" note="In 90 days">
        <Facts>
          <Fact term="Last response">
            <LastAnswer last={channel.last} />
          </Fact>
          <Fact term="Delivered">{numberText(channel.sent)}</Fact>
          <Fact term="Not delivered">{numberText(channel.failed)}</Fact>
          <Fact term="Waiting">{numberText(channel.waiting)}</Fact>
          <Fact term="Used by">
            <UsedBy org={org} rules={channel.rules} />
          </Fact>
          <Fact term="Added">
            <Time ms={channel.createdMs} /> by <span className="foreign">{channel.createdBy}</span>
          </Fact>
        </Facts>
      </Section>
      {mayWrite ? (
        <>
          <ServiceTest<{ readonly sent: boolean; readonly says: string }>
            action="channel.test"
            hidden={{ channel: channel.id }}
            note="Sends a message marked as a test"
          >
            {({ sent, says }) => (
              <AnswerMark state={sent ? 'sent' : 'failed'}>
                {`${sent ? 'Delivered' : 'Not delivered'}: ${says}`}
              </AnswerMark>
            )}
          </ServiceTest>
          <DeleteService
            action="channel.delete"
            hidden={{ channel: channel.id }}
            what="channel"
            name={channel.name}
          >
            {lossText(channel)}
          </DeleteService>
        </>
      ) : null}
    </>
  )
}

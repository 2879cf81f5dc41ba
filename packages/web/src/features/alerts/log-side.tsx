/** Message of the log: its state, every try, what was sent. */
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Icon } from '#ui/icons.tsx'
import { quantityText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { durationText } from '#ui/time-text.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { AnswerMark } from './answer-mark.tsx'
import type { LogData } from './log-data.ts'
import { logQuery } from './log-params.ts'
import { Answer } from './log-table.tsx'

type Chosen = NonNullable<LogData['chosen']>

const TITLES = {
  sent: 'Delivered',
  failed: 'Not delivered',
  waiting: 'Waiting',
  sending: 'Sending',
  gathered: 'Combined into a later message',
  cancelled: 'Cancelled',
} as const satisfies Record<Chosen['state'], string>

export function LogSide({ data, chosen }: { readonly data: LogData; readonly chosen: Chosen }) {
  const { org, address, mayWrite } = data
  return (
    <aside
      aria-label="Message"
      className="border-s px-5 py-2 max-wide:border-s-0 max-wide:border-b max-phone:px-4"
    >
      <section className="border-b py-4">
        <div className="mb-3 flex items-start gap-2">
          <h2 className="flex-1 text-15 font-strong">
            <AnswerMark state={chosen.state}>{TITLES[chosen.state]}</AnswerMark>
          </h2>
          <PageLink
            to={paths.alertLog(org, logQuery(address, { before: address.before }))}
            className="copy"
            aria-label="Close"
          >
            <Icon name="close" size={14} />
          </PageLink>
        </div>
        <ChosenFacts org={org} chosen={chosen} />
        {mayWrite ? <Buttons org={org} chosen={chosen} /> : null}
      </section>
      <Tries chosen={chosen} />
      <SideSection title="What was sent" note={<CopyButton text={chosen.text} name="Copy what was sent" />}>
        <pre className="foreign overflow-auto text-12 whitespace-pre-wrap">{chosen.text}</pre>
      </SideSection>
    </aside>
  )
}

function ChosenFacts({ org, chosen }: { readonly org: string; readonly chosen: Chosen }) {
  const { rule, issue, service, to, atMs } = chosen
  return (
    <Facts>
      <Fact term="When">
        <Time ms={atMs} form="exact" />
      </Fact>
      {rule === null ? null : (
        <Fact term="Rule">
          <PageLink to={paths.alertRule(org, rule.id)} className="foreign link">
            {rule.name}
          </PageLink>
        </Fact>
      )}
      {issue === null ? null : (
        <Fact term="Issue">
          <PageLink to={paths.issue(org, issue)} className="link">
            {issue}
          </PageLink>
        </Fact>
      )}
      <Fact term="To">
        {service} <span className="foreign">{to}</span>
      </Fact>
      <Fact term={chosen.state === 'failed' ? 'Cause' : 'Response'}>
        <Answer row={chosen} />
      </Fact>
      {chosen.state === 'failed' ? <Fact term="What to do">{adviceText(chosen)}</Fact> : null}
    </Facts>
  )
}

function adviceText({ channelId, isChannelThere }: Chosen): string {
  if (isChannelThere) return 'Check the channel, send it a test, then send this again.'
  return channelId === null
    ? 'Check the person’s email, then send this again.'
    : 'The channel was deleted. Choose another one in the rule.'
}

function Buttons({ org, chosen }: { readonly org: string; readonly chosen: Chosen }) {
  const { id, state, channelId, isChannelThere } = chosen
  const toast = useToast()
  const isSettled = state !== 'waiting' && state !== 'sending'
  return (
    <div className="mt-3 flex flex-wrap items-start gap-2">
      {isSettled && (isChannelThere || channelId === null) ? (
        <ActionForm
          action="alert-log.send"
          hidden={{ message: id }}
          className="grid gap-2"
          onResult={() => toast({ text: 'Sending again' })}
        >
          <Submit variant="plain">Send again</Submit>
          <FormRefusal />
        </ActionForm>
      ) : null}
      {isChannelThere && channelId !== null ? (
        <PageLink to={paths.alertChannel(org, channelId)} className="btn touch">
          Change the channel
        </PageLink>
      ) : null}
    </div>
  )
}

function Tries({ chosen: { tried } }: { readonly chosen: Chosen }) {
  return (
    <SideSection
      title="Tries"
      note={tried.length === 0 ? 'none' : quantityText(tried.length, 'try', 'tries')}
    >
      <ol className="grid gap-1.5 text-13">
        {tried.map(({ atMs, says, tookMs }) => (
          <li key={atMs} className="flex items-baseline gap-2">
            <span className="num text-12 text-ink-3">
              <Time ms={atMs} />
            </span>
            <span className="foreign min-w-0 flex-1">{says}</span>
            <span className="num text-12 text-ink-3">{durationText(tookMs)}</span>
          </li>
        ))}
      </ol>
    </SideSection>
  )
}

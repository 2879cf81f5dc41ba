/** A message as its service shows it. Colours are the service's own, in `ui/pictures.css`. */
import type { ReactNode } from 'react'
import type { Picture, PictureLook, PicturePart, Run } from './picture.ts'

const NAMES: Readonly<Record<PictureLook, string>> = {
  ...{ slack: 'Slack', discord: 'Discord', teams: 'Microsoft Teams', 'google-chat': 'Google Chat' },
  ...{ mattermost: 'Mattermost', telegram: 'Telegram', phone: 'a phone', pager: 'an incident' },
  ...{ mail: 'an email', json: 'JSON' },
}
/** With a sender above the message. */
const CHATS: readonly PictureLook[] = ['slack', 'discord', 'teams', 'google-chat', 'mattermost']

export function MessagePicture({ picture }: { readonly picture: Picture }) {
  const { look, bar, above, parts } = picture
  if (look === 'json')
    return (
      <pre className="picture picture-json" role="img" aria-label="The message as JSON">
        {parts.map(partText).join('\n')}
      </pre>
    )
  return (
    <figure className={`picture picture-${look}`} aria-label={`The message as ${NAMES[look]} shows it`}>
      {CHATS.includes(look) ? <Sender /> : look === 'phone' ? <PhoneHead /> : null}
      {above.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        <div key={at} className="picture-above">
          <Part part={part} />
        </div>
      ))}
      <div className={bar === null ? 'picture-card' : 'picture-card picture-barred'}>
        {bar === null ? null : (
          <svg className="picture-bar" aria-hidden="true" preserveAspectRatio="none">
            <rect width="100%" height="100%" rx="2" fill={bar} />
          </svg>
        )}
        {look === 'phone' ? <PhoneSender /> : null}
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <Part key={at} part={part} />
        ))}
      </div>
    </figure>
  )
}

function Mark() {
  return (
    <svg className="picture-mark" viewBox="0 0 36 36" aria-hidden="true">
      <rect width="36" height="36" rx="7" fill="#15181c" />
      <path d="m10 25 8-14 8 14" fill="none" stroke="#fff" strokeWidth="3.4" />
    </svg>
  )
}

function Sender() {
  return (
    <div className="picture-sender">
      <Mark />
      <b>Errata</b>
      <span className="picture-app">APP</span>
      <span className="picture-time">17:06</span>
    </div>
  )
}

function PhoneHead() {
  return (
    <div className="picture-clock" aria-hidden="true">
      17:06
    </div>
  )
}

function PhoneSender() {
  return (
    <div className="picture-sender">
      <Mark />
      ERRATA <span className="picture-time">now</span>
    </div>
  )
}

function Part({ part }: { readonly part: PicturePart }) {
  switch (part.is) {
    case 'facts':
      return (
        <dl className="picture-facts">
          {part.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Runs runs={value} />
              </dd>
            </div>
          ))}
        </dl>
      )
    case 'buttons':
      return (
        <div className="picture-buttons">
          {part.buttons.map(({ label, isMain }) => (
            <span key={label} className={isMain ? 'picture-main' : undefined}>
              {label}
            </span>
          ))}
        </div>
      )
    default:
      return (
        <p className={`picture-${part.is}`}>
          <Runs runs={part.runs} />
        </p>
      )
  }
}

/** Links lead nowhere: the issue is a sample's. */
function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return runs.map((run, at) => {
    const key = `${at} ${run.as}`
    return <RunText key={key} as={run.as} text={run.text} />
  })
}

function RunText({ as, text }: Run): ReactNode {
  if (as === 'bold') return <b>{text}</b>
  if (as === 'code') return <code>{text}</code>
  return as === 'link' ? <span className="picture-link">{text}</span> : text
}

function partText(part: PicturePart): string {
  return 'runs' in part ? part.runs.map(({ text }) => text).join('') : ''
}

/** Message of thousands of characters or many lines: its beginning, and the rest by hand. */
import { cutText } from '#ui/cut-text.ts'
import { Scrubbed } from './scrubbed.tsx'

const SHOWN_CHARS = 300
const SHOWN_LINES = 8

/** More never fits the lines of a phone, below which the failing line has to stand on the second screen. */
const PHONE_CHARS = 200
const PHONE_LINES = 4

export function LongText(props: {
  readonly text: string
  readonly path: string
  /** Type of the exception. */
  readonly lead?: string
}) {
  const { text, path, lead } = props
  const shown = beginning(text)
  const start = (
    <>
      {lead === undefined ? null : <b className="font-strong">{lead} </b>}
      <Scrubbed text={shown} path={path} />
      {shown === text ? null : '…'}
    </>
  )
  if (isShort(`${lead ?? ''} ${text}`)) return start
  return (
    <div className="group/long">
      <div className="max-phone:line-clamp-4 max-phone:group-has-[details[open]]/long:line-clamp-none">
        {start}
      </div>
      <details className={shown === text ? 'mt-1 phone:hidden' : 'mt-1'}>
        <summary className="link inline text-12">Whole message</summary>
        <div className="text-13">
          {shown === text ? null : <Scrubbed text={text.slice(shown.length)} path={path} />}
        </div>
      </details>
    </div>
  )
}

function isShort(text: string): boolean {
  return text.length <= PHONE_CHARS && text.split('\n', PHONE_LINES + 1).length <= PHONE_LINES
}

/** At most so many characters, and so many lines. */
function beginning(text: string): string {
  const cut = cutText(text, SHOWN_CHARS)
  return cut.split('\n', SHOWN_LINES).join('\n')
}

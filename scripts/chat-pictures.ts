/**
 * Pictures of messages for `docs/chat.md`: what the previews of the built product show, in a real browser. Run it after
 * `npm run build` when a message or its picture changes.
 */
import { join } from 'node:path'
import { launchBrowser } from '../tests/support/browser.ts'
import { signIn } from '../tests/support/person.ts'
import { openScreen } from '../tests/support/screen.ts'
import { OWNER, startShop } from '../tests/support/start-errata.ts'
import { ROOT } from './node24.mjs'

const KINDS = [
  ...['slack-bot', 'discord', 'teams', 'google-chat', 'mattermost', 'telegram', 'ntfy', 'pagerduty'],
  ...['opsgenie', 'email'],
]

await using running = await startShop()
const { cookie } = await signIn(running.url, OWNER)
const browser = await launchBrowser()
try {
  const screen = await openScreen(browser, running.url, { cookie, deviceScaleFactor: 1.5 })
  for (const kind of KINDS) {
    await screen.open(`/shop/alerts/channels/new?kind=${kind}`)
    const picture = screen.page.getByRole('region', { name: 'Preview' }).getByRole('figure')
    await picture.screenshot({ path: join(ROOT, 'docs/chat', `${kind}.png`) })
  }
} finally {
  await browser.close()
}

/** Channels of the sample organisation. Their addresses lead nowhere, and a demo sends nothing. */
interface DemoChannel {
  /** Kind; one channel each. */
  readonly kind: string
  readonly name: string
  readonly values: Readonly<Record<string, string>>
}

const TEMPLATE = JSON.stringify(
  { text: '{{headline}} ({{url}})', level: '{{level}}', events: '{{issue.events}}' },
  null,
  2,
)

export function demoChannels(): readonly DemoChannel[] {
  return [
    {
      ...{ kind: 'slack-bot', name: '#shop-alerts' },
      values: {
        ...{ token: 'xoxb-of-the-sample', signingSecret: 'of the sample', channel: 'C024BE91L' },
        server: 'https://slack.marlowfinch.example/api',
      },
    },
    {
      ...{ kind: 'discord', name: 'storefront' },
      values: { url: 'https://discord.marlowfinch.example/api/webhooks/1/sample' },
    },
    {
      ...{ kind: 'pagerduty', name: 'Shop on-call' },
      values: { routingKey: 'of-the-sample', server: 'https://pagerduty.marlowfinch.example' },
    },
    {
      ...{ kind: 'telegram', name: 'Night shift' },
      values: { token: '1:sample', chat: '-1001234567890', server: 'https://telegram.marlowfinch.example' },
    },
    { kind: 'email', name: 'Support', values: { address: 'support@marlowfinch.example' } },
    {
      ...{ kind: 'webhook', name: 'deploy-bot' },
      values: {
        ...{ url: 'https://deploy-bot.gone.example/errata', secret: 'secret of the sample' },
        template: TEMPLATE,
      },
    },
  ]
}

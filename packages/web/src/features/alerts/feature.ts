import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const alertsFeature = feature({
  routes: [
    pageRoute({
      id: 'alerts',
      docs: 'alerts',
      path: '/:org/alerts',
      access: 'alert.read',
      file: 'features/alerts/rules-view.tsx',
      view: async () => (await import('./rules-view.tsx')).AlertRulesPage,
    }),
    pageRoute({
      id: 'alerts.new',
      docs: 'alerts',
      path: '/:org/alerts/rules/new',
      access: 'alert.write',
      file: 'features/alerts/rule-view.tsx',
      view: async () => (await import('./rule-view.tsx')).AlertRulePage,
    }),
    pageRoute({
      id: 'alerts.rule',
      docs: 'alerts',
      path: '/:org/alerts/rules/:rule',
      access: 'alert.read',
      file: 'features/alerts/rule-view.tsx',
      view: async () => (await import('./rule-view.tsx')).AlertRulePage,
    }),
    pageRoute({
      id: 'alerts.log',
      docs: 'chat#the-log',
      path: '/:org/alerts/log',
      access: 'alert.read',
      file: 'features/alerts/log-view.tsx',
      view: async () => (await import('./log-view.tsx')).AlertLogPage,
    }),
    pageRoute({
      id: 'alerts.channels',
      docs: 'chat',
      path: '/:org/alerts/channels',
      access: 'channel.read',
      file: 'features/alerts/channels-view.tsx',
      view: async () => (await import('./channels-view.tsx')).AlertChannelsPage,
    }),
    pageRoute({
      id: 'alerts.channel-new',
      docs: 'chat',
      path: '/:org/alerts/channels/new',
      access: 'alert.write',
      file: 'features/alerts/channel-view.tsx',
      view: async () => (await import('./channel-view.tsx')).AlertChannelPage,
    }),
    pageRoute({
      id: 'alerts.channel',
      docs: 'chat',
      path: '/:org/alerts/channels/:channel',
      access: 'channel.read',
      file: 'features/alerts/channel-view.tsx',
      view: async () => (await import('./channel-view.tsx')).AlertChannelPage,
    }),
    pageRoute({
      id: 'alerts.mutes',
      docs: 'alerts#noise',
      path: '/:org/alerts/mutes',
      access: 'alert.read',
      file: 'features/alerts/mutes-view.tsx',
      view: async () => (await import('./mutes-view.tsx')).AlertMutesPage,
    }),
    pageRoute({
      id: 'alerts.quiet',
      docs: 'alerts#noise',
      path: '/:org/alerts/quiet-hours',
      access: 'alert.read',
      file: 'features/alerts/quiet-view.tsx',
      view: async () => (await import('./quiet-view.tsx')).AlertQuietPage,
    }),
  ],
  places: [
    {
      name: 'Alerts',
      path: paths.alerts,
      at: 7,
      access: 'alert.read',
      key: 'a',
      rail: { group: 'monitors', icon: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8Zm2.8 3.2h2.4' },
    },
  ],
})

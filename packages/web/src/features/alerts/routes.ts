import { pageRoute } from '#wire/route.ts'

export const alertsRoutes = [
  pageRoute({
    id: 'alerts',
    path: '/:org/alerts',
    access: 'alert.read',
    file: 'features/alerts/rules-view.tsx',
    view: async () => (await import('./rules-view.tsx')).AlertRulesPage,
  }),
  pageRoute({
    id: 'alerts.new',
    path: '/:org/alerts/rules/new',
    access: 'alert.write',
    file: 'features/alerts/rule-view.tsx',
    view: async () => (await import('./rule-view.tsx')).AlertRulePage,
  }),
  pageRoute({
    id: 'alerts.rule',
    path: '/:org/alerts/rules/:rule',
    access: 'alert.read',
    file: 'features/alerts/rule-view.tsx',
    view: async () => (await import('./rule-view.tsx')).AlertRulePage,
  }),
  pageRoute({
    id: 'alerts.log',
    path: '/:org/alerts/log',
    access: 'alert.read',
    file: 'features/alerts/log-view.tsx',
    view: async () => (await import('./log-view.tsx')).AlertLogPage,
  }),
  pageRoute({
    id: 'alerts.channels',
    path: '/:org/alerts/channels',
    access: 'channel.read',
    file: 'features/alerts/channels-view.tsx',
    view: async () => (await import('./channels-view.tsx')).AlertChannelsPage,
  }),
  pageRoute({
    id: 'alerts.channel-new',
    path: '/:org/alerts/channels/new',
    access: 'alert.write',
    file: 'features/alerts/channel-view.tsx',
    view: async () => (await import('./channel-view.tsx')).AlertChannelPage,
  }),
  pageRoute({
    id: 'alerts.channel',
    path: '/:org/alerts/channels/:channel',
    access: 'channel.read',
    file: 'features/alerts/channel-view.tsx',
    view: async () => (await import('./channel-view.tsx')).AlertChannelPage,
  }),
  pageRoute({
    id: 'alerts.mutes',
    path: '/:org/alerts/mutes',
    access: 'alert.read',
    file: 'features/alerts/mutes-view.tsx',
    view: async () => (await import('./mutes-view.tsx')).AlertMutesPage,
  }),
  pageRoute({
    id: 'alerts.quiet',
    path: '/:org/alerts/quiet-hours',
    access: 'alert.read',
    file: 'features/alerts/quiet-view.tsx',
    view: async () => (await import('./quiet-view.tsx')).AlertQuietPage,
  }),
]

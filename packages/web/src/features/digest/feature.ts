import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

const view = async () => (await import('./digest-view.tsx')).DigestPage

export const digestFeature = feature({
  routes: [
    pageRoute({
      id: 'digest',
      docs: 'digests',
      path: '/digest',
      access: 'signed-in',
      file: 'features/digest/digest-view.tsx',
      view,
    }),
    pageRoute({
      id: 'digest-number',
      docs: 'digests',
      path: '/digest/:number',
      access: 'signed-in',
      file: 'features/digest/digest-view.tsx',
      view,
    }),
  ],
  places: [
    {
      name: 'Digest',
      path: () => paths.digest(),
      at: 9,
      access: 'signed-in',
      key: 'n',
      rail: { group: 'house', icon: 'M6.2 2.5 4.8 13.5m6.4-11L9.8 13.5M3 5.8h10.5M2.5 10.2H13' },
    },
  ],
})

import { type PageRoute, pageRoute } from '#wire/route.ts'

const view = async () => (await import('./digest-view.tsx')).DigestPage
const file = 'features/digest/digest-view.tsx'

export const digestRoutes: readonly PageRoute[] = [
  pageRoute({ id: 'digest', path: '/digest', access: 'signed-in', file, view }),
  pageRoute({ id: 'digest-number', path: '/digest/:number', access: 'signed-in', file, view }),
]

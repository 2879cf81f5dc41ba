import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('monitoring', 'routes/monitoring.ts'),
  route('products/:slug', 'routes/product.tsx'),
  route('fails/document', 'routes/document.tsx'),
  route('fails/navigation', 'routes/navigation.tsx'),
  route('fails/late', 'routes/late.tsx'),
  route('fails/ssr-only', 'routes/ssr-only.tsx'),
  route('fails/action', 'routes/action.tsx'),
  route('fails/prefetched', 'routes/prefetched.tsx'),
  route('fails/slow', 'routes/slow.tsx'),
  route('fails/hydration/:cause', 'routes/hydration.tsx'),
  route('fails/moved', 'routes/moved.ts'),
  route('fails/gone/:how', 'routes/gone.tsx'),
  route('api/discount', 'routes/discount.ts'),
] satisfies RouteConfig

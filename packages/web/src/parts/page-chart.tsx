/** A chart whose marks, bars and ranges lead to pages of the app. */
import { Chart } from '#ui/charts/chart.tsx'
import type { ChartLink, ChartProps } from '#ui/charts/chart-types.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation, useNavigate } from '#wire/router.ts'

const pageLink: ChartLink = (to, link) => <PageLink to={to} {...link} />

export function PageChart(props: Omit<ChartProps, 'link' | 'go'>) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (
    <Chart
      {...props}
      link={pageLink}
      go={(to) => void navigate(to, { preventScrollReset: to.split('?')[0] === pathname })}
    />
  )
}

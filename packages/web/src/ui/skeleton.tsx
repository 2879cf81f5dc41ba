/**
 * Placeholder of what will stand there. Appears only after 150 ms, so that a quick answer shows no flicker.
 */
function Skeleton({ className }: { readonly className: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />
}

/** Rows of a list to come, over those that were: mark, two lines, a chart, a number. The place around is `relative`. */
export function SkeletonRows({ rows = 8, label }: { readonly rows?: number; readonly label: string }) {
  return (
    <div role="status" aria-label={label} className="skeleton-cover">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={index} className="flex h-14 items-center gap-4 border-b px-6 max-phone:h-28 max-phone:px-4">
          <Skeleton className="size-3 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-3 w-2/5" />
            <Skeleton className="h-2.5 w-1/4" />
          </div>
          <Skeleton className="h-5 w-28 max-phone:hidden" />
          <Skeleton className="h-3 w-12" />
        </div>
      ))}
    </div>
  )
}

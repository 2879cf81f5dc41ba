/** Router for components, on the server and in the browser, and the tree that it shows. */
import {
  Component,
  type ComponentType,
  createContext,
  createElement,
  type ReactNode,
  startTransition,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { PageData } from './answers.ts'
import type { FrameParts } from './app-tables.ts'
import type { PageRoute } from './route.ts'

export interface PageLocation {
  readonly pathname: string
  readonly search: string
  readonly hash: string
  /** Names the entry of the history. */
  readonly key: string
}

export interface NavigateOptions {
  /** Takes the place of this page in the history. */
  readonly replace?: boolean
  /** Leaves the scroll position as it is. */
  readonly preventScrollReset?: boolean
}

interface Thrown {
  readonly error: unknown
}

/** Page with everything it needs. */
export interface Shown {
  readonly location: PageLocation
  readonly page: PageRoute
  readonly View: ComponentType
  readonly data: PageData
  /** Shown in place of the page. */
  readonly refusal: Thrown | null
  /** Shown in place of everything. */
  readonly failure: Thrown | null
  readonly keepsScroll: boolean
}

export interface RouterState {
  readonly shown: Shown
  readonly goingTo: PageLocation | null
  readonly isRevalidating: boolean
}

export interface Router {
  readonly state: RouterState
  subscribe(listener: (state: RouterState) => void): () => void
  navigate(to: string, options?: NavigateOptions): Promise<void>
  revalidate(): Promise<void>
}

const RouterContext = createContext<Router | null>(null)
const ShownContext = createContext<Shown | null>(null)
const LocationContext = createContext<PageLocation | null>(null)
const MovingContext = createContext<Omit<RouterState, 'shown'>>({ goingTo: null, isRevalidating: false })
const OutletContext = createContext<ReactNode>(null)
const ErrorContext = createContext<unknown>(undefined)

/** The router of one document on the server: it goes nowhere. */
export function stillRouter(shown: Shown): Router {
  return {
    state: { shown, goingTo: null, isRevalidating: false },
    subscribe: () => () => {},
    navigate: async () => {},
    revalidate: async () => {},
  }
}

export function RouterView({ router, frame }: { readonly router: Router; readonly frame: FrameParts }) {
  const [state, setState] = useState(router.state)
  // An effect, because the router is outside of React; what is on the screen stays usable while the next is rendered.
  useLayoutEffect(() => router.subscribe((next) => startTransition(() => setState(next))), [router])
  const { shown, goingTo, isRevalidating } = state
  const moving = useMemo(() => ({ goingTo, isRevalidating }), [goingTo, isRevalidating])
  const { Frame, FailurePage, RefusalPage } = frame
  const page = createElement(
    Boundary,
    { shown, thrown: shown.refusal, Instead: RefusalPage },
    createElement(shown.View),
  )
  const all = createElement(
    Boundary,
    { shown, thrown: shown.failure, Instead: FailurePage },
    createElement(Frame),
  )
  const known = createElement(
    ShownContext,
    { value: shown },
    createElement(OutletContext, { value: page }, all),
  )
  const placed = createElement(LocationContext, { value: shown.location }, known)
  return createElement(
    RouterContext,
    { value: router },
    createElement(MovingContext, { value: moving }, placed),
  )
}

interface BoundaryProps {
  readonly shown: Shown
  /** Value thrown before rendering. */
  readonly thrown: Thrown | null
  readonly Instead: ComponentType
  readonly children?: ReactNode
}

interface BoundaryState {
  readonly shown: Shown
  readonly caught: Thrown | null
}

/** Shows something else for what was thrown, until another page or fresh data is there. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { shown: this.props.shown, caught: null }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { caught: { error } }
  }

  static getDerivedStateFromProps({ shown }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return shown === state.shown ? null : { shown, caught: null }
  }

  override render(): ReactNode {
    const { thrown, Instead, children } = this.props
    const problem = thrown ?? this.state.caught
    if (problem === null) return children
    return createElement(ErrorContext, { value: problem.error }, createElement(Instead))
  }
}

/** Renders the page within the frame. */
export function Outlet(): ReactNode {
  return useContext(OutletContext)
}

function withinRouter<T>(value: T | null): T {
  if (value === null) throw new Error('used outside of the router')
  return value
}

export function useLocation(): PageLocation {
  return withinRouter(useContext(LocationContext))
}

export function useNavigate(): Router['navigate'] {
  return withinRouter(useContext(RouterContext)).navigate
}

/** `location`: the page that is being opened. */
export function useNavigation(): {
  readonly state: 'idle' | 'loading'
  readonly location: PageLocation | undefined
} {
  const { goingTo } = useContext(MovingContext)
  return { state: goingTo === null ? 'idle' : 'loading', location: goingTo ?? undefined }
}

export function useRevalidator(): {
  readonly revalidate: () => Promise<void>
  readonly state: 'idle' | 'loading'
} {
  const { isRevalidating } = useContext(MovingContext)
  return {
    revalidate: withinRouter(useContext(RouterContext)).revalidate,
    state: isRevalidating ? 'loading' : 'idle',
  }
}

/** Returns the error that this is shown instead of. */
export function useRouteError(): unknown {
  return useContext(ErrorContext)
}

/** The page that is shown. */
export function usePage(): PageRoute {
  return withinRouter(useContext(ShownContext)).page
}

/** Returns a loader's data by the id of its page, or of the frame. */
export function useLoaded(id: string): unknown {
  return withinRouter(useContext(ShownContext)).data[id]
}

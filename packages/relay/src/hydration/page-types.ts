/** Part of a page's types in use, so that compiling against the package needs no DOM types. */

export interface PageNode {
  /** 1 an element, 3 a text. */
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly parentNode: PageNode | null
  readonly parentElement: PageNode | null
  readonly isConnected: boolean
  readonly childNodes: Iterable<PageNode>
  /** This and what follows: of elements alone. */
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>
  matches?(selector: string): boolean
  closest?(selector: string): PageNode | null
  getAttribute?(name: string): string | null
}

export interface PageChange {
  readonly type: string
  readonly target: PageNode
  readonly addedNodes: Iterable<PageNode>
  readonly removedNodes: Iterable<PageNode>
  readonly oldValue: string | null
}

export interface PageObserver {
  observe(target: PageNode, options: Readonly<Record<string, boolean>>): void
  disconnect(): void
  takeRecords(): PageChange[]
}

export type PageObserverClass = new (callback: (changes: PageChange[]) => void) => PageObserver

/** Reads the causes of vitals from spans: the measured element, and what kept a page from being shown or from answering. Pure. */
import type { Span, Vital } from '#model/span.ts'
import { vitalsOf } from './vitals.ts'

export interface MeasuredVital {
  readonly vital: Vital
  readonly value: number
  /** Element as the SDK writes it, such as `main > img.hero`; for a layout shift the one that moved. */
  readonly element: string
}

export interface Blocking {
  /** A long task, or a file without which nothing is shown. */
  readonly what: 'script' | 'file'
  readonly name: string
  readonly ms: number
}

/** Returns the measurements that name an element. */
export function measuredIn(spans: readonly Span[]): readonly MeasuredVital[] {
  return vitalsOf({ spans, platform: 'javascript' }).flatMap(({ vital, value, span }): MeasuredVital[] => {
    const element = elementOf(vital, span)
    return element === null ? [] : [{ vital, value, element }]
  })
}

const ELEMENT_CHARS = 200
/** Attributes that name the element, by the age of the SDK. */
const ELEMENTS: Readonly<Record<'lcp' | 'cls' | 'inp', readonly string[]>> = {
  lcp: ['browser.web_vital.lcp.element', 'lcp.element', 'browser.web_vital.lcp.url', 'lcp.url'],
  cls: ['browser.web_vital.cls.source.1', 'cls.source.1'],
  inp: ['browser.web_vital.inp.target', 'browser.web_vital.inp.element', 'inp.element'],
}

/** Names of spans that the SDK gives where it knows no component. */
const UNNAMED: ReadonlySet<string> = new Set([
  ...['Largest contentful paint', 'Layout shift', 'Click', 'Hover', 'Drag', 'Key press'],
  'Interaction to next paint',
])

function elementOf(vital: Vital, span: Span): string | null {
  if (vital !== 'lcp' && vital !== 'cls' && vital !== 'inp') return null
  const named = ELEMENTS[vital].map((name) => span.attributes?.[name]).find((value) => isText(value))
  // A span of its own is called after its element; that of a page load is called after the page.
  const own = /^ui\.(?:webvital|interaction)/.test(span.op) && !UNNAMED.has(span.name) ? span.name : null
  const text = named === undefined ? own : String(named)
  return isText(text) ? text.slice(0, ELEMENT_CHARS) : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const LONG = /^ui\.long[-_](?:task|animation[-_]frame)/
/** A file's span is called after its host alone, or after its whole address, by the age of the SDK. */
const ADDRESSES = ['url.full', 'http.url']
const SCRIPTS = ['browser.script.source_url', 'code.file.path', 'code.filepath', 'browser.script.invoker']

/** Long tasks by the script that ran, and files that were waited for before anything was shown. */
export function blockingIn(spans: readonly Span[]): readonly Blocking[] {
  return spans.flatMap(({ op, name, attributes, start_timestamp: start, end_timestamp: end }): Blocking[] => {
    const ms = (end - start) * 1_000
    const isLong = LONG.test(op)
    if (!isLong && attributes?.['resource.render_blocking_status'] !== 'blocking') return []
    const said = (isLong ? SCRIPTS : ADDRESSES).map((key) => attributes?.[key]).find(isText) ?? name
    return [{ what: isLong ? 'script' : 'file', name: withoutQuery(String(said)), ms }]
  })
}

/** Without what is different in every load. */
function withoutQuery(text: string): string {
  return text.replace(/[?#].*$/s, '').slice(0, ELEMENT_CHARS)
}

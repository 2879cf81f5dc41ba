/** The framing of envelopes, and what accept lets through of their items. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const ENVELOPE_LIMITS = {
  envelopeHeaderBytesMax: limit(64 * KIB, 'bytes', 'First line; real ones are below 2 KiB.'),
  itemHeaderBytesMax: limit(16 * KIB, 'bytes', 'Item header line; real ones are below 1 KiB.'),
  envelopeItemsMax: limit(1_000, 'count', 'Items of one envelope; SDKs stay below 130.'),
  eventItemsMax: limit(1, 'count', 'Event-like items of one envelope, as the wire defines.'),
  eventBytesMax: limit(2 * MIB, 'bytes', 'One event; SDKs aim for 1 MiB.'),
  clientReportBytesMax: limit(100 * KIB, 'bytes', 'All client reports of one envelope.'),
  clientReportsMax: limit(100, 'count', 'Client reports of one envelope.'),
  clientReportEntriesMax: limit(1_000, 'count', 'Entries read of one client report; SDKs send a handful.'),
  outcomeQuantityMax: limit(1_000_000_000, 'count', 'What one client report may say was lost at once.'),
  itemBytesMax: limit(100 * MIB, 'bytes', 'Any other item.'),
  jsonDepthMax: limit(100, 'levels', 'Nesting beyond it is an attack, not data.'),
  jsonValuesMax: limit(
    2_000_000,
    'count',
    'Values of one item, about: what is nearly nothing in the bytes is tens of times as much once parsed.',
  ),
} satisfies Readonly<Record<string, Limit>>

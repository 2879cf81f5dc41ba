/** What build tools upload, and what is made of it. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const ARTIFACT_LIMITS = {
  mapBytesMax: limit(100 * MIB, 'bytes', 'One source map; the largest real ones have 60 MB.'),
  mapTokensMax: limit(20_000_000, 'count', 'Mappings of one source map; a map of 30 MB has two million.'),
  mapSourcesMax: limit(50_000, 'count', 'Sources of one source map.'),
  mapNamesMax: limit(2_000_000, 'count', 'Names of one source map.'),
  mapSectionsMax: limit(10_000, 'count', 'Sections of one index map.'),
  mapLinesMax: limit(
    10_000_000,
    'count',
    'Lines of what a source map describes, a section’s offset included.',
  ),
  mapSourceNameCharsMax: limit(
    2_048,
    'chars',
    'Name of one source or function in a map; longer ones are cut.',
  ),
  mapParsedSourceBytesMax: limit(
    1 * MIB,
    'bytes',
    'A larger source is not read for the names of its functions.',
  ),
  mapFunctionsMax: limit(20_000, 'count', 'Functions of one source whose names are kept.'),
  mapSourceLineCharsMax: limit(64 * KIB, 'chars', 'Kept of one line of a source.'),
  contextLineCharsMax: limit(
    512,
    'chars',
    'Kept of one line of source around a frame, as of what SDKs send.',
  ),
  mapPlacesRememberedMax: limit(4_096, 'count', 'Places of one map that a thread has looked up before.'),
} satisfies Readonly<Record<string, Limit>>

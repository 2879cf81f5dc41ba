/** The rules of grouping as tables for people, made from the rules themselves: `docs/grouping-rules.md`. */
import { EMPTY_TYPE_RULES } from '../packages/server/src/group/v1/rules/empty-types.ts'
import { ENGINE_RULES } from '../packages/server/src/group/v1/rules/engine-rules.ts'
import { FAMILIES } from '../packages/server/src/group/v1/rules/families.ts'
import { FRAME_RULES } from '../packages/server/src/group/v1/rules/frame-rules.ts'
import { NAME_RULES } from '../packages/server/src/group/v1/rules/name-rules.ts'
import { TEXT_RULES } from '../packages/server/src/group/v1/rules/text-rules.ts'
import { table } from './markdown-table.ts'

/** Markdown by the name of its mark. */
export function groupingTables(): Readonly<Record<string, string>> {
  return {
    families: table(
      ['rules', 'platforms'],
      [...new Set(Object.values(FAMILIES))].map((family) => [
        code(family),
        Object.keys(FAMILIES)
          .filter((platform) => FAMILIES[platform] === family)
          .map(code)
          .join(', '),
      ]),
    ),
    frames: table(
      ['frame of', 'rules', 'what', 'such as', 'source'],
      FRAME_RULES.map(({ kind, families, what, example, source }) => [
        kind,
        families === 'all' ? 'all' : families.join(', '),
        what,
        code(example),
        source,
      ]),
    ),
    'empty-types': table(
      ['rules', 'what', 'types such as', 'the message decides', 'source'],
      EMPTY_TYPE_RULES.map(({ families, what, examples, stack, source }) => [
        families.join(', '),
        what,
        examples.map(code).join(', '),
        stack === 'init' ? 'where the newest frame of the app is `init`' : 'beside the stack',
        source,
      ]),
    ),
    names: table(
      ['rules', 'made by', 'name', 'what counts', 'source'],
      Object.entries(NAME_RULES).flatMap(([family, rules]) =>
        rules.map(({ what, example, gives, source }) => [
          family,
          what,
          code(example),
          gives === '' ? 'nothing' : code(gives),
          source,
        ]),
      ),
    ),
    texts: table(
      ['what varies', 'text', 'what counts', 'source'],
      TEXT_RULES.map(({ what, example, gives, source }) => [what, code(example), code(gives), source]),
    ),
    engines: table(
      ['failure', 'wordings', 'what counts', 'source'],
      ENGINE_RULES.map(({ what, examples, gives, source }) => [
        what,
        examples.map(code).join('<br>'),
        code(gives),
        source,
      ]),
    ),
  }
}

function code(text: string): string {
  const plain = text.replaceAll('\n', ' ').replaceAll('|', '\\|')
  return plain.includes('`') ? `\`\` ${plain} \`\`` : `\`${plain}\``
}

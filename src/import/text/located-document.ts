import { isCollection, LineCounter, parseDocument, visit, type Document } from 'yaml'
import { InputError, messageOf } from '../../contract/index.ts'
import { keepAsWritten, offsetAt } from '../../contract/suites/suite-yaml.ts'
import { isTooDeep, refuseWideYaml, TOO_DEEP } from './nesting.ts'
import { parseLocatedJson, type LocatedDocument } from './located-json.ts'

/** Throws for a value that contains itself through an alias, and for one that is nested too deeply. */
function refuseEndless(document: Document, positionAt: (offset: number) => string): void {
  visit(document, {
    Alias(_, alias, ancestors) {
      const target = alias.resolve(document)
      if (target && ancestors.includes(target))
        throw new InputError(
          `${positionAt(alias.range?.[0] ?? 0)}: *${alias.source} contains itself; write the value out`,
        )
    },
    Collection(_, collection, ancestors) {
      if (isTooDeep(ancestors.filter(isCollection).length + 1))
        throw new InputError(`${positionAt(collection.range?.[0] ?? 0)}: ${TOO_DEEP}`)
    },
  })
}

/** Turns the parser's own errors (nesting that overflows the stack, too many aliases) into input errors. */
function withInputErrors<T>(file: string, attempt: () => T): T {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof InputError) throw error
    const reason = error instanceof RangeError ? 'it is nested too deeply' : messageOf(error)
    throw new InputError(`${file}: cannot be read: ${reason}`, { cause: error })
  }
}

/** Parses YAML or JSON. JSON is a subset of YAML but has a parser of its own, which is many times faster. */
export function parseLocated(text: string, file: string): LocatedDocument {
  return parseLocatedJson(text, file) ?? parseYaml(text, file)
}

function parseYaml(text: string, file: string): LocatedDocument {
  refuseWideYaml(text, file)
  const lineCounter = new LineCounter()
  const document = withInputErrors(file, () =>
    parseDocument(text, { lineCounter, prettyErrors: false, schema: 'core', uniqueKeys: true }),
  )
  const positionAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${file}:${line}:${col}`
  }

  const [error] = document.errors
  if (error) {
    // The parser reports its own overflow as a mistake in the text.
    const message = /call stack/.test(error.message)
      ? TOO_DEEP
      : error.code === 'MULTIPLE_DOCS'
        ? 'a second document begins here: save each document, as separated by ---, as a file of its own'
        : error.message
    throw new InputError(`${positionAt(error.pos[0])}: ${message}`)
  }
  const value = withInputErrors(file, (): unknown => {
    refuseEndless(document, positionAt)
    keepAsWritten(document)
    return document.toJS({ maxAliasCount: 100 })
  })

  return {
    value,
    locate(path) {
      for (let length = path.length; length > 0; length--) {
        const offset = offsetAt(document, path.slice(0, length))
        if (offset !== undefined) return positionAt(offset)
      }
      return positionAt(document.contents?.range?.[0] ?? 0)
    },
  }
}

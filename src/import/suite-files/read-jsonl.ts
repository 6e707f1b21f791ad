import { countNoun, InputError, isRecord } from '../../contract/index.ts'
import { listFields, mapRows, quoteNames, type ColumnMap } from './column-map.ts'
import { finishSuite, nameAfterFile, type FinishedSuite } from './finish-suite.ts'
import { hintMap } from './map-hint.ts'
import { readJsonLines, type JsonLine } from '../text/json-lines.ts'

/** Returns true for lines of WebGen-Bench's `test.jsonl`: an instruction, and what to try on the page. */
function isWebGenBench(lines: readonly JsonLine[]): boolean {
  return lines.every(({ value }) => typeof value['instruction'] === 'string' && Array.isArray(value['ui_instruct']))
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `Category` is a name, or an object with a primary category. */
function readCategory(value: unknown): string {
  if (typeof value !== 'object' || value === null) return textOrEmpty(value)
  return textOrEmpty(Object.entries(value).find(([name]) => name === 'primary_category')?.[1])
}

/** A page prompt with checks, from one line of WebGen-Bench. Checks without a task or a result are refused later. */
function toPageCase({ value }: JsonLine): Record<string, unknown> {
  const { id, instruction, Category, application_type: type, ui_instruct: instructions } = value
  const category = readCategory(Category)
  const kind = textOrEmpty(type)
  const checks = Array.isArray(instructions) ? instructions : []
  return {
    ...(id !== undefined && { id: String(id) }),
    prompt: instruction,
    scoringMethod: 'code-arena',
    ...(checks.length > 0 && {
      pageChecks: checks.map((check: Record<string, unknown> | null) => ({
        task: check?.['task'],
        expectedResult: check?.['expected_result'],
      })),
    }),
    ...((category !== '' || kind !== '') && {
      metadata: { ...(category !== '' && { category }), ...(kind !== '' && { tags: [kind] }) },
    }),
  }
}

/** What a model is told before the steps of a project. */
const PROJECT_PROMPT = `You are an experienced front-end developer. Each message asks for the next step of one project: first for its files, then for a change of them. Everything from before stays as it is.

- It runs in a browser without a network and without a build step, from index.html.
- Answer with every file that is new or changed, complete, each in a fenced block with its path in the line above. Leave out the others.`

/** A reasoning model needs minutes for some steps. */
const SECONDS_A_STEP = 300

/** True for Web-Bench's `tasks.jsonl`: a first page, and changes that each build on the one before. */
function isWebBench(lines: readonly JsonLine[]): boolean {
  return (
    lines[0]?.value['id'] === 'init' &&
    lines.every(
      ({ value }) => typeof value['description'] === 'string' && /^(?:init|task-\d+)$/.test(String(value['id'])),
    )
  )
}

/** Its own tests are programs for Playwright in another folder; `pageTests` may be written beside the fields of a line. */
function toProject(lines: readonly JsonLine[], file: string): { suite: Record<string, unknown>; warnings: string[] } {
  const id = nameAfterFile(file).replace(/[.-]?tasks$/, '') || 'project'
  const tested = lines.filter(({ value }) => value['pageTests'] !== undefined).length
  const testCase = {
    id,
    turns: lines.map(({ value: { description, pageTests } }) => ({
      user: description,
      ...(pageTests !== undefined && { pageTests }),
    })),
    agent: { limits: { turns: lines.length, seconds: SECONDS_A_STEP * lines.length } },
    scoringMethod: tested > 0 ? 'page-steps' : 'none',
    metadata: { category: 'project' },
  }
  const steps = countNoun(lines.length, 'step')
  return {
    suite: { name: `Web-Bench ${id}`, systemPrompt: PROJECT_PROMPT, testCases: [testCase] },
    warnings:
      tested === 0
        ? [
            `${file}: Web-Bench's own tests are not in this file, so none of the ${steps} is scored; to score them, give the turns pageTests and the case scoringMethod: page-steps`,
          ]
        : tested < lines.length
          ? [`${file}: ${tested} of ${steps} have pageTests; the others are not scored`]
          : [],
  }
}

/** A number or boolean as it is written: `"expectedOutput": 1.50` means the characters 1.50. */
function asWritten(line: JsonLine, map: ColumnMap = {}): Record<string, unknown> {
  const { writtenAs } = line
  const value = withoutBlankCluster(line.value)
  const texts = TEXT_FIELDS.map((name) => map[name] ?? name).flatMap((name) => {
    const written = typeof value[name] === 'number' || typeof value[name] === 'boolean' ? writtenAs(name) : undefined
    return written === undefined ? [] : [[name, written] as const]
  })
  return texts.length === 0 ? value : { ...value, ...Object.fromEntries(texts) }
}

/** As columns of CSV, these may stand beside the other fields of a line; what `metadata` says itself wins. */
const METADATA_FIELDS = ['category', 'difficulty', 'tags']

function moveMetadata(value: Record<string, unknown>): Record<string, unknown> {
  const given = METADATA_FIELDS.filter((name) => value[name] !== undefined && value[name] !== null)
  const { metadata } = value
  if (given.length === 0 || (metadata !== undefined && !isRecord(metadata))) return value
  const asMetadata = (name: string): unknown => {
    const field = value[name]
    if (name !== 'tags') return typeof field === 'object' ? field : String(field)
    return typeof field === 'string' ? field.split(';').map((tag) => tag.trim()) : field
  }
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !given.includes(name)))
  return { ...rest, metadata: { ...Object.fromEntries(given.map((name) => [name, asMetadata(name)])), ...metadata } }
}

/** Exports write null or nothing for a row that is in no cluster. */
function withoutBlankCluster(row: Record<string, unknown>): Record<string, unknown> {
  const { cluster, ...rest } = row
  return cluster === null || (typeof cluster === 'string' && cluster.trim() === '') ? rest : row
}

const TEXT_FIELDS = ['id', 'prompt', 'expectedOutput', 'cluster']

/** Reads a suite from JSON lines: one test case per line, with the fields of a suite file or those that the map names. */
export function parseJsonlSuite(text: string, file: string, map?: ColumnMap): FinishedSuite {
  const lines = readJsonLines(text, file)
  if (lines.length === 0) throw new InputError(`${file}: is empty`)
  if (!map && isWebGenBench(lines)) return finishLines(lines.map(toPageCase), lines, file)
  if (!map && isWebBench(lines)) {
    const { suite, warnings } = toProject(lines, file)
    // testCases[0].turns[3].pageTests is in the fourth line.
    const finished = finishSuite(suite, ([, , , turn, ...inTurn]) =>
      typeof turn === 'number' ? lines[turn]!.locate(inTurn) : file,
    )
    return { ...finished, warnings: [...warnings, ...finished.warnings] }
  }
  if (
    !map &&
    lines.every(
      ({ value }) =>
        Object.hasOwn(value, 'vars') && !Object.hasOwn(value, 'prompt') && !Object.hasOwn(value, 'messages'),
    )
  )
    throw new InputError(
      `${file}: contains promptfoo tests, which have no prompt; import the promptfooconfig.yaml that names this file`,
    )
  const hasQuestion = ({ value }: JsonLine) => Object.hasOwn(value, 'prompt') || Object.hasOwn(value, 'messages')
  if (!map && !lines.some(hasQuestion))
    throw new InputError(
      `${file}: no line has a prompt${quoteNames('; the fields are', listFields(lines))}. Name them, for example with ${hintMap(listFields(lines))}`,
    )

  const rows = lines.map((line) => ({ value: asWritten(line, map), place: `${file}:${line.line}` }))
  const { item: mapped, warnings } = map
    ? mapRows(rows, map, file)
    : { item: rows.map(({ value }) => moveMetadata(value)), warnings: [] }
  const finished = finishLines(mapped, lines, file, map)
  return { ...finished, warnings: [...warnings, ...finished.warnings] }
}

function finishLines(
  cases: readonly Record<string, unknown>[],
  lines: readonly JsonLine[],
  file: string,
  map?: ColumnMap,
): FinishedSuite {
  const testCases = cases.map((testCase, index) => ({ id: `line-${lines[index]!.line}`, ...testCase }))
  const locate = ([, index, ...inCase]: readonly PropertyKey[]) => {
    const found = typeof index === 'number' ? lines[index] : undefined
    const [field, ...inner] = inCase
    const column = typeof field === 'string' ? map?.[field] : undefined
    return found?.locate(column === undefined ? inCase : [column, ...inner]) ?? file
  }
  return finishSuite({ name: nameAfterFile(file), testCases }, locate)
}

/** Reads a list of JSON objects as test cases; only with a map, because a suite is an object. */
export function parseJsonListSuite(value: readonly unknown[], file: string, map: ColumnMap): FinishedSuite {
  const rows = value.map((item, index) => {
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      return { value: withoutBlankCluster({ ...item }), place: `${file}: item ${index + 1}` }
    throw new InputError(`${file}: item ${index + 1} is not a JSON object { … }`)
  })
  if (rows.length === 0) throw new InputError(`${file}: is empty`)
  const { item: mapped, warnings } = mapRows(rows, map, file)
  const testCases = mapped.map((testCase, index) => ({ id: `item-${index + 1}`, ...testCase }))
  const locate = ([, index]: readonly PropertyKey[]) =>
    (typeof index === 'number' ? rows[index]?.place : undefined) ?? file
  const finished = finishSuite({ name: nameAfterFile(file), testCases }, locate)
  return { ...finished, warnings: [...warnings, ...finished.warnings] }
}

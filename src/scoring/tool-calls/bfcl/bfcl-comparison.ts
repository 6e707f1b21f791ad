import type { ActualCall, ArgumentComparison, ExpectedCall } from '../calls.ts'
import { loosenText } from '../credit/accepted-values.ts'
import type { ArgumentDifference } from '../credit/argument-differences.ts'
import { readJavaScriptValue, readJavaValue, type BfclLanguage } from './language-values.ts'
import { isEqual, PythonFloat, PythonTuple, typeOf, type PythonType } from './python-values.ts'
import { isList, isJsonObject, ownValue } from '../../../contract/index.ts'

/** The parameters of a function, as BFCL's question files describe them. */
export interface BfclFunction {
  parameters: Readonly<Record<string, BfclParameter>>
  required: readonly string[]
}

interface BfclParameter {
  type: string
  itemType?: string
}

/** The values accepted for each parameter; `""` among them: the parameter may be omitted. */
export type BfclAnswer = Readonly<Record<string, readonly unknown[]>>

interface BfclRules {
  language: BfclLanguage
  /** What each expected call accepts, with Python's types. */
  answers: ReadonlyMap<ExpectedCall, BfclAnswer>
  /** By name; without it types are taken from the accepted values. */
  functions?: ReadonlyMap<string, BfclFunction>
}

const pythonTypes: Readonly<Record<string, PythonType>> = {
  string: 'str',
  integer: 'int',
  float: 'float',
  boolean: 'bool',
  array: 'list',
  tuple: 'list',
  dict: 'dict',
  any: 'str',
}
const javaTypes: Readonly<Record<string, PythonType>> = {
  byte: 'int',
  short: 'int',
  integer: 'int',
  long: 'int',
  float: 'float',
  double: 'float',
  boolean: 'bool',
  char: 'str',
  Array: 'list',
  ArrayList: 'list',
  HashMap: 'dict',
  Queue: 'list',
  Stack: 'list',
  Hashtable: 'dict',
  String: 'str',
  any: 'str',
}
const javaScriptTypes: Readonly<Record<string, PythonType>> = {
  String: 'str',
  integer: 'int',
  float: 'float',
  Bigint: 'int',
  Boolean: 'bool',
  dict: 'dict',
  array: 'list',
  any: 'str',
}
const typesOf = { python: pythonTypes, java: javaTypes, javascript: javaScriptTypes }

/**
 * Compares calls by the rules of BFCL's own checker (ast_checker.py of https://github.com/ShishirPatil/gorilla): the
 * similarity is 1 exactly if it accepts the call, else the share of the parameters that it accepts.
 */
export function createBfclComparison(rules: BfclRules): ArgumentComparison {
  return {
    isLiteral: true,
    similarity(action, call) {
      const verdicts = checkParameters(action, call, rules)
      if (verdicts.length === 0) return 1
      return verdicts.filter(({ isRight }) => isRight).length / verdicts.length
    },
    differences: (action, call) =>
      checkParameters(action, call, rules).flatMap(({ isRight, difference }) => (isRight ? [] : [difference])),
  }
}

interface Verdict {
  isRight: boolean
  difference: ArgumentDifference
}

function checkParameters(
  action: ExpectedCall,
  call: ActualCall,
  { language, answers, functions }: BfclRules,
): Verdict[] {
  const accepted = answers.get(action) ?? {}
  const described = functions?.get(action.name)
  const given = isJsonObject(call.arguments) ? call.arguments : {}
  const names = [...new Set([...Object.keys(accepted), ...Object.keys(given)])]
  return names.flatMap((path): Verdict[] => {
    const values = Object.hasOwn(accepted, path) ? accepted[path] : undefined
    if (!Object.hasOwn(given, path)) {
      const isOptional = values?.includes('') && !described?.required.includes(path)
      return isOptional
        ? []
        : [{ isRight: false, difference: { path, kind: 'missing', expected: showAccepted(values) } }]
    }
    const actual = ownValue(given, path)
    if (!values || (described && !Object.hasOwn(described.parameters, path)))
      return [{ isRight: false, difference: { path, kind: 'extra', actual } }]
    const parameter = described?.parameters[path]
    const isRight = parameter
      ? isAcceptedAs(parameter, { value: actual, values, language })
      : isAccepted({ value: actual, values, language })
    return [{ isRight, difference: { path, kind: 'changed', expected: showAccepted(values), actual } }]
  })
}

function showAccepted(values: readonly unknown[] | undefined): unknown {
  return values?.length === 1 ? values[0] : { anyOf: values }
}

interface Candidate {
  value: unknown
  values: readonly unknown[]
  language: BfclLanguage
}

/** Checks a value of a parameter whose type is known. */
function isAcceptedAs({ type, itemType }: BfclParameter, { value: given, values, language }: Candidate): boolean {
  const types = typesOf[language]
  const wanted = types[type]
  const itemWanted =
    itemType === undefined || !/^(array|tuple|Array|ArrayList)$/.test(type) ? undefined : types[itemType]
  if (wanted === undefined) return isAccepted({ value: given, values, language })
  let value = given
  if (language !== 'python') {
    if (typeof given !== 'string') return false
    value = (language === 'java' ? readJavaValue : readJavaScriptValue)(given, type, itemType)
  } else if (type === 'tuple' && given instanceof PythonTuple) value = given.items
  else if (wanted === 'float' && typeOf(given) === 'int') value = new PythonFloat(Number(given))

  const sample = firstType(values)
  let isVariable = sample !== undefined && sample !== wanted
  if (typeOf(value) !== wanted) {
    // Not of the parameter's type: accepted only as the name of a variable, which the answers then hold as text.
    if (typeOf(value) !== sample) return false
    isVariable = true
  } else if (itemWanted !== undefined && !hasItemsOf(itemWanted, value, values)) return false

  if (isVariable) return values.some((one) => isEqual(one, value))
  return isAcceptedValue({ value, values }, wanted, itemWanted)
}

function firstType(values: readonly unknown[]): PythonType | undefined {
  const first = values.find((value) => value !== '')
  return first === undefined ? undefined : typeOf(first)
}

/** Whether every item is of the parameter's item type, or of the type of the items in one of the answers. */
function hasItemsOf(wanted: PythonType, value: unknown, values: readonly unknown[]): boolean {
  if (!isList(value)) return true
  return values.some((answer) => {
    if (!isList(answer)) return true
    const sample = firstType(answer)
    return value.every((item) => typeOf(item) === wanted || typeOf(item) === sample)
  })
}

function isAcceptedValue(
  { value, values }: Pick<Candidate, 'value' | 'values'>,
  type: PythonType,
  itemType: PythonType | undefined,
): boolean {
  if (type === 'dict' && isJsonObject(value))
    return values.some((answer) => isJsonObject(answer) && isAcceptedObject(value, answer))
  if (type === 'list' && isList(value)) {
    if (itemType === 'dict')
      return values.some(
        (answer) =>
          isList(answer) &&
          answer.length === value.length &&
          value.every((item, index) => isAcceptedItem(item, answer[index])),
      )
    const loose = value.map(loosen)
    return values.some((answer) => isList(answer) && isEqual(answer.map(loosen), loose))
  }
  if (typeof value === 'string')
    return values.some((answer) => typeof answer === 'string' && loosenText(answer) === loosenText(value))
  return values.some((answer) => isEqual(answer, value))
}

function isAcceptedItem(item: unknown, answer: unknown): boolean {
  return isJsonObject(item) && isJsonObject(answer) && isAcceptedObject(item, answer)
}

/** Each key has its own list of accepted values; one with `""` among them may be missing. */
function isAcceptedObject(value: Record<string, unknown>, answer: Record<string, unknown>): boolean {
  const listOf = (key: string): readonly unknown[] => {
    const found = ownValue(answer, key)
    return isList(found) ? found : [found]
  }
  return (
    Object.keys(value).every(
      (key) => Object.hasOwn(answer, key) && listOf(key).some((one) => isEqual(loosen(one), loosen(value[key]))),
    ) && Object.keys(answer).every((key) => Object.hasOwn(value, key) || listOf(key).includes(''))
  )
}

function loosen(value: unknown): unknown {
  return typeof value === 'string' ? loosenText(value) : value
}

/** Checks a value without knowing the parameter's type: it must be of the type of one of the answers. */
function isAccepted({ value: given, values, language }: Candidate): boolean {
  return values.some((answer) => {
    for (const value of language === 'python' ? [given] : readAsAny(given, answer, language)) {
      const type = typeOf(answer)
      // An integer will do for a float, as in Python, but 5.0 is no integer.
      if (typeOf(value) !== type && !(type === 'float' && typeOf(value) === 'int')) continue
      const itemType = isList(answer) ? firstType(answer) : undefined
      if (isAcceptedValue({ value, values: [answer] }, type, itemType)) return true
    }
    return false
  })
}

/** The readings of an expression's text that can have the type of the answer. */
function readAsAny(given: unknown, answer: unknown, language: 'java' | 'javascript'): unknown[] {
  if (typeof given !== 'string') return []
  const candidates: Readonly<Record<string, readonly string[]>> =
    language === 'java'
      ? {
          int: ['integer', 'long'],
          float: ['double', 'float'],
          bool: ['boolean'],
          list: ['Array', 'ArrayList'],
          dict: ['HashMap'],
        }
      : {
          int: ['integer', 'float', 'Bigint'],
          float: ['float'],
          bool: ['Boolean'],
          list: ['array'],
          dict: ['dict'],
          str: ['String'],
        }
  const read = language === 'java' ? readJavaValue : readJavaScriptValue
  return [given, ...(candidates[typeOf(answer)] ?? []).map((type) => read(given, type))]
}

import { InputError, isRecord } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { isMissing } from '../rows/row.ts'

const LISTS = ['instructionidlist']

export const instructions: Recipe = {
  name: 'instructions',
  reads: 'instructions that a program checks (IFEval)',
  recognises: (fields) => fields.has('instructionidlist') && fields.has('kwargs'),
  toCase(row) {
    const prompt = row.text('prompt', 'question')
    if (prompt === undefined) throw new InputError('has no prompt')
    const ids = row.structure(...LISTS)
    const kwargs = row.structure('kwargs')
    if (!Array.isArray(ids) || ids.length === 0) throw new InputError('has no instruction_id_list')
    if (!Array.isArray(kwargs) || kwargs.length !== ids.length)
      throw new InputError(`has ${ids.length} instructions and ${Array.isArray(kwargs) ? kwargs.length : 'no'} kwargs`)
    const checks = ids.map((id: unknown, index) => {
      const given: unknown = kwargs[index]
      const parsed: unknown = typeof given === 'string' ? JSON.parse(given) : given
      // Parquet has every keyword in every row, most of them null.
      const own = isRecord(parsed) ? Object.entries(parsed).filter(([, value]) => !isMissing(value)) : []
      return { kind: String(id), ...Object.fromEntries(own) }
    })
    return { prompt, scoringMethod: 'instructions', checks }
  },
}

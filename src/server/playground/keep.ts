import { InputError, PLAYGROUND_NAME_PREFIX, type PlaygroundSave } from '../../contract/index.ts'
import { escapeSuiteVariables } from '../../import/suite-files/variables.ts'
import { editSuite, keepAsCase, keepAsVariant, type WrittenSuite } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { saveSuite, type SuiteDocument } from '../suites/suite-documents.ts'
import { fillCase, loadStoredSuite, recallPlayground, type Playground } from './load-playground.ts'

/** POST /api/playground/:runId/save */
export type KeptSuite = Pick<SuiteDocument, 'id' | 'version'>

/** The suite of the run with the change, as a suite of its own: without variants, and with its variables filled. */
function copySuite({ editable }: Playground, { edit, name }: PlaygroundSave): WrittenSuite {
  const { suite, problems } = editSuite(editable, { edit }, fillCase)
  if (problems.length > 0) throw new InputError(problems.join('\n'))
  const own = suite.name.slice(PLAYGROUND_NAME_PREFIX.length)
  return { ...(escapeSuiteVariables(suite) as WrittenSuite), name: name ?? `${own} (copy)` }
}

/** Keeps a change as a new version of the suite, or in a copy of the run's suite. */
export async function keepEdit(runId: string, save: PlaygroundSave, context: ServerContext): Promise<KeptSuite> {
  const { storage } = context
  const playground = await recallPlayground(runId, save, context)
  const { run, editable } = playground
  if (save.as === 'copy') {
    const { id, version } = await saveSuite(storage, {
      id: context.createId(),
      suite: copySuite(playground, save),
      after: 0,
    })
    return { id, version }
  }
  const stored = await loadStoredSuite(run, context)
  if (!stored) throw new InputError('The suite is not stored, so it has no versions. Save a copy instead.')
  const suite =
    save.as === 'case'
      ? keepAsCase(stored.suite, editable, save.edit)
      : keepAsVariant(stored.suite, editable, { edit: save.edit, name: save.name ?? '' })
  const { id, version } = await saveSuite(storage, {
    id: stored.id,
    suite,
    after: save.after ?? stored.version,
    isExample: stored.isExample,
  })
  return { id, version }
}

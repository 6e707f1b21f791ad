import type { ArenaRun } from '../../../stores/liveRunStore.ts'
import { formatScore } from '../../../report/words/index.ts'
import { useAddress } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { gradeTable, type TurnGrades } from '../../../report/tables/arena-pages.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { StoredPage } from '../preview/StoredPage.tsx'
import { listGrades, type TurnStep } from './turn-path.ts'
import { useTurns } from './use-turns.ts'

interface TurnComparisonProps {
  view: Pick<ArenaRun, 'runId' | 'state'>
  nameOf: (modelId: string) => string
  /** False before a vote: grades tell which page is better. */
  areGradesShown: boolean
  width: number
}

function Grades({
  steps,
  nameOf,
  chosen,
  onChoose,
}: {
  steps: readonly TurnStep[]
  nameOf: (modelId: string) => string
  chosen: string
  onChoose: (modelId: string) => void
}) {
  return (
    <DataTable
      label="Grades by turn"
      columns={gradeTable(steps)}
      rows={listGrades(steps)}
      keyOf={({ modelId }) => modelId}
      draw={{
        model: ({ modelId }) => (
          <button
            type="button"
            aria-pressed={modelId === chosen}
            onClick={() => onChoose(modelId)}
            className={classes('text-left break-all hover:underline', modelId !== chosen && 'font-normal')}
          >
            {nameOf(modelId)}
          </button>
        ),
        ...Object.fromEntries(
          steps.map(({ turn }, index) => [
            `turn ${turn}`,
            ({ scores }: TurnGrades) => (
              <span className="inline-block min-w-12 rounded px-1.5" style={scoreStyle(scores[index])}>
                {formatScore(scores[index])}
              </span>
            ),
          ]),
        ),
      }}
    />
  )
}

function TurnPage({
  step,
  modelId,
  name,
  areGradesShown,
  width,
}: {
  step: TurnStep
  modelId: string
  name: string
  areGradesShown: boolean
  width: number
}) {
  const asked = step.run?.models.find((model) => model.modelId === modelId)
  const title = `Turn ${step.turn} by ${name}`
  const lead = (
    <h2 className="shrink-0 text-[13px] font-semibold">
      Turn {step.turn}
      {areGradesShown && asked?.score !== undefined && (
        <span className="ml-2 font-normal tabular-nums">{formatScore(asked.score)}</span>
      )}
    </h2>
  )
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <p
        className="truncate border-b border-line px-3 py-1.5 text-[13px] text-muted"
        title={step.prompt.slice(0, 2000)}
      >
        {step.prompt}
      </p>
      {asked && step.run ? (
        <StoredPage
          page={{ runId: step.run.runId, modelId }}
          title={title}
          width={width}
          height="max(420px, calc(100dvh - 420px))"
          lead={lead}
        />
      ) : (
        <div className="flex h-40 flex-col items-center justify-center gap-1 text-muted">
          {lead}
          {step.run ? 'Not run in this turn.' : 'This run was deleted.'}
        </div>
      )}
    </section>
  )
}

/** One model's page before and after a turn, side by side, and everyone's grades by turn. */
export function TurnComparison({ view, nameOf, areGradesShown, width }: TurnComparisonProps) {
  const steps = useTurns(view)
  const [query, changeQuery] = useAddress()
  const shownAt = steps.findIndex(({ isShown }) => isShown)
  if (shownAt < 0 || steps.length < 2) return null
  const before = steps[Math.max(0, shownAt - 1)]!
  const after = steps[shownAt === 0 ? 1 : shownAt]!
  const models = listGrades([before, after]).map(({ modelId }) => modelId)
  const numbered = models[Number(query.get('compared') ?? 1) - 1]
  const chosen = numbered ?? models[0] ?? ''
  const choose = (modelId: string) => changeQuery({ compared: String(models.indexOf(modelId) + 1) })
  return (
    <div className="flex flex-col gap-3">
      {models.length > 1 && !areGradesShown && (
        <SelectField label="Page" className="w-56 max-w-full" value={chosen} onChange={choose}>
          <SelectOptions of={models.map((modelId) => [modelId, nameOf(modelId)])} />
        </SelectField>
      )}
      {areGradesShown && <Grades steps={steps} nameOf={nameOf} chosen={chosen} onChoose={choose} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        {[before, after].map((step) => (
          <TurnPage
            key={step.turn}
            step={step}
            modelId={chosen}
            name={nameOf(chosen)}
            areGradesShown={areGradesShown}
            width={width}
          />
        ))}
      </div>
    </div>
  )
}

import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { SelectField, SelectOptions, TextArea } from '../../ui/form/Field.tsx'
import { OptionFields } from './OptionFields.tsx'
import {
  changeMethod,
  checksOf,
  describeDefaultMark,
  findWrongAnswer,
  type RememberedOptions,
  toChecks,
  toOneMethod,
} from './scoring-shape.ts'
import { type Fields, listOf, setIn, textOf } from '../suite-draft.ts'
import { NumberField, PointsField } from './ValueFields.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { formatScoreTick } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useSettled } from '../../ui/use-settled.ts'

/** Only what the score depends on: the rest of the case may be unfinished. */
function scoredFields({ scoringMethod, expectedOutput, partial, answer, tolerance }: Fields): string {
  return JSON.stringify({ prompt: '-', scoringMethod, expectedOutput, partial, answer, tolerance })
}

/** Shows what partial credit would give to a wrong answer, and offers to give it none. */
function PartialCredit({
  fields,
  onChange,
}: {
  fields: Fields
  onChange: (change: (fields: Fields) => Fields) => void
}) {
  const wrong = findWrongAnswer(fields)
  // As text: a new object on every render would never settle.
  const settled = useSettled(wrong && JSON.stringify([scoredFields(fields), wrong.response]), 250)
  const tried = useQuery({
    queryKey: ['partialCredit', settled],
    queryFn: () => {
      const [testCase, response]: [string, string] = JSON.parse(settled ?? '[]')
      return readReply(api.suites.try.$post({ json: { testCase: JSON.parse(testCase), response } }))
    },
    enabled: settled !== undefined,
    staleTime: Infinity,
    gcTime: 10_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (!wrong || !tried.data || !('score' in tried.data) || tried.data.score.score === 0) return null
  const { label, option, value } = wrong.remedy
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 break-words">
          A wrong answer gets credit: “{wrong.response}” would get {formatScoreTick(tried.data.score.score)}.
        </span>
        <Button className="h-7 px-2 text-[13px]" onClick={() => onChange((before) => setIn(before, [option], value))}>
          {label}
        </Button>
      </div>
    </Notice>
  )
}

interface ScoringProps {
  /** A case with one method, or one of its checks. */
  fields: Fields
  scorers: ScorerInfo[]
  errorAt: (field: string) => string | undefined
  onChange: (change: (fields: Fields) => Fields) => void
}

function MethodFields({ fields, scorers, errorAt, onChange }: ScoringProps) {
  const [remembered, setRemembered] = useState<RememberedOptions>({})
  const method = textOf(fields['scoringMethod'])
  const scorer = scorers.find(({ name }) => name === method)
  const choose = (next: string) => {
    const changed = changeMethod(fields, next, { scorers, remembered })
    setRemembered(changed.remembered)
    onChange(() => changed.fields)
  }
  if (method === 'group')
    return (
      <p className="text-muted">
        A group of {listOf(fields['checks']).length} checks that count as one. The Source tab shows and changes them.
      </p>
    )
  return (
    <>
      <SelectField
        label="Scoring method"
        hint={scorer?.summary}
        error={errorAt('scoringMethod')}
        value={method}
        onChange={choose}
      >
        {scorer === undefined && <option value={method}>{method === '' ? 'Choose one' : `${method} (unknown)`}</option>}
        <SelectOptions of={scorers.map(({ name }) => name)} />
      </SelectField>
      {scorer?.expectedOutput !== 'unused' && (
        <TextArea
          label="Expected output"
          hint={scorer?.expectedOutput === 'optional' ? 'Optional' : undefined}
          error={errorAt('expectedOutput')}
          rows={3}
          value={textOf(fields['expectedOutput'])}
          onChange={(text) => onChange((before) => setIn(before, ['expectedOutput'], text || undefined))}
        />
      )}
      {scorer && <OptionFields {...{ scorer, fields, errorAt, onChange }} />}
      <PartialCredit {...{ fields, onChange }} />
    </>
  )
}

function OneCheck({
  number,
  onRemove,
  errorAt,
  ...rest
}: ScoringProps & { number: number; onRemove: (() => void) | undefined }) {
  const { fields, onChange } = rest
  return (
    <div role="group" aria-label={`Check ${number}`} className="flex flex-col gap-3 rounded-md border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">Check {number}</h3>
        {onRemove && (
          <IconButton label={`Remove check ${number}`} onClick={onRemove}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <MethodFields {...rest} errorAt={errorAt} />
      <div className="flex flex-wrap gap-3">
        <NumberField
          label="Weight of this check"
          className="w-40"
          placeholder="1"
          error={errorAt('weight')}
          value={fields['weight']}
          onChange={(value) => onChange((before) => setIn(before, ['weight'], value))}
        />
        <PointsField
          label="Passing score of this check"
          className="w-40"
          placeholder={describeDefaultMark(fields, undefined)}
          error={errorAt('passAt')}
          value={fields['passAt']}
          onChange={(value) => onChange((before) => setIn(before, ['passAt'], value))}
        />
      </div>
    </div>
  )
}

/** How the answer is scored: by one method, or by several weighted checks. */
export function ScoringFields({ fields, scorers, errorAt, onChange }: ScoringProps) {
  const checks = checksOf(fields)
  // Removing a check shifts the indexes; with new keys no check inherits what another one remembered.
  const [removals, setRemovals] = useState(0)
  const remove = (index: number) => {
    setRemovals(removals + 1)
    onChange((before) => setIn(before, ['checks', index], undefined))
  }
  if (checks.length === 0)
    return (
      <>
        <MethodFields {...{ fields, scorers, errorAt, onChange }} />
        <div>
          <Button kind="quiet" className="-ml-3" onClick={() => onChange((before) => toChecks(before, scorers))}>
            <Plus size={16} aria-hidden />
            Use several checks
          </Button>
        </div>
      </>
    )
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        The score is the weighted mean of the checks; each check’s result is stored. An answer passes if every check
        does, unless the case has a passing score for the mean.
      </p>
      {[...checks.entries()].map(([index, check]) => (
        <OneCheck
          key={`${removals}.${index}`}
          number={index + 1}
          fields={check}
          scorers={scorers}
          errorAt={(field) =>
            errorAt(`checks.${index}.${field}`) ?? (field === 'scoringMethod' ? errorAt(`checks.${index}`) : undefined)
          }
          onChange={(change) =>
            onChange((before) => setIn(before, ['checks', index], change(listOf(before['checks'])[index] ?? {})))
          }
          onRemove={checks.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => onChange((before) => setIn(before, ['checks', checks.length], { scoringMethod: 'boolean' }))}
        >
          <Plus size={16} aria-hidden />
          Add check
        </Button>
        {checks.length === 1 && (
          <Button kind="quiet" onClick={() => onChange(toOneMethod)}>
            Use one scoring method
          </Button>
        )}
      </div>
    </div>
  )
}

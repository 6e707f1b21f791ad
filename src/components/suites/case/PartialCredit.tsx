import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { formatScoreTick } from '../../../report/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { setIn, type Fields } from '../suite-draft.ts'
import { findWrongAnswer } from './scoring-shape.ts'

/** Only what the score depends on: the rest of the case may be unfinished. */
function scoredFields({ scoringMethod, expectedOutput, partial, answer, tolerance }: Fields): string {
  return JSON.stringify({ prompt: '-', scoringMethod, expectedOutput, partial, answer, tolerance })
}

/** Shows what partial credit would give to a wrong answer, and offers to give it none. */
export function PartialCredit({
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

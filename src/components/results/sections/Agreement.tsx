import type { JudgeAgreement } from '../../../statistics/index.ts'
import {
  AGREEMENT_SOURCES,
  describeAgreement,
  describeDisagreement,
  describeAlpha,
  describeIcc,
  formatCount,
} from '../../../report/words/index.ts'
import { kappaTable, leniencyTable } from '../../../report/tables/judges.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { Panel, Section } from '../../ui/Page.tsx'

/** How well the judges of a panel agree. */
export function Agreement({ agreement }: { agreement: JudgeAgreement }) {
  const { alpha, icc, answers, pairs, means } = agreement
  return (
    <Section
      title="Judge agreement"
      id="agreement"
      aside={`${formatCount(means.length, 'judge')}, ${formatCount(answers, 'answer')} scored by all of them`}
    >
      <Panel className="flex flex-col gap-3 p-4">
        <p>
          {describeDisagreement(agreement, undefined) === undefined && `${describeAgreement(agreement)} `}
          <span className="text-muted tabular-nums">
            Krippendorff’s alpha {describeAlpha(alpha)}; ICC(2,1) {describeIcc(icc)}.
          </span>
        </p>
        <div className="grid items-start gap-4 text-[13px] lg:grid-cols-2">
          <DataTable
            label="Mean score: higher is more lenient"
            isFramed={false}
            columns={leniencyTable}
            rows={means}
            keyOf={({ judge }) => judge}
          />
          <DataTable
            label="Agreement of each pair"
            isFramed={false}
            columns={kappaTable}
            rows={pairs}
            keyOf={({ judgeA, judgeB }) => `${judgeA} ${judgeB}`}
            draw={{
              judges: ({ judgeA, judgeB }) => (
                <>
                  <CutName name={judgeA} />
                  <span className="flex min-w-0 gap-1">
                    and <CutName name={judgeB} />
                  </span>
                </>
              ),
            }}
          />
        </div>
        <p className="text-xs text-muted">{AGREEMENT_SOURCES}</p>
      </Panel>
    </Section>
  )
}

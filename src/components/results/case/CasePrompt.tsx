import type { CaseDetail } from '../../../server/results/cases/case-detail.ts'
import { readableMessage, type Message } from '../../../contract/index.ts'
import { describePassing } from '../../../report/words/index.ts'
import { Panel } from '../../ui/Page.tsx'

/** A text in a scrolling box, which can be scrolled by keyboard. */
export function TextBox({ label, text }: { label: string; text: string }) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-80 overflow-auto px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap"
    >
      {text}
    </pre>
  )
}

export function Turns({ messages }: { messages: Message[] }) {
  return (
    <ol className="max-h-96 overflow-auto" tabIndex={0} aria-label="Prompt turns">
      {messages.map((message, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="border-t border-line px-3 py-2 first:border-t-0">
          <div className="text-xs text-muted">{message.role}</div>
          <div className="font-mono text-[13px] leading-5 break-words whitespace-pre-wrap">
            {readableMessage(message)}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Expected({ detail: { testCase, expectedOutput } }: { detail: CaseDetail }) {
  const calls = testCase?.['expectedCalls']
  const text = expectedOutput ?? (calls === undefined ? undefined : JSON.stringify(calls, null, 2))
  if (text === undefined) return <p className="px-3 py-2 text-muted">None. The scoring method does not need one.</p>
  return <TextBox label="Expected output" text={text} />
}

/** The prompt and the expected output. */
export function CasePrompt({ detail }: { detail: CaseDetail }) {
  const { testCase, prompt } = detail
  const methods =
    testCase?.scoringMethod !== undefined
      ? [testCase.scoringMethod]
      : (testCase?.checks ?? []).map(({ scoringMethod }) => scoringMethod)
  return (
    <div className="grid gap-4 lg:grid-cols-[3fr_2fr]">
      <Panel>
        <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">Prompt</h2>
        {testCase?.messages && !detail.isAskedByVariant ? (
          <Turns messages={testCase.messages} />
        ) : (
          <TextBox label="Prompt" text={prompt ?? 'Not stored with the run.'} />
        )}
      </Panel>
      <Panel>
        <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">
          Expected output{' '}
          {methods.length > 0 && (
            <span className="font-normal text-muted">
              {methods.some((method) => method !== 'none') && `scored by ${methods.join(', ')}, `}
              {describePassing(detail.passMark)}
            </span>
          )}
        </h2>
        <Expected detail={detail} />
      </Panel>
    </div>
  )
}

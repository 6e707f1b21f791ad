import { useState } from 'react'
import type { QueueView } from '../../../server/ratings/queue-view.ts'
import { formatCount } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { apiAddress } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Markdown } from '../../ui/markdown/Markdown.tsx'
import { Panel } from '../../ui/Page.tsx'
import { TextBox, Turns } from '../case/CasePrompt.tsx'

/** Rendering much more than this as Markdown would freeze the page. */
const MAX_MARKDOWN = 50_000

type Item = NonNullable<QueueView['item']>

function AnswerBody({ item, isMarkdown }: { item: Item; isMarkdown: boolean }) {
  if (item.response === '' && !item.toolCalls) return <p className="px-3 py-2 text-muted">The answer is empty.</p>
  if (!isMarkdown) return <TextBox label="Answer" text={item.response} />
  return (
    <div className="max-h-[36rem] overflow-auto px-3 py-2" tabIndex={0} role="group" aria-label="Answer as Markdown">
      <Markdown text={item.response.slice(0, MAX_MARKDOWN)} />
    </div>
  )
}

/** The prompt, what is expected and the answer, without model and score. */
export function RatingItem({ queueId, item }: { queueId: string; item: Item }) {
  const [isMarkdown, setMarkdown] = useState(false)
  const { prompt, messages, expectedOutput, response, responseLength, toolCalls, position } = item
  return (
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[2fr_3fr]">
      <div className="flex min-w-0 flex-col gap-4">
        <Panel>
          <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">Prompt</h2>
          {messages ? <Turns messages={messages} /> : <TextBox label="Prompt" text={prompt} />}
        </Panel>
        {expectedOutput !== undefined && (
          <Panel>
            <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">Expected output</h2>
            <TextBox label="Expected output" text={expectedOutput} />
          </Panel>
        )}
      </div>
      <Panel>
        <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-1">
          <h2 className="text-[13px] font-medium">Answer {formatCount(position)}</h2>
          <Button kind="quiet" aria-pressed={isMarkdown} onClick={() => setMarkdown(!isMarkdown)}>
            Markdown
          </Button>
        </div>
        <AnswerBody item={item} isMarkdown={isMarkdown} />
        {toolCalls && toolCalls.length > 0 && (
          <div className="border-t border-line">
            <h3 className="px-3 pt-1.5 text-xs text-muted">Tool calls</h3>
            <TextBox label="Tool calls" text={JSON.stringify(toolCalls, null, 2)} />
          </div>
        )}
        {responseLength > response.length && (
          <p className="px-3 py-1.5 text-[13px]">
            {formatCount(response.length)} of {formatCount(responseLength)} characters are shown.{' '}
            <a
              href={apiAddress(
                api.ratings[':id'].items[':position'].answer.$path({
                  param: { id: queueId, position: String(position) },
                }),
              )}
              className="text-accent-ink underline"
              target="_blank"
              rel="noreferrer"
            >
              Full answer
            </a>
          </p>
        )}
      </Panel>
    </div>
  )
}

import { createParser, type EventSourceParser } from 'eventsource-parser'
import { ClientError } from '../../contract/index.ts'
import { createAnswerAssembly, type AnswerParts } from './answer-assembly.ts'
import { get, isRecord, parseJson, textOf } from '../http/json-values.ts'
import { findError, isWebPage, toClientError } from '../http/server-error.ts'

/**
 * Reads the text of one chat completion as it arrives: server-sent events, or one JSON document when the server was
 * asked for that or answers so all the same. What it is is seen from its first character, not from its headers, which
 * servers get wrong. Throws `ClientError`.
 */
export interface ReplyReader {
  /** Gives the text of the answer that was new in it. */
  read(text: string): string
  /** No more text comes: throws when the answer is not whole. */
  end(): void
  /** Something of an answer, of reasoning or of a tool call has arrived. */
  hasStarted(): boolean
  /** A finish reason has been seen: nothing of the answer is missing, whatever happens to the connection. */
  hasFinished(): boolean
  /** `[DONE]` has been seen. */
  isDone(): boolean
  answer(): AnswerParts
}

export interface ReplyReaderOptions {
  /** Who answers, for messages. */
  provider: string
  redact: (text: string) => string
  now: () => number
}

const END_MARK = '[DONE]'

export function createReplyReader({ provider, redact, now }: ReplyReaderOptions): ReplyReader {
  const assembly = createAnswerAssembly()
  let document: string[] | undefined
  let events: EventSourceParser | undefined
  let blanks = ''
  let newText = ''
  let done = false
  let sawReply = false

  function refuse(reply: unknown): void {
    const error = findError(reply, now())
    if (!error) return
    if (!error.filtered) throw toClientError(error, provider, redact)
    assembly.finish('content_filter')
  }

  function useChoice(choice: unknown): void {
    newText += assembly.add(get(choice, 'delta') ?? get(choice, 'message'))
    const reason = textOf(get(choice, 'finish_reason'))
    if (!reason) return
    assembly.finish(reason)
    if (reason !== 'error') return
    refuse(choice)
    throw new ClientError('refused', `${provider} broke the answer off with finish_reason "error"`)
  }

  function takeReply(reply: unknown): void {
    sawReply = true
    refuse(reply)
    const choices = get(reply, 'choices')
    if (Array.isArray(choices)) choices.filter((choice) => (get(choice, 'index') ?? 0) === 0).forEach(useChoice)
    const usage = get(reply, 'usage') ?? get(get(reply, 'x_groq'), 'usage')
    if (isRecord(usage)) assembly.useUsage(usage)
  }

  function broken(what: string): ClientError {
    return new ClientError('broken', `${provider} ${what}`)
  }

  function useEvent(data: string): void {
    if (done || data === '') return
    if (data.trim() === END_MARK) {
      done = true
      return
    }
    const reply = parseJson(data)
    if (reply !== undefined) takeReply(reply)
    else if (assembly.finishReason() === undefined)
      throw broken(`sent an event that is not JSON: ${redact(data).slice(0, 200)}`)
  }

  function useErrorEvent(data: string): void {
    const reply = parseJson(data) ?? data
    takeReply(findError(reply, now()) ? reply : { error: reply })
  }

  function begin(text: string): void {
    if (isWebPage(text))
      throw broken('answered with a web page instead of JSON. Check the base URL (it often ends in /v1).')
    if (text.startsWith('{') || text.startsWith('[')) document = []
    else {
      events = createParser({
        onEvent: ({ event, data }) => (event === 'error' ? useErrorEvent(data) : useEvent(data)),
        // llama.cpp has put errors into a field of their own: `error: {"code": 500, ...}`.
        onError: (error) => {
          if (error.type === 'unknown-field' && error.field === 'error') useErrorEvent(error.value ?? '')
        },
      })
    }
  }

  return {
    read(text) {
      newText = ''
      if (!document && !events) {
        blanks += text
        const start = blanks.trimStart()
        if (start === '') return ''
        begin(start)
        text = start
      }
      if (document) document.push(text)
      else events!.feed(text)
      return newText
    },
    end() {
      if (document) {
        const reply = parseJson(document.join(''))
        if (reply === undefined) throw broken('sent JSON that breaks off')
        takeReply(reply)
        if (!Array.isArray(get(reply, 'choices')) && assembly.finishReason() === undefined)
          throw broken('sent JSON that is no chat completion')
        return
      }
      // The last event may lack its blank line.
      events?.feed('\n\n')
      if (done || assembly.finishReason() !== undefined) return
      throw broken(
        sawReply ? 'ended the stream without a finish reason or an end mark' : 'ended the reply before anything came',
      )
    },
    hasStarted: assembly.hasStarted,
    hasFinished: () => assembly.finishReason() !== undefined,
    isDone: () => done,
    answer: assembly.result,
  }
}

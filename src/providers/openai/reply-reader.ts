import { createParser, type EventSourceParser } from 'eventsource-parser'
import { ClientError, isRecord } from '../../contract/index.ts'
import { createAnswerAssembly, type AnswerParts } from './answer-assembly.ts'
import { get, numberOf, parseJson, textOf } from '../http/json-values.ts'
import { findError, isWebPage, toClientError } from '../http/server-error.ts'

/**
 * Reads the text of one chat completion as it arrives: server-sent events, or one JSON document, which some servers
 * send even if asked to stream. The first character decides, not the headers, which servers get wrong. Throws
 * `ClientError`.
 */
export interface ReplyReader {
  /** Returns the new text of the answer. */
  read(text: string): string
  /** Call this at the end of the reply: throws if the answer is incomplete. */
  end(): void
  /** True once part of an answer, of reasoning or of a tool call has arrived. */
  hasStarted(): boolean
  /** True after a finish reason: the answer is complete, whatever happens to the connection. */
  hasFinished(): boolean
  /** True after `[DONE]`. */
  isDone(): boolean
  answer(): AnswerParts
}

export interface ReplyReaderOptions {
  /** The provider's name, for messages. */
  provider: string
  redact: (text: string) => string
  now: () => number
}

const END_MARK = '[DONE]'

function indexOf(choice: unknown): number | undefined {
  const index = numberOf(get(choice, 'index'))
  return Number.isInteger(index) && index! >= 0 ? index : undefined
}

/**
 * The answer is the first choice, streamed or not: the first in the list whose index is 0, a choice without a readable
 * index being numbered by its place. We ask for one choice; others are ignored, never joined to it.
 */
function findFirstChoice(choices: readonly unknown[]): unknown {
  return choices.find((choice, place) => (indexOf(choice) ?? place) === 0)
}

export function createReplyReader({ provider, redact, now }: ReplyReaderOptions): ReplyReader {
  const assembly = createAnswerAssembly()
  let document: string[] | undefined
  let events: EventSourceParser | undefined
  let newText = ''
  let done = false
  let sawReply = false
  let sawDelta = false
  let isPlainText = false

  function throwIfError(reply: unknown): void {
    const error = findError(reply, now())
    if (!error) return
    if (!error.filtered) throw toClientError(error, provider, redact, { isInReply: true })
    assembly.finish('content_filter')
  }

  function handleChoice(choice: unknown): void {
    // Without an index, what follows the end can only belong to another choice.
    if (assembly.finishReason() !== undefined && indexOf(choice) === undefined) return
    const delta = get(choice, 'delta')
    sawDelta ||= isRecord(delta)
    // Some servers end a stream by sending the whole message again.
    if (isRecord(delta) || !sawDelta) newText += assembly.add(delta ?? get(choice, 'message'))
    const reason = textOf(get(choice, 'finish_reason'))
    if (!reason) return
    assembly.finish(reason)
    if (reason !== 'error') return
    throwIfError(choice)
    throw new ClientError('refused', `${provider} aborted the answer with finish_reason "error"`)
  }

  function handleReply(reply: unknown): void {
    sawReply = true
    throwIfError(reply)
    const choices = get(reply, 'choices')
    const choice = Array.isArray(choices) ? findFirstChoice(choices) : undefined
    if (choice !== undefined) handleChoice(choice)
    const usage = get(reply, 'usage') ?? get(get(reply, 'x_groq'), 'usage')
    if (isRecord(usage)) assembly.setUsage(usage)
    const model = textOf(get(reply, 'model'))
    if (model) assembly.setModel(model)
    const host = textOf(get(reply, 'provider'))
    if (host) assembly.setHost(host)
  }

  function broken(problem: string, { wrongProtocol = false } = {}): ClientError {
    const error = new ClientError('broken', `${provider} ${problem}`)
    error.wrongProtocol = wrongProtocol
    return error
  }

  function handleEvent(data: string): void {
    if (done || data === '') return
    if (data.trim() === END_MARK) {
      done = true
      return
    }
    const reply = parseJson(data)
    if (reply !== undefined) handleReply(reply)
    else if (assembly.finishReason() === undefined)
      throw broken(`sent an event that is not JSON: ${redact(data).slice(0, 200)}`)
  }

  function handleErrorEvent(data: string): void {
    const reply = parseJson(data) ?? data
    handleReply(findError(reply, now()) ? reply : { error: reply })
  }

  function begin(text: string): void {
    if (isWebPage(text))
      throw broken('returned a web page instead of JSON. Check the base URL (it often ends in /v1).', {
        wrongProtocol: true,
      })
    if (text.startsWith('{') || text.startsWith('[')) document = []
    else {
      isPlainText = !/^(?::|data|event|id|retry|error)/.test(text)
      events = createParser({
        onEvent: ({ event, data }) => (event === 'error' ? handleErrorEvent(data) : handleEvent(data)),
        // Some versions of llama.cpp send errors in a separate field: `error: {"code": 500, ...}`.
        onError: (error) => {
          if (error.type === 'unknown-field' && error.field === 'error') handleErrorEvent(error.value ?? '')
        },
      })
    }
  }

  return {
    read(text) {
      newText = ''
      if (!document && !events) {
        text = text.trimStart()
        if (text === '') return ''
        begin(text)
      }
      if (document) document.push(text)
      else events!.feed(text)
      return newText
    },
    end() {
      if (document) {
        const reply = parseJson(document.join(''))
        if (reply === undefined) throw broken('sent incomplete JSON', { wrongProtocol: true })
        handleReply(reply)
        if (!Array.isArray(get(reply, 'choices')) && assembly.finishReason() === undefined)
          throw broken('sent JSON that is not a chat completion', { wrongProtocol: true })
        return
      }
      // The last event may lack its blank line.
      events?.feed('\n\n')
      if (done || assembly.finishReason() !== undefined) return
      throw broken(
        sawReply
          ? 'ended the stream without a finish reason or an end mark'
          : 'ended the reply before sending anything',
        { wrongProtocol: isPlainText && !sawReply },
      )
    },
    hasStarted: assembly.hasStarted,
    hasFinished: () => assembly.finishReason() !== undefined,
    isDone: () => done,
    answer: assembly.result,
  }
}

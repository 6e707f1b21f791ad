import { describe, expect, it } from 'vitest'
import { mapEmbedder, mapProvider } from './provider-ids.ts'

describe('the name of a promptfoo provider here', () => {
  it.each<[string, string | undefined]>([
    ['openai:gpt-4.1', 'openai/gpt-4.1'],
    ['openai:chat:gpt-4.1-mini', 'openai/gpt-4.1-mini'],
    ['openai:responses:o3', 'openai/o3'],
    ['openai:chat:ft:gpt-4o:me', 'openai/ft:gpt-4o:me'],
    ['anthropic:messages:claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['anthropic:claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['google:gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['vertex:gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['mistral:mistral-large-latest', 'mistral/mistral-large-latest'],
    ['xai:grok-4', 'xai/grok-4'],
    ['openrouter:meta-llama/llama-3-70b', 'meta-llama/llama-3-70b'],
    ['ollama:chat:llama3:8b', 'ollama/llama3:8b'],
    ['togetherai:meta-llama/Llama-3-8b', 'together/meta-llama/Llama-3-8b'],
    ['azure:chat:my-deployment', 'azure/my-deployment'],
    ['bedrock:converse:amazon.nova-pro-v1:0', 'bedrock/amazon.nova-pro-v1:0'],
    ['vertex:claude-3-5-sonnet-v2@20241022', 'anthropic/claude-3-5-sonnet-20241022'],
    ['adaline:openai:chat:gpt-5', 'openai/gpt-5'],
    ['cerebras:llama3.1-8b', 'cerebras/llama3.1-8b'],
    ['openai:embedding:text-3', undefined],
    ['openai:chat', undefined],
    ['echo', undefined],
    ['constructor:x', undefined],
  ])('%s → %s', (id, model) => expect(mapProvider(id)).toBe(model))
})

describe('the name of an embedding model here', () => {
  it.each<[string, string | undefined]>([
    ['openai:embedding:text-embedding-3-small', 'openai/text-embedding-3-small'],
    ['openai:embeddings:text-embedding-ada-002', 'openai/text-embedding-ada-002'],
    ['mistral:embedding:mistral-embed', 'mistralai/mistral-embed'],
    ['ollama:embeddings:nomic-embed-text:v1.5', 'ollama/nomic-embed-text:v1.5'],
    ['openrouter:embedding:qwen/qwen3-embedding', 'qwen/qwen3-embedding'],
    ['openai:gpt-4o', undefined],
    ['openai:embedding', undefined],
    ['huggingface:sentence-similarity:a/b', undefined],
    ['azureopenai:embedding:x', 'azure/x'],
    ['azure:embeddings:ada-2', 'azure/ada-2'],
    ['constructor:embedding:x', undefined],
  ])('%s → %s', (id, model) => expect(mapEmbedder(id)).toBe(model))
})

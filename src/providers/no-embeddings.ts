import { InputError, type Client } from '../contract/index.ts'

export function describeNoEmbeddings(provider: string): string {
  return `${provider} gives no embeddings here: name an embedding model of an OpenAI-compatible endpoint (embeddingModel)`
}

/** Refuses embeddings before a run starts, for providers that are asked through the AI SDK. */
export function withoutEmbeddings(client: Client): Client {
  return {
    ...client,
    checkModel(_modelId, use) {
      if (use === 'embeddings') throw new InputError(describeNoEmbeddings(client.provider))
    },
  }
}

import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { readReply } from './api-request.ts'

/** The version, and the models and judge that are chosen at first. Saved settings invalidate it. */
export const useApp = () => useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()), staleTime: 60_000 })

/** The models of all providers. Saved settings invalidate the list. */
export const useModels = () =>
  useQuery({ queryKey: ['models'], queryFn: () => readReply(api.models.$get({ query: {} })), staleTime: 300_000 })

export const useSuites = () => useQuery({ queryKey: ['suites'], queryFn: () => readReply(api.suites.$get()) })

export const useScorers = () =>
  useQuery({ queryKey: ['scorers'], queryFn: () => readReply(api.scorers.$get()), staleTime: Infinity })

/** The presets of judges, and the samples to calibrate them on. */
export const useJudgeSamples = () =>
  useQuery({ queryKey: ['judgeSamples'], queryFn: () => readReply(api.judges.samples.$get()) })

export const useToolCallFiles = () =>
  useQuery({ queryKey: ['toolCallFiles'], queryFn: () => readReply(api.toolCalls.$get()) })

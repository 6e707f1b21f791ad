export type { TranscriptEntry } from './formats/chat-calls.ts'
export { readPossibleAnswerFiles, readToolResults } from './read-tool-results.ts'
export { readTranscript, recogniseFile, type RecognisedFile } from './recognise.ts'
